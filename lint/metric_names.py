#!/usr/bin/env python3
"""Checks that the metrics named in dashboards, alerts and scaling rules are documented, and that documented ones are in the code.

    lint/metric_names.py     every unknown name, with its file; exit status 1 if there is one

The code names a metric without prefix and suffixes: `registry.register_with_unit("queue_age", ..., Unit::Seconds, ...)` is
`aerie_queue_age_seconds`. The tables of the documents have complete names.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USES = [
    "deploy/grafana/*.json",
    "deploy/prometheus/*.yaml",
    "deploy/helm/aerie/templates/*.yaml",
]
DOCUMENTS = ["docs/operate.md", "docs/operate-fleet.md"]
REGISTERED = re.compile(r'\b(?:register|register_with_unit|gauge|counter|histogram)\(\s*"([a-z][a-z0-9_]*)"')
USED = re.compile(r"\baerie_[a-z0-9_]*[a-z0-9](?![a-z0-9_*]|\.[a-z])")
UNITS = ("", "_seconds", "_bytes")
SUFFIXES = ("", "_total", "_info")
SERIES_OF_HISTOGRAM = re.compile("_(bucket|sum|count)$")


def names_in(pattern):
    for file in sorted(ROOT.glob(pattern)):
        for name in sorted(set(USED.findall(file.read_text()))):
            yield file.relative_to(ROOT), name


def main():
    registered, unknown = set(), 0
    for source in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        registered.update(REGISTERED.findall(source.read_text()))
    known = {f"aerie_{name}{unit}{suffix}" for name in registered for unit in UNITS for suffix in SUFFIXES}
    documented = set()
    for document in DOCUMENTS:
        for file, name in names_in(document):
            documented.add(name)
            if name not in known:
                print(f"{file}: the code registers no metric {name}")
                unknown += 1
    for pattern in USES:
        uses = list(names_in(pattern))
        if not uses:
            print(f"{pattern}: names no metric")
            unknown += 1
        for file, name in uses:
            if not {name, SERIES_OF_HISTOGRAM.sub("", name)} & documented:
                print(f"{file}: {' and '.join(DOCUMENTS)} do not document {name}")
                unknown += 1
    print(f"{unknown} unknown names of metrics; {len(documented)} documented, {len(registered)} registered")
    return unknown > 0


if __name__ == "__main__":
    sys.exit(main())
