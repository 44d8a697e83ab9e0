-- Writes a document's stock of the items that are new to the store, if its import still has the
-- store's lease.
--
-- KEYS[1]   on hand (HASH: item → millionths)
-- KEYS[2]   the lease
-- ARGV[1]   the import's number
-- ARGV[2…]  pairs of item and millionths, a few hundred at most
--
-- RETURN    1; 0 if the lease has expired
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
for i = 2, #ARGV, 2 do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
