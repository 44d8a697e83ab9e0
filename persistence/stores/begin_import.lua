-- Takes a store's lease for an import, if no other import holds it and the head still is
-- the one that the import was judged by.
--
-- KEYS[1]   the head
-- KEYS[2]   the lease
-- KEYS[3]   the numbers of the store's imports (HASH)
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   how long the lease lasts, milliseconds
--
-- RETURN    the lease's fencing number; 0 where the head has moved meanwhile, -1 where
--           another import holds the lease
if redis.call('EXISTS', KEYS[2]) == 1 then
  return -1
end
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
local number = redis.call('HINCRBY', KEYS[3], 'begun', 1)
redis.call('SET', KEYS[2], number, 'PX', ARGV[2])
return number
