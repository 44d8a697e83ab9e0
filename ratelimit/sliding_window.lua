-- Admits a batch of requests under a limit (window.lua).
--
-- KEYS[1]  the log
-- KEYS[2]  optional: a string whose value is handed back; where it begins with a
--          number and a space, that is the limit
-- ARGV     requests asked for, limit, window in microseconds
-- RETURN   {granted, counted before this call, oldest time counted (0: none),
--          time the grant counts at, Redis's time, value of KEYS[2] or ''}
--
-- Atomic: dropping what has left the window, counting, and the new entry.
local asked, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local head = KEYS[2] and redis.call('GET', KEYS[2]) or ''
limit = tonumber(string.match(head, '^(%d+) ') or limit)
local seen = counted(KEYS[1], window)
local granted = math.max(0, math.min(asked, limit - seen.count))
if granted > 0 then grant(KEYS[1], window, seen, granted) end
return {granted, seen.count, seen.oldest, seen.at, clock, head}
