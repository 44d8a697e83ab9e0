-- The request limit: an exact sliding window over a log of grants. Every script that counts
-- requests starts with this text and ends with limit_record.lua (NewScript). Lua functions would cost
-- more than the work that they share.
--
-- KEYS[1]  the log
-- KEYS[2]  optional: the head, a string
-- ARGV[2]  the window in microseconds; all times are microseconds; a log's window never changes
-- SETS     clock   Redis's time
--          head    the value of KEYS[2], or ''
--          count   the requests granted in the window
--          oldest  the time of the oldest entry in the window, or at if the window is empty
--          at      the time that a new grant counts at
--
-- The log is a LIST, oldest entry first, one entry for each batch. An entry is six numbers, each
-- but the last 16 characters wide:
--   1  its time
--   2  the requests granted since the log was empty, this entry included
--   3  the same without this entry
--   4  the time of the oldest entry in the window when this entry was written
--   5  number 3 of that oldest entry
--   6  the index of the entry after that oldest entry
-- The newest entry therefore gives the count until the oldest entry expires. The script reads
-- up to 17 entries one by one, then uses a binary search. decision.go (prune) describes clocks
-- that step.
local call, sub, format = redis.call, string.sub, string.format
local log, window, time, none = KEYS[1], ARGV[2] + 0, call('TIME'), '               0'
local clock, head = time[1] * 1000000 + time[2], KEYS[2] and call('GET', KEYS[2]) or ''
local newest, total, oldest, earlier, successor, state = 0, none, clock, none, 1, nil
local text = call('LINDEX', log, '-1')
if text then
  newest, total, state = sub(text, 1, 16) + 0, sub(text, 17, 32), sub(text, 49)
  oldest, earlier = sub(state, 1, 16) + 0, sub(state, 17, 32)
end
local at = newest > clock and newest or clock
local edge, low, gone = at - window, nil, false
if newest > clock + window then
  edge, low = clock + window, 0
elseif oldest <= edge and newest <= edge then
  gone = true
elseif oldest <= edge then -- the successor is usually still in the window
  successor, state = sub(state, 33), nil
  text = call('LINDEX', log, successor)
  oldest, earlier, successor = sub(text, 1, 16) + 0, sub(text, 33, 48), successor + 1
  low = oldest <= edge and successor
end
if low then -- finds the index of the first entry later than edge
  local high, steps = call('LLEN', log), 0
  while low < high do
    local middle = steps < 16 and low or math.floor((low + high) / 2)
    local entry = call('LINDEX', log, middle)
    if sub(entry, 1, 16) + 0 > edge then text, high = entry, middle else low = middle + 1 end
    steps = steps + 1
  end
  if not state then
    oldest, earlier, successor = sub(text, 1, 16) + 0, sub(text, 33, 48), low + 1
  elseif low < sub(state, 33) + 0 then
    gone = true
  else
    call('LTRIM', log, 0, low - 1)
    text = call('LINDEX', log, '-1')
    newest, total = sub(text, 1, 16) + 0, sub(text, 17, 32)
    at = newest > clock and newest or clock
    call('LSET', log, '-1', sub(text, 1, 48) .. state)
  end
end
if gone then
  call('UNLINK', log)
  at, newest, total, oldest, earlier, successor, state = clock, 0, none, clock, none, 1, nil
end
local count = total - earlier
