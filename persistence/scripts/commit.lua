-- Replaces a record, if it still is the one that the writer saw, and writes what
-- belongs to the change beside it.
--
-- KEYS[1]   the record
-- KEYS[2…]  contacts of guests to create where there is none yet
-- ARGV[1]   the stamp seen (24 bytes), or "" where there was no record
-- ARGV[2]   the new record: format byte, stamp (24 bytes), snapshot
-- ARGV[3]   the record's expiry, Unix milliseconds; "" for none
-- ARGV[4…]  the contacts of KEYS[2…]
--
-- RETURN    1 when the record carries the new stamp (now, or from an earlier
--           sending); else the record in the way, or 0 where there is none
--
-- Atomic: all is written or nothing is.
local stamp = redis.call('GETRANGE', KEYS[1], 1, 24)
if stamp ~= ARGV[1] then
  if stamp == string.sub(ARGV[2], 2, 25) then
    return 1
  end
  return redis.call('GET', KEYS[1]) or 0
end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
end
for i = 2, #KEYS do
  redis.call('SET', KEYS[i], ARGV[i + 2], 'NX')
end
return 1
