#!lua
-- Takes one feed entry into the ledger, or nothing: rates its unit at most once, and moves the feed's place on.
-- Of a correction it takes back one unit at a time; the place moves on when there is none left.
--
-- KEYS  owner record, places, rated units, ledger, current ratings, leaderboard of the pool   (one slot)
-- ARGV  fence, partition, position before, place after (position:hash; empty: stays), unit key (empty: none),
--       expected ledger position, expected ledger hash, entry, entry hash,
--       one player's field, its record as it was read ('' for none), its new record, its score, its member,
--       the other's field, as read, new record, score, member,
--       as what the unit is rated (empty: it was, and is taken back)
-- Returns OK | SKIPPED | FENCED | MOVED (the place is another) | STALE (ledger or ratings are others: read again)

if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 'FENCED' end
local place = redis.call('HGET', KEYS[2], ARGV[2]) or '0:'
if string.match(place, '^%d+') ~= ARGV[3] then return 'MOVED' end
local rates = ARGV[20] ~= ''
if ARGV[5] == '' or (rates and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 1) then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
  return 'SKIPPED'
end
local head = redis.call('HMGET', KEYS[1], 'position', 'hash')
if (head[1] or '0') ~= ARGV[6] or (head[2] or '') ~= ARGV[7] then return 'STALE' end
if (redis.call('HGET', KEYS[5], ARGV[10]) or '') ~= ARGV[11] then return 'STALE' end
if (redis.call('HGET', KEYS[5], ARGV[15]) or '') ~= ARGV[16] then return 'STALE' end
local position = string.format('%d', tonumber(ARGV[6]) + 1)
redis.call('XADD', KEYS[4], position .. '-0', 'b', ARGV[8], 'h', ARGV[9])
redis.call('HSET', KEYS[1], 'position', position, 'hash', ARGV[9])
if rates then redis.call('HSET', KEYS[3], ARGV[5], ARGV[20]) else redis.call('HDEL', KEYS[3], ARGV[5]) end
redis.call('HSET', KEYS[5], ARGV[10], ARGV[12], ARGV[15], ARGV[17])
redis.call('ZADD', KEYS[6], ARGV[13], ARGV[14], ARGV[18], ARGV[19])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[4]) end
return 'OK'
