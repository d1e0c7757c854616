//! The messages of the format that imports need: `fileformat.proto` and `osmformat.proto` of OpenStreetMap's OSM-binary. Numbers of fields are
//! the format's own; fields that are not listed are skipped.

use prost::Message;

/// Precedes each blob of a file.
#[derive(Clone, PartialEq, Message)]
pub(super) struct BlobHeader {
    /// `OSMHeader` or `OSMData`.
    #[prost(string, required, tag = "1")]
    pub(super) kind: String,
    /// Size of the blob, bytes.
    #[prost(int32, required, tag = "3")]
    pub(super) size: i32,
}

/// Features that a reader must support.
#[derive(Clone, PartialEq, Message)]
pub(super) struct HeaderBlock {
    #[prost(string, repeated, tag = "4")]
    pub(super) required_features: Vec<String>,
}

/// Elements, whose texts are indices into `strings`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PrimitiveBlock {
    #[prost(message, required, tag = "1")]
    pub(super) strings: StringTable,
    #[prost(message, repeated, tag = "2")]
    pub(super) groups: Vec<PrimitiveGroup>,
    /// Unit of coordinates, nanodegrees.
    #[prost(int32, optional, tag = "17", default = "100")]
    granularity: Option<i32>,
    /// Offsets of coordinates, nanodegrees.
    #[prost(int64, optional, tag = "19", default = "0")]
    lat_offset: Option<i64>,
    #[prost(int64, optional, tag = "20", default = "0")]
    lon_offset: Option<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StringTable {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub(super) texts: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PrimitiveGroup {
    #[prost(message, repeated, tag = "1")]
    pub(super) nodes: Vec<Node>,
    #[prost(message, optional, tag = "2")]
    pub(super) dense: Option<DenseNodes>,
    #[prost(message, repeated, tag = "3")]
    pub(super) ways: Vec<Way>,
    #[prost(message, repeated, tag = "4")]
    pub(super) relations: Vec<Relation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Node {
    #[prost(sint64, required, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    #[prost(sint64, required, tag = "8")]
    pub(super) lat: i64,
    #[prost(sint64, required, tag = "9")]
    pub(super) lon: i64,
}

/// Nodes as columns. Each number is the difference from the one before it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DenseNodes {
    #[prost(sint64, repeated, tag = "1")]
    pub(super) ids: Vec<i64>,
    #[prost(sint64, repeated, tag = "8")]
    pub(super) lats: Vec<i64>,
    #[prost(sint64, repeated, tag = "9")]
    pub(super) lons: Vec<i64>,
    /// Keys and values in turn, 0 after those of each node; empty where no node has any.
    #[prost(int32, repeated, tag = "10")]
    pub(super) keys_and_values: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Way {
    #[prost(int64, required, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    /// Its nodes, each as the difference from the one before it.
    #[prost(sint64, repeated, tag = "8")]
    pub(super) refs: Vec<i64>,
    /// Positions of its nodes, in files with the optional feature `LocationsOnWays`; else empty.
    #[prost(sint64, repeated, tag = "9")]
    pub(super) lats: Vec<i64>,
    #[prost(sint64, repeated, tag = "10")]
    pub(super) lons: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Relation {
    #[prost(int64, required, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    #[prost(int32, repeated, tag = "8")]
    pub(super) roles: Vec<i32>,
    /// Its members, each as the difference from the one before it.
    #[prost(sint64, repeated, tag = "9")]
    pub(super) members: Vec<i64>,
    /// 0: node, 1: way, 2: relation.
    #[prost(int32, repeated, tag = "10")]
    pub(super) kinds: Vec<i32>,
}

impl PrimitiveBlock {
    /// A text by its index; `None` where there is none, or where it is not UTF-8.
    pub(super) fn text(&self, index: usize) -> Option<&str> {
        std::str::from_utf8(self.strings.texts.get(index)?).ok()
    }

    /// Longitude and latitude of a node, nanodegrees; `None` out of range.
    pub(super) fn place(&self, lon: i64, lat: i64) -> Option<[i64; 2]> {
        let unit = i64::from(self.granularity());
        let nano = |value: i64, offset: i64| value.checked_mul(unit)?.checked_add(offset);
        Some([nano(lon, self.lon_offset())?, nano(lat, self.lat_offset())?])
    }

    /// Keys and values of an element; they end where one is no text.
    pub(super) fn tags<'a>(&'a self, keys: &'a [u32], values: &'a [u32]) -> impl Iterator<Item = (&'a str, &'a str)> {
        keys.iter().zip(values).map_while(|(key, value)| Some((self.text(*key as usize)?, self.text(*value as usize)?)))
    }
}
