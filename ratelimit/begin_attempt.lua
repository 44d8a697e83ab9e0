-- Lets an attempt begin unless too many attempts have failed under one of its limits. An
-- attempt counts as a failure until its entry is removed, so simultaneous attempts cannot exceed
-- a limit.
--
-- KEYS      the logs (LISTs of one slot); an entry is "<µs> <id>"
-- ARGV[1]   the attempt's id; "" reads the logs and begins no attempt
-- ARGV[2…]  for each log its limit and its window, microseconds
--
-- RETURN    {granted (0 or 1), now (µs)}, then for each log: the earlier entries that count, the
--           time of the oldest (µs; 0 if none)
--
-- Atomic: the attempt counts in all logs or in none.
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local reply = {1, now}
for i, log in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local counted, oldest = 0, 0
  for _, entry in ipairs(redis.call('LRANGE', log, 0, limit - 1)) do
    local at = tonumber(string.match(entry, '^%d+'))
    if at + window <= now or at > now + window then
      redis.call('LREM', log, 1, entry)
    else
      counted = counted + 1
      if oldest == 0 or at < oldest then -- the clock may have stepped back
        oldest = at
      end
    end
  end
  if counted >= limit then
    reply[1] = 0
  end
  local n = #reply
  reply[n + 1], reply[n + 2] = counted, oldest
end
if reply[1] == 1 and ARGV[1] ~= '' then
  for i, log in ipairs(KEYS) do
    redis.call('RPUSH', log, string.format('%.0f ', now) .. ARGV[1])
    redis.call('PEXPIRE', log, math.ceil(ARGV[2 * i + 1] / 1000))
  end
end
return reply
