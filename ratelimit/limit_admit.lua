-- Admits a batch of requests under a limit (limit_count.lua).
--
-- KEYS[1]  the log
-- KEYS[2]  optional: a string that is returned; if it begins with a number and a space, that
--          number is the limit
-- ARGV     requests asked for, window in microseconds, limit, and how far beyond the limit these
--          requests may go (negative: they stop ahead of it)
-- RETURN   {granted, count of earlier requests, oldest time counted (0 if none),
--          time the grant counts at, Redis's time, value of KEYS[2] or ''}
--
-- Atomic: dropping expired entries, counting, and adding the new entry.
local granted, left = ARGV[1] + 0, (string.match(head, '^(%d+) ') or ARGV[3]) + ARGV[4] - count
if granted > left then granted = left > 0 and left or 0 end
local reply = {granted, count, count + granted > 0 and oldest or 0, at, clock, head}
