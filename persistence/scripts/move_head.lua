-- Moves a store's head, if it still is the one that the writer saw: from here on
-- requests are admitted under it.
--
-- KEYS[1]   the head
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   its new text, without the time of the move
-- ARGV[3]   the time of the move to keep (Unix ms); "" for now, by Redis's clock
--
-- RETURN    the head as written: ARGV[2], space, time; "" where it has moved meanwhile
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return ''
end
local moved = ARGV[3]
if moved == '' then
  local t = redis.call('TIME')
  moved = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. moved)
return ARGV[2] .. ' ' .. moved
