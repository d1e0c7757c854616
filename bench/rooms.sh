#!/usr/bin/env bash
# Measures staging on real photos of rooms: `bench/rooms.sh PHOTOS [aside] [stability]`. PHOTOS holds the photos of bench/rooms.json as
# OWNER/NAME/PATH, for example as clones of the repositories named there. Prints each photo and, by kind, how many are accepted and how
# well their floors are found.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${1:?names the folder of photos}"
${CARGO:-cargo} run --quiet --release --package aerie-staging --example acceptance -- bench/rooms.json "$@"
