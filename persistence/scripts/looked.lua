-- Gives stores that were looked at back to the index.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   the mark they were taken under
-- ARGV[2…]  for each store: its id, and when it is to be looked at next, Unix
--           milliseconds, or "" where it has nothing to do
--
-- RETURN    1
--
-- A store whose mark is another was told of meanwhile, and stays as it is.
for i = 2, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or '') == tonumber(ARGV[1]) then
    if ARGV[i + 1] == '' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i])
    end
  end
end
return 1
