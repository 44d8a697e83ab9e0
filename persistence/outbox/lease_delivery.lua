-- Finishes a receiver's last delivery and leases its next one: no other node leases a delivery of
-- this receiver until the lease ends. If none is due, or none is asked for, the receiver is
-- returned: it waits after the receivers that are due already, even if its retries are older.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the receivers, by the time when each is due or its lease ends
-- KEYS[3]   the receivers' leases; for a receiver that rests, which kind of delivery comes next;
--           and the number of its untried deliveries that failed since one arrived
-- KEYS[4]   the receiver's queue
-- KEYS[5]   its retries, by the time when each is due
-- KEYS[6]   the given-up deliveries (LIST)
-- ARGV[1]   the head that the webhook was read under; under another head the receiver is returned
-- ARGV[2]   the receiver
-- ARGV[3]   the lease
-- ARGV[4]   the time of the lease, milliseconds; 0: return the receiver
-- ARGV[5]   the delivery to finish, or "" for none
-- ARGV[6]   the delivery's text for its next try, or "" if it is over
-- ARGV[7]   milliseconds until its next try; "" if it arrived
-- ARGV[8]   milliseconds that a given-up delivery is kept; "" for any other
-- ARGV[9]   max number of given-up deliveries
-- ARGV[10]  number of untried deliveries that may fail in a row without a rest
-- ARGV[11]  milliseconds of rest for each failure beyond that number
-- ARGV[12]  max milliseconds of rest
--
-- RETURN    {delivery, Redis's time in milliseconds}; {"", the time when the receiver is due
--           next, or "" for never}; an empty list if another node serves the receiver
--
-- After a failed retry the queue comes first, after a failed delivery of the queue the retries, so
-- that neither kind delays the other.
--
-- Atomic: a delivery is in the queue, in the retries, given up, or over.
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
local rest, untried_first = 0, lease == 'untried next'
if ARGV[5] ~= '' then
  local untried = redis.call('LINDEX', KEYS[4], 0) == ARGV[5]
  if untried then
    redis.call('LPOP', KEYS[4])
  else
    redis.call('ZREM', KEYS[5], ARGV[5])
  end
  if ARGV[6] ~= '' then redis.call('ZADD', KEYS[5], after(ARGV[7]), ARGV[6]) end
  if ARGV[8] ~= '' then
    redis.call('RPUSH', KEYS[6], ARGV[5])
    redis.call('LTRIM', KEYS[6], '-' .. ARGV[9], -1)
    redis.call('PEXPIRE', KEYS[6], ARGV[8])
  end
  if ARGV[7] == '' then
    redis.call('HDEL', KEYS[3], row)
  else
    local failed = untried and redis.call('HINCRBY', KEYS[3], row, 1) or redis.call('HGET', KEYS[3], row) or 0
    rest, untried_first = math.max(0, math.min(ARGV[11] * (failed - ARGV[10]), tonumber(ARGV[12]))), not untried
  end
end
local first = redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')
local waiting, due = redis.call('LINDEX', KEYS[4], 0), tonumber(first[2] or '')
if waiting and (untried_first or not due or due > now) then
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
  redis.call('HSET', KEYS[3], ARGV[2], untried_first and 'untried next' or 'retry next')
end
due = string.format('%.0f', math.max(due, now))
redis.call('ZADD', KEYS[2], due, ARGV[2])
return {'', due}
