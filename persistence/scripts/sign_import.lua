-- Gives or takes away the sign that an import lives, and counts those that do.
--
-- KEYS[1]   the signs (ZSET: import → until when it counts as alive, Unix ms)
-- ARGV[1]   the import's id; "" only counts
-- ARGV[2]   for how long it counts as alive from now, milliseconds; "0": it has ended
--
-- RETURN    how many imports of the store live
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if ARGV[2] ~= '0' then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
elseif ARGV[1] ~= '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
