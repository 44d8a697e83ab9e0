-- The request limit: an exact sliding window over a log of grants. It stands before every
-- script that counts requests, grant.lua behind it; functions would cost more than their work.
--
-- KEYS[1]  the log          KEYS[2]  optional: the head, a string
-- ARGV[2]  the window, microseconds as all times; a log's must not change
-- SETS     clock, Redis's time; head, '' for none; count, what counts now; oldest, the oldest
--          time that does (at where none does); at, what a grant would count at
--
-- The log is a LIST of entries, one a batch, oldest first: five numbers 16 wide and one more.
-- Its time, what was granted with it and before it since the log was empty; then of the oldest
-- entry that counted its time, what was granted before it, and the index behind it: the newest
-- tells what counts until the oldest leaves. At most 17 are looked at in turn, then a binary
-- search. Of clocks that step see decision.go (prune).
local call, sub, format = redis.call, string.sub, string.format
local log, window, time, none = KEYS[1], ARGV[2] + 0, call('TIME'), '               0'
local clock, head = time[1] * 1000000 + time[2], KEYS[2] and call('GET', KEYS[2]) or ''
local newest, total, oldest, before, behind, state = 0, none, clock, none, 1, nil
local text = call('LINDEX', log, '-1')
if text then
  newest, total, state = sub(text, 1, 16) + 0, sub(text, 17, 32), sub(text, 49)
  oldest, before = sub(state, 1, 16) + 0, sub(state, 17, 32)
end
local at = newest > clock and newest or clock
local edge, low, gone = at - window, nil, false
if newest > clock + window then
  edge, low = clock + window, 0
elseif oldest <= edge and newest <= edge then
  gone = true
elseif oldest <= edge then -- the one behind it mostly has not left
  behind, state = sub(state, 33), nil
  text = call('LINDEX', log, behind)
  oldest, before, behind = sub(text, 1, 16) + 0, sub(text, 33, 48), behind + 1
  low = oldest <= edge and behind
end
if low then -- becomes the index of the first entry later than edge
  local high, looks = call('LLEN', log), 0
  while low < high do
    local middle = looks < 16 and low or math.floor((low + high) / 2)
    local entry = call('LINDEX', log, middle)
    if sub(entry, 1, 16) + 0 > edge then text, high = entry, middle else low = middle + 1 end
    looks = looks + 1
  end
  if not state then
    oldest, before, behind = sub(text, 1, 16) + 0, sub(text, 33, 48), low + 1
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
  at, newest, total, oldest, before, behind, state = clock, 0, none, clock, none, 1, nil
end
local count = total - before
