-- Replaces an API key's hint, if it is still the one that was seen.
--
-- KEYS[1]   the hint: store id, space, number of the import that reserves the key
-- ARGV[1]   the hint seen; "" for none
-- ARGV[2]   the new hint
--
-- RETURN    1; 0 if another import replaced the hint first
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
