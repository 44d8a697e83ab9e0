-- The request limit: an exact sliding window over a log of grants.
--
-- KEYS[1]  the log, a LIST of "time:granted:before", oldest first: when a batch was
--          granted how much, and how much was before it since the log was empty
-- KEYS[2]  optional: a string whose value is handed back; where it begins with a
--          number and a space, that is the limit
-- ARGV     requests asked for, limit, window; every time is in microseconds
-- RETURN   {granted, counted before this call, oldest time counted (0: none),
--          time the grant counts at, Redis's time, value of KEYS[2] or ''}
--
-- Atomic: dropping what has left the window, counting, and the new entry. Work is
-- bounded: at most 16 pops, then a binary search. Where the clock stepped back, time
-- stands still at the newest entry; entries more than one window ahead are dropped.
-- The expiry is set once a window, two ahead. A log's window must not change.
local log, asked, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local head = KEYS[2] and redis.call('GET', KEYS[2]) or ''
limit = tonumber(string.match(head, '^(%d+) ') or limit)

local function entry(index) -- its time, what was granted before it, and with it
  local text = redis.call('LINDEX', log, index)
  if not text then return nil end
  local at, n, before = string.match(text, '^(%d+):(%d+):(%d+)$')
  return tonumber(at), tonumber(before), before + n
end

local function after(moment) -- the index of the first entry later than moment
  local low, high = 0, redis.call('LLEN', log)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(middle) > moment then high = middle else low = middle + 1 end
  end
  return low
end

local newest, _, total = entry(-1)
if newest and newest > clock + window then
  local keep = after(clock + window)
  if keep > 0 then redis.call('LTRIM', log, 0, keep - 1) else redis.call('UNLINK', log) end
  newest, _, total = entry(-1)
end
local at = math.max(clock, newest or 0)
if newest and newest + window <= at then newest = nil; redis.call('UNLINK', log) end
local oldest, before, pops = 0, 0, 0
if newest then oldest, before = entry(0) else total = 0 end
while newest and oldest + window <= at do
  if pops < 16 then redis.call('LPOP', log) else redis.call('LTRIM', log, after(at - window), -1) end
  pops, oldest, before = pops + 1, entry(0)
end
local count = total - before
local granted = math.max(0, math.min(asked, limit - count))
if granted > 0 then
  redis.call('RPUSH', log, string.format('%.0f:%.0f:%.0f', at, granted, total))
  oldest = newest and oldest or at
  if not newest or math.floor(at / window) > math.floor(newest / window) then
    redis.call('PEXPIRE', log, string.format('%.0f', math.ceil((at + 2 * window - clock) / 1000)))
  end
end
return {granted, count, oldest, at, clock, head}
