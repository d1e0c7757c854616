#!/usr/bin/env python3
"""Runs the tests of a crate, and of the crates that depend on it.

    e2e/crate_tests.py CRATE [ARGUMENT...]     for example: e2e/crate_tests.py staging --skip measurements::

CRATE: a name with or without `aerie-`. ARGUMENTs go to each test program. TESTED: the packages that are built together, as arguments
of cargo, CARGO: the program. RUST_TEST_THREADS: number of tests at once; if unset, twice that of processors.

All packages are built, as by `make test`: fewer would have other features, and everything would be compiled again. What does
not depend on the crate is fresh.
"""

import json
import os
import subprocess
import sys

CARGO = os.environ.get("CARGO", "cargo")


def dependents(packages, name):
    """Returns the names of a package and of all that depend on it, tests included."""
    found = {name}
    while True:
        more = {p["name"] for p in packages if any(d["name"] in found for d in p["dependencies"])} - found
        if not more:
            return found
        found |= more


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    metadata = json.loads(subprocess.check_output([CARGO, "metadata", "--no-deps", "--format-version", "1"]))
    packages = metadata["packages"]
    names = {p["name"] for p in packages}
    name = next((n for n in (sys.argv[1], f"aerie-{sys.argv[1]}") if n in names), None)
    if name is None:
        sys.exit(f"there is no crate {sys.argv[1]}; there are: {' '.join(sorted(n.removeprefix('aerie-') for n in names))}")
    wanted = dependents(packages, name)
    folders = {p["id"]: os.path.dirname(p["manifest_path"]) for p in packages if p["name"] in wanted}

    build = [CARGO, "test", *os.environ.get("TESTED", "--workspace").split(), "--lib", "--bin", "aerie", "--bin", "aerie-engine", "--tests", "--no-run"]
    built = subprocess.run([*build, "--message-format", "json-render-diagnostics"], stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit(built.returncode)
    # Those that need a server are run by e2e/postgres.sh and the like.
    programs = [
        (message["executable"], folders[message["package_id"]])
        for message in map(json.loads, built.stdout.splitlines())
        if message.get("executable") and message["profile"]["test"] and message["package_id"] in folders
    ]
    if not programs:
        sys.exit(f"`make test` builds no tests of {name}: see bench/measure.sh")
    # Many tests of the service wait for a clock or for a connection.
    os.environ.setdefault("RUST_TEST_THREADS", str(2 * (os.cpu_count() or 1)))
    failed = []
    for program, folder in programs:
        print(f"--- {program}", flush=True)
        if subprocess.run([program, *sys.argv[2:]], cwd=folder).returncode:
            failed.append(program)
    print(f"{len(programs)} programs with tests of {len(wanted)} crates, {len(failed)} failed {' '.join(failed)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
