-- Gives leased stores back to the index.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   the mark they were leased under
-- ARGV[2…]  for each store: its id, and when it is to be served next, Unix
--           milliseconds, or "" where it has nothing to do
--
-- RETURN    1
--
-- A store whose mark is another was noted meanwhile, and stays as it is. So do all once the lease
-- has ended, for noting does not move them any more: they are leased again.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[1]) then
  return 1
end
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
