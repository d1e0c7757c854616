//! What a room is made of. Meters; the floor at z = 0, Z up.

use aerie_math::geometry::{self, Ring};
use glam::{DVec2, DVec3, Vec3};

/// A room.
#[derive(Debug, Clone)]
pub struct Room {
    /// Corners of the floor, anticlockwise seen from above; walls run along X and Y in turn.
    pub corners: Vec<DVec2>,
    /// From floor to ceiling.
    pub height: f64,
    /// What the floor is laid with.
    pub floor: Floor,
    /// Reflectance of the walls, linear sRGB.
    pub wall_color: Vec3,
    /// Reflectance of the ceiling, linear sRGB.
    pub ceiling_color: Vec3,
    /// Height of the skirting boards; 0 for none.
    pub skirting: f64,
    /// Height of the band under the ceiling; 0 for none.
    pub cornice: f64,
    /// Windows, doors and passages.
    pub openings: Vec<Opening>,
    /// Things on the walls: switches, sockets, radiators, pictures.
    pub fittings: Vec<Fitting>,
    /// Boxes that stand in the room.
    pub clutter: Vec<Block>,
    /// Where its light comes from.
    pub light: Light,
}

/// What a floor is laid with.
#[derive(Debug, Clone, Copy)]
pub struct Floor {
    /// The pattern.
    pub pattern: Pattern,
    /// Mean reflectance, linear sRGB.
    pub color: Vec3,
    /// How much tone varies from piece to piece, 0 to 1.
    pub variety: f64,
    /// Share of light that it mirrors straight down, 0 to about 0.08.
    pub gloss: f64,
}

/// How a floor is laid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Boards along Y or X, of a width and a length.
    Boards {
        /// Along X rather than along Y.
        along_x: bool,
        /// Meters across one.
        width: f64,
        /// Meters along one.
        length: f64,
    },
    /// Square tiles with joints.
    Tiles {
        /// Meters a side.
        side: f64,
    },
    /// One soft piece.
    Carpet,
}

/// A hole in a wall, or a door in it.
#[derive(Debug, Clone, Copy)]
pub struct Opening {
    /// What it is.
    pub kind: OpeningKind,
    /// The wall: from corner `wall` to the next.
    pub wall: usize,
    /// Along the wall from its first corner, meters: where it begins and ends.
    pub across: [f64; 2],
    /// Above the floor, meters: where it begins and ends.
    pub up: [f64; 2],
}

/// What an opening is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningKind {
    /// Glass with frames in a reveal; light comes in.
    Window,
    /// A closed door with its casing.
    Door,
    /// A way into a darker room.
    Passage,
}

/// A flat thing on a wall.
#[derive(Debug, Clone, Copy)]
pub struct Fitting {
    /// The wall: from corner `wall` to the next.
    pub wall: usize,
    /// Along the wall from its first corner, meters.
    pub across: [f64; 2],
    /// Above the floor, meters.
    pub up: [f64; 2],
    /// Reflectance, linear sRGB.
    pub color: Vec3,
    /// Upright ribs, as on a radiator.
    pub ribbed: bool,
}

/// A box with its sides along the room's axes.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The corner nearest to the origin.
    pub low: DVec3,
    /// The corner farthest from it.
    pub high: DVec3,
    /// Reflectance, linear sRGB.
    pub color: Vec3,
}

/// Light of a room.
#[derive(Debug, Clone, Copy)]
pub struct Light {
    /// Radiance of the sky through the windows, linear sRGB.
    pub sky: Vec3,
    /// The way that sunlight travels, and its irradiance across itself; none under clouds.
    pub sun: Option<(DVec3, Vec3)>,
    /// Intensity of a lamp under the middle of the ceiling; 0 for none.
    pub lamp: Vec3,
    /// Even light from everywhere, as a radiance.
    pub ambient: Vec3,
    /// Whether furniture casts shadows; without, the same room shows what its light alone does.
    pub shadows: bool,
}

impl Room {
    /// The corners of a wall: its first, and the next one.
    #[must_use]
    pub fn wall(&self, wall: usize) -> [DVec2; 2] {
        [self.corners[wall], self.corners[(wall + 1) % self.corners.len()]]
    }

    /// Whether a place lies over the floor.
    #[must_use]
    pub fn holds(&self, place: DVec2) -> bool {
        geometry::ring_contains(&self.outline(), place.to_array())
    }

    /// Distance of a place from the nearest wall, meters.
    #[must_use]
    pub fn clearance(&self, place: DVec2) -> f64 {
        geometry::distance_to_ring(place.to_array(), &self.outline())
    }

    fn outline(&self) -> Ring {
        self.corners.iter().map(DVec2::to_array).collect()
    }
}
