//! Elements of OpenStreetMap files, the same for both encodings.

use std::borrow::Cow;

/// Tags of an object, in the file's order; borrowed from the file's block where that stays in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tags<'a>(pub(crate) Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Tags<'_> {
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_ref())
    }

    pub(crate) fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Whether the tag is present with a value other than `no`.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|v| v != "no")
    }
}

/// A relation's member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) kind: aerie_geodata::gpkg::OsmKind,
    pub(crate) id: i64,
    pub(crate) role: String,
}

/// One object of an OpenStreetMap file. Positions are in 1e-7 degrees.
pub(crate) enum Element<'a> {
    Node { id: i64, lon: i32, lat: i32, tags: &'a Tags<'a> },
    Way { id: i64, refs: &'a [i64], tags: &'a Tags<'a> },
    Relation { id: i64, members: &'a [Member], tags: &'a Tags<'a> },
}

/// Maximum id; feature ids are four times as large.
pub(crate) const MAX_ID: i64 = 1 << 60;
/// Maximum number of nodes in a way; OpenStreetMap itself allows 2,000.
pub(crate) const MAX_REFS: usize = 100_000;
/// Maximum number of members of a relation; OpenStreetMap itself allows 32,000.
pub(crate) const MAX_MEMBERS: usize = 200_000;
/// Maximum number of tags of an object.
pub(crate) const MAX_TAGS: usize = 2_000;
/// Maximum size of a key or a value, bytes; OpenStreetMap itself allows 255 characters. Longer tags are left out.
const MAX_TEXT: usize = 4_096;
/// Maximum length of a role, characters; longer ones are cut.
const MAX_ROLE: usize = 255;

/// Whether a tag is kept.
pub(crate) fn is_short(key: &str, value: &str) -> bool {
    key.len() <= MAX_TEXT && value.len() <= MAX_TEXT
}

/// A role, cut where it is longer than any that means something.
pub(crate) fn shortened(role: &str) -> &str {
    role.char_indices().nth(MAX_ROLE).map_or(role, |(end, _)| &role[..end])
}

/// What to read in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    NodesAndRelations,
    Ways,
}

/// Receives elements; an error stops the reader.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Element<'_>) -> Result<(), crate::error::ImportError>;
