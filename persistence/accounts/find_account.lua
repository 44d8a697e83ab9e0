-- Finds an account by its e-mail address.
--
-- KEYS[1]   the address's entry in the index: a customer id
-- ARGV[1]   the prefix of contact keys; the contact lies in the entry's slot
--
-- RETURN    {customer id, the contact's record or ""}, or {"", ""} where nobody has the address
--
-- A cluster that moves the slot refuses a command of several keys that are not all here:
-- so a contact that is not here yet is an error, and not one that has the address no more.
-- A contact of another type is an error, too.
local id = redis.call('GET', KEYS[1])
if not id then
  return {'', ''}
end
local contact = redis.call('GET', ARGV[1] .. id)
if not contact then
  redis.call('EXISTS', KEYS[1], ARGV[1] .. id)
end
return {id, contact or ''}
