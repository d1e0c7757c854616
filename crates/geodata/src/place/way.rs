//! Roads, paths, railways, and crossings of them.

use serde::{Deserialize, Serialize};

use super::Point;

/// A road, path or railway along its center line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Way {
    /// Stable identity in the source.
    pub id: String,
    /// Name of the street.
    pub name: Option<String>,
    /// Kind.
    pub kind: WayKind,
    /// Center line, local meters, at least two points.
    pub line: Vec<Point>,
    /// Carriageway width, meters: tagged, or by lanes, or by kind.
    pub width: f64,
    /// Lanes in both directions.
    pub lanes: u32,
    /// One-way.
    pub oneway: bool,
    /// Surface, tagged or by kind.
    pub surface: Surface,
    /// Whether a sidewalk runs along it (tagged, or inferred from kind and surroundings).
    pub sidewalk: bool,
    /// Whether the carriageway has curbs (inferred from sidewalks, kind and surroundings).
    #[serde(default)]
    pub curb: bool,
    /// A marked crossing of a road by a footway or cycleway.
    #[serde(default)]
    pub crossing: bool,
    /// On a bridge.
    pub bridge: bool,
    /// In a tunnel or covered, and not visible from above.
    pub tunnel: bool,
    /// In a tunnel, whether it leads through a building or under a roof rather than underground.
    #[serde(default)]
    pub passage: bool,
    /// OpenStreetMap `layer`.
    pub layer: i32,
}

/// Kinds of way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WayKind {
    /// Motorway, trunk road and their ramps.
    Motorway,
    /// Primary and secondary road.
    Major,
    /// Tertiary road.
    Minor,
    /// Residential, unclassified, living street.
    Residential,
    /// Service road, driveway, parking aisle.
    Service,
    /// Farm or forest track.
    Track,
    /// Pedestrian street.
    Pedestrian,
    /// Footway, path, steps.
    Footpath,
    /// Cycleway.
    Cycleway,
    /// Railway, tram.
    Railway,
    /// Runway, taxiway.
    Runway,
}

/// Surface of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// Asphalt.
    Asphalt,
    /// Concrete.
    Concrete,
    /// Setts, paving stones.
    Paving,
    /// Gravel, compacted, fine gravel.
    Gravel,
    /// Earth, ground, sand.
    Earth,
    /// Grass.
    Grass,
    /// Ballast and rails.
    Ballast,
}

/// A marked crossing of a road, mapped as a point on it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Where it lies, on the road's center line.
    pub at: Point,
    /// Whether traffic signals guard it.
    pub signals: bool,
}
