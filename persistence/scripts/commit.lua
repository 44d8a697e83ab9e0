-- Replaces a record, if it still is the one that the writer saw, and writes what
-- belongs to the change beside it (beside.lua, which stands behind this).
--
-- KEYS[1]   the record
-- KEYS[2…]  what is written beside it
-- ARGV[1]   the stamp seen (24 bytes), or "" where there was no record
-- ARGV[2]   the new record: format byte, stamp (24 bytes), snapshot
-- ARGV[3]   the record's expiry, Unix milliseconds; "" for none
-- ARGV[4]   a letter for each of KEYS[2…], as beside.lua lists them
-- ARGV[5]   how long entries of idempotency keys are kept, milliseconds
-- ARGV[6…]  the values of KEYS[2…]
-- hold      nil; where the cart asks for stock the function of hold.lua, with KEYS and
--           ARGV of its own behind these
--
-- RETURN    1 when the record carries the new stamp (now, or from an earlier
--           sending); with hold what hold returned, which stands behind the record, or
--           0 where it refused; else {the record in the way, or "" where there is none,
--           and for each idempotency key its entry, or ""}
--
-- Atomic: all is written or nothing is.
local stamp = redis.call('GETRANGE', KEYS[1], '1', '24')
if stamp == string.sub(ARGV[2], 2, 25) then
  return hold and redis.call('GETRANGE', KEYS[1], #ARGV[2], '-1') or 1
end
local refused = stamp ~= ARGV[1]
local reply = {''}
for i = 2, #KEYS do
  if string.sub(ARGV[4], i - 1, i - 1) == 'o' then
    reply[#reply + 1] = redis.call('GET', KEYS[i]) or ''
    refused = refused or reply[#reply] ~= ''
  end
end
if refused then
  reply[1] = redis.call('GET', KEYS[1]) or ''
  return reply
end
local made = ''
if hold then
  made = hold()
  if not made then
    return 0
  end
end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2] .. made, 'PXAT', ARGV[3])
end
