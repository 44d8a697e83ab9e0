-- Ends an attempt. A failure counts from now on; a success is removed.
--
-- KEYS      the logs (LISTs of one slot), as begin_attempt.lua keeps them
-- ARGV[1]   the attempt's id
-- ARGV[2]   1 for a failure, 0 for a success
-- ARGV[3…]  for each log its limit and its window, microseconds
--
-- RETURN    1, or 0 if the attempt is not under way
local ended = 0
for i, log in ipairs(KEYS) do
  for _, entry in ipairs(redis.call('LRANGE', log, 0, ARGV[2 * i + 1] - 1)) do
    if string.match(entry, ' (.*)$') == ARGV[1] then
      redis.call('LREM', log, 1, entry)
      if ARGV[2] == '1' then
        local t = redis.call('TIME')
        redis.call('RPUSH', log, string.format('%.0f', t[1] * 1000000 + t[2]))
        redis.call('PEXPIRE', log, math.ceil(ARGV[2 * i + 2] / 1000))
      end
      ended = 1
      break
    end
  end
end
return ended
