-- Ends a script that counts requests (window.lua): notes what it granted.
--
-- READS    granted, how many requests; reply
--
-- What has left is trimmed more than 32 entries at a time. The expiry is set once a
-- window, two ahead. Where nothing is granted, the newest entry notes what has left.
if not state and newest + granted > 0 then
  if behind > 32 then
    call('LTRIM', log, behind - 1, '-1')
    behind = 1
  end
  state = format('%16d%s%d', oldest, before, behind)
  if granted == 0 then
    call('LSET', log, '-1', sub(call('LINDEX', log, '-1'), 1, 48) .. state)
  end
end
if granted > 0 then
  call('RPUSH', log, format('%16d%16d%s%s', at, total + granted, total, state))
  if at - at % window > newest then
    call('PEXPIRE', log, format('%d', math.ceil((at + 2 * window - clock) / 1000)))
  end
end
return reply
