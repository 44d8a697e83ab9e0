-- Resolves a customer token to what a request needs of its customer.
--
-- KEYS[1]   the token: customer id (36 characters), space, expiry (Unix ms), space, session number
-- ARGV[1]   the prefix of contact keys; the contact lies in the token's slot
-- ARGV[2]   the last byte of a contact's head, or -1 for the whole record
-- ARGV[3]   the prefix of idempotency keys' entries
-- ARGV[4]   the name of the request's idempotency key among its contact's; "" for none
--
-- RETURN    {token, the contact from format and stamp on, the entry or ""}, or {} where
--           the token is unknown
local token = redis.call('GET', KEYS[1])
if not token then
  return {}
end
local id = string.sub(token, 1, 36)
local entry = ''
if ARGV[4] ~= '' then
  entry = redis.call('GET', ARGV[3] .. id .. ':' .. ARGV[4]) or ''
end
return {token, redis.call('GETRANGE', ARGV[1] .. id, '0', ARGV[2]), entry}
