-- The part of commit.lua that stands before it, behind granted.lua, where a cart asks
-- for stock, or did: grants what is asked for, once the commit is known to be due.
--
-- KEYS, the last four: on hand (HASH item → millionths), held over all carts (HASH,
--           the same), what the cart holds (HASH, the same), when holds lapse (ZSET,
--           cart → Unix milliseconds)
-- ARGV, behind the values beside the record:
--   1       the cart
--   2       when its hold lapses, Unix milliseconds; "" where it asks for nothing
--   3       when the hold lapses that its record knows; "" for none; "?" where what it
--           holds has to be looked up
--   4       until when lapsed holds have been worked off; "" for not yet
--   5…      for each item: its id, what is asked for ("0": nothing), what the record
--           says is held of it
--
-- RETURN    what stands behind the record: what was granted less than asked for, a
--           line an item (id, space, millionths), and its length (8 digits). False,
--           with nothing written: holds have lapsed, of this cart or of others that
--           stand in its way; work them off and look up what it holds.
local function hold()
  local onHand, held, own, lapses = unpack(KEYS, #KEYS - 3)
  local at = #KEYS
  local cart, lapse, known, cleared = unpack(ARGV, at + 1, at + 4)
  local changes, short = granted(onHand, held, own, known, at)
  if #short > 0 then
    if cleared == '' then
      local t = redis.call('TIME')
      cleared = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
    end
    if #redis.call('ZRANGEBYSCORE', lapses, '-inf', cleared, 'LIMIT', '0', '1') > 0 then
      return false
    end
  end
  local intact = known == '?' -- else the first write tells whether the record is right
  if lapse == '' then
    intact = redis.call('ZREM', lapses, cart) == 1 or intact
  elseif intact then
    redis.call('ZADD', lapses, lapse, cart)
  elseif known == '' then
    intact = redis.call('ZADD', lapses, 'NX', lapse, cart) == 1
  else
    intact = redis.call('ZADD', lapses, 'XX', 'INCR', string.format('%.0f', lapse - known), cart)
  end
  if not intact then
    return false
  end
  for _, change in ipairs(changes) do
    redis.call('HINCRBY', held, change[1], change[3])
    if change[2] == '0' then
      redis.call('HDEL', own, change[1])
    else
      redis.call('HSET', own, change[1], change[2])
    end
  end
  local made = table.concat(short)
  return made .. string.format('%08d', #made)
end
