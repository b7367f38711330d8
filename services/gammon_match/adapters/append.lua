#!lua
-- Appends one prepared batch to a match, or nothing. Scripts do not roll back: every check stands before the
-- first write, and the first write is the only one that can still be refused.
--
-- KEYS  events, head record, feed, partition record, list of all matches (one slot); and where the match's place in
--       lists changes: rows, changes, the facets it is found under, the facets it is no longer found under
-- ARGV  lineage, expected sequence, expected hash, match id, closes (1 or 0), feed entry (empty: none), n,
--       then n times envelope, hash; and where its place changes: its row (empty: reads as before), the number of
--       facets it is found under, how many changes are kept
-- Returns {APPENDED} | {DUPLICATE} | {CONFLICT, sequence, hash} | {CLOSED, sequence, hash} | {FENCED, lineage}
--       | {CORRUPT, fault} | {REFUSED, fault}

local events, head, feed, meta, matches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local sequence, hash, match_id, feed_entry = ARGV[2], ARGV[3], ARGV[4], ARGV[6]
local expected, count = tonumber(sequence), tonumber(ARGV[7])
local FIRST_PAIR, FIRST_FACET = 8, 8
local listed = #KEYS > 5

if not expected or expected < 0 or not count or count < 1 or count > 64 or #ARGV ~= 7 + 2 * count + (listed and 3 or 0)
then
  return {'REFUSED', 'BATCH: batch of 1 to 64 events expected'}
end
if #hash ~= 32 or #feed_entry > 65536 then
  return {'REFUSED', 'BATCH: expected hash of 32 bytes and feed entry of at most 65536 expected'}
end
local LAST_HASH = 7 + 2 * count
for i = FIRST_PAIR, LAST_HASH, 2 do
  if #ARGV[i] < 1 or #ARGV[i] > 65536 or #ARGV[i + 1] ~= 32 then
    return {'REFUSED', 'BATCH: events of 1 to 65536 bytes with hashes of 32 expected'}
  end
end

local lineage = redis.call('HGET', meta, 'lineage')
if lineage ~= ARGV[1] then
  return {'FENCED', lineage or '0'}
end

local function id(number)
  return string.format('%d-0', number)
end
-- The id of the last entry that a stream was ever given, and of the last that it has.
local function ends(stream)
  if redis.call('EXISTS', stream) == 0 then
    return '0-0', '0-0'
  end
  local info, generated, last = redis.call('XINFO', 'STREAM', stream), nil, nil
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then generated = info[i + 1] end
    if info[i] == 'last-entry' then last = info[i + 1] end
  end
  return generated, last and last[1]
end
local function after(generated)
  return id(tonumber(string.match(generated, '^%d+')) + 1)
end
local last_hash = ARGV[LAST_HASH]
local record = redis.call('HMGET', head, 'seq', 'hash', 'st')
local at, at_hash, state = record[1], record[2], record[3]

if not at then
  if redis.call('EXISTS', events) == 1 then
    return {'CORRUPT', 'events without a head record'}
  end
  if expected ~= 0 then
    return {'CONFLICT', '0', ''}
  end
  redis.call('ZCARD', matches) -- fails here, not half-way, if another kind of value is under this key
elseif not at_hash or not tonumber(at) then
  return {'CORRUPT', 'the head record is malformed'}
elseif at ~= sequence or at_hash ~= hash then
  -- The hash of a batch's last event commits to all before it, so it alone tells whether the batch is here.
  if tonumber(at) >= expected + count then
    local place = id(expected + count)
    local found = redis.call('XRANGE', events, place, place)[1]
    if not found then
      return {'CORRUPT', 'no event ' .. place .. ' below the head ' .. at}
    end
    if found[2][4] == last_hash then
      -- A write, so that what is waited for on this connection covers the batch as well (event store, finding 3).
      redis.call('HINCRBY', head, 'dup', 1)
      return {'DUPLICATE'}
    end
  end
  return {'CONFLICT', at, at_hash}
else
  local last = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
  if not last or last[1] ~= sequence .. '-0' or last[2][4] ~= hash then
    return {'CORRUPT', 'the head is ' .. at .. ', the last event ' .. (last and last[1] or 'missing')}
  end
  if redis.call('XLEN', events) ~= expected then
    return {'CORRUPT', 'the head is ' .. at .. ', but events are missing below it'}
  end
  if state ~= 'open' then
    return {'CLOSED', at, at_hash}
  end
end

local feed_id, change_id
if feed_entry ~= '' then
  local generated, last = ends(feed)
  if last ~= generated then
    return {'CORRUPT', 'the feed has lost entries after ' .. (last or 'its start')}
  end
  feed_id = after(generated)
end
if listed then
  -- These fail here, not half-way, if another kind of value is under one of the keys.
  redis.call('HLEN', KEYS[6])
  if redis.call('EXISTS', KEYS[7]) == 1 then
    change_id = after((ends(KEYS[7])))
  else
    -- Not from 1: whoever has read a list that is gone by now notices that this is another one.
    local now = redis.call('TIME')
    change_id = id(now[1] * 1000 + math.floor(now[2] / 1000))
  end
  for i = FIRST_FACET, #KEYS do
    redis.call('ZCARD', KEYS[i])
  end
end

local first = redis.pcall('XADD', events, id(expected + 1), 'b', ARGV[FIRST_PAIR], 'h', ARGV[FIRST_PAIR + 1])
if type(first) == 'table' and first.err then
  if string.find(first.err, 'equal or smaller', 1, true) then
    return {'CORRUPT', 'events after the head have been removed'}
  end
  return {'REFUSED', 'XADD: ' .. first.err}
end
for i = 2, count do
  local pair = FIRST_PAIR + 2 * (i - 1)
  redis.call('XADD', events, id(expected + i), 'b', ARGV[pair], 'h', ARGV[pair + 1])
end
if expected == 0 then
  redis.call('ZADD', matches, 0, match_id)
end
if feed_id then
  redis.call('XADD', feed, feed_id, 'b', feed_entry)
end
if listed then
  local row, under, kept = ARGV[#ARGV - 2], tonumber(ARGV[#ARGV - 1]), ARGV[#ARGV]
  for i = FIRST_FACET, #KEYS do
    if i < FIRST_FACET + under then
      redis.call('ZADD', KEYS[i], 0, match_id)
    else
      redis.call('ZREM', KEYS[i], match_id)
    end
  end
  if row ~= '' then
    redis.call('HSET', KEYS[6], match_id, row)
    redis.call('XADD', KEYS[7], 'MAXLEN', '~', kept, change_id, 'm', match_id, 'r', row, 'h', last_hash)
  end
end
redis.call('HSET', head, 'seq', string.format('%d', expected + count), 'hash', last_hash,
  'st', ARGV[5] == '1' and 'closed' or 'open')
return {'APPENDED'}
