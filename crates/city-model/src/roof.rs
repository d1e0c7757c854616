//! Roof faces as they are drawn: flat rings without holes, counter-clockwise seen from above.

mod plane;
mod ring;
mod split;
mod triangles;
mod underside;

use std::collections::BTreeSet;

use crate::model::Ring3;

pub(crate) use plane::{newell, upwardness};
pub(crate) use ring::{MIN_AREA, Polygon3, plan, plan_area, polygons};
pub(crate) use underside::{RoofFace, without_undersides};

/// Largest distance of a corner from the plane of a flat face, meters.
const FLAT: f64 = 0.05;
/// Vertical part of a unit normal below which a face counts as a wall: 2 degrees from the vertical.
pub(crate) const VERTICAL: f64 = 0.035;
/// Corners of a face that is cut or triangulated; the time taken grows with the square.
const MAX_CUT: usize = 20_000;

/// The faces that a roof surface (in local meters, an outer ring and holes) is drawn as; none where it is degenerate or a wall.
pub(crate) fn faces(rings: &[Ring3]) -> Result<Vec<Ring3>, &'static str> {
    let Some(outer) = rings.first() else { return Ok(Vec::new()) };
    if upwardness(newell(outer)).abs() < VERTICAL {
        return Ok(Vec::new());
    }
    let mut faces = Vec::new();
    for polygon in polygons(rings) {
        let corners = polygon.outer.len() + polygon.holes.iter().map(Vec::len).sum::<usize>();
        let flat = plane::is_flat(&polygon.outer, &polygon.holes, FLAT);
        if flat && polygon.holes.is_empty() {
            faces.push(polygon.outer);
        } else if corners > MAX_CUT {
            return Err("roof surface with too many corners");
        } else {
            let pieces = if flat { split::without_holes(&polygon) } else { None };
            faces.extend(pieces.unwrap_or_else(|| triangles::triangulate(&polygon)));
        }
    }
    faces.retain(|face| plan_area(face) >= MIN_AREA);
    Ok(faces)
}

/// Removes faces that occur twice.
pub(crate) fn remove_duplicates(faces: &mut Vec<Ring3>) {
    let mut seen = BTreeSet::new();
    faces.retain(|face| {
        let mut corners: Vec<_> = face.iter().map(|&corner| ring::key(corner)).collect();
        corners.sort_unstable();
        seen.insert(corners)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Ring3 {
        // Rises to the east.
        [[x, y], [x + side, y], [x + side, y + side], [x, y + side]].map(|[x, y]| [x, y, 5.0 + x * 0.5]).to_vec()
    }

    fn total(faces: &[Ring3]) -> f64 {
        faces.iter().map(|face| plan_area(face)).sum()
    }

    #[test]
    fn a_flat_face_stays_and_is_turned_counter_clockwise() {
        let mut clockwise = square(0.0, 0.0, 4.0);
        clockwise.reverse();
        clockwise.push(clockwise[0]);
        let faces = faces(&[clockwise]).unwrap();
        assert_eq!(faces.len(), 1);
        assert_eq!(faces[0].len(), 4);
        assert!((plan_area(&faces[0]) - 16.0).abs() < 1e-9);
    }

    #[test]
    fn a_face_with_holes_is_cut_by_straight_lines() {
        let faces = faces(&[square(0.0, 0.0, 10.0), square(1.0, 1.0, 2.0), square(6.0, 5.0, 3.0)]).unwrap();
        assert!(faces.len() <= 4, "{}", faces.len());
        assert!((total(&faces) - 87.0).abs() < 1e-9);
        for corner in faces.iter().flatten() {
            assert!((corner[2] - 5.0 - corner[0] * 0.5).abs() < 1e-9, "a corner lies off the plane");
        }
    }

    #[test]
    fn a_face_that_is_not_flat_is_triangulated() {
        let mut bent = square(0.0, 0.0, 10.0);
        bent[2][2] += 1.0;
        let faces = faces(&[bent]).unwrap();
        assert_eq!(faces.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        assert!((total(&faces) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_face_within_five_centimeters_of_its_plane_stays_whole() {
        let mut bent = square(0.0, 0.0, 10.0);
        bent[2][2] += 0.1;
        assert_eq!(faces(&[bent]).unwrap().len(), 1);
    }

    #[test]
    fn step_walls_and_degenerate_faces_are_dropped() {
        let wall = vec![[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 3.0], [0.0, 0.0, 3.0]];
        assert!(faces(&[wall]).unwrap().is_empty());
        assert!(faces(&[square(0.0, 0.0, 0.05)]).unwrap().is_empty());
        assert!(faces(&[vec![[0.0; 3]; 9]]).unwrap().is_empty());
        assert!(faces(&[Vec::new()]).unwrap().is_empty());
        assert!(faces(&[]).unwrap().is_empty());
    }

    #[test]
    fn duplicates_are_removed_whatever_their_first_corner() {
        let mut turned = square(0.0, 0.0, 4.0);
        turned.rotate_left(2);
        let mut faces = vec![square(0.0, 0.0, 4.0), square(4.0, 0.0, 4.0), turned];
        remove_duplicates(&mut faces);
        assert_eq!(faces, [square(0.0, 0.0, 4.0), square(4.0, 0.0, 4.0)]);
    }
}
