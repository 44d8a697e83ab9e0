-- Names another store in an API key's hint, if it still names the one that was seen.
--
-- KEYS[1]   the hint
-- ARGV[1]   the store's id seen; "" for no hint
-- ARGV[2]   the id of the store that is to have the key
--
-- RETURN    the id that the hint names now: ARGV[2], or who came between
local named = redis.call('GET', KEYS[1]) or ''
if named ~= ARGV[1] then
  return named
end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
