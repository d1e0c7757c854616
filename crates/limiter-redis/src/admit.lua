-- Admits and counts a request of a key, or refuses it.
-- KEYS: times of the requests of the last minute in milliseconds, oldest first; "DAY:REQUESTS" of the last day with requests.
-- ARGV: requests per minute, requests per day, the time in microseconds (empty: the server's clock).
-- Returns: whether it is admitted, the time in milliseconds, requests of the minute and of the day with this one if it is
-- admitted, and the time of the request that has to leave the minute for another one, or -1.
local minute, day = KEYS[1], KEYS[2]
local per_minute, per_day = tonumber(ARGV[1]), tonumber(ARGV[2])
local micros = tonumber(ARGV[3])
if not micros then
  local clock = redis.call('TIME')
  micros = clock[1] * 1000000 + clock[2]
end
local now = math.floor(micros / 1000)
local today = math.floor(now / 86400000)
local whole = function(number) return string.format('%.0f', number) end
local time_at = function(index) return tonumber(redis.call('LINDEX', minute, index)) end

local length = redis.call('LLEN', minute)
if length > 0 and time_at(-1) > now then
  -- The clock was set back: earlier requests count for a minute from now.
  local times = redis.call('LRANGE', minute, 0, -1)
  redis.call('DEL', minute)
  for _, time in ipairs(times) do
    redis.call('RPUSH', minute, whole(math.min(now, tonumber(time))))
  end
  redis.call('PEXPIRE', minute, 61000)
end

-- The number of requests that left the minute, by bisection.
local expired, above = 0, length
while expired < above do
  local middle = math.floor((expired + above) / 2)
  if time_at(middle) <= now - 60000 then expired = middle + 1 else above = middle end
end

local in_minute, in_day = length - expired, 0
local counted_day, counted = string.match(redis.call('GET', day) or '', '^(%d+):(%d+)$')
if tonumber(counted_day) == today then in_day = tonumber(counted) end

local is_admitted = in_minute < per_minute and in_day < per_day
if is_admitted then
  if expired > 0 then redis.call('LTRIM', minute, expired, -1) end
  redis.call('RPUSH', minute, whole(now))
  redis.call('PEXPIRE', minute, 61000)
  expired, in_minute, in_day = 0, in_minute + 1, in_day + 1
  -- An hour longer than the day, in case the clock is set back.
  redis.call('SET', day, whole(today) .. ':' .. whole(in_day), 'PX', whole((today + 1) * 86400000 - now + 3600000))
end

-- After a change to a smaller plan, more than one request has to leave the minute.
local excess = math.max(in_minute - math.max(per_minute, 1), 0)
local frees_with = redis.call('LINDEX', minute, expired + excess)
return {is_admitted and 1 or 0, now, in_minute, in_day, tonumber(frees_with) or -1}
