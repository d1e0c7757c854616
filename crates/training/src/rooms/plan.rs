//! The plan of a room, the finishes that its parts share, and the shape of photos of it.

use aerie_math::Rng;
use glam::Vec2;

/// Groups of finishes that several parts of a room share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Groups {
    pub(crate) floor: u16,
    pub(crate) wall: u16,
    pub(crate) trim: u16,
    pub(crate) ceiling: u16,
    pub(crate) door: u16,
    pub(crate) glass: u16,
    pub(crate) frame: u16,
}

/// The plan of the room in which the camera stands.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Corners, counterclockwise from above.
    pub(crate) corners: Vec<Vec2>,
    /// Of the ceiling, where it is flat.
    pub(crate) height: f32,
    /// To which the walls are built.
    pub(crate) top: f32,
}

impl Plan {
    pub(crate) fn extent(&self) -> [Vec2; 2] {
        let all = self.corners.iter().copied();
        [all.clone().reduce(Vec2::min).unwrap_or_default(), all.reduce(Vec2::max).unwrap_or_default()]
    }

    pub(crate) fn holds(&self, p: Vec2) -> bool {
        let mut inside = false;
        for (i, a) in self.corners.iter().enumerate() {
            let b = self.corners[(i + 1) % self.corners.len()];
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
        }
        inside
    }

    pub(crate) fn clearance(&self, p: Vec2) -> f32 {
        let sides = self.corners.iter().enumerate().map(|(i, a)| (*a, self.corners[(i + 1) % self.corners.len()]));
        sides
            .map(|(a, b)| {
                let t = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-6)).clamp(0.0, 1.0);
                (p - a.lerp(b, t)).length()
            })
            .fold(f32::MAX, f32::min)
    }
}

/// Width and height of a photo whose longer side is given.
pub(crate) fn shape_of_photo(rng: &mut Rng, side: usize) -> (usize, usize) {
    let shapes =
        [(3.0, 2.0), (3.0, 2.0), (4.0, 3.0), (4.0, 3.0), (16.0, 9.0), (3.0, 4.0), (3.0, 4.0), (9.0, 16.0), (1.0, 1.0)];
    let (w, h): (f64, f64) = rng.pick(&shapes);
    let longer = w.max(h);
    ((w / longer * side as f64) as usize & !1, (h / longer * side as f64) as usize & !1)
}
