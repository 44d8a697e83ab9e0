-- Writes records of one store, each only if all facts that it was judged by are still true, and
-- counts their requests. Runs between ratelimit/limit_count.lua and ratelimit/limit_record.lua.
--
-- KEYS[1]  the log of the store's request limit         KEYS[2]  the store's head
-- KEYS[3…] for each record its key, then the keys of its plan, in the plan's order
-- ARGV[1]  the head that the records were judged under   ARGV[2]  the limit's window, µs
-- ARGV[3]  the time of the oldest judgement of the call, µs
-- ARGV[4]  the tolerance: max difference of Redis's time from ARGV[3], µs
-- ARGV[5]  the last byte of the stamp in a record; the first byte is 1
-- ARGV[6]  max number of a sorted set's members that a conflict returns
-- ARGV[7]  the number of digits of the length that ends the made texts
-- ARGV[8…] for each record: the number of requests to count (0 if they are counted already), how far
--   beyond the limit they may go (negative: they stop ahead of it), the stamp seen ("" for no
--   record), the new record (format byte, stamp, rest; "" to check only), its expiry (Unix ms,
--   "" for none), its plan. A plan that is not "" is followed by
--   its number of keys, its number of values, and the values
--
-- A plan is a text of steps, in this order; numbers are whole and below 2^53. The letters have names
-- in the script (CHECK_BYTES and so on), which plan.go replaces by their numbers:
--   checks  c  key has bytes:    key; from, to, the bytes     n  key does not exist: key
--           g  key has a value:  key; value, "" if absent     z  size of a sorted set: key; number
--   asks    e  the expiries of holds, for the asks that follow: key
--           h  hold stock, in whole or in part: keys on hand, held, the record's own; item, wanted,
--              how far on hand may fall below zero
--           t  take stock, all or nothing, and end the record's hold of the item: the same
--           a  adjust stock, not below zero: keys on hand, held; item, difference. By 0: never short
--           r  return stock, up to a maximum, never short: key on hand; item, number, maximum
--           u  use a limit, all or nothing: key of counters; field, number, limit
--           b  give back at most what is used, never short: the same
--           w  write only if the previous ask, t or u, takes the last unit, or b leaves the limit:
--              key; command of any key, value. If the key is the store's head, the value is the
--              head of the records that follow
--   writes  K  any key, L a list, H a hash, S a set, Z a sorted set, with a byte: 48 + the number
--              of values: key; the values, the first is the command
--           #  number: key of a counter, which is raised by one
--           p  place a made text, with K, L or S: key; command, prefix, index of the made text,
--              suffix. Of several in a row the first has the key, the command and the prefix, and
--              each has its index and the text that follows: they make one text
-- Made texts are the granted numbers of asks (t: the number left on hand; a: two, on hand and held; r:
-- two, on hand and what came back) and the numbers of #, in the plan's order. They are appended to the record, one on a line, then
-- their length. The script reads a record's holds itself. A plan may write a key as one type only.
--
-- RETURN   {Redis's time µs, the head after this call, number of requests counted already, time of
--   the oldest of them (0 if there are none), then for each record
--     0  done        text  done, the made texts    1, {"done", text}  done by an earlier sending
--     {"record", text}         not counted: the record has another stamp; "" if there is no record
--     -1                       not counted: the head differs, or the times differ too much
--     -2 - n                   not counted: over the limit, which leaves n to these requests
--     {"facts", text, value…}  counted: a check is not true; the record, the value of each checked
--                              key ("" for none; of a sorted set its first members)
--     {"short", expired, n…}   counted: the number that can be granted of each ask; expired: 1 if
--                              an ask for stock is short and a hold has expired
--     {"broken", key}          not counted: the key has another type than expected, or no number}
--
-- miniredis's Lua assigns a, b = x, y one after the other: y must not read a.
--
-- Atomic: each record is written with its whole plan or not at all, one after another. A later
-- record sees the writes of the earlier ones.
local byte, pcall, k, a, n, keys, granted = string.byte, redis.pcall, 3, 8, 4, #KEYS, 0
local stamp_end = ARGV[5] + 1 -- as Lua counts
local left = (string.match(head, '^%d+') or 0) - count
local apart = clock - ARGV[3]
local moved = head ~= ARGV[1] or apart > ARGV[4] + 0 or -apart > ARGV[4] + 0
local reply = {clock, head, count, oldest, nil, nil, nil, nil}
while k <= keys do
  local key, beyond, seen, record, expiry, plan = KEYS[k], ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4], ARGV[a + 5]
  local stamp, done, i, op, broken, first, all, rest = pcall('GETRANGE', key, '1', ARGV[5]), 0, 1, nil, nil, k + 1, left, left - ARGV[a]
  n, k, a = n + 1, first, a + 6
  local next_k, next_a = k, a
  if plan ~= '' then
    op, next_k, next_a = byte(plan), k + ARGV[a], a + 2 + ARGV[a + 1]
    a = a + 2
  end
  if type(stamp) ~= 'string' then
    broken = key
  elseif record ~= '' and stamp == sub(record, 2, stamp_end) then
    done = 1
    if string.find(plan, '[htarub#]') then done = {'done', call('GETRANGE', key, #record, '-1')} end
  elseif stamp ~= seen then
    done = {'record', call('GET', key) or ''}
  elseif moved then
    done = -1
  elseif rest < left and rest + beyond < 0 then
    done = -2 - math.max(left + beyond, 0)
  else
    granted, left = granted + left - rest, rest
    local same, asks, expiries = true, nil, nil
    while op == CHECK_BYTES or op == CHECK_VALUE or op == CHECK_ABSENT or op == CHECK_SIZE do
      local found
      if op == CHECK_BYTES then
        found = pcall('GETRANGE', KEYS[k], ARGV[a], ARGV[a + 1])
        same, a = found == ARGV[a + 2] and same, a + 3
      elseif op == CHECK_VALUE then
        found = pcall('GET', KEYS[k]) or ''
        same, a = found == ARGV[a] and same, a + 1
      elseif op == CHECK_ABSENT then
        found = pcall('GET', KEYS[k])
        same = found == false and same
      else
        found = pcall('ZCARD', KEYS[k])
        same, a = found == tonumber(ARGV[a]) and same, a + 1
      end
      if type(found) == 'table' then broken = broken or KEYS[k] end
      k, i = k + 1, i + 1
      op = byte(plan, i)
    end
    if not same and not broken then
      done = {'facts', call('GET', key) or ''}
      for j = first, k - 1 do
        local members = byte(plan, j - first + 1) == CHECK_SIZE
        done[j - first + 3] = members and call('ZRANGE', KEYS[j], '0', format('%.0f', ARGV[6] - 1)) or call('GET', KEYS[j]) or ''
      end
    elseif not broken then
      local later, hard, soft -- later: the fields after the asks so far
      while op and op > 96 and op ~= WRITE_PLACE do -- a small letter: an ask
        if op == ASK_EXPIRIES then
          expiries, k = KEYS[k], k + 1
        elseif op == ASK_WRITE then
          asks[#asks].last, asks[#asks].values = k, a
          k, a = k + 1, a + 2
        else
          asks, later = asks or {}, later or {}
          local width = (op == ASK_USE or op == ASK_GIVE_BACK or op == ASK_RETURN) and 1 or op == ASK_ADJUST and 2 or 3
          local ask, want, now = {op = op, k = k, name = ARGV[a]}, ARGV[a + 1] + 0, {}
          for j = 1, width do
            ask[j] = KEYS[k + j - 1] .. '\0' .. ask.name
            now[j] = later[ask[j]]
            if not now[j] then
              local value = pcall('HGET', KEYS[k + j - 1], ask.name) or '0'
              local long = j == 1 and op ~= ASK_GIVE_BACK and 17 or 16 -- stock on hand may be beyond 2^53
              if type(value) ~= 'string' or #value > long or byte(value) == 45 and #value > 16 or value ~= '0' and not string.find(value, '^%-?[1-9]%d*$') then
                broken, value = broken or KEYS[k + j - 1], '0'
              end
              now[j] = tonumber(value)
            end
          end
          if op == ASK_USE or op == ASK_RETURN then
            ask.can = math.min(want, math.max(ARGV[a + 2] - now[1], 0))
            later[ask[1]] = now[1] + ask.can
            ask.took_last = ask.can > 0 and later[ask[1]] == tonumber(ARGV[a + 2])
          elseif op == ASK_GIVE_BACK then
            ask.can = math.min(want, math.max(now[1], 0))
            later[ask[1]] = now[1] - ask.can
            ask.took_last = now[1] >= ARGV[a + 2] + 0 and later[ask[1]] < ARGV[a + 2] + 0
          elseif op == ASK_ADJUST then
            ask.can = want == 0 and want or math.max(want, 0 - now[1]) -- HINCRBY refuses "-0"
            later[ask[1]] = now[1] + ask.can
            ask.held = now[2]
          else
            local floor = 0 - ARGV[a + 2]
            ask.can = math.min(want, math.max(now[1] - floor - now[2] + now[3], 0))
            ask.own, ask.had = op == ASK_HOLD and ask.can or 0, now[3]
            later[ask[2]], later[ask[3]] = now[2] - now[3] + ask.own, ask.own
            if op == ASK_TAKE then later[ask[1]] = now[1] - ask.can end
            ask.took_last = op == ASK_TAKE and ask.can > 0 and later[ask[1]] == floor
            soft = soft or expiries and ask.can < want
          end
          ask.left = later[ask[1]]
          hard = hard or op ~= ASK_HOLD and op ~= ASK_GIVE_BACK and op ~= ASK_RETURN and ask.can ~= want
          asks[#asks + 1] = ask
          k, a = k + width, a + (op == ASK_ADJUST and 2 or 3)
        end
        i = i + 1
        op = byte(plan, i)
      end
      local expired = 0
      if soft then
        local found = pcall('ZRANGEBYSCORE', expiries, '-inf', format('%.0f', math.floor(clock / 1000)), 'LIMIT', '0', '1')
        expired, broken = #found, broken or found.err and expiries
      end
      -- All guards stand ahead of the first write: types of the keys, numbers to be raised.
      local at, value_at, step, letter = k, a, i, op
      while letter and not broken do
        local placed, raised = 0, nil
        while letter == WRITE_PLACE do
          placed, step = placed + 1, step + 1
          letter = byte(plan, step)
        end
        local kind = letter == WRITE_LIST and 'list' or letter == WRITE_HASH and 'hash' or letter == WRITE_SET and 'set' or letter == WRITE_SORTED and 'zset'
        if kind then
          local is = call('TYPE', KEYS[at]).ok
          if is ~= kind and is ~= 'none' then broken = KEYS[at] end
        end
        if letter == WRITE_NUMBER then
          raised = pcall('GET', KEYS[at]) or '0'
        elseif letter == WRITE_HASH and not broken and ARGV[value_at] == 'HINCRBY' then
          raised = call('HGET', KEYS[at], ARGV[value_at + 1]) or '0'
        end
        if raised and (type(raised) ~= 'string' or #raised > 16 or raised ~= '0' and not string.find(raised, '^%-?[1-9]%d*$')) then
          broken = KEYS[at]
        end
        if letter == WRITE_NUMBER then
          step = step + 1
        elseif placed > 0 then
          value_at, step = value_at + 2 + 2 * placed, step + 1
        else
          value_at = value_at + byte(plan, step + 1) - 48
          step = step + 2
        end
        at = at + 1
        letter = byte(plan, step)
      end
      if not broken and (hard or expired > 0) then
        done = {'short', expired}
        for j = 1, #asks do done[j + 2] = format('%.0f', asks[j].can) end
      elseif not broken and record ~= '' then
        if expiry == '' then call('SET', key, record) else call('SET', key, record, 'PXAT', expiry) end
        local made = asks and {}
        for j = 1, asks and #asks or 0 do
          local ask = asks[j]
          local x, name = ask.k, ask.name
          made[#made + 1] = format('%.0f', ask.can)
          if ask.op == ASK_USE then
            call('HINCRBY', KEYS[x], name, made[#made])
          elseif ask.op == ASK_GIVE_BACK then
            if ask.can > 0 then call('HINCRBY', KEYS[x], name, format('%.0f', 0 - ask.can)) end
          elseif ask.op == ASK_RETURN then
            if ask.can > 0 then call('HINCRBY', KEYS[x], name, made[#made]) end
            made[#made + 1] = made[#made]
            made[#made - 1] = format('%.0f', ask.left)
          elseif ask.op == ASK_ADJUST then
            call('HINCRBY', KEYS[x], name, made[#made])
            made[#made] = format('%.0f', ask.left)
            made[#made + 1] = format('%.0f', ask.held)
          else
            if ask.own ~= ask.had then call('HINCRBY', KEYS[x + 1], name, format('%.0f', ask.own - ask.had)) end
            if ask.op == ASK_TAKE then
              call('HINCRBY', KEYS[x], name, format('%.0f', 0 - ask.can))
              made[#made] = format('%.0f', ask.left)
            end
            if ask.own > 0 then call('HSET', KEYS[x + 2], name, made[#made]) else call('HDEL', KEYS[x + 2], name) end
          end
          if ask.last and ask.took_last then
            call(ARGV[ask.values], KEYS[ask.last], ARGV[ask.values + 1])
            if KEYS[ask.last] == KEYS[2] then moved, reply[2] = true, ARGV[ask.values + 1] end
          end
        end
        while op do
          if op == WRITE_NUMBER then
            made = made or {}
            made[#made + 1] = format('%.0f', call('INCR', KEYS[k]))
            i = i + 1
          elseif op == WRITE_PLACE then
            local command, texts = ARGV[a], {ARGV[a + 1]}
            a = a + 2
            while op == WRITE_PLACE do
              texts[#texts + 1] = made[ARGV[a] + 0]
              texts[#texts + 1] = ARGV[a + 1]
              i, a = i + 1, a + 2
              op = byte(plan, i)
            end
            call(command, KEYS[k], table.concat(texts))
            i = i + 1
          else -- unpack uses the stack and makes no table
            local values = byte(plan, i + 1) - 48
            call(ARGV[a], KEYS[k], unpack(ARGV, a + 1, a + values - 1))
            i, a = i + 2, a + values
          end
          k = k + 1
          op = byte(plan, i)
        end
        if made then
          done = table.concat(made, '\n')
          done = done .. format('%0' .. ARGV[7] .. 'd', #done)
          if expiry == '' or expiry * 1000 > clock then call('APPEND', key, done) end -- else it has expired
        end
      end
    end
    if broken then granted, left = granted + left - all, all end
  end
  if broken then done = {'broken', broken} end
  k, a, reply[n] = next_k, next_a, done
end
if count + granted == 0 then reply[4] = 0 end
