-- Resolves a customer token to what a request needs of its customer.
--
-- KEYS[1]   the token: customer id, space, expiry (Unix ms), space, session number
-- ARGV[1]   the prefix of contact keys; the contact lies in the token's slot
-- ARGV[2]   the last byte of a contact's head, or -1 for the whole record
--
-- RETURN    {token, the contact from format and stamp on; "" for none, 0 for one of another type},
--           or {} where the token is unknown
--
-- A cluster that moves the slot refuses a command of several keys that are not all here:
-- so what is not here yet is an error, and not an unknown contact.
local token = redis.call('GET', KEYS[1])
if not token then
  return {}
end
local id = string.match(token, '^%S*')
local contact = redis.pcall('GETRANGE', ARGV[1] .. id, '0', ARGV[2])
if contact == '' then
  redis.call('EXISTS', KEYS[1], ARGV[1] .. id)
elseif type(contact) ~= 'string' then
  if not string.find(contact.err, '^WRONGTYPE') then
    return contact
  end
  contact = 0
end
return {token, contact}
