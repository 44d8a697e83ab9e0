-- Ends an attempt: a failure counts from now on, a success does not.
--
-- KEYS[1]   the log (LIST), as begin_attempt.lua keeps it
-- ARGV[1]   the attempt's id
-- ARGV[2]   the limit
-- ARGV[3]   the window, microseconds
-- ARGV[4]   1 for a failure, 0 for a success
--
-- RETURN    1; 0 where the attempt is not under way (any more)
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, ARGV[2] - 1)) do
  if string.match(entry, ' (.*)$') == ARGV[1] then
    redis.call('LREM', KEYS[1], 1, entry)
    if ARGV[4] == '1' then
      local t = redis.call('TIME')
      redis.call('RPUSH', KEYS[1], string.format('%.0f', t[1] * 1000000 + t[2]))
      redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[3] / 1000))
    end
    return 1
  end
end
return 0
