-- Reads the time of the Redis of a store, and the store's head.
--
-- KEYS[1]   the store's head
--
-- RETURN    {Redis's time in microseconds, the value of KEYS[1] or ''}
local time = redis.call('TIME')
return {time[1] * 1000000 + time[2], redis.call('GET', KEYS[1]) or ''}
