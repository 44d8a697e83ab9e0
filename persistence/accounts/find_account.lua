-- Finds an account by its e-mail address, or by its external id.
--
-- KEYS[1]   the entry in the index of addresses, or in that of external ids: a customer id
-- ARGV[1]   the prefix of contact keys; the contact lies in the entry's slot
--
-- RETURN    {customer id, the contact's record or ""}, or {"", ""} if there is no entry
--
-- The script fails for a contact of another type. While a cluster moves the slot, it fails for a
-- contact that is not here yet: Redis refuses a command whose keys are not all here.
local id = redis.call('GET', KEYS[1])
if not id then
  return {'', ''}
end
local contact = redis.call('GET', ARGV[1] .. id)
if not contact then
  redis.call('EXISTS', KEYS[1], ARGV[1] .. id)
end
return {id, contact or ''}
