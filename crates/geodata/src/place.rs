//! A place: one property and its surroundings as plain geometry in local meters.
//!
//! Local frame: right-handed, meters, `x` east, `y` north, `z` up. The origin is the property's address point on the
//! ellipsoid's surface; `z` is height above sea level **minus** [`Terrain::datum`], so that numbers stay small.
//! Polygons are closed implicitly (the last point does not repeat the first); outer rings run counter-clockwise, holes
//! clockwise. No ring has fewer than three points, repeated neighbors or self-intersections.

mod building;
mod cover;
mod measured;
mod polygon;
mod standing;
mod terrain;
mod way;

pub use aerie_math::geometry::{Point, Ring};
use serde::{Deserialize, Serialize};

pub use building::{Building, BuildingKind, Provenance, RoofShape};
pub use cover::{Area, AreaKind, Waterway};
pub use measured::{MeasuredRoof, RoofMethod};
pub use polygon::Polygon;
pub use standing::{Barrier, BarrierKind, Tree, TreeKind};
pub use terrain::{NearGround, Terrain};
pub use way::{Crossing, Surface, Way, WayKind};

/// WGS 84, degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GeoPoint {
    /// Latitude in degrees, north positive.
    pub lat: f64,
    /// Longitude in degrees, east positive.
    pub lon: f64,
}

/// One property and its surroundings.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Place {
    /// Where the local origin lies.
    pub origin: GeoPoint,
    /// The address as matched, for captions and metadata.
    pub address: String,
    /// The property that the footage is about.
    pub property: Property,
    /// Height of the ground.
    pub terrain: Terrain,
    /// Buildings and building parts within the radius.
    pub buildings: Vec<Building>,
    /// Roads, paths, railways.
    pub ways: Vec<Way>,
    /// Land cover and land use, in painting order (large first, then what lies on it).
    pub areas: Vec<Area>,
    /// Streams, rivers and ditches mapped as lines.
    pub waterways: Vec<Waterway>,
    /// Single trees, mapped, or standing in tree rows.
    pub trees: Vec<Tree>,
    /// Hedges, fences, walls.
    pub barriers: Vec<Barrier>,
    /// Marked crossings that are mapped as points on a road.
    #[serde(default)]
    pub crossings: Vec<Crossing>,
    /// South-west and north-east corner of the imported map; nothing is known beyond. `None` if the whole neighborhood
    /// is covered by definition (the sample town).
    pub covered: Option<[Point; 2]>,
    /// Reach of buildings, ways and trees from the origin, meters.
    pub radius: f64,
    /// Attributions, worded as required ("© OpenStreetMap contributors").
    pub attributions: Vec<String>,
    /// Enabled online sources that failed and map data that could not be used, a sentence each.
    #[serde(default)]
    pub missed: Vec<String>,
}

/// The property in focus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Property {
    /// Index into [`Place::buildings`] of the main building (the outline, not one of its parts); `None` if the address
    /// is a plot or its building is not mapped.
    pub building: Option<usize>,
    /// Where the address point lies.
    pub point: Point,
    /// Footprint of the building, or of a plausible plot of 18 by 18 m where none is mapped.
    pub footprint: Polygon,
    /// The parcel that it stands on, where parcels are imported.
    #[serde(default)]
    pub parcel: Option<Polygon>,
    /// Direction that its front faces: bearing from the building to its street, radians clockwise from north.
    pub front_bearing: f64,
    /// Whether the front is known from the map (a street of this name is nearby) rather than guessed.
    pub front_known: bool,
    /// Index into [`Place::ways`] of its street.
    pub street: Option<usize>,
    /// Number of addresses that are mapped in its building.
    #[serde(default)]
    pub addresses: usize,
}
