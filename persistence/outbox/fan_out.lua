-- Copies the events of a store's outbox into the queues of the webhooks that take
-- them, and says which queues have something due.
--
-- KEYS[1]   the store's head
-- KEYS[2]   the outbox
-- KEYS[3]   the receivers, by when each has something due or its lease ends
-- KEYS[4]   the receivers' leases
-- KEYS[5…]  of each webhook its queue and its retries
-- ARGV[1]   the head that the webhooks were read under
-- ARGV[2]   how many events at most
-- ARGV[3]   how many deliveries may wait for a webhook
-- ARGV[4]   how many receivers to return at most
-- ARGV[5…]  of each webhook its id and its events, each between two spaces
--
-- RETURN    {events left, deliveries dropped, the receivers' earliest time or "",
--           {receiver due…}}; nothing where the head has moved
--
-- A receiver is due from when it first was: events that come meanwhile do not move it, so
-- those due are served first come, first served.
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
    local event = string.match(entry, '"event":"([^"]*)"')
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
