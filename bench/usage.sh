#!/usr/bin/env bash
# Memory use of a long usage list: `bench/usage.sh [EVENTS]` (default: a million) stores that number of events for one organization,
# reads them over HTTP, and prints the increase of the server's peak memory. Fails above 32 MiB.
set -euo pipefail
cd "$(dirname "$0")/.."
events=${1:-1000000}
target=$(realpath "${CARGO_TARGET_DIR:-target}")
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign
aerie=$target/release/aerie
folder=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; wait "$server" || true; fi; rm -rf "$folder"' EXIT

printf '[plans.bench]\nper_minute = 1000000\nper_day = 1000000\n' >"$folder/aerie.toml"
value() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
org=$("$aerie" admin org create Bench --plan bench --config "$folder/aerie.toml" --data "$folder/data" --json | value org_id)
key=$("$aerie" admin key create --org "$org" --data "$folder/data" --json | value key)
python3 - "$folder/data" "$org" "$events" <<'PYTHON'
import glob, sqlite3, sys, time, uuid
folder, org, events = sys.argv[1], sys.argv[2], int(sys.argv[3])
[database] = glob.glob(folder + "/*.db")
db = sqlite3.connect(database)
# All in the current month, which is the default range.
first = int(time.mktime(time.strptime(time.strftime("%Y-%m-01", time.gmtime()), "%Y-%m-%d"))) * 1000 + 86_400_000 // 2
rows = ((str(uuid.uuid4()), org, str(uuid.uuid4()), "drone_footage.generate", 1500, first + n) for n in range(events))
db.executemany("INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at) VALUES (?,?,?,?,?,?)", rows)
db.commit()
PYTHON

"$aerie" serve --listen 127.0.0.1:0 --workers 0 --config "$folder/aerie.toml" --data "$folder/data" >"$folder/listening" 2>"$folder/log" &
server=$!
until [ -s "$folder/listening" ]; do sleep 0.1; done
url=$(sed -n 's/^listening on //p' "$folder/listening")
peak() { awk '/VmHWM/ {print $2}' "/proc/$server/status"; }
curl -sf -o /dev/null -H "X-API-Key: $key" "$url/v1/usage?from=2000-01-01&to=2000-01-01"
before=$(peak)
curl -sf -o "$folder/usage.json" -w 'answered in %{time_total} s, %{size_download} bytes, first byte after %{time_starttransfer} s\n' \
  -H "X-API-Key: $key" "$url/v1/usage"
after=$(peak)
python3 - "$folder/usage.json" "$events" <<'PYTHON'
import json, sys
data, events = json.load(open(sys.argv[1]))["data"], int(sys.argv[2])
assert len(data["events"]) == data["summary"]["total_events"] == events, data["summary"]
assert data["summary"]["total_cost_cents"] == 1500 * events
assert len({event["id"] for event in data["events"]}) == events
PYTHON
rose=$((after - before))
echo "$events events: peak memory of the server $before KiB before, $after KiB after: $rose KiB more; limit 32768"
[ "$rose" -le 32768 ]
