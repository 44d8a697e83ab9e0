-- Moves a store's head, if it is still the one that the writer saw. Requests are admitted under
-- the new head from then on. An import's lease ends at the same moment.
--
-- KEYS[1]   the head
-- KEYS[2]   the lease of an import
-- KEYS[3]   the numbers of the store's imports (HASH)
-- KEYS[4]   a list of the store's history
-- KEYS[5…]  the idempotency entries of the change sets that the move carries out
-- ARGV[1]   the head seen; "" for none
-- ARGV[2]   its new text, without the time of the move
-- ARGV[3]   the time of the move to keep (Unix ms); "" for now, by Redis's clock
-- ARGV[4]   the number of the import that moves the head, which must have the lease;
--           "" for none
-- ARGV[5]   how long the import of change sets took, milliseconds; "" for another import
-- ARGV[6]   the line of the history, without its time; "" for none
-- ARGV[7]   how many lines the list keeps
-- ARGV[8]   the life of the entries, milliseconds
-- ARGV[9…]  the entries
--
-- RETURN    {the head as written: ARGV[2], space, time}; {""} if it has moved or the lease has
--           expired meanwhile; {"", i, …} if the i-th entry exists, with nothing written
--
-- Atomic: the head moves with the entries of all its change sets and with its line, or not at all.
local call = redis.call
if (call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return {''}
end
if ARGV[4] ~= '' and call('GET', KEYS[2]) ~= ARGV[4] then
  return {''}
end
local existing = {''}
for i = 5, #KEYS do
  if call('EXISTS', KEYS[i]) == 1 then
    existing[#existing + 1] = i - 4
  end
end
if #existing > 1 then
  return existing
end
local t = call('TIME')
local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
local head = ARGV[2] .. ' ' .. (ARGV[3] == '' and now or ARGV[3])
call('SET', KEYS[1], head)
if ARGV[4] ~= '' then
  call('HSET', KEYS[3], 'moved', ARGV[4], 'took', ARGV[5])
  call('DEL', KEYS[2])
end
if ARGV[6] ~= '' then
  call('RPUSH', KEYS[4], now .. ' ' .. ARGV[6])
  call('LTRIM', KEYS[4], -ARGV[7], -1)
end
for i = 5, #KEYS do
  call('SET', KEYS[i], ARGV[i + 4], 'PX', ARGV[8])
end
return {head}
