#!lua
-- Compares what the index has of one match with what its log says, at one moment, and makes it right if wanted.
--
-- KEYS  events, head record, list of all matches, rows, changes, the facets it belongs under, other facets
-- ARGV  kind (log: there is one with this head; none: there is none; id: only the list of all matches counts),
--       mend (1 or 0), match id, sequence, hash, row, the number of facets it belongs under
-- Returns {MOVED} | {SEEN, what is wrong}: list, row, no row, or the number of a facet from 1

local kind, mend, match_id = ARGV[1], ARGV[2] == '1', ARGV[3]
local FIRST_FACET, under = 6, tonumber(ARGV[7])

if kind == 'log' then
  local head = redis.call('HMGET', KEYS[2], 'seq', 'hash')
  if head[1] ~= ARGV[4] or head[2] ~= ARGV[5] then
    return {'MOVED'}
  end
elseif kind == 'none' and redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
  return {'MOVED'}
end

local wrong = {}
local function compare(set, belongs, name)
  local score = redis.call('ZSCORE', set, match_id)
  if (belongs and score == '0') or (not belongs and not score) then
    return
  end
  wrong[#wrong + 1] = name
  if mend and belongs then
    redis.call('ZADD', set, 0, match_id)
  elseif mend then
    redis.call('ZREM', set, match_id)
  end
end

compare(KEYS[3], kind ~= 'none', 'list')
if kind ~= 'id' then
  local row = redis.call('HGET', KEYS[4], match_id)
  if row ~= (kind == 'log' and ARGV[6]) then
    wrong[#wrong + 1] = row and 'row' or 'no row'
    if mend and kind == 'log' then
      redis.call('HSET', KEYS[4], match_id, ARGV[6])
    elseif mend then
      redis.call('HDEL', KEYS[4], match_id)
    end
  end
  for i = FIRST_FACET, #KEYS do
    compare(KEYS[i], i < FIRST_FACET + under, tostring(i - FIRST_FACET + 1))
  end
end
if mend and #wrong > 0 then
  -- An id that does not follow the one before: whoever watches looks at the rows again.
  redis.pcall('XADD', KEYS[5], '*', 'm', '', 'r', '', 'h', '')
end
return {'SEEN', wrong}
