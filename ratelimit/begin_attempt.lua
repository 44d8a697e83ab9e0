-- Lets an attempt begin unless too many have failed. Attempts under way count as
-- failures until they end, so that no number of them at once gets past the limit.
--
-- KEYS[1]   the log (LIST), in order: "<µs>" a failure, "<µs> <id>" an attempt
-- ARGV[1]   the attempt's id; "" to look only
-- ARGV[2]   the limit
-- ARGV[3]   the window, microseconds
--
-- RETURN    {granted (0 or 1), counted before it, of them under way, the oldest
--           counted (µs; 0 for none), now (µs)}
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local limit, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local counted, open, oldest = 0, 0, 0
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, limit - 1)) do
  local at = tonumber(string.match(entry, '^%d+'))
  if at + window <= now or at > now + window then
    redis.call('LREM', KEYS[1], 1, entry)
  else
    counted = counted + 1
    if oldest == 0 or at < oldest then -- the clock may have stepped back
      oldest = at
    end
    if string.find(entry, ' ', 1, true) then
      open = open + 1
    end
  end
end
if counted >= limit then
  return {0, counted, open, oldest, now}
end
if ARGV[1] ~= '' then
  redis.call('RPUSH', KEYS[1], string.format('%.0f ', now) .. ARGV[1])
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
end
return {1, counted, open, oldest, now}
