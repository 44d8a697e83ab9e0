-- Drops the queue of a webhook that its store's document does not have any more.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the receivers
-- KEYS[3]   their leases
-- KEYS[4]   the webhook's queue
-- KEYS[5]   its retries
-- ARGV[1]   the head of the document
-- ARGV[2]   the receiver
--
-- RETURN    the number of dropped deliveries; 0 if the head has moved
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local count = redis.call('LLEN', KEYS[4]) + redis.call('ZCARD', KEYS[5])
redis.call('UNLINK', KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[2], ARGV[2] .. ' failed')
return count
