-- Adds the cost of one bad key to the debt of a network, and returns the debt.
-- KEYS: the time in microseconds until which the network is in debt. ARGV: the cost and the most that it can owe, in microseconds;
-- the time in microseconds (empty: the server's clock).
local cost, most, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local clock = redis.call('TIME')
  now = clock[1] * 1000000 + clock[2]
end
local before = tonumber(redis.call('GET', KEYS[1])) or now
-- Bounding the debt bounds the time until it is gone, also when the clock is set back.
local debt = math.min(math.max(before, now) + cost - now, most)
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', string.format('%.0f', math.ceil(debt / 1000) + 1000))
return debt
