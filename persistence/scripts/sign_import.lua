-- Gives or takes away the sign that an import lives, and counts those that do.
--
-- KEYS[1]   the signs (ZSET: import → until when it counts as alive, Unix ms)
-- ARGV[1]   the import's id; "" only counts
-- ARGV[2]   for how long it counts as alive from now, milliseconds; "0": it has ended
--
-- A sign for longer than a minute was given by a clock that was ahead: a minute is left.
--
-- RETURN    how many imports of the store live
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
local most = string.format('%.0f', now + 60000)
for _, import in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. most, '+inf')) do
  redis.call('ZADD', KEYS[1], most, import)
end
if ARGV[2] ~= '0' then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
elseif ARGV[1] ~= '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
