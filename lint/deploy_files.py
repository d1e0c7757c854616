#!/usr/bin/env python3
"""Checks files of deploy/ against schemas, and against each other.

    lint/deploy_files.py EXPRESSIONS MANIFEST...

EXPRESSIONS is written: rules with every PromQL expression of the dashboard and of the scaling rules in the manifests, for
`promtool check rules`. Run by lint/deploy.sh, in the environment of lint/requirements.txt.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

import compose_spec
import kubernetes_validate
import yaml
from cloudcoil.models.keda.v1alpha1 import ScaledObject

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm/aerie"
KUBERNETES = "1.30"
# Kinds whose schemas no package has, or only one that takes seconds to load.
UNCHECKED = {"Cluster", "ObjectStore", "ScheduledBackup", "ServiceMonitor"}

problems = []


def problem(where, what):
    problems.append(f"{where}: {what}")


def parse(file, parser):
    try:
        return parser(file.read_text())
    except (ValueError, yaml.YAMLError) as error:
        sys.exit(f"{file}: {error}")


def read_yaml(file):
    return parse(file, yaml.safe_load)


def missing_fields(given, kept, path=""):
    """Paths of `given` that a model did not keep, because it has no such field."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for key, value in given.items():
            if key not in kept:
                yield f"{path}.{key}"
            else:
                yield from missing_fields(value, kept[key], f"{path}.{key}")
    elif isinstance(given, list) and isinstance(kept, list):
        for at, (one, other) in enumerate(zip(given, kept)):
            yield from missing_fields(one, other, f"{path}[{at}]")


def check_manifest(file, manifest):
    where = f"{file.name}: {manifest.get('kind')} {manifest.get('metadata', {}).get('name')}"
    kind = manifest.get("kind")
    if kind in UNCHECKED:
        return False
    if kind == "ScaledObject":
        try:
            kept = ScaledObject.model_validate(manifest).model_dump(mode="json", by_alias=True, exclude_none=True)
        except ValueError as error:
            problem(where, error)
            return True
        for path in missing_fields(manifest["spec"], kept["spec"], "spec"):
            problem(where, f"unknown field {path}")
        return True
    try:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    except kubernetes_validate.ValidationError as error:
        problem(where, f"{'.'.join(map(str, error.path))}: {error.message}")
    except Exception as error:
        problem(where, error)
    return True


def check_pod(file, manifest):
    """Rules for the chart's pods that no schema has."""
    if manifest.get("kind") != "Deployment":
        return
    where = f"{file.name}: Deployment {manifest['metadata']['name']}"
    pod = manifest["spec"]["template"]["spec"]
    container = pod["containers"][0]
    arguments = container["args"]
    if pod["securityContext"].get("runAsNonRoot") is not True:
        problem(where, "runs as root")
    security = container["securityContext"]
    if not security.get("readOnlyRootFilesystem") or security.get("capabilities", {}).get("drop") != ["ALL"]:
        problem(where, "the root file system is writable, or capabilities are not dropped")
    if "--drain-seconds" in arguments:
        drain = int(arguments[arguments.index("--drain-seconds") + 1])
        if pod["terminationGracePeriodSeconds"] < drain + 30:
            problem(where, "pods are killed before their workers have drained")
    for variable in container["env"]:
        if re.search("SECRET|PASSWORD|KEY|URL", variable["name"]) and "$(" not in variable.get("value", "$("):
            problem(where, f"{variable['name']} is not a reference to a Secret")


def check_references(file, manifests):
    """Selectors and references lead to something in the same release."""
    pods = [m["spec"]["template"] for m in manifests if m["kind"] == "Deployment"]
    deployments = {m["metadata"]["name"] for m in manifests if m["kind"] == "Deployment"}
    services = [m for m in manifests if m["kind"] == "Service"]

    def selected(labels, things):
        return [thing for thing in things if labels and labels.items() <= thing["metadata"]["labels"].items()]

    for manifest in manifests:
        kind, spec = manifest["kind"], manifest.get("spec", {})
        where = f"{file.name}: {kind} {manifest['metadata']['name']}"
        if kind == "Service":
            for pod in selected(spec["selector"], pods) or [None]:
                names = [port["name"] for port in pod["spec"]["containers"][0]["ports"]] if pod else []
                if not {port["targetPort"] for port in spec["ports"]} <= set(names):
                    problem(where, "selects no pods, or a port that they do not have")
        elif kind == "ServiceMonitor":
            for service in selected(spec.get("selector", {}).get("matchLabels"), services) or [None]:
                names = {port["name"] for port in service["spec"]["ports"]} if service else set()
                ports = {endpoint.get("port") for endpoint in spec.get("endpoints", [])}
                if not ports or not ports <= names:
                    problem(where, "selects no service, or a port that it does not have")
        elif kind in ("PodDisruptionBudget", "Deployment"):
            if len(selected(spec["selector"]["matchLabels"], pods)) != 1:
                problem(where, "does not select the pods of one Deployment")
        elif kind == "ScaledObject" and spec["scaleTargetRef"]["name"] not in deployments:
            problem(where, "scales a Deployment that does not exist")
        elif kind == "Cluster":
            synchronous = spec.get("postgresql", {}).get("synchronous", {})
            if spec["instances"] < 3 or synchronous.get("number", 0) < 1 or synchronous.get("dataDurability") != "required":
                problem(where, "does not replicate synchronously to one of two standbys")


def check_compose():
    file = DEPLOY / "compose.yaml"
    compose = read_yaml(file)
    for service in compose["services"].values():
        # This parser knows either a tag or a digest.
        service["image"] = re.sub(r":[^:@/]+@", "@", service["image"])
    try:
        compose_spec.PyCompose.from_json(json.dumps(compose)).to_spec()
    except ValueError as error:
        problem(file.name, error)
    for name, service in compose["services"].items():
        where = f"{file.name}: {name}"
        if "build" not in service and "@sha256:" not in service["image"]:
            problem(where, "the image is not pinned by digest")
        for port in service.get("ports", []):
            if not port.startswith("127.0.0.1:"):
                problem(where, f"port {port} is not on loopback")
        if not service.get("read_only") or service.get("cap_drop") != ["ALL"] or service.get("user", "0").startswith("0"):
            problem(where, "the root file system is writable, capabilities are not dropped, or it runs as root")
        for need in ("healthcheck", "deploy", "stop_grace_period"):
            if need not in service:
                problem(where, f"{need} is missing")
    variables = set(re.findall(r"\$\{([A-Z0-9_]+)", file.read_text()))
    example = set(re.findall(r"^([A-Z0-9_]+)=", (DEPLOY / ".env.example").read_text(), re.M))
    written = set(re.findall(r'echo "([A-Z0-9_]+)=', (DEPLOY / "secrets.sh").read_text()))
    if not variables == example == written:
        problem(file.name, "compose.yaml, .env.example and secrets.sh have different variables")
    return compose


def check_kinds(compose):
    """Every kind of job is run by a worker."""
    source = (ROOT / "crates/engine-api/src/kinds.rs").read_text()
    kinds = {name.replace("_", "-") for name in re.findall(r"^pub mod (\w+);", source, re.M)}
    schema = parse(CHART / "values.schema.json", json.loads)
    commands = [service.get("command", []) for service in compose["services"].values()]
    groups = read_yaml(CHART / "values.yaml")["workers"].values()
    lists = {
        "values.schema.json": schema["definitions"]["kind"]["enum"],
        "values.yaml": [kind for group in groups for kind in group["kinds"]],
        "compose.yaml": [
            kind
            for command in commands
            if "--kinds" in command
            for kind in command[command.index("--kinds") + 1].split(",")
        ],
        "NOTES.txt": re.findall(r'"([a-z-]+)"', re.search(r"range list (.*)}}", (CHART / "templates/NOTES.txt").read_text())[1]),
    }
    for where, listed in lists.items():
        if sorted(listed) != sorted(kinds):
            problem(where, f"lists {sorted(listed)}; the kinds are {sorted(kinds)}")


def keys_of(table, path=()):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from keys_of(value, path + (key,))
        else:
            yield path + (key,)


def check_configuration():
    """Every key exists in config.default.toml, if only in a comment."""
    documented, table = set(), ()
    for line in (ROOT / "config.default.toml").read_text().splitlines():
        if section := re.match(r"(?:# )?\[([\w.-]+)\]$", line):
            table = tuple(section[1].split("."))
        elif key := re.match(r"(?:# )?([\w-]+) = ", line):
            documented.add(table + (key[1],))
    configurations = {
        "compose.toml": parse(DEPLOY / "compose.toml", tomllib.loads),
        "values.yaml": read_yaml(CHART / "values.yaml")["config"],
        "full-values.yaml": read_yaml(CHART / "ci/full-values.yaml")["config"],
    }
    plan_keys = {key[-1] for key in documented if key[0] == "plans"}
    for where, configuration in configurations.items():
        for key in keys_of(configuration):
            known = key in documented
            if key[0] == "plans":
                known = key[-1] in plan_keys
            if key[0] == "capabilities":
                known = any(table[0] == "capabilities" for table in documented)
            if not known:
                problem(where, f"config.default.toml has no key {'.'.join(key)}")


def check_runbooks():
    """Every alert has a section of docs/operate-fleet.md, and a test."""
    headings = re.findall(r"^#+ (.*)$", (ROOT / "docs/operate-fleet.md").read_text(), re.M)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    tests = (DEPLOY / "prometheus/alerts_test.yaml").read_text()
    rules = [rule for group in read_yaml(DEPLOY / "prometheus/alerts.yaml")["groups"] for rule in group["rules"]]
    for rule in rules:
        file, _, anchor = rule["annotations"].get("runbook", "").partition("#")
        if file != "docs/operate-fleet.md" or anchor not in anchors:
            problem(f"alerts.yaml: {rule['alert']}", f"docs/operate-fleet.md has no section #{anchor}")
        if not re.search(rf"- alertname: {rule['alert']}\n +eval_time: \w+\n +exp_alerts:\n", tests):
            problem(f"alerts.yaml: {rule['alert']}", "no test in alerts_test.yaml in which it fires")


def dashboard_expressions():
    file = DEPLOY / "grafana/aerie.json"
    dashboard = parse(file, json.loads)
    ids, places = set(), set()
    for panel in dashboard["panels"]:
        where = f"{file.name}: {panel['title']}"
        place = (panel["gridPos"]["x"], panel["gridPos"]["y"])
        if panel["id"] in ids or place in places:
            problem(where, "its id or its place is that of another panel")
        ids.add(panel["id"])
        places.add(place)
        for target in panel.get("targets", []):
            yield where, target["expr"]


def main():
    expressions_file, *manifest_files = map(Path, sys.argv[1:])
    expressions, checked, unchecked = list(dashboard_expressions()), 0, 0
    for file in manifest_files:
        manifests = [manifest for manifest in parse(file, lambda text: list(yaml.safe_load_all(text))) if manifest]
        check_references(file, manifests)
        for manifest in manifests:
            if check_manifest(file, manifest):
                checked += 1
            else:
                unchecked += 1
            check_pod(file, manifest)
            if manifest["kind"] == "ScaledObject":
                for trigger in manifest["spec"]["triggers"]:
                    expressions.append((manifest["metadata"]["name"], trigger["metadata"]["query"]))
    check_kinds(check_compose())
    check_configuration()
    check_runbooks()
    rules = [
        {"record": f"expression:{at}", "expr": re.sub(r"\$__rate_interval|\$__range", "5m", expression)}
        for at, (_, expression) in enumerate(expressions)
    ]
    expressions_file.write_text(yaml.safe_dump({"groups": [{"name": "expressions", "rules": rules}]}, width=1000))
    for line in problems:
        print(line)
    print(
        f"{len(problems)} problems in deploy/; {checked} manifests checked by schema, {unchecked} without "
        f"({', '.join(sorted(UNCHECKED))}); {len(expressions)} expressions"
    )
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
