//! Buildings and their parts.

use serde::{Deserialize, Serialize};

use super::{MeasuredRoof, Polygon};

/// A building or a building part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Building {
    /// Stable identity in the source ("way/123"), seeds random choices.
    pub id: String,
    /// Outline, local meters.
    pub footprint: Polygon,
    /// Kind.
    pub kind: BuildingKind,
    /// Height of the underside above the ground, meters (`min_height`); 0 for most.
    pub base: f64,
    /// Height of the eaves above the ground, meters.
    pub eaves: f64,
    /// Height of the top of the roof above the ground, meters; equals `eaves` for a flat roof.
    pub ridge: f64,
    /// Stories below the eaves, at least 1.
    pub stories: u32,
    /// Roof shape.
    pub roof: RoofShape,
    /// Direction of the ridge (gabled) or of the fall (skillion), radians clockwise from north, when tagged.
    pub roof_direction: Option<f64>,
    /// Ridge across the short side (`roof:orientation=across`).
    pub roof_across: bool,
    /// Wall color, sRGB, when tagged.
    pub wall_color: Option<[u8; 3]>,
    /// Wall material as tagged (`brick`, `wood`, `stone`, `plaster`, `concrete`, `glass`, `metal`).
    pub wall_material: Option<String>,
    /// Roof color, sRGB, when tagged.
    pub roof_color: Option<[u8; 3]>,
    /// Roof material as tagged (`roof_tiles`, `slate`, `metal`, `copper`, `tar_paper`, `grass`, `gravel`).
    pub roof_material: Option<String>,
    /// Where the height comes from.
    pub height_from: Provenance,
    /// Where the roof shape comes from.
    pub roof_from: Provenance,
    /// Whether it is only an outline, and the building parts inside it are drawn instead.
    pub replaced_by_parts: bool,
    /// The measured roof. Where there is one, it is drawn, with walls down to the ground along its edges; `eaves`, `ridge` and `roof`
    /// only sum it up.
    #[serde(default)]
    pub measured: Option<MeasuredRoof>,
}

/// Kinds of building; the kind determines the guessed height, the roof and the façade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildingKind {
    /// One or two families.
    House,
    /// Row or terrace house.
    Terrace,
    /// Apartment building.
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
    /// Measured by a survey: a city model or a point cloud.
    Measured,
    /// Tagged on the map.
    Mapped,
    /// Derived from tags (levels times story height).
    Derived,
    /// Guessed by kind, footprint and neighbors.
    Guessed,
    /// Adopted from neighbors of similar size that agree.
    Neighbors,
}
