//! A place: one property and its surroundings as plain geometry in local metres.
//!
//! Local frame: right-handed, metres, `x` east, `y` north, `z` up. The origin is the property's address point on the
//! ellipsoid's surface; `z` is height above sea level **minus** [`Terrain::datum`], so that numbers stay small.
//! Polygons are closed implicitly (the last point is not a repeat of the first); outer rings run counter-clockwise,
//! holes clockwise. No ring here has fewer than three points, a repeated neighbour or a crossing of itself.

use serde::{Deserialize, Serialize};

/// A point in local metres: east, north.
pub type Point = [f64; 2];

/// A closed ring in local metres.
pub type Ring = Vec<Point>;

/// WGS 84, degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GeoPoint {
    /// Latitude in degrees, north positive.
    pub lat: f64,
    /// Longitude in degrees, east positive.
    pub lon: f64,
}

/// A polygon with holes, local metres.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Polygon {
    /// Outer ring, counter-clockwise.
    pub outer: Ring,
    /// Holes, clockwise.
    pub holes: Vec<Ring>,
}

/// One property and what lies around it.
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
    /// South-west and north-east corner of what the imported map covers; beyond, nothing is known, not even that there
    /// is nothing. None where the whole neighbourhood is covered by definition (the sample town).
    pub covered: Option<[Point; 2]>,
    /// How far the buildings, ways and trees reach from the origin, metres.
    pub radius: f64,
    /// Who must be credited, each as it must be written ("© OpenStreetMap contributors").
    pub attributions: Vec<String>,
    /// What online sources that are switched on did not give, and what of the map could not be used, a sentence each.
    #[serde(default)]
    pub missed: Vec<String>,
}

/// The property in focus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Property {
    /// Index into [`Place::buildings`] of the main building (the outline, not one of its parts); none where the address
    /// is a plot or a building that is not mapped.
    pub building: Option<usize>,
    /// Where the address point lies.
    pub point: Point,
    /// Footprint of the building, or of a plausible plot of 18 by 18 m where none is mapped.
    pub footprint: Polygon,
    /// The plot that it stands on, where parcels are imported.
    #[serde(default)]
    pub parcel: Option<Polygon>,
    /// Bearing from the building to its street, radians clockwise from north: which way its front looks.
    pub front_bearing: f64,
    /// Whether the street side comes from the map (a named street near by) rather than from a guess.
    pub front_known: bool,
    /// Index into [`Place::ways`] of the street it belongs to.
    pub street: Option<usize>,
}

/// Terrain heights on a regular grid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Terrain {
    /// Local position of the first (south-west) sample.
    pub min: Point,
    /// Metres between samples.
    pub spacing: f64,
    /// Samples in a row (west to east).
    pub columns: usize,
    /// Rows (south to north).
    pub rows: usize,
    /// Height of each sample above [`Terrain::datum`], metres, row by row from the south.
    pub heights: Vec<f32>,
    /// Metres above sea level of local `z = 0`: the ground at the origin.
    pub datum: f64,
    /// Whether heights come from data; false where none is loaded and the ground is taken as flat.
    pub known: bool,
}

/// What kind of building; decides the guessed height, the roof and the façade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildingKind {
    /// One or two families.
    House,
    /// Row or terrace house.
    Terrace,
    /// Block of flats.
    Apartments,
    /// Shop, mall, hotel.
    Retail,
    /// Office building.
    Office,
    /// Factory, warehouse, hall.
    Industrial,
    /// Barn, stable, farm building.
    Farm,
    /// Church, chapel, temple.
    Church,
    /// School, town hall, hospital.
    Public,
    /// Garage, carport.
    Garage,
    /// Shed, hut, small outbuilding.
    Shed,
    /// Roof on posts, open at the sides.
    Canopy,
    /// Greenhouse.
    Greenhouse,
}

/// Roof shapes that the scenery draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoofShape {
    /// Flat.
    Flat,
    /// Two slopes and two gables.
    Gabled,
    /// A slope on every side, with a ridge.
    Hipped,
    /// Slopes to one point.
    Pyramidal,
    /// One slope.
    Skillion,
    /// Gabled with the tops cut by small hips.
    HalfHipped,
    /// Two pitches on each side.
    Mansard,
    /// Two pitches on two sides.
    Gambrel,
    /// Half a cylinder or a dome.
    Dome,
}

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Tagged on the map or surveyed.
    Mapped,
    /// Derived from tags by rule (levels times storey height).
    Derived,
    /// Guessed by kind, footprint and neighbours.
    Guessed,
    /// Guessed as what neighbours of like size have, who agree.
    Neighbours,
}

/// A building or a building part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Building {
    /// Stable identity in the source ("way/123"), seeds whatever is chosen by chance.
    pub id: String,
    /// Outline, local metres.
    pub footprint: Polygon,
    /// What it is.
    pub kind: BuildingKind,
    /// Height of the underside above the ground, metres (`min_height`); 0 for most.
    pub base: f64,
    /// Height of the eaves above the ground, metres.
    pub eaves: f64,
    /// Height of the top of the roof above the ground, metres; equals `eaves` for a flat roof.
    pub ridge: f64,
    /// Storeys below the eaves, at least 1.
    pub storeys: u32,
    /// Roof shape.
    pub roof: RoofShape,
    /// Direction of the ridge (gabled) or of the fall (skillion), radians clockwise from north, when tagged.
    pub roof_direction: Option<f64>,
    /// Ridge across the short side (`roof:orientation=across`).
    pub roof_across: bool,
    /// Wall colour, sRGB, when tagged.
    pub wall_colour: Option<[u8; 3]>,
    /// Wall material as tagged (`brick`, `wood`, `stone`, `plaster`, `concrete`, `glass`, `metal`).
    pub wall_material: Option<String>,
    /// Roof colour, sRGB, when tagged.
    pub roof_colour: Option<[u8; 3]>,
    /// Roof material as tagged (`roof_tiles`, `slate`, `metal`, `copper`, `tar_paper`, `grass`, `gravel`).
    pub roof_material: Option<String>,
    /// Where the height comes from.
    pub height_from: Provenance,
    /// Where the roof shape comes from.
    pub roof_from: Provenance,
    /// True when building parts inside it are to be drawn in its stead: its outline then serves as footprint only.
    pub replaced_by_parts: bool,
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

/// A road, path or railway along its centre line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Way {
    /// Stable identity in the source.
    pub id: String,
    /// Name of the street.
    pub name: Option<String>,
    /// Kind.
    pub kind: WayKind,
    /// Centre line, local metres, at least two points.
    pub line: Vec<Point>,
    /// Carriageway width, metres: tagged, or by lanes, or by kind.
    pub width: f64,
    /// Lanes in both directions.
    pub lanes: u32,
    /// One-way.
    pub oneway: bool,
    /// Surface, tagged or by kind.
    pub surface: Surface,
    /// Whether a pavement runs along it (tagged, or by kind and surroundings).
    pub pavement: bool,
    /// A footway's or cycleway's marked way across a road.
    #[serde(default)]
    pub crossing: bool,
    /// On a bridge.
    pub bridge: bool,
    /// In a tunnel: not seen from above.
    pub tunnel: bool,
    /// OpenStreetMap `layer`.
    pub layer: i32,
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
    /// Car park.
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

/// An area of one kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Area {
    /// Stable identity in the source.
    pub id: String,
    /// Kind.
    pub kind: AreaKind,
    /// Outline, local metres.
    pub polygon: Polygon,
}

/// A stream or river mapped as a line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Waterway {
    /// Stable identity in the source.
    pub id: String,
    /// Centre line.
    pub line: Vec<Point>,
    /// Width in metres, tagged or by kind.
    pub width: f64,
}

/// Broad shapes of tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeKind {
    /// Broad crown (lime, oak, maple, fruit trees).
    Broadleaved,
    /// Conifer (spruce, fir, pine).
    Needleleaved,
}

/// A tree.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Tree {
    /// Foot of the trunk.
    pub at: Point,
    /// Shape.
    pub kind: TreeKind,
    /// Height, metres, tagged or by rule.
    pub height: f64,
    /// Crown diameter, metres.
    pub crown: f64,
    /// Seed from the source's identity.
    pub seed: u64,
    /// Whether it stands on the map as a single tree or in a tree row (false: planted by us to fill a mapped wood).
    pub mapped: bool,
}

/// Kinds of barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierKind {
    /// Hedge.
    Hedge,
    /// Fence.
    Fence,
    /// Wall.
    Wall,
}

/// A hedge, fence or wall.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Barrier {
    /// Kind.
    pub kind: BarrierKind,
    /// Line.
    pub line: Vec<Point>,
    /// Height, metres.
    pub height: f64,
}

/// A marked crossing of a road, mapped as a point on it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Where it lies, on the road's centre line.
    pub at: Point,
    /// Whether traffic signals guard it.
    pub signals: bool,
}

impl Terrain {
    /// Height above the datum at a local point, bilinear, clamped at the rim; metres.
    #[must_use]
    pub fn height(&self, [x, y]: Point) -> f64 {
        if self.columns < 2 || self.rows < 2 {
            return 0.0;
        }
        let fx = ((x - self.min[0]) / self.spacing).clamp(0.0, (self.columns - 1) as f64);
        let fy = ((y - self.min[1]) / self.spacing).clamp(0.0, (self.rows - 1) as f64);
        let (i, j) = ((fx as usize).min(self.columns - 2), (fy as usize).min(self.rows - 2));
        let (u, v) = (fx - i as f64, fy - j as f64);
        let at = |i: usize, j: usize| f64::from(self.heights[j * self.columns + i]);
        let south = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
        let north = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
        south * (1.0 - v) + north * v
    }

    /// A flat terrain of `2 * reach` metres a side.
    #[must_use]
    pub fn flat(reach: f64, datum: f64) -> Self {
        Self {
            min: [-reach, -reach],
            spacing: 2.0 * reach,
            columns: 2,
            rows: 2,
            heights: vec![0.0; 4],
            datum,
            known: false,
        }
    }
}
