-- Notes in the index the stores that have something to do. Then leases those that are due: it
-- marks them, so that other nodes leave them alone for a while.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   how many stores at most
-- ARGV[2]   for how long they are marked, milliseconds
-- ARGV[3…]  stores to note
--
-- RETURN    {Redis's time in milliseconds, the mark, store…}
--
-- First come, first served: a store counts from when it was first noted, or from when
-- it is due, and one that is noted again and again overtakes no other.
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
