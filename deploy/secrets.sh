#!/usr/bin/env bash
# Writes deploy/.env with new random secrets for compose.yaml, readable by its owner only. Keeps an existing file.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
if [ -e .env ]; then
  echo "deploy/.env exists; the secrets in it belong to existing data, so it is kept" >&2
  exit 1
fi
secret() { openssl rand -hex "$1"; }
{
  echo "POSTGRES_PASSWORD=$(secret 24)"
  echo "LINK_SECRET=$(secret 32)"
  echo "S3_ACCESS_KEY_ID=$(secret 10)"
  echo "S3_SECRET_ACCESS_KEY=$(secret 20)"
} >.env.new
mv .env.new .env
echo "wrote deploy/.env"
