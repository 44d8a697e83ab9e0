-- Copies the events of a store's outbox into the queues of the webhooks that receive them, and
-- returns the receivers that are due.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the outbox
-- KEYS[3]   the receivers, by the time when each is due or its lease ends
-- KEYS[4]   the receivers' leases
-- KEYS[5…]  for each webhook its queue and its retries
-- ARGV[1]   the head that the webhooks were read under
-- ARGV[2]   max number of events
-- ARGV[3]   max number of deliveries that wait for a webhook
-- ARGV[4]   max number of receivers to return
-- ARGV[5…]  for each webhook its id and its events, each between two spaces
--
-- RETURN    {events left, deliveries dropped, the receivers' earliest time or "",
--           {receiver due…}}; an empty list if the head has moved
--
-- The due time of a receiver is that of its first delivery. Later events do not change it, so
-- receivers are served in the order of their due times.
--
-- Atomic: an event leaves the outbox for all queues or stays.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return {}
end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local entries = redis.call('LRANGE', KEYS[2], 0, ARGV[2] - 1)
local dropped = 0
for i = 5, #KEYS, 2 do
  local queue, retries, receiver, events = KEYS[i], KEYS[i + 1], ARGV[i], ARGV[i + 1]
  local added, leased = 0, redis.call('HEXISTS', KEYS[4], receiver) == 1
  for _, entry in ipairs(entries) do
    local event = string.match(entry, '^{"id":"%x*","event":"([^"]*)"')
    if event and string.find(events, ' ' .. event .. ' ', 1, true) then
      redis.call('RPUSH', queue, '0 ' .. now .. ' ' .. entry)
      added = added + 1
    end
  end
  if added > 0 then
    if not leased then redis.call('ZADD', KEYS[3], 'LT', now, receiver) end
    local over = redis.call('LLEN', queue) + redis.call('ZCARD', retries) - ARGV[3]
    if over > 0 then
      local popped = #redis.call('ZPOPMAX', retries, over) / 2
      if popped < over then redis.call('LTRIM', queue, over - popped, -1) end
      dropped = dropped + over
    end
  end
end
redis.call('LTRIM', KEYS[2], #entries, -1)
local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
local due = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, ARGV[4])
return {redis.call('LLEN', KEYS[2]), dropped, first[2] or '', due}
