-- Moves a store's head, if it is still the one that the writer saw. Requests are admitted under
-- the new head from then on. An import's lease ends at the same moment.
--
-- KEYS[1]   the head
-- KEYS[2]   the lease of an import
-- KEYS[3]   the numbers of the store's imports (HASH)
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   its new text, without the time of the move
-- ARGV[3]   the time of the move to keep (Unix ms); "" for now, by Redis's clock
-- ARGV[4]   the number of the import that moves the head, which must have the lease;
--           "" for none
--
-- RETURN    the head as written: ARGV[2], space, time; "" if it has moved or the
--           lease has expired meanwhile
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return ''
end
if ARGV[4] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[4] then
  return ''
end
local moved = ARGV[3]
if moved == '' then
  local t = redis.call('TIME')
  moved = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. moved)
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], 'moved', ARGV[4])
  redis.call('DEL', KEYS[2])
end
return ARGV[2] .. ' ' .. moved
