-- Marks a store as being imported, if its head still is the one that the import
-- was judged by. An earlier import that still writes is overtaken: it finds the
-- mark changed before its next write.
--
-- KEYS[1]   the head
-- KEYS[2]   the mark
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   the import's id
--
-- RETURN    1; 0 where the head has moved meanwhile
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2])
return 1
