-- The request limit: an exact sliding window over a log of grants. These functions
-- stand before every script that counts requests (ratelimit.NewScript).
--
-- The log is a LIST of "time:granted:before", oldest first: when a batch was granted
-- how much, and how much was before it since the log was empty. Every time is in
-- microseconds. Work is bounded: at most 16 pops, then a binary search. Where the
-- clock stepped back, time stands still at the newest entry; entries more than one
-- window ahead are dropped. The expiry is set once a window, two ahead. A log's window
-- must not change.
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

local function entry(log, index) -- its time, what was granted before it, and with it
  local text = redis.call('LINDEX', log, index)
  if not text then return nil end
  local at, n, before = string.match(text, '^(%d+):(%d+):(%d+)$')
  return tonumber(at), tonumber(before), before + n
end

local function after(log, moment) -- the index of the first entry later than moment
  local low, high = 0, redis.call('LLEN', log)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(log, middle) > moment then high = middle else low = middle + 1 end
  end
  return low
end

-- counted drops what has left the window: what counts now (count), the oldest time
-- that does (oldest, 0: none) and the time that a grant would count at (at).
local function counted(log, window)
  local newest, _, total = entry(log, -1)
  if newest and newest > clock + window then
    local keep = after(log, clock + window)
    if keep > 0 then redis.call('LTRIM', log, 0, keep - 1) else redis.call('UNLINK', log) end
    newest, _, total = entry(log, -1)
  end
  local at = math.max(clock, newest or 0)
  if newest and newest + window <= at then newest = nil; redis.call('UNLINK', log) end
  local oldest, before, pops = 0, 0, 0
  if newest then oldest, before = entry(log, 0) else total = 0 end
  while newest and oldest + window <= at do
    if pops < 16 then redis.call('LPOP', log) else redis.call('LTRIM', log, after(log, at - window), -1) end
    pops, oldest, before = pops + 1, entry(log, 0)
  end
  return {count = total - before, oldest = oldest, at = at, newest = newest, total = total}
end

-- grant notes n grants, at least one, in the log that counted has looked at.
local function grant(log, window, seen, n)
  redis.call('RPUSH', log, string.format('%.0f:%.0f:%.0f', seen.at, n, seen.total))
  if not seen.newest then seen.oldest = seen.at end
  if not seen.newest or math.floor(seen.at / window) > math.floor(seen.newest / window) then
    redis.call('PEXPIRE', log, string.format('%.0f', math.ceil((seen.at + 2 * window - clock) / 1000)))
  end
end
