//! Description of a room. Units are meters, the floor is at z = 0, Z is up.

use aerie_math::geometry::{self, Ring};
use glam::{DVec2, DVec3, Vec3};

/// A room.
#[derive(Debug, Clone)]
pub struct Room {
    /// Corners of the floor, counterclockwise from above; walls alternate between X and Y.
    pub corners: Vec<DVec2>,
    /// From floor to ceiling.
    pub height: f64,
    /// Floor covering.
    pub floor: Floor,
    /// Reflectance of the walls, linear sRGB.
    pub wall_color: Vec3,
    /// Reflectance of the ceiling, linear sRGB.
    pub ceiling_color: Vec3,
    /// Height of the baseboards; 0 for none.
    pub skirting: f64,
    /// Height of the cornice; 0 for none.
    pub cornice: f64,
    /// Windows, doors and passages.
    pub openings: Vec<Opening>,
    /// Fittings on the walls: switches, sockets, radiators, pictures.
    pub fittings: Vec<Fitting>,
    /// Furniture, as boxes.
    pub clutter: Vec<Block>,
    /// Light sources.
    pub light: Light,
}

/// Floor covering.
#[derive(Debug, Clone, Copy)]
pub struct Floor {
    /// The pattern.
    pub pattern: Pattern,
    /// Mean reflectance, linear sRGB.
    pub color: Vec3,
    /// Variation of tone between pieces, 0 to 1.
    pub variety: f64,
    /// Reflectance at normal incidence, 0 to about 0.08.
    pub gloss: f64,
}

/// Pattern of a floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Boards along X or Y.
    Boards {
        /// Along X rather than along Y.
        along_x: bool,
        /// Width of a board, meters.
        width: f64,
        /// Length of a board, meters.
        length: f64,
    },
    /// Square tiles with joints.
    Tiles {
        /// Side of a tile, meters.
        side: f64,
    },
    /// Carpet, without pattern.
    Carpet,
}

/// A window, door or passage in a wall.
#[derive(Debug, Clone, Copy)]
pub struct Opening {
    /// Kind of opening.
    pub kind: OpeningKind,
    /// The wall: from corner `wall` to the next.
    pub wall: usize,
    /// Start and end along the wall from its first corner, meters.
    pub across: [f64; 2],
    /// Start and end above the floor, meters.
    pub up: [f64; 2],
}

/// Kind of opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningKind {
    /// Glass with frames in a reveal; a light source.
    Window,
    /// A closed door with a casing.
    Door,
    /// An open passage to a darker room.
    Passage,
}

/// A flat object on a wall.
#[derive(Debug, Clone, Copy)]
pub struct Fitting {
    /// The wall: from corner `wall` to the next.
    pub wall: usize,
    /// Start and end along the wall from its first corner, meters.
    pub across: [f64; 2],
    /// Start and end above the floor, meters.
    pub up: [f64; 2],
    /// Reflectance, linear sRGB.
    pub color: Vec3,
    /// Whether it has vertical ribs, like a radiator.
    pub ribbed: bool,
}

/// An axis-aligned box.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Least coordinates.
    pub low: DVec3,
    /// Greatest coordinates.
    pub high: DVec3,
    /// Reflectance, linear sRGB.
    pub color: Vec3,
}

/// Lighting of a room.
#[derive(Debug, Clone, Copy)]
pub struct Light {
    /// Radiance of the sky through the windows, linear sRGB.
    pub sky: Vec3,
    /// Direction of sunlight, and its normal irradiance; `None` under clouds.
    pub sun: Option<(DVec3, Vec3)>,
    /// Intensity of a lamp at the center of the ceiling; 0 for none.
    pub lamp: Vec3,
    /// Uniform ambient radiance.
    pub ambient: Vec3,
    /// Whether furniture casts shadows.
    pub shadows: bool,
}

impl Room {
    /// First and second corner of a wall.
    #[must_use]
    pub fn wall(&self, wall: usize) -> [DVec2; 2] {
        [self.corners[wall], self.corners[(wall + 1) % self.corners.len()]]
    }

    /// Whether a point lies above the floor.
    #[must_use]
    pub fn holds(&self, place: DVec2) -> bool {
        geometry::ring_contains(&self.outline(), place.to_array())
    }

    /// Distance of a point from the nearest wall, meters.
    #[must_use]
    pub fn clearance(&self, place: DVec2) -> f64 {
        geometry::distance_to_ring(place.to_array(), &self.outline())
    }

    fn outline(&self) -> Ring {
        self.corners.iter().map(DVec2::to_array).collect()
    }
}
