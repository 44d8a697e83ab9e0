-- Releases a bounded number of expired holds, oldest first. Then it releases holds whose expiry is
-- too far in the future: they were written under a wrong clock, and would never expire.
--
-- KEYS[1]   the expiries of holds (ZSET: cart → Unix milliseconds)
-- KEYS[2]   held over all carts (HASH: item → millionths)
-- ARGV[1]   max number of carts
-- ARGV[2]   the prefix of carts' holds; they lie in the slot of KEYS
-- ARGV[3]   the time until which holds have expired, Unix milliseconds; "" for now
-- ARGV[4]   number of items after which no further cart is begun
-- ARGV[5]   the longest possible hold, milliseconds
--
-- RETURN    {1 if more may have expired, else 0; ARGV[3] or the present time; the number of carts
--           whose holds were released}
--
-- Atomic: a cart's hold and its part of the sums are removed together. While a cluster moves the
-- slot, the script fails for a hold that is not here yet: Redis refuses a command whose keys are
-- not all here.
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
return {(done < #carts or done == tonumber(ARGV[1])) and 1 or 0, now, done}
