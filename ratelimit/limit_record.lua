-- Ends a script that counts requests (limit_count.lua): records the grant.
--
-- READS    granted, the number of requests granted; reply
-- RETURN   reply
--
-- Trims expired entries, at least 32 at a time. Sets the log's expiry once in each window, two
-- windows ahead. If nothing is granted, the newest entry records which entries have expired.
if not state and newest + granted > 0 then
  if successor > 32 then
    call('LTRIM', log, successor - 1, '-1')
    successor = 1
  end
  state = format('%16d%s%d', oldest, earlier, successor)
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
