-- Takes the stores that are to be looked at, those first that have waited longest,
-- and marks them, so that other nodes leave them alone for a while.
--
-- KEYS[1]   the index of outboxes
-- ARGV[1]   how many stores at most
-- ARGV[2]   for how long they are marked, milliseconds
--
-- RETURN    {Redis's time in milliseconds, the mark, store…}
--
-- Atomic: a store is taken by one node.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local mark = string.format('%.0f', now + ARGV[2])
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
for _, store in ipairs(due) do
  redis.call('ZADD', KEYS[1], mark, store)
end
return {string.format('%.0f', now), mark, unpack(due)}
