//! What the surfaces of a geometry are, and how many carry a texture.

use serde::de::{MapAccess, SeqAccess};

use super::budget::Budget;
use super::lenient::{Lenient, Shape, Text, skip};
use super::node::{NULL, Node, NodeShape};
use crate::model::Kind;

/// Kinds of surfaces, and nested lists that give each surface one of them.
pub(super) struct SemanticsShape<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for SemanticsShape<'_> {
    type Output = (Vec<Option<Kind>>, Option<Node>);

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let (mut kinds, mut values) = (Vec::new(), None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "surfaces" => kinds = map.next_value_seed(Lenient(KindsShape(self.0)))?,
                "values" => values = Some(map.next_value_seed(Lenient(NodeShape(self.0)))?),
                _ => skip(&mut map)?,
            }
        }
        Ok((kinds, values))
    }
}

struct KindsShape<'a>(&'a Budget);

impl<'de> Shape<'de> for KindsShape<'_> {
    type Output = Vec<Option<Kind>>;

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Output, A::Error> {
        let mut kinds = Vec::new();
        while let Some(kind) = seq.next_element_seed(Lenient(KindShape))? {
            if self.0.spend() {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }
}

struct KindShape;

impl<'de> Shape<'de> for KindShape {
    type Output = Option<Kind>;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let mut kind = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "type" {
                // A surface of another type is no roof: doors, windows, surfaces of extensions.
                let name = map.next_value_seed(Lenient(Text))?;
                kind = name.map(|name| Kind::from_name(&name).unwrap_or(Kind::Other));
            } else {
                skip(&mut map)?;
            }
        }
        Ok(kind)
    }
}

/// Textures by theme: the largest number of surfaces that carry one.
pub(super) struct ThemesShape<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for ThemesShape<'_> {
    type Output = u64;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let mut most = 0;
        while map.next_key::<serde::de::IgnoredAny>()?.is_some() {
            most = most.max(map.next_value_seed(Lenient(ThemeShape(self.0)))?);
        }
        Ok(most)
    }
}

struct ThemeShape<'a>(&'a Budget);

impl<'de> Shape<'de> for ThemeShape<'_> {
    type Output = u64;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let mut count = 0;
        while let Some(key) = map.next_key::<String>()? {
            if key == "values" {
                count = textured(&map.next_value_seed(Lenient(NodeShape(self.0)))?);
            } else {
                skip(&mut map)?;
            }
        }
        Ok(count)
    }
}

/// Surfaces with a ring whose first value, the texture, is not null.
fn textured(node: &Node) -> u64 {
    let Node::List(list) = node else { return 0 };
    let carries = |node: &Node| matches!(node, Node::Ring(ring) if ring.first().is_some_and(|&first| first != NULL));
    u64::from(list.iter().any(carries)) + list.iter().map(textured).sum::<u64>()
}
