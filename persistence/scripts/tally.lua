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
local head = redis.call('GET', KEYS[2]) or ''
if head ~= ARGV[1] then return {clock, head} end
local window, limit = tonumber(ARGV[2]), tonumber(string.match(head, '^%d+'))
local seen = counted(KEYS[1], window)
local left, granted = limit - seen.count, 0
local reply = {clock, head, seen.count, seen.oldest}
for i = 3, #KEYS do
  local at = 4 * i - 9
  local stamp, asked = redis.call('GETRANGE', KEYS[i], 1, 24), tonumber(ARGV[at + 3])
  if stamp == string.sub(ARGV[at + 1], 2, 25) then
    reply[i + 2] = -1
  elseif stamp ~= ARGV[at] then
    reply[i + 2] = redis.call('GET', KEYS[i]) or ''
  elseif asked > left then
    reply[i + 2] = -2 - math.max(0, left)
  else
    redis.call('SET', KEYS[i], ARGV[at + 1], 'PXAT', ARGV[at + 2])
    reply[i + 2] = granted
    left, granted = left - asked, granted + asked
  end
end
if granted > 0 then grant(KEYS[1], window, seen, granted) end
reply[4] = seen.oldest
return reply
