-- Returns leased stores to the index.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   the mark they were leased under
-- ARGV[2…]  for each store: its id, and the time when it is to be served next, Unix
--           milliseconds, or "" if it has no events
--
-- RETURN    1
--
-- A store with another mark was entered meanwhile, and stays as it is. After the end of the lease
-- all stores stay as they are, because entering does not change their time any more: they are
-- leased again.
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
