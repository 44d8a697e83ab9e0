-- Settles a receiver's last delivery and takes its next one, under a lease: nobody
-- else takes one of this receiver before the lease ends. Without a next one, or where
-- none is asked for, the receiver is let go.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the receivers, by when each has something due or its lease ends
-- KEYS[3]   the receivers' leases; for one that rests which of its deliveries comes
--           next; and how many never tried before failed since one arrived
-- KEYS[4]   the receiver's queue
-- KEYS[5]   its retries, by when each is due
-- ARGV[1]   the head that the webhook was read under; another lets the receiver go
-- ARGV[2]   the receiver
-- ARGV[3]   the lease
-- ARGV[4]   how long it lasts from now, milliseconds; 0: let go
-- ARGV[5]   the delivery to settle, or "" for none
-- ARGV[6]   the delivery as it is to be tried again, or "" where it is over
-- ARGV[7]   after how many milliseconds; "" where it arrived
--
-- Behind a retry that failed the queue comes first, behind one of the queue the retries:
-- neither kind holds up the other. Beyond four of those never tried before that failed
-- in a row, the receiver rests behind each failure, 100 ms for each beyond, at most 10 s.
--
-- RETURN    {delivery, Redis's time in milliseconds}; {"", when the receiver is due
--           next, or "" for never}; nothing where the receiver is another node's
--
-- Atomic: a delivery is in the queue, in the retries, or over.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function after(ms) return string.format('%.0f', now + ms) end
local lease, row = redis.call('HGET', KEYS[3], ARGV[2]), ARGV[2] .. ' failed'
if lease ~= ARGV[3] then
  local due = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[2]) or '')
  if ARGV[5] ~= '' or ARGV[4] == '0' or not due or due > now then
    return {}
  end
end
local rest, untriedFirst = 0, lease == 'untried next'
if ARGV[5] ~= '' then
  local untried = redis.call('LINDEX', KEYS[4], 0) == ARGV[5]
  if untried then
    redis.call('LPOP', KEYS[4])
  else
    redis.call('ZREM', KEYS[5], ARGV[5])
  end
  if ARGV[6] ~= '' then redis.call('ZADD', KEYS[5], after(ARGV[7]), ARGV[6]) end
  if ARGV[7] == '' then
    redis.call('HDEL', KEYS[3], row)
  else
    local failed = untried and redis.call('HINCRBY', KEYS[3], row, 1) or redis.call('HGET', KEYS[3], row) or 0
    rest, untriedFirst = math.max(0, math.min(100 * (failed - 4), 10000)), not untried
  end
end
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
due = string.format('%.0f', due)
redis.call('ZADD', KEYS[2], due, ARGV[2])
return {'', due}
