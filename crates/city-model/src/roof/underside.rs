//! Undersides of roofs, where a model gives them a thickness.

use aerie_math::geometry::{interior_point, ring_contains};

use super::{newell, plan};
use crate::model::Ring3;

/// Faces that are compared with each other; the time taken grows with the square.
const MAX_FACES: usize = 5_000;

/// A face of a roof, counter-clockwise seen from above.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RoofFace {
    pub ring: Ring3,
    /// Whether the file has it the other way round: it looks down.
    pub looks_down: bool,
}

/// The faces without those that look down from below a face that looks up. A face that merely has the wrong direction stays.
pub(crate) fn without_undersides(faces: Vec<RoofFace>) -> Vec<Ring3> {
    let tops: Vec<(Vec<[f64; 2]>, &Ring3)> =
        faces.iter().filter(|face| !face.looks_down).map(|face| (plan(&face.ring), &face.ring)).collect();
    let is_underside = |face: &RoofFace| {
        if !face.looks_down || faces.len() > MAX_FACES {
            return false;
        }
        let Some(point) = interior_point(&[plan(&face.ring)]) else { return false };
        let below = height(&face.ring, point);
        tops.iter().any(|(top, ring)| ring_contains(top, point) && height(ring, point) >= below)
    };
    let kept: Vec<bool> = faces.iter().map(|face| !is_underside(face)).collect();
    faces.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(face, _)| face.ring).collect()
}

/// Height of the plane of a face at a point.
fn height(ring: &[[f64; 3]], [x, y]: [f64; 2]) -> f64 {
    let normal = newell(ring);
    let count = ring.len() as f64;
    let center = [0, 1, 2].map(|axis| ring.iter().map(|corner| corner[axis]).sum::<f64>() / count);
    center[2] - (normal[0] * (x - center[0]) + normal[1] * (y - center[1])) / normal[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(height: f64, looks_down: bool) -> RoofFace {
        let ring = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(|[x, y]| [x, y, height + x * 0.1]).to_vec();
        RoofFace { ring, looks_down }
    }

    #[test]
    fn a_face_that_looks_down_from_below_another_is_dropped() {
        assert_eq!(without_undersides(vec![square(5.0, false), square(4.8, true)]), [square(5.0, false).ring]);
    }

    #[test]
    fn faces_in_the_wrong_direction_and_roofs_below_roofs_stay() {
        assert_eq!(without_undersides(vec![square(5.0, true), square(4.8, true)]).len(), 2);
        assert_eq!(without_undersides(vec![square(4.8, false), square(5.0, true)]).len(), 2);
        assert_eq!(without_undersides(vec![square(5.0, false), square(2.0, false)]).len(), 2);
    }
}
