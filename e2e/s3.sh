#!/usr/bin/env bash
# Runs the media store's contract suite on an S3 server (moto) on a free port of this machine.
# VENV: the Python environment with e2e/requirements.txt. Further arguments go to cargo test, such as --release.
set -euo pipefail
cd "$(dirname "$0")/.."

port=$("$VENV/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
log=$(mktemp)
"$VENV/bin/moto_server" -H 127.0.0.1 -p "$port" >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f "$log"' EXIT

export AERIE_TEST_S3="http://127.0.0.1:$port"
for _ in $(seq 100); do
  curl -sf "$AERIE_TEST_S3/moto-api/" >/dev/null && break
  kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.2
done
# moto checks no signature, but it wants a credential to name the region.
curl -sf -X PUT -H 'Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request' \
  "$AERIE_TEST_S3/aerie" >/dev/null

# The whole workspace's features, so that nothing is built again.
${CARGO:-cargo} test ${PACKAGE:---workspace} --test s3 "$@" -- --ignored s3::
