-- Moves a store's head to a new revision: from here on requests are admitted under it.
--
-- KEYS[1]   the head
-- ARGV[1]   its new text, without the time
--
-- RETURN    the head as written: ARGV[1], space, Redis's time of the move (Unix ms)
local t = redis.call('TIME')
local head = ARGV[1] .. ' ' .. string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
redis.call('SET', KEYS[1], head)
return head
