#!/usr/bin/env bash
# Lints what deploy/ and docs/operate-fleet.md say, without containers or a cluster.
#   lint/deploy.sh TOOLS     TOOLS: a folder that lint/deploy_tools.sh filled
set -euo pipefail
tools=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export HELM_CACHE_HOME=$tools/helm HELM_CONFIG_HOME=$tools/helm HELM_DATA_HOME=$tools/helm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$tools/venv/bin/hadolint" --failure-threshold info deploy/Dockerfile
for script in deploy/*.sh lint/*.sh; do bash -n "$script"; done

chart=deploy/helm/aerie
for values in "$chart"/ci/*-values.yaml; do
  name=$(basename "$values" -values.yaml)
  "$tools/bin/helm" lint --strict --quiet --namespace media --values "$values" "$chart"
  "$tools/bin/helm" template aerie "$chart" --namespace media --values "$values" >"$work/chart-$name.yaml"
done
# Without the required values, the chart says which are missing.
if "$tools/bin/helm" template aerie "$chart" >/dev/null 2>&1; then
  echo "$chart: accepted without its required values" >&2
  exit 1
fi

"$tools/venv/bin/python" lint/deploy_files.py "$work/expressions.yaml" deploy/cloudnative-pg.yaml "$work"/chart-*.yaml
"$tools/bin/promtool" check rules deploy/prometheus/alerts.yaml "$work/expressions.yaml"
"$tools/bin/promtool" test rules deploy/prometheus/alerts_test.yaml
python3 lint/metric_names.py
