//! The box of a room round the camera: floor, ceiling, and the walls to the left, to the right and ahead.
//!
//! In units of the camera's height over the floor, four distances say it all, and every choice of four is a room that
//! could be: a pixel shows the face whose plane its ray meets first. That is the greatest of five linear functions of
//! the pixel, so that faces are convex polygons and edges are straight. A room is scored by segments along its edges,
//! by segments that run where they cannot (Lee, Hebert and Kanade 2009), and by how well its faces explain the colors
//! (after Hedau, Hoiem and Forsyth 2009); it is looked for from values that segments propose, one distance at a time.
mod clues;
mod gate;
mod outline;
mod score;
mod search;
mod walls;

use glam::{DMat3, DVec2, DVec3};

use super::camera::Camera;
use super::frame::{Frame, Hints};
use super::scale::{self, Scale};
use crate::Photo;
use crate::lines::{self, Segment};
use clues::Clues;

pub use gate::Doubt;
pub use walls::Wall;

/// A face of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// The floor.
    Floor,
    /// The ceiling.
    Ceiling,
    /// The wall to the left, across X.
    Left,
    /// The wall to the right, across X.
    Right,
    /// The wall ahead, across Y.
    Far,
}

impl Face {
    /// All of them, in the order of their numbers.
    pub const ALL: [Face; 5] = [Face::Floor, Face::Ceiling, Face::Left, Face::Right, Face::Far];

    /// The axis that stands upright on it: 0 X, 1 Y, 2 Z.
    #[must_use]
    pub fn axis(self) -> usize {
        match self {
            Face::Floor | Face::Ceiling => 2,
            Face::Left | Face::Right => 0,
            Face::Far => 1,
        }
    }

    /// Its name in messages and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Face::Floor => "floor",
            Face::Ceiling => "ceiling",
            Face::Left => "left wall",
            Face::Right => "right wall",
            Face::Far => "far wall",
        }
    }
}

/// Distances from the camera to the faces, in camera heights: the floor is at 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distances {
    /// Up to the ceiling.
    pub ceiling: f64,
    /// To the wall on the left.
    pub left: f64,
    /// To the wall on the right.
    pub right: f64,
    /// To the wall ahead.
    pub far: f64,
}

impl Distances {
    /// For each face, the coefficients on a ray in the room's axes whose greatest value tells the face that is met.
    fn coefficients(&self) -> [DVec3; 5] {
        [-DVec3::Z, DVec3::Z / self.ceiling, -DVec3::X / self.left, DVec3::X / self.right, DVec3::Y / self.far]
    }

    /// The same as linear functions of a pixel `(x, y, 1)`.
    fn functions(&self, camera: &Camera) -> [DVec3; 5] {
        let to_sight = DMat3::from_cols(
            DVec3::X / camera.focal,
            DVec3::Y / camera.focal,
            (-camera.center / camera.focal).extend(1.0),
        );
        let to_room = camera.rotation.transpose() * to_sight;
        self.coefficients().map(|c| to_room.transpose() * c)
    }
}

/// How well a room explains the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// Mean support by segments along the visible edges, 0 to 1.
    pub edges: f64,
    /// The same along the foot of the walls found, in view.
    pub foot: f64,
    /// Share of the length of segments that run where they cannot: upright on the floor, into a wall.
    pub violations: f64,
    /// Share of the colors' variance that the faces explain, 0 to 1.
    pub colors: f64,
    /// How alike the floors are of all rooms that explain the picture about as well, 0 to 1.
    pub agreement: f64,
}

/// A room, understood as far as one photo allows.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The camera and the room's axes, and how sure they are.
    pub frame: Frame,
    /// Distances of the box that fits best, in camera heights.
    pub distances: Distances,
    /// The walls that are seen, from left to right: those of the box, or more of them where the room has corners that a
    /// box has not.
    pub walls: Vec<Wall>,
    /// What speaks for it.
    pub evidence: Evidence,
    /// 0 to 1; at least 0.5 where there are no doubts.
    pub confidence: f64,
    /// Why it should not be relied on; empty where it can be.
    pub doubts: Vec<Doubt>,
    /// Meters to one camera height.
    pub scale: Scale,
}

impl Layout {
    /// Understands the room in a photo; none where there are too few lines for any frame.
    #[must_use]
    pub fn of(photo: &Photo, hints: &Hints) -> Option<Self> {
        Self::of_segments(photo, &lines::segments(photo), hints)
    }

    /// The same, with segments found before.
    #[must_use]
    pub fn of_segments(photo: &Photo, segments: &[Segment], hints: &Hints) -> Option<Self> {
        let frame = Frame::find(segments, photo.width, photo.height, hints)?;
        let clues = Clues::new(photo, segments, &frame);
        let (distances, evidence, proposals) = search::best(&clues, &frame.camera);
        let walls = walls::better(&clues, &frame.camera, &proposals, &distances)
            .unwrap_or_else(|| walls::of_box(&distances, &frame.camera));
        let scale = scale::usual(distances.ceiling);
        let mut layout = Self { frame, distances, walls, evidence, confidence: 0.0, doubts: Vec::new(), scale };
        layout.evidence.foot = walls::foot(&clues, &layout.frame.camera, &layout.walls);
        layout.evidence.violations = clues.violations(|pixel| layout.face_at(pixel).axis());
        (layout.confidence, layout.doubts) = gate::judge(&layout, &clues);
        Some(layout)
    }

    /// Whether it can be relied on.
    #[must_use]
    pub fn is_confident(&self) -> bool {
        self.doubts.is_empty()
    }

    /// The face that a pixel shows.
    #[must_use]
    pub fn face_at(&self, pixel: [f64; 2]) -> Face {
        self.met(pixel).1
    }

    /// The place on the room's faces that a pixel shows, from the camera, in camera heights in the room's axes.
    #[must_use]
    pub fn place_at(&self, pixel: [f64; 2]) -> [f64; 3] {
        self.met(pixel).0.to_array()
    }

    fn met(&self, pixel: [f64; 2]) -> (DVec3, Face) {
        let ray = self.frame.camera.ray(DVec2::from_array(pixel));
        let azimuth = ray.x.atan2(ray.y);
        let along = ray.truncate().length().max(1e-9);
        let wall = self.walls.iter().find(|w| azimuth < w.azimuths[1]).or(self.walls.last());
        let (reach, side) = wall.map_or((f64::INFINITY, Face::Far), |w| (w.reach(azimuth) / along, w.face()));
        let (level, flat) =
            if ray.z < 0.0 { (-1.0 / ray.z, Face::Floor) } else { (self.distances.ceiling / ray.z, Face::Ceiling) };
        if level < reach { (ray * level, flat) } else { (ray * reach, side) }
    }

    /// The polygon of each face that the picture shows, in pixels: floor, ceiling, then the walls from left to right.
    #[must_use]
    pub fn polygons(&self) -> Vec<(Face, Vec<[f64; 2]>)> {
        let corner = |wall: &Wall, end: usize, height: f64| {
            let azimuth = wall.azimuths[end];
            let reach = wall.reach(azimuth);
            DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, height)
        };
        let ceiling = self.distances.ceiling;
        let level = |height: f64| -> Vec<DVec3> {
            let rim = self.walls.iter().flat_map(|w| [corner(w, 0, height), corner(w, 1, height)]);
            std::iter::once(DVec3::Z * height).chain(rim).collect()
        };
        let mut faces = vec![(Face::Floor, level(-1.0)), (Face::Ceiling, level(ceiling))];
        faces.extend(self.walls.iter().map(|w| {
            let corners = [corner(w, 0, -1.0), corner(w, 1, -1.0), corner(w, 1, ceiling), corner(w, 0, ceiling)];
            (w.face(), corners.to_vec())
        }));
        let seen = faces.into_iter().map(|(face, corners)| (face, outline::seen(&corners, &self.frame.camera)));
        seen.filter(|(_, polygon)| polygon.len() >= 3).collect()
    }

    /// The four corners of the wall ahead, in pixels, where the camera can see that way: bottom left, bottom right, top
    /// right, top left. They may lie outside the picture.
    #[must_use]
    pub fn far_corners(&self) -> Option<[[f64; 2]; 4]> {
        let Distances { ceiling, left, right, far } = self.distances;
        let corner = |x: f64, z: f64| self.frame.camera.pixel(DVec3::new(x, far, z)).map(|p| p.to_array());
        Some([corner(-left, -1.0)?, corner(right, -1.0)?, corner(right, ceiling)?, corner(-left, ceiling)?])
    }

    /// Sets the scale by two pixels of the floor that are known to be so many meters apart.
    pub fn know_length(&mut self, from: [f64; 2], to: [f64; 2], meters: f64) {
        let floor = |pixel: [f64; 2]| {
            let ray = self.frame.camera.ray(DVec2::from_array(pixel));
            (ray.z < -1e-6).then(|| ray / -ray.z)
        };
        if let (Some(a), Some(b)) = (floor(from), floor(to)) {
            self.scale = scale::known(meters, (a - b).length());
        }
    }
}
