-- Reads the stock of some items at one moment.
--
-- KEYS[1]   on hand (HASH: item → millionths)
-- KEYS[2]   held over all carts (HASH, the same)
-- KEYS[3]   the cart's own hold (HASH, the same)
-- KEYS[4]   the expiries of holds (ZSET: cart → Unix milliseconds)
-- ARGV      the items
--
-- RETURN    {1 if expired holds are not released yet, else 0; three lists in
--           the items' order: on hand, held, held by the cart; nil for none}
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
local expired = #redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'LIMIT', 0, 1)
local reply = {expired}
for i = 1, 3 do
  reply[i + 1] = redis.call('HMGET', KEYS[i], unpack(ARGV))
end
return reply
