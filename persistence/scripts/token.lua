-- Resolves a customer token to what a request needs of its customer.
--
-- KEYS[1]   the token: customer id (36 characters), space, expiry (Unix ms), space, session number
-- ARGV[1]   the prefix of contact keys; the contact lies in the token's slot
-- ARGV[2]   the last byte of a contact's head
--
-- RETURN    {token, the contact's format, stamp and head}, or {} where the token is unknown
local token = redis.call('GET', KEYS[1])
if not token then
  return {}
end
return {token, redis.call('GETRANGE', ARGV[1] .. string.sub(token, 1, 36), 0, ARGV[2])}
