-- Settles a receiver's last delivery (settle.lua, which stands before this) and takes its
-- next one, under a lease: nobody else takes one of this receiver before the lease ends.
-- Without a next one, or where none is asked for, the receiver is let go: behind those
-- that are due already, however long its retries have been.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the receivers, by when each has something due or its lease ends
-- KEYS[3]   the receivers' leases; for one that rests which of its deliveries comes
--           next; and how many never tried before failed since one arrived
-- KEYS[4]   the receiver's queue
-- KEYS[5]   its retries, by when each is due
-- KEYS[6]   what was given up (LIST)
-- ARGV[1]   the head that the webhook was read under; another lets the receiver go
-- ARGV[2]   the receiver
-- ARGV[3]   the lease
-- ARGV[4]   how long it lasts from now, milliseconds; 0: let go
-- ARGV[5]   the delivery to settle, or "" for none
-- ARGV[6]   the delivery as it is to be tried again, or "" where it is over
-- ARGV[7]   after how many milliseconds; "" where it arrived
-- ARGV[8]   for how many milliseconds a delivery that is given up is kept; "" for any other
-- ARGV[9]   how many are kept
--
-- RETURN    {delivery, Redis's time in milliseconds}; {"", when the receiver is due
--           next, or "" for never}; nothing where the receiver is another node's
--
-- Atomic: a delivery is in the queue, in the retries, given up, or over.
local first = redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')
local waiting, due = redis.call('LINDEX', KEYS[4], 0), tonumber(first[2] or '')
if waiting and (untriedFirst or not due or due > now) then
  first, due = {waiting}, now
end
if due and due <= now and rest == 0 and ARGV[4] ~= '0' and redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
  redis.call('ZADD', KEYS[2], after(ARGV[4]), ARGV[2])
  return {first[1], after(0)}
end
redis.call('HDEL', KEYS[3], ARGV[2])
if not due then
  redis.call('HDEL', KEYS[3], row)
  redis.call('ZREM', KEYS[2], ARGV[2])
  return {'', ''}
end
if rest > 0 then
  due = now + rest
  redis.call('HSET', KEYS[3], ARGV[2], untriedFirst and 'untried next' or 'retry next')
end
due = string.format('%.0f', math.max(due, now))
redis.call('ZADD', KEYS[2], due, ARGV[2])
return {'', due}
