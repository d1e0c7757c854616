#!/usr/bin/env python3
"""Counts cycles between modules of each crate.

A module is a file of `crates/NAME/src`; it depends on another where a path in it (`crate::...`, `super::...`, or a child module's
name) leads there, through re-exports where the path ends in one. Tests are left out. Modules group by the first folder or file below
`src` (`roofs.rs` and `roofs/outlines.rs` are one group).

    lint/module_cycles.py            every cycle, and the totals; exit status 1 where there are more than allowed
    lint/module_cycles.py -v NAME    one crate, with the paths that make each edge
"""

import re
import sys
from pathlib import Path

# Cycles allowed between groups of one crate, and in all (a parent and its own children).
ALLOWED_BETWEEN_GROUPS = 0
ALLOWED_IN_ALL = 2

TOKEN = re.compile(r"""(//[^\n]*|/\*.*?\*/)|(b?r(#*)".*?"\3|b?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')""", re.S)


def strip(text):
    """Rust source without comments, strings and test modules."""
    text = TOKEN.sub(lambda m: " " if m.group(1) else '""', text)
    while found := re.search(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:mod|fn|use|impl)\b[^;{]*([;{])", text):
        end = found.end()
        if found.group(1) == "{":
            depth = 1
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
        text = text[: found.start()] + text[end:]
    return text


def use_paths(tree, prefix=()):
    """Paths of a use tree: `a::{b, c::d}` gives a::b and a::c::d."""
    tree = tree.strip()
    depth, parts, start = 0, [], 0
    for i, c in enumerate(tree):
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(tree[start:i])
            start = i + 1
    parts.append(tree[start:])
    for part in (p.strip() for p in parts):
        if not part:
            continue
        if "{" in part:
            head, rest = part.split("{", 1)
            yield from use_paths(rest.rsplit("}", 1)[0], prefix + tuple(s for s in head.strip().split("::") if s))
        else:
            name = re.split(r"\s+as\s+", part)
            yield prefix + tuple(name[0].replace(" ", "").split("::")), (name[1] if len(name) > 1 else None)


class Crate:
    def __init__(self, src):
        self.modules = {}
        for file in sorted(src.rglob("*.rs")):
            path = file.relative_to(src).with_suffix("").parts
            if path[0] in ("main", "bin") or "tests" in path:
                continue
            self.modules[() if path == ("lib",) else path] = strip(file.read_text())
        if () not in self.modules and (src / "main.rs").exists():
            self.modules[()] = strip((src / "main.rs").read_text())
        self.exports = {m: self.exports_of(m, text) for m, text in self.modules.items()}

    def exports_of(self, module, text):
        """Names that a module re-exports, and the paths that they come from."""
        names = {}
        for tree in re.findall(r"\bpub(?:\([^)]*\))?\s+use\s+([^;]+);", text):
            for path, alias in use_paths(tree):
                names[alias or path[-1]] = path
        return names

    def absolute(self, module, path):
        if path[0] == "crate":
            return path[1:]
        if path[0] == "self":
            return module + path[1:]
        if path[0] == "super":
            at = module
            while path and path[0] == "super":
                at, path = at[:-1], path[1:]
            return at + path
        if module + path[:1] in self.modules:
            return module + path
        return None

    def resolve(self, path, seen=()):
        """The module in which a path's item is defined, or None."""
        at = ()
        for i, name in enumerate(path):
            if at + (name,) in self.modules:
                at = at + (name,)
                continue
            source = self.exports[at].get(name)
            if source and (at, name) not in seen:
                target = self.absolute(at, source)
                return self.resolve(target + path[i + 1 :], seen + ((at, name),)) if target is not None else None
            break
        return at

    def edges(self):
        """module -> {module: path that leads there}."""
        edges = {}
        for module, text in self.modules.items():
            paths = set()
            for tree in re.findall(r"(?<!pub )\buse\s+([^;]+);", re.sub(r"\bpub(?:\([^)]*\))?\s+use\b[^;]*;", "", text)):
                paths.update(path for path, _ in use_paths(tree))
            rest = re.sub(r"\buse\s+[^;]+;", "", text)
            paths.update(tuple(p.split("::")) for p in re.findall(r"\b(?:crate|super|self)(?:::\w+)+", rest))
            paths.update(tuple(p.split("::")) for p in re.findall(r"(?<![\w:])[a-z_]\w*(?:::\w+)+", rest))
            targets = {}
            for path in paths:
                if path[-1] == "*":
                    path = path[:-1]
                absolute = self.absolute(module, path) if path else None
                target = self.resolve(absolute) if absolute is not None else None
                # The root holds only declarations and re-exports in most crates; where it holds items, it counts.
                if target is not None and target != module:
                    targets.setdefault(target, "::".join(path))
            edges[module] = targets
        return edges


def components(edges):
    """Strongly connected components of more than one module (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in edges.get(v, ()):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = []
            while True:
                w = stack.pop()
                component.append(w)
                if w == v:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for v in edges:
        if v not in index:
            visit(v)
    return found


def main():
    sys.setrecursionlimit(10_000)
    verbose = "-v" in sys.argv
    names = [a for a in sys.argv[1:] if a != "-v"]
    root = Path(__file__).resolve().parent.parent / "crates"
    between = in_all = 0
    for src in sorted(root.glob("*/src")):
        name = src.parent.name
        if names and name not in names:
            continue
        edges = Crate(src).edges()
        groups = {}
        for module, targets in edges.items():
            for target, path in targets.items():
                if module and target and module[0] != target[0]:
                    groups.setdefault(module[0], {}).setdefault(target[0], f"{'/'.join(module)}: {path}")
        show = lambda m: "/".join(m) if isinstance(m, tuple) and m else ("lib" if m == () else m)
        for level, graph in (("groups", groups), ("files", edges)):
            for component in components(graph):
                between += level == "groups"
                in_all += level == "files"
                print(f"{name}: cycle of {len(component)} {level}: {', '.join(map(show, component))}")
                if verbose:
                    for a in component:
                        for b, path in sorted(graph[a].items()):
                            if b in component:
                                print(f"    {show(a)} -> {show(b)}   ({path})")
    print(f"{between} cycles between groups of modules, {in_all} between files")
    return between > ALLOWED_BETWEEN_GROUPS or in_all > ALLOWED_IN_ALL


if __name__ == "__main__":
    sys.exit(main())
