//! A geocoded address.

use serde::{Deserialize, Serialize};

/// How exact a match is; nothing coarser than a house number is ever returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// The building with the number.
    Building,
    /// The plot with the number.
    Parcel,
    /// A point with the number, with no mapped building around it.
    AddressPoint,
    /// A point interpolated between neighboring house numbers: the street and the side are right, the house is not known. It can
    /// be looked up, but no media are made of it.
    Interpolated,
}

/// A found address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// Latitude in degrees, WGS 84.
    pub lat: f64,
    /// Longitude in degrees, WGS 84.
    pub lon: f64,
    /// How exact the position is.
    pub precision: Precision,
    /// The full address as mapped; mentions the correction of a typo.
    pub matched: String,
    /// Where the address comes from, with the object's identity ("OpenStreetMap way/123").
    pub source: String,
    /// Whether terrain heights are loaded for the place; otherwise the ground is assumed to be flat.
    pub terrain_known: bool,
    /// Name of the street as mapped, to find the side that the building faces.
    pub street: String,
    /// Identity of the mapped address in the pack.
    pub address_id: String,
    /// Identity of the building that has the address, where one is mapped.
    pub building_id: Option<String>,
}
