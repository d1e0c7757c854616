#!/usr/bin/env python3
"""Tests of module_cycles.py on small crates: `python3 lint/test_module_cycles.py`."""

import tempfile
import unittest
from pathlib import Path

from module_cycles import Crate, components, groups_of


def edges(**files):
    """Edges of a crate given as file names (`a__b` is `a/b.rs`) with their sources, as {"a -> b", ...}."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in files.items():
            path = Path(folder, *name.split("__")).with_suffix(".rs")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return Crate(Path(folder)).edges()


def shown(graph):
    return {f"{'/'.join(a) or 'lib'} -> {'/'.join(b) or 'lib'}" for a, targets in graph.items() for b in targets}


class Edges(unittest.TestCase):
    def test_imports_and_paths_are_dependencies(self):
        graph = edges(lib="mod a; mod b; mod c;", a="use crate::b::B;", b="fn f() { crate::c::g(); }", c="fn g() { super::a::h(); }")
        self.assertEqual(shown(graph), {"a -> b", "b -> c", "c -> a"})

    def test_comments_and_strings_are_not(self):
        source = """
            // use crate::b::B;
            /* crate::b::f(); /* nested */ crate::b::f(); */
            /// See [`crate::b::B`].
            fn f<'a>(x: &'a str) -> char {
                let _ = ("crate::b::f()", r#"crate::b::f() " "#, b"crate::b", 'x', '"', '{');
                '\\''
            }
            const QUOTE: char = '"'; // " crate::b::f()
        """
        self.assertEqual(shown(edges(lib="mod a; mod b;", a=source, b="pub struct B;")), set())

    def test_code_behind_strings_and_characters_is_seen(self):
        for literal in ["'\"'", "'{'", "'\\''", "'\\u{7b}'", "b'{'", '"\\""', 'r#"{"#', "br\"\\\"", "'a: loop {}"]:
            source = f"fn f() {{ let _ = {literal}; crate::b::g(); }}"
            self.assertEqual(shown(edges(lib="mod a; mod b;", a=source, b="pub fn g() {}")), {"a -> b"}, literal)

    def test_tests_are_left_out(self):
        source = """
            #[cfg(test)]
            fn f(x: [u8; 3]) -> [u8; 2] { crate::b::g() }
            #[cfg(all(test, unix))]
            use crate::b::{self, B};
            #[cfg(test)]
            #[expect(dead_code, reason = "[")]
            pub(crate) const C: u8 = { crate::b::N };
            struct S { #[cfg(test)] b: crate::b::B, other: u8 }
            #[cfg(test)]
            mod cases;
            #[cfg(test)]
            mod tests { use crate::b::B; #[test] fn t() { crate::b::g(); } }
        """
        graph = edges(lib="mod a; mod b;", a=source, a__cases="use crate::b::B;", a__cases__more="use crate::b::B;", b="")
        self.assertEqual(shown(graph), set())

    def test_code_after_tests_and_code_that_tests_lack_is_seen(self):
        source = "#[cfg(test)] mod tests { fn f() {} } #[cfg(not(test))] fn g() { crate::b::h(); } use crate::c::C;"
        self.assertEqual(shown(edges(lib="mod a; mod b; mod c;", a=source, b="", c="")), {"a -> b", "a -> c"})

    def test_a_re_export_leads_to_the_definition(self):
        graph = edges(
            lib="mod a; mod b; pub use a::Thing;",
            a="mod inner; pub use inner::Thing;",
            a__inner="pub use self::deep::*; mod deep;",
            a__inner__deep="pub struct Thing;",
            b="use crate::Thing; fn f(_: crate::a::Thing) {}",
        )
        self.assertEqual(shown(graph), {"b -> a/inner/deep"})

    def test_a_parents_private_import_leads_to_the_definition(self):
        graph = edges(lib="mod a; mod b;", a="mod c; use crate::b::B;", a__c="use super::B;", b="pub struct B;")
        self.assertEqual(shown(graph), {"a -> b", "a/c -> b"})

    def test_names_from_a_glob_import_lead_to_their_definitions(self):
        graph = edges(lib="mod a; mod b;", a="mod c; use crate::b::B; struct A;", a__c="use super::*; fn f(_: A, _: B) {}", b="pub struct B;")
        self.assertEqual(shown(graph), {"a -> b", "a/c -> a", "a/c -> b"})

    def test_a_parent_depends_on_a_re_exported_item_only_if_it_uses_it(self):
        child = "use super::Point; pub struct Roof(Point);"
        facade = edges(lib="mod a;", a="mod roof; pub use roof::Roof; pub struct Point;", a__roof=child)
        self.assertEqual(shown(facade), {"a/roof -> a"})
        user = edges(lib="mod a;", a="mod roof; pub use roof::Roof; pub struct Point; struct House(Roof);", a__roof=child)
        self.assertEqual(shown(user), {"a/roof -> a", "a -> a/roof"})

    def test_a_re_export_of_another_modules_item_is_a_dependency(self):
        self.assertEqual(shown(edges(lib="mod a; mod b;", a="pub use crate::b::B;", b="pub struct B;")), {"a -> b"})

    def test_super_in_an_inline_module_is_the_file(self):
        graph = edges(lib="mod a; mod b;", a="mod inline { use super::super::b::B; fn f() { super::g(); } } fn g() {}", b="pub struct B;")
        self.assertEqual(shown(graph), {"a -> b"})

    def test_other_crates_are_not_modules(self):
        graph = edges(lib="mod image; mod b;", image="", b="use ::image::Rgb; use serde::de; fn f() { std::fs::read(x.image()); }")
        self.assertEqual(shown(graph), set())


class Cycles(unittest.TestCase):
    def test_cycles_are_counted_by_component(self):
        graph = edges(lib="mod a; mod b; mod c; mod d;", a="use crate::b::B;", b="use crate::c::C;", c="use crate::a::A;", d="use crate::a::A;")
        self.assertEqual(components(graph), [[("a",), ("b",), ("c",)]])

    def test_a_cycle_between_folders_shows_between_groups_only_where_it_is_none_between_files(self):
        graph = edges(lib="mod a; mod b;", a="mod x; mod y;", a__x="use crate::b::B;", a__y="", b="pub struct B; use crate::a::y::Y;")
        self.assertEqual(components(graph), [])
        self.assertEqual(components(groups_of(graph)), [["a", "b"]])

    def test_a_parent_and_its_child_are_one_group(self):
        graph = edges(lib="mod a;", a="mod x; use x::X; pub struct A;", a__x="use super::A;")
        self.assertEqual(components(graph), [[("a",), ("a", "x")]])
        self.assertEqual(components(groups_of(graph)), [])


if __name__ == "__main__":
    unittest.main()
