-- Enters stores with events into the index. Then it leases the stores that are due: their time
-- becomes the end of the lease, which is the mark of this call.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   max number of stores to lease
-- ARGV[2]   the time of the lease, milliseconds
-- ARGV[3…]  stores to enter
--
-- RETURN    {Redis's time in milliseconds, the mark, store…}
--
-- Stores are leased in the order of their times: when they were first entered, or are due. Entering
-- a store that is due does not change its time.
--
-- Atomic: one node leases a store.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local mark = string.format('%.0f', now + ARGV[2])
now = string.format('%.0f', now)
for i = 3, #ARGV do
  redis.call('ZADD', KEYS[1], 'LT', now, ARGV[i])
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, store in ipairs(due) do
  redis.call('ZADD', KEYS[1], mark, store)
end
return {now, mark, unpack(due)}
