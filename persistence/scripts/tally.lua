-- Counts requests of a store and replaces the records that they change, each if it
-- still is the one that its writer saw and all its requests are within the limit.
--
-- KEYS[1]  the log of the store's request limit (window.lua)
-- KEYS[2]  the store's head; it begins with the limit
-- KEYS[3…] the records, each once
-- ARGV[1]  the head that the requests were judged under
-- ARGV[2]  the limit's window, microseconds
-- then for each record: the stamp seen (24 bytes, "" where there was no record), the
-- new record (format byte, stamp, snapshot), its expiry (Unix milliseconds), and how
-- many requests it answers
--
-- RETURN   {Redis's time in microseconds, the head} where the head is another one:
--          nothing is done. Else {Redis's time, the head, counted before this call,
--          oldest time counted (0: none), and for each record
--            n ≥ 0  replaced; n were granted in this call before its own
--            -1     it carried the new stamp already (an earlier sending); not counted
--            -2     its requests exceed the limit, of which n = -2 - reply are left
--            text   the record in the way, "" where there is none; not counted}
--
-- Atomic: a record is replaced and its requests are counted, or neither.
if head ~= ARGV[1] then return {clock, head} end
local left, granted = string.match(head, '^%d+') - count, 0
local reply = {clock, head, count, oldest, nil, nil, nil, nil}
for i = 3, #KEYS do
  local key, at = KEYS[i], 4 * i - 9
  local seen, record, rest = ARGV[at], ARGV[at + 1], left - ARGV[at + 3]
  local stamp = call('GETRANGE', key, '1', '24')
  if stamp ~= seen then
    reply[i + 2] = stamp == sub(record, 2, 25) and -1 or call('GET', key) or ''
  elseif rest < 0 and rest < left then
    reply[i + 2] = -2 - math.max(0, left)
  else
    call('SET', key, record, 'PXAT', ARGV[at + 2])
    reply[i + 2] = granted
    granted = granted + left - rest
    left = rest
  end
end
if count + granted == 0 then reply[4] = 0 end
