-- Extends the lease of an import, if it is still that import's.
--
-- KEYS[1]   the lease
-- ARGV[1]   the import's number
-- ARGV[2]   the time that the lease lasts from now, milliseconds; 0 ends it
--
-- RETURN    1; 0 if the lease has expired
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
