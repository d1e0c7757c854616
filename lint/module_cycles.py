#!/usr/bin/env python3
"""Counts cycles between modules of each crate.

A module is a file of `crates/NAME/src`. It depends on another where a path in it (an import, `crate::...`, `super::...`, or a name
that an import or a glob import brought in) leads there. A path that ends in a re-export leads to the module that defines the item.
Comments, strings and tests are left out. A parent that re-exports its children's items (`pub use child::Item`) does not depend on
them unless it uses the items itself.

Dependencies through methods alone are not seen: `x.area()` names no module.

Modules group by the first folder or file below `src`: `roofs.rs` and `roofs/outlines.rs` are one group. The crate's root
(`lib.rs`) belongs to no group.

    lint/module_cycles.py            every cycle, and the totals; exit status 1 where there are more than allowed
    lint/module_cycles.py -v NAME    one crate, with the paths that make each edge
"""

import re
import sys
from pathlib import Path

# Cycles allowed between groups of one crate, and in all (a parent and its own children).
ALLOWED_BETWEEN_GROUPS = 0
ALLOWED_IN_ALL = 2

TOKEN = re.compile(
    r"""
      (?P<skip>\s+ | //[^\n]*)
    | (?P<comment>/\*)
    | (?P<string>(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes) | (?:b|c)?"(?:\\.|[^"\\])*" | b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])')
    | (?P<lifetime>'\w+)
    | (?P<name>(?:r\#)?[A-Za-z_]\w*)
    | (?P<number>\d[\w.]*)
    | (?P<other>::|.)
    """,
    re.S | re.X,
)
OPENERS, CLOSERS = "([{", ")]}"
ITEMS = {"mod", "fn", "use", "impl", "struct", "enum", "union", "trait", "type", "const", "static", "async", "unsafe", "extern", "macro_rules"}
DEFINERS = {"fn", "struct", "enum", "union", "trait", "type", "const", "static"}


def tokens_of(text):
    """Rust tokens without comments; strings and character literals become `""`."""
    tokens, at = [], 0
    while at < len(text):
        token = TOKEN.match(text, at)
        at = token.end()
        kind = token.lastgroup if token.lastgroup != "hashes" else "string"
        if kind == "comment":
            depth = 1
            while depth and (mark := re.compile(r"/\*|\*/").search(text, at)):
                depth += 1 if mark.group() == "/*" else -1
                at = mark.end()
            at = at if not depth else len(text)
        elif kind == "string":
            tokens.append('""')
        elif kind == "name":
            tokens.append(token.group().removeprefix("r#"))
        elif kind in ("number", "other"):
            tokens.append(token.group())
    return tokens


def is_name(token):
    return token[0].isalpha() or token[0] == "_"


def matching(tokens, at):
    """Index after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] in OPENERS) - (tokens[at] in CLOSERS)
        at += 1
        if not depth:
            break
    return at


def is_test(attribute):
    """Whether `#[...]` with these tokens keeps what follows out of all builds but tests."""
    return attribute[-1:] == ["test"] or attribute[:3] == ["cfg", "(", "test"] or attribute[:5] == ["cfg", "(", "all", "(", "test"]


def after_item(tokens, at):
    """Index after the item, field or statement that starts at `at`."""
    while tokens[at : at + 2] == ["#", "["]:
        at = matching(tokens, at + 1)
    head = at
    if tokens[head : head + 2] == ["pub", "("]:
        head = matching(tokens, head + 1)
    elif tokens[head : head + 1] == ["pub"]:
        head += 1
    item = tokens[head : head + 1] and tokens[head] in ITEMS
    while at < len(tokens):
        token = tokens[at]
        if token in CLOSERS:
            return at
        if token in OPENERS:
            at = matching(tokens, at)
            if token == "{":
                return at
        elif token == ";" or (token == "," and not item):
            return at + 1
        else:
            at += 1
    return at


def use_paths(tree, prefix=()):
    """(path, name) of each import in a use tree: `a::{b, c::d as e, f::*}` gives a::b as b, a::c::d as e, a::f as *."""
    part, depth, parts = [], 0, []
    for token in tree:
        depth += (token == "{") - (token == "}")
        if token == "," and not depth:
            parts.append(part)
            part = []
        else:
            part.append(token)
    for part in parts + [part]:
        if "{" in part:
            brace = part.index("{")
            yield from use_paths(part[brace + 1 : -1], prefix + tuple(t for t in part[:brace] if is_name(t)))
        elif part:
            path, alias = (part[: part.index("as")], part[-1]) if "as" in part else (part, None)
            names = prefix + tuple(t for t in path if is_name(t))
            if path[-1] == "*":
                yield names, "*"
            elif path[-1] == "self" and prefix:
                yield names[:-1], alias or names[-2]
            elif names:
                yield names, alias or names[-1]


class Module:
    """What one module, a file or inline, declares and uses."""

    def __init__(self, file):
        self.file = file
        self.items = set()
        self.imports = {}
        self.globs = []
        self.re_exports = set()
        self.paths = set()


class Crate:
    def __init__(self, src):
        self.modules = {}
        self.test_only = set()
        for file in sorted(src.rglob("*.rs")):
            path = file.relative_to(src).with_suffix("").parts
            if path[0] in ("main", "bin") and (path[0] != "main" or (src / "lib.rs").exists()):
                continue
            path = () if path in (("lib",), ("main",)) else path
            self.modules[path] = Module(path)
            self.read(path, tokens_of(file.read_text()))
        for path in list(self.modules):
            if any(path[: len(test)] == test for test in self.test_only):
                del self.modules[path]
        self.files = {module.file for module in self.modules.values()}

    def read(self, path, tokens):
        """Fills a module, and those inline in it."""
        module = self.modules[path]
        at, depth = 0, 0
        while at < len(tokens):
            token = tokens[at]
            if token == "#" and tokens[at + 1 : at + 2] in (["["], ["!"]):
                inner = tokens[at + 1] == "!"
                start = at + 2 + inner
                at = matching(tokens, at + 1 + inner)
                if is_test(tokens[start : at - 1]):
                    if inner:
                        self.test_only.add(path)
                        return
                    end = after_item(tokens, at)
                    if "mod" in tokens[at:end] and tokens[end - 1] == ";":
                        self.test_only.add(path + (tokens[end - 2],))
                    at = end
                continue
            depth += (token == "{") - (token == "}")
            if token == "mod":
                name = tokens[at + 1]
                at += 2
                if tokens[at] == "{":
                    end = matching(tokens, at)
                    self.modules.setdefault(path + (name,), Module(module.file))
                    self.read(path + (name,), tokens[at + 1 : end - 1])
                    at = end
            elif token == "use" and tokens[at - 1] != ">":
                end = tokens.index(";", at)
                public = tokens[at - 1] == "pub" or (tokens[at - 1] == ")" and "pub" in tokens[max(0, at - 6) : at])
                self.read_use(module, tokens[at + 1 : end], public)
                at = end + 1
            elif token in DEFINERS and not depth and is_name(tokens[at + 1]):
                module.items.add(tokens[at + 1])
                at += 2
            elif token == "macro_rules":
                module.items.add(tokens[at + 2])
                at = matching(tokens, at + 3)
            elif is_name(token) and tokens[at - 1] not in ("::", "."):
                path_here = [token]
                while tokens[at + 1 : at + 2] == ["::"] and at + 2 < len(tokens) and is_name(tokens[at + 2]):
                    path_here.append(tokens[at + 2])
                    at += 2
                # A lone name in small letters is as likely a variable, unless it is called.
                if len(path_here) > 1 or token[0].isupper() or tokens[at + 1 : at + 2] in (["("], ["!"]):
                    module.paths.add(tuple(path_here))
                at += 1
            else:
                at += 1

    @staticmethod
    def read_use(module, tree, public):
        if tree[:1] == ["::"]:
            return
        for path, name in use_paths(tree):
            if name == "*":
                module.globs.append((path, public))
            else:
                module.imports[name] = path
                if public:
                    module.re_exports.add(name)

    def resolve(self, scope, path, seen=frozenset()):
        """The file that defines the item at a path as written in module `scope`, or None for what other crates define."""
        first, rest = path[0], path[1:]
        if first == "crate":
            return self.descend((), rest, seen)
        if first == "self":
            return self.descend(scope, rest, seen)
        if first == "super":
            return self.resolve(scope[:-1], ("self",) + rest if rest[:1] != ("super",) else rest, seen)
        if self.has(scope, first):
            return self.descend(scope, path, seen)
        return None

    def has(self, scope, name, seen=frozenset()):
        """Whether a module defines or imports a name."""
        if (scope, name, "has") in seen or scope not in self.modules:
            return False
        seen = seen | {(scope, name, "has")}
        module = self.modules[scope]
        if scope + (name,) in self.modules or name in module.items or name in module.imports:
            return True
        return any(self.has(target, name, seen) for target in self.glob_targets(scope))

    def glob_targets(self, scope):
        for path, _ in self.modules[scope].globs:
            target = self.module_at(scope, path)
            if target is not None and target != scope:
                yield target

    def module_at(self, scope, path):
        """The module at a path, if it is written out, as globs do."""
        at = ()
        if path[0] == "crate":
            path = path[1:]
        elif path[0] in ("self", "super"):
            at = scope
            while path and path[0] in ("self", "super"):
                at, path = at[:-1] if path[0] == "super" else at, path[1:]
        else:
            imported = self.modules[scope].imports.get(path[0])
            if scope + path[:1] not in self.modules and imported and imported != path:
                return self.module_at(scope, imported + path[1:])
            at = scope
        at += path
        return at if at in self.modules else None

    def descend(self, at, path, seen):
        for i, name in enumerate(path):
            if at + (name,) in self.modules:
                at += (name,)
                continue
            module = self.modules[at]
            if name in module.items or (at, name) in seen:
                break
            seen = seen | {(at, name)}
            if name in module.imports:
                source = module.imports[name]
                # `use serde;` and `use self::x` aside, an import that leads nowhere in this crate is another crate's.
                if source[0] not in ("crate", "self", "super") and source[0] == name and len(source) == 1:
                    return None
                return self.resolve(at, source + path[i + 1 :], seen)
            for target in self.glob_targets(at):
                if self.has(target, name):
                    return self.descend(target, path[i:], seen)
            break
        return self.modules[at].file

    def edges(self):
        """file -> {file: path that leads there}."""
        edges = {file: {} for file in self.files}
        for scope, module in self.modules.items():
            targets = edges[module.file]

            def add(path, target):
                if target is not None and target != module.file:
                    targets.setdefault(target, "::".join(path))

            for name, path in module.imports.items():
                target = self.resolve(scope, path)
                child = target is not None and target[: len(module.file)] == module.file
                if not (name in module.re_exports and child):
                    add(path, target)
            for path in module.paths:
                add(path, self.resolve(scope, path))
            for path, public in module.globs:
                target = self.module_at(scope, path)
                if target is not None and not public:
                    names = {used[0] for used in module.paths}
                    if not any(self.has(target, name) for name in names):
                        add(path, self.modules[target].file)
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

    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def groups_of(edges):
    """group -> {group: file and path that lead there}."""
    groups = {}
    for file, targets in edges.items():
        for target, path in targets.items():
            if file and target and file[0] != target[0]:
                groups.setdefault(file[0], {}).setdefault(target[0], f"{'/'.join(file)}: {path}")
    return groups


def shown(module):
    return ("/".join(module) or "lib") if isinstance(module, tuple) else module


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
        for level, graph in (("groups", groups_of(edges)), ("files", edges)):
            for component in components(graph):
                between += level == "groups"
                in_all += level == "files"
                print(f"{name}: cycle of {len(component)} {level}: {', '.join(map(shown, component))}")
                if verbose:
                    for a in component:
                        for b, path in sorted(graph[a].items()):
                            if b in component:
                                print(f"    {shown(a)} -> {shown(b)}   ({path})")
    print(f"{between} cycles between groups of modules, {in_all} between files")
    return between > ALLOWED_BETWEEN_GROUPS or in_all > ALLOWED_IN_ALL


if __name__ == "__main__":
    sys.exit(main())
