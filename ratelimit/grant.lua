-- Notes the grants of a script that counts requests (window.lua) and ends it.
--
-- READS    granted, how many; reply
--
-- What has left the window is trimmed some entries at a time. The expiry is set once a
-- window, two ahead.
if granted > 0 then
  if not state then
    if behind > 32 then
      call('LTRIM', log, behind - 1, '-1')
      behind = 1
    end
    state = format('%16d%s%d', oldest, before, behind)
  end
  call('RPUSH', log, format('%16d%16d%s%s', at, total + granted, total, state))
  if at - at % window > newest then
    call('PEXPIRE', log, format('%d', math.ceil((at + 2 * window - clock) / 1000)))
  end
end
return reply
