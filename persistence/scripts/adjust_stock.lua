-- Replaces what is on hand of an item, if it still is what the writer saw, and writes
-- the event beside it.
--
-- KEYS[1]   on hand (HASH: item → millionths)
-- KEYS[2]   held over all carts (HASH, the same)
-- KEYS[3]   the entry of the adjustment: it refuses a second one
-- KEYS[4]   the outbox
-- ARGV[1]   the item
-- ARGV[2]   what was seen on hand; "" for nothing
-- ARGV[3]   what is to be on hand; "" to look only
-- ARGV[4]   the entry
-- ARGV[5]   how long the entry is kept, milliseconds
-- ARGV[6]   what the outbox is to carry; "" for nothing
--
-- RETURN    {1 when it is written, else 0; on hand now, or ""; held; the entry that was
--           there, or ""}
--
-- Atomic: all is written or nothing is.
local onHand = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local held = redis.call('HGET', KEYS[2], ARGV[1]) or '0'
local entry = redis.call('GET', KEYS[3]) or ''
if entry ~= '' or onHand ~= ARGV[2] or ARGV[3] == '' then
  return {0, onHand, held, entry}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5])
if ARGV[6] ~= '' then
  redis.call('RPUSH', KEYS[4], ARGV[6])
end
return {1, ARGV[3], held, ''}
