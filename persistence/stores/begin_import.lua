-- Leases a store for an import, if no other import has the lease and the head is still the one
-- that the import was judged by.
--
-- KEYS[1]   the head
-- KEYS[2]   the lease
-- KEYS[3]   the numbers of the store's imports (HASH)
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   the time of the lease, milliseconds
--
-- RETURN    the lease's fencing number; 0 if the head has moved meanwhile, -1 if
--           another import has the lease
if redis.call('EXISTS', KEYS[2]) == 1 then
  return -1
end
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
local number = redis.call('HINCRBY', KEYS[3], 'begun', 1)
redis.call('SET', KEYS[2], number, 'PX', ARGV[2])
return number
