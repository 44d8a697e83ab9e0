-- Makes an account, if its e-mail address still is nobody's.
--
-- KEYS[1]   the new contact
-- KEYS[2]   the address's entry in the index
-- KEYS[3]   the account's first customer token
-- KEYS[4]   the set of the store's accounts
-- ARGV[1]   the entry seen: "", or the id of a contact that has the address no more
-- ARGV[2]   the customer id
-- ARGV[3]   the contact's record
-- ARGV[4]   the token's text
-- ARGV[5]   the token's expiry, Unix milliseconds
--
-- RETURN    1 when the account is made (now, or by an earlier sending); 0 where the
--           address was taken meanwhile
--
-- Atomic: all is written or nothing is.
local entry = redis.call('GET', KEYS[2]) or ''
if entry == ARGV[2] then
  return 1
end
if entry ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('SET', KEYS[1], ARGV[3])
redis.call('SET', KEYS[3], ARGV[4], 'PXAT', ARGV[5])
redis.call('SADD', KEYS[4], ARGV[2])
return 1
