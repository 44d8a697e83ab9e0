-- Releases a bounded number of expired holds, oldest first; after them such as expire later than
-- any can: a clock that was far ahead has written them, and they would never expire.
--
-- KEYS[1]   when holds expire (ZSET: cart → Unix milliseconds)
-- KEYS[2]   held over all carts (HASH: item → millionths)
-- ARGV[1]   of how many carts at most
-- ARGV[2]   the prefix of what carts hold; it lies in the slot of KEYS
-- ARGV[3]   those that expired until then, Unix milliseconds; "" for now
-- ARGV[4]   after how many items no further cart is begun
-- ARGV[5]   in how many milliseconds a hold of now expires at most
--
-- RETURN    {1 if more may have expired, else 0; the time that it went by}
--
-- Atomic: what a cart holds and the sums of it go together. A cluster that moves the slot
-- refuses a command of several keys that are not all here: so a hold that is not here yet
-- is an error, and not a cart that holds nothing.
local now = ARGV[3]
if now == '' then
  local t = redis.call('TIME')
  now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
end
local done, items = 0, 0
local carts = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
local far = string.format('(%.0f', now + ARGV[5])
for _, cart in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], far, '+inf', 'LIMIT', 0, ARGV[1] - #carts)) do
  carts[#carts + 1] = cart
end
for _, cart in ipairs(carts) do
  if items >= tonumber(ARGV[4]) then
    break
  end
  local own = ARGV[2] .. cart
  local held = redis.call('HKEYS', own)
  if #held == 0 then
    redis.call('EXISTS', KEYS[1], own)
  end
  for _, item in ipairs(held) do
    redis.call('HINCRBY', KEYS[2], item, '-' .. redis.call('HGET', own, item))
    items = items + 1
  end
  redis.call('DEL', own)
  redis.call('ZREM', KEYS[1], cart)
  done = done + 1
end
return {(done < #carts or done == tonumber(ARGV[1])) and 1 or 0, now}
