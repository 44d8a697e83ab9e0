-- Writes the customer tokens of a document's customers, if its import still has the
-- store's lease.
--
-- KEYS[1]   the lease, a record
-- KEYS[2…]  the tokens: customer id, space, expiry (Unix ms), space, session number
-- ARGV[1]   the writer of the import's lease, 8 bytes: from byte 9 of the lease on
-- ARGV[2]   now, Unix milliseconds
-- ARGV[3]   the session number of a token that was ended
-- ARGV[4…]  for each token: the customer's id, the expiry, the session number of a token that is
--           new to the customer
--
-- A token that its customer has already keeps its session number, and an ended token stays ended:
-- an import restores neither. An expired token is written only if Redis knows it.
--
-- RETURN    1; 0 if the lease has expired
--
-- Atomic: no session ends or changes between the read and the write.
if redis.call('GETRANGE', KEYS[1], 9, 16) ~= ARGV[1] then
  return 0
end
for i = 2, #KEYS do
  local customer, expires, number = unpack(ARGV, 3 * i - 2, 3 * i)
  local known = redis.call('GET', KEYS[i])
  local owner, had = string.match(known or '', '^(%S+) %S+ (%d+)$')
  if owner == customer or had == ARGV[3] then
    number = had
  end
  local text = customer .. ' ' .. expires .. ' ' .. number
  local lasts = tonumber(expires) > tonumber(ARGV[2])
  if known then
    redis.call('SET', KEYS[i], text, 'KEEPTTL')
    if lasts then
      redis.call('PEXPIREAT', KEYS[i], expires, 'GT')
    end
  elseif lasts then
    redis.call('SET', KEYS[i], text, 'PXAT', expires)
  end
end
return 1
