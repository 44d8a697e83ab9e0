-- Settles a receiver's last delivery and takes its next one, under a lease: nobody
-- else takes one of this receiver before the lease ends. Without a next one, or where
-- none is asked for, the receiver is let go.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the receivers, by when each has something due or its lease ends
-- KEYS[3]   the receivers' leases
-- KEYS[4]   the receiver's queue
-- KEYS[5]   its retries, by when each is due
-- ARGV[1]   the head that the webhook was read under; another lets the receiver go
-- ARGV[2]   the receiver
-- ARGV[3]   the lease
-- ARGV[4]   how long it lasts from now, milliseconds; 0: let go
-- ARGV[5]   the delivery to settle, or "" for none
-- ARGV[6]   the delivery as it is to be tried again, or "" where it is over
-- ARGV[7]   after how many milliseconds; for as long, but at most ten seconds, the
--           receiver rests with all else that waits for it, once it is let go
--
-- RETURN    {delivery, Redis's time in milliseconds}; {"", when the receiver is due
--           next, or "" for never}; nothing where the receiver is another node's
--
-- Atomic: a delivery is in the queue, in the retries, or over.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function after(ms) return string.format('%.0f', now + ms) end
if redis.call('HGET', KEYS[3], ARGV[2]) ~= ARGV[3] then
  local due = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[2]) or '')
  if ARGV[5] ~= '' or ARGV[4] == '0' or not due or due > now then
    return {}
  end
end
if ARGV[5] ~= '' then
  if redis.call('LINDEX', KEYS[4], 0) == ARGV[5] then
    redis.call('LPOP', KEYS[4])
  else
    redis.call('ZREM', KEYS[5], ARGV[5])
  end
  if ARGV[6] ~= '' then redis.call('ZADD', KEYS[5], after(ARGV[7]), ARGV[6]) end
end
local first = redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')
local waiting = redis.call('LINDEX', KEYS[4], 0)
local due = first[2]
if waiting and not (due and tonumber(due) <= now) then
  first, due = {waiting}, after(0)
end
if due and tonumber(due) <= now and ARGV[4] ~= '0' and redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
  redis.call('ZADD', KEYS[2], after(ARGV[4]), ARGV[2])
  return {first[1], after(0)}
end
local rest = ARGV[6] ~= '' and math.min(ARGV[7], 10000) or 0
redis.call('HDEL', KEYS[3], ARGV[2])
if due and tonumber(due) < now + rest then
  due = after(rest)
  redis.call('HSET', KEYS[3], ARGV[2], 'rests')
end
if due then redis.call('ZADD', KEYS[2], due, ARGV[2]) else redis.call('ZREM', KEYS[2], ARGV[2]) end
return {'', due or ''}
