//! What covers the ground: land use, land cover, water.

use serde::{Deserialize, Serialize};

use super::{Point, Polygon};

/// An area of one kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Area {
    /// Stable identity in the source.
    pub id: String,
    /// Kind.
    pub kind: AreaKind,
    /// Outline, local meters.
    pub polygon: Polygon,
}

/// Kinds of area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaKind {
    /// Houses and gardens.
    Residential,
    /// Shops, offices.
    Commercial,
    /// Industry.
    Industrial,
    /// Farmyard.
    Farmyard,
    /// Arable field.
    Farmland,
    /// Meadow, pasture, grassland.
    Meadow,
    /// Mown grass, lawn, park, village green.
    Grass,
    /// Park or garden.
    Park,
    /// Allotments.
    Allotments,
    /// Wood or forest.
    Forest,
    /// Scrub, heath.
    Scrub,
    /// Orchard.
    Orchard,
    /// Vineyard.
    Vineyard,
    /// Cemetery.
    Cemetery,
    /// Sports pitch.
    Pitch,
    /// Playground.
    Playground,
    /// Parking lot.
    Parking,
    /// Paved square, pedestrian area.
    Paved,
    /// Lake, river, pond, basin, sea.
    Water,
    /// Private or public swimming pool, as mapped.
    Pool,
    /// Marsh, reed.
    Wetland,
    /// Bare rock, scree, gravel.
    Rock,
    /// Sand, beach.
    Sand,
    /// Railway land.
    Railway,
    /// Quarry, construction site, brownfield.
    Construction,
    /// Glacier.
    Glacier,
}

/// A stream or river mapped as a line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Waterway {
    /// Stable identity in the source.
    pub id: String,
    /// Center line.
    pub line: Vec<Point>,
    /// Width in meters, tagged or by kind.
    pub width: f64,
}
