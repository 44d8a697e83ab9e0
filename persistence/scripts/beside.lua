-- The part of commit.lua that writes what belongs to a change beside its record: each
-- of KEYS[2…] by a letter of ARGV[4], with its value of ARGV[6…].
--
--   o  entry of an idempotency key, kept for ARGV[5] milliseconds; there is none yet
--   n  set where there is none yet
--   s  set
--   d  deleted where it has the value
--   t  customer token: "customer from to", its session number set to the latter where it
--      is the customer's of the former
--   q  list that the value is appended to
--   r  list of at most n retained values, each beginning with 13 digits of time:
--      "time n ms\nvalue" appends one, drops those up to the time, and has the list
--      leave after so many milliseconds
for i = 2, #KEYS do
  local kind, key, value = string.sub(ARGV[4], i - 1, i - 1), KEYS[i], ARGV[i + 4]
  if kind == 'o' then
    redis.call('SET', key, value, 'PX', ARGV[5])
  elseif kind == 'n' then
    redis.call('SET', key, value, 'NX')
  elseif kind == 's' then
    redis.call('SET', key, value)
  elseif kind == 'd' and redis.call('GET', key) == value then
    redis.call('DEL', key)
  elseif kind == 't' then
    local customer, from, to = string.match(value, '^(%S+) (%d+) (%d+)$')
    local head, number = string.match(redis.call('GET', key) or '', '^(%S+ %S+ )(%d+)$')
    if number == from and string.sub(head, 1, #customer) == customer then
      redis.call('SET', key, head .. to, 'KEEPTTL')
    end
  elseif kind == 'q' then
    redis.call('RPUSH', key, value)
  elseif kind == 'r' then
    local over, most, life, retained = string.match(value, '^(%d+) (%d+) (%d+)\n(.*)$')
    redis.call('RPUSH', key, retained)
    local first
    if KEYS[i + 1] ~= key then -- the last one
      redis.call('LTRIM', key, '-' .. most, '-1')
      redis.call('PEXPIRE', key, life)
      first = redis.call('LINDEX', key, '0')
    end
    while first and string.sub(first, 1, 13) <= over do
      redis.call('LPOP', key)
      first = redis.call('LINDEX', key, '0')
    end
  end
end
return hold and made or 1
