-- The part of hold.lua that stands before it: what is granted of each item.
--
-- onHand, held, own  hold.lua's keys
-- known, at          its values 3 and how many stand before its first
--
-- RETURN    what changes: {item, what is held of it now, by how much that is more}, and
--           a line for each item that is granted less of than asked for: id, space,
--           millionths. Nothing is written.
local function granted(onHand, held, own, known, at)
  local changes, short = {}, {}
  for i = at + 5, #ARGV, 3 do
    local item, grant, had = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
    if known == '?' then
      had = redis.call('HGET', own, item) or '0'
    end
    had = tonumber(had)
    if grant > had then
      local free = (redis.call('HGET', onHand, item) or 0) - (redis.call('HGET', held, item) or 0)
      if grant > had + free then
        grant = had + math.max(free, 0)
        short[#short + 1] = item .. string.format(' %.0f\n', grant)
      end
    end
    if grant ~= had then
      changes[#changes + 1] = {item, string.format('%.0f', grant), string.format('%.0f', grant - had)}
    end
  end
  return changes, short
end
