//! Elements of OpenStreetMap files, the same for both encodings.

use std::borrow::Cow;

use aerie_geodata::gpkg::OsmKind;

use super::rings::Spot;

/// Tags of an object, in the file's order; borrowed from the file's block where that stays in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tags<'a>(pub(crate) Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Tags<'static> {
    /// Tags from pairs of texts, within the limits for those of a file.
    pub(crate) fn of(pairs: impl Iterator<Item = (String, String)>) -> Self {
        let short = pairs.take(MAX_TAGS).filter(|(key, value)| is_short(key, value));
        Self(short.map(|(key, value)| (key.into(), value.into())).collect())
    }
}

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
    pub(crate) kind: OsmKind,
    pub(crate) id: i64,
    pub(crate) role: String,
    /// Positions of a way's nodes, where the file repeats them with the relation.
    pub(crate) spots: Vec<Spot>,
}

/// One object of an OpenStreetMap file. Positions are in 1e-7 degrees.
pub(crate) enum Element<'a> {
    Node {
        id: i64,
        lon: i32,
        lat: i32,
        tags: &'a Tags<'a>,
    },
    /// `spots`: positions of the nodes, where the file repeats them with the way; shorter than `refs` where it does not.
    Way {
        id: i64,
        refs: &'a [i64],
        spots: &'a [Option<Spot>],
        tags: &'a Tags<'a>,
    },
    Relation {
        id: i64,
        members: &'a [Member],
        tags: &'a Tags<'a>,
    },
    /// An object that the file marks as deleted.
    Deleted {
        kind: OsmKind,
        id: i64,
    },
    /// A point without a usable position.
    Placeless {
        tags: &'a Tags<'a>,
    },
    /// An object without a usable id.
    Nameless,
}

/// A position in 1e-7 degrees from degrees; `None` where there is no such place.
pub(crate) fn spot(lon: f64, lat: f64) -> Option<Spot> {
    let is_on_earth = lon.abs() <= 180.0 && lat.abs() <= 90.0;
    is_on_earth.then(|| ((lon * 1e7).round() as i32, (lat * 1e7).round() as i32))
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
