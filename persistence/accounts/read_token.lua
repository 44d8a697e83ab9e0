-- Reads a customer token and the contact of its customer.
--
-- KEYS[1]   the token: customer id, space, expiry (Unix ms), space, session number
-- ARGV[1]   the prefix of contact keys; the contact lies in the token's slot
-- ARGV[2]   the last byte of a contact's head, or -1 for the whole record
--
-- RETURN    {token, the contact from format and stamp on; "" for none, 0 for one of another type},
--           or {} if the token is unknown
--
-- While a cluster moves the slot, the script fails for a contact that is not here yet: Redis
-- refuses a command whose keys are not all here.
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
