#!/usr/bin/env bash
# Markup workflow with curl: examples/curl/markup.sh [ADDRESS]
set -euo pipefail
url=${AERIE_URL:-http://127.0.0.1:8080} key=${AERIE_KEY:?set it to a key; create one with: aerie admin key create --org ORG}
address=${1:-12 Larkspur Lane, 10001 Featherstone Vale}
folder=$(mktemp -d)
pictures=
trap 'rm -rf "$folder"; [ -z "$pictures" ] || kill "$pictures"' EXIT

# Prints the data of a response, or the error.
api() {
  local answer
  answer=$(curl -sS "$url$1" -H "X-API-Key: $key" -H "Content-Type: application/json" "${@:2}")
  if ! jq -e '.data' <<< "$answer" 2> /dev/null; then
    jq -r '"refused: \(.error.code): \(.error.message)"' <<< "$answer" >&2
    return 1
  fi
}
# Polls the job at a path until it awaits input or has ended.
ended() {
  local job
  while job=$(api "$1") && jq -e '.status == "queued" or .status == "running"' <<< "$job" > /dev/null; do sleep 1; done
  if jq -e '.status == "failed"' <<< "$job" > /dev/null; then
    jq -r '"failed: \(.output.error.code): \(.output.error.message)"' <<< "$job" >&2
    return 1
  fi
  echo "$job"
}

job=$(api /v1/markup/generate -d "$(jq -n --arg address "$address" '{$address}')" | jq -r .job_id)
ended "/v1/markup/jobs/$job" | jq -r '"orientations: \([.output.orientation_variants[].key] | join(", "))"'
clean=$(api "/v1/markup/jobs/$job/select" -d '{"orientation": "bottom"}' | jq -r .selected_url)

# In place of a user: draws a boundary and serves the picture.
curl -sS -o "$folder/clean.jpg" "$clean"
ffmpeg -v error -i "$folder/clean.jpg" -vf "drawbox=x=674:y=724:w=700:h=600:color=red:t=8" "$folder/drawn.png"
port=${EXAMPLE_PORT:-8391}
python3 -m http.server "$port" --bind 127.0.0.1 --directory "$folder" > /dev/null 2>&1 &
pictures=$!
until curl -sf -o /dev/null "http://127.0.0.1:$port/drawn.png"; do sleep 0.1; done

marked=$(jq -n --arg clean "$clean" --arg drawn "http://127.0.0.1:$port/drawn.png" '{annotated_image_url: $drawn, clean_image_url: $clean}')
api "/v1/markup/jobs/$job/annotate" -d "$marked" > /dev/null
api "/v1/markup/jobs/$job" | jq -r '"boundary: \(.output.boundary.properties.area_m2) m²"'

video=$(api "/v1/markup/jobs/$job/video" -d '{"options": {"duration": 6, "resolution": "720p", "aspect_ratio": "1:1"}}' | jq -r .job_id)
curl -sS -o markup.mp4 "$(ended "/v1/jobs/$video" | jq -r .output.video_url)"
echo "markup.mp4"
