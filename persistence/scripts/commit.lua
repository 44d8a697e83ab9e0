-- Replaces a record, if it still is the one that the writer saw, and writes what
-- belongs to the change beside it.
--
-- KEYS[1]   the record
-- KEYS[2…]  entries of idempotency keys, as many as ARGV[4] says, then contacts of
--           guests to create where there is none yet
-- ARGV[1]   the stamp seen (24 bytes), or "" where there was no record
-- ARGV[2]   the new record: format byte, stamp (24 bytes), snapshot
-- ARGV[3]   the record's expiry, Unix milliseconds; "" for none
-- ARGV[4]   the number of idempotency keys
-- ARGV[5]   how long their entries are kept, milliseconds
-- ARGV[6…]  the values of KEYS[2…]
--
-- RETURN    1 when the record carries the new stamp (now, or from an earlier
--           sending); else {the record in the way, or "" where there is none, and
--           for each idempotency key its entry, or ""}
--
-- Atomic: all is written or nothing is.
local stamp = redis.call('GETRANGE', KEYS[1], 1, 24)
local once = tonumber(ARGV[4])
if stamp == string.sub(ARGV[2], 2, 25) then
  return 1
end
local refused = stamp ~= ARGV[1]
for i = 2, once + 1 do
  refused = refused or redis.call('EXISTS', KEYS[i]) == 1
end
if refused then
  local reply = {redis.call('GET', KEYS[1]) or ''}
  for i = 2, once + 1 do
    reply[i] = redis.call('GET', KEYS[i]) or ''
  end
  return reply
end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
end
for i = 2, #KEYS do
  if i <= once + 1 then
    redis.call('SET', KEYS[i], ARGV[i + 4], 'PX', ARGV[5])
  else
    redis.call('SET', KEYS[i], ARGV[i + 4], 'NX')
  end
end
return 1
