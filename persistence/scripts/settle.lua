-- The part of take.lua that stands before it: settles a receiver's last delivery. Its
-- KEYS and ARGV are take.lua's.
--
-- SETS      now, Redis's time in milliseconds, and after, so many behind it as text; row,
--           KEYS[3]'s of failures; rest, for how many milliseconds the receiver is left
--           alone; untriedFirst, whether the queue comes before the retries
--
-- Behind a retry that failed the queue comes first, behind one of the queue the retries:
-- neither kind holds up the other. Beyond four of those never tried before that failed
-- in a row, the receiver rests behind each failure, 100 ms for each beyond, at most 10 s.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function after(ms) return string.format('%.0f', now + ms) end
local lease, row = redis.call('HGET', KEYS[3], ARGV[2]), ARGV[2] .. ' failed'
if lease ~= ARGV[3] then
  local due = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[2]) or '')
  if ARGV[5] ~= '' or ARGV[4] == '0' or not due or due > now then
    return {}
  end
end
local rest, untriedFirst = 0, lease == 'untried next'
if ARGV[5] ~= '' then
  local untried = redis.call('LINDEX', KEYS[4], 0) == ARGV[5]
  if untried then
    redis.call('LPOP', KEYS[4])
  else
    redis.call('ZREM', KEYS[5], ARGV[5])
  end
  if ARGV[6] ~= '' then redis.call('ZADD', KEYS[5], after(ARGV[7]), ARGV[6]) end
  if ARGV[8] ~= '' then
    redis.call('RPUSH', KEYS[6], ARGV[5])
    redis.call('LTRIM', KEYS[6], '-' .. ARGV[9], -1)
    redis.call('PEXPIRE', KEYS[6], ARGV[8])
  end
  if ARGV[7] == '' then
    redis.call('HDEL', KEYS[3], row)
  else
    local failed = untried and redis.call('HINCRBY', KEYS[3], row, 1) or redis.call('HGET', KEYS[3], row) or 0
    rest, untriedFirst = math.max(0, math.min(100 * (failed - 4), 10000)), not untried
  end
end
