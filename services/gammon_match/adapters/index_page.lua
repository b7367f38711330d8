#!lua flags=no-writes
-- Reads rows of matches in the order of their ids, all at one moment.
--
-- KEYS  rows, then the sets of ids to choose from: the one with the fewest ids is read
-- ARGV  the id before (empty: from the start), the most rows
-- Returns {ids, rows}; a row is nil where there is none

local smallest, size
for i = 2, #KEYS do
  local ids = redis.call('ZCARD', KEYS[i])
  if not size or ids < size then
    smallest, size = KEYS[i], ids
  end
end
local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local ids = redis.call('ZRANGEBYLEX', smallest, from, '+', 'LIMIT', 0, ARGV[2])
if #ids == 0 then
  return {{}, {}}
end
return {ids, redis.call('HMGET', KEYS[1], unpack(ids))}
