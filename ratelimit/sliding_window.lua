-- Admits a batch of requests under a limit (window.lua).
--
-- KEYS[1]  the log
-- KEYS[2]  optional: a string whose value is handed back; where it begins with a
--          number and a space, that is the limit
-- ARGV     requests asked for, window in microseconds, limit
-- RETURN   {granted, counted before this call, oldest time counted (0: none),
--          time the grant counts at, Redis's time, value of KEYS[2] or ''}
--
-- Atomic: dropping what has left the window, counting, and the new entry.
local granted, left = ARGV[1] + 0, (string.match(head, '^(%d+) ') or ARGV[3]) - count
if granted > left then granted = left > 0 and left or 0 end
local reply = {granted, count, count + granted > 0 and oldest or 0, at, clock, head}
