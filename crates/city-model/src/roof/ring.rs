//! Rings without repeated corners, and the polygons that they bound.

use std::collections::BTreeMap;

use aerie_math::geometry::{ring_contains, signed_area};

use crate::model::Ring3;

/// Smallest area of a face in plan, square meters.
pub(crate) const MIN_AREA: f64 = 0.01;
/// Corners closer than this are one corner, meters.
const SAME: f64 = 0.001;

/// A face in local meters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Polygon3 {
    /// Counter-clockwise seen from above.
    pub outer: Ring3,
    /// Clockwise.
    pub holes: Vec<Ring3>,
}

/// A corner in whole millimeters.
pub(super) fn key(corner: [f64; 3]) -> [i64; 3] {
    corner.map(|value| (value / SAME).round() as i64)
}

/// A ring as seen from above.
pub(crate) fn plan(ring: &[[f64; 3]]) -> Vec<[f64; 2]> {
    ring.iter().map(|&[x, y, _]| [x, y]).collect()
}

/// Area in plan, positive for counter-clockwise rings.
pub(crate) fn plan_area(ring: &[[f64; 3]]) -> f64 {
    signed_area(&plan(ring))
}

/// The polygons of a surface. Rings that touch themselves are taken apart: a hole that is joined to the outer ring by a cut becomes a
/// hole again, and spikes vanish. What has no area in plan is dropped.
pub(crate) fn polygons(rings: &[Ring3]) -> Vec<Polygon3> {
    let Some((outer, inner)) = rings.split_first() else { return Vec::new() };
    let mut loops = simple_loops(outer);
    loops.retain(|ring| plan_area(ring).abs() >= MIN_AREA);
    loops.sort_by(|a, b| plan_area(b).abs().total_cmp(&plan_area(a).abs()));
    let Some(main) = loops.first().map(|ring| plan_area(ring).signum()) else { return Vec::new() };
    let mut polygons: Vec<Polygon3> = Vec::new();
    let mut holes = Vec::new();
    for ring in loops {
        // A loop against the others is a hole where it lies inside of one, and else the other half of a figure eight.
        let against = plan_area(&ring).signum() != main;
        if against && container(&polygons, &ring).is_some() {
            holes.push(ring);
        } else {
            polygons.push(Polygon3 { outer: turned(ring, 1.0), holes: Vec::new() });
        }
    }
    holes.extend(inner.iter().flat_map(|ring| simple_loops(ring)).filter(|ring| plan_area(ring).abs() >= MIN_AREA));
    for hole in holes {
        if let Some(index) = container(&polygons, &hole) {
            polygons[index].holes.push(turned(hole, -1.0));
        }
    }
    polygons
}

/// The polygon that a ring lies in: most of its corners, as it may touch the outer ring.
fn container(polygons: &[Polygon3], ring: &[[f64; 3]]) -> Option<usize> {
    polygons.iter().position(|polygon| {
        let outer = plan(&polygon.outer);
        let middles = (0..ring.len()).map(|index| {
            let [a, b] = [ring[index], ring[(index + 1) % ring.len()]];
            [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
        });
        let (mut inside, mut tested) = (0, 0);
        for middle in middles.take(64) {
            inside += usize::from(ring_contains(&outer, middle));
            tested += 1;
        }
        inside * 2 > tested
    })
}

fn turned(mut ring: Ring3, sign: f64) -> Ring3 {
    if plan_area(&ring).signum() != sign {
        ring.reverse();
    }
    ring
}

/// Takes a ring apart where it comes back to a corner.
fn simple_loops(ring: &[[f64; 3]]) -> Vec<Ring3> {
    let mut loops = Vec::new();
    let mut path: Ring3 = Vec::new();
    let mut places: BTreeMap<[i64; 3], usize> = BTreeMap::new();
    for &corner in ring {
        if path.last().is_some_and(|last| (0..3).all(|axis| (last[axis] - corner[axis]).abs() < SAME)) {
            continue;
        }
        if let Some(&at) = places.get(&key(corner)) {
            if path.len() - at >= 3 {
                loops.push(path[at..].to_vec());
            }
            for removed in path.drain(at + 1..) {
                places.remove(&key(removed));
            }
        } else {
            places.insert(key(corner), path.len());
            path.push(corner);
        }
    }
    while path.len() > 1 && (0..3).all(|axis| (path[0][axis] - path[path.len() - 1][axis]).abs() < SAME) {
        path.pop();
    }
    if path.len() >= 3 {
        loops.push(path);
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(corners: &[[f64; 2]]) -> Ring3 {
        corners.iter().map(|&[x, y]| [x, y, 3.0]).collect()
    }

    #[test]
    fn repeated_corners_and_spikes_vanish() {
        let ring =
            level(&[[0.0, 0.0], [4.0, 0.0], [4.0, 0.0004], [4.0, 4.0], [9.0, 9.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]]);
        let found = polygons(&[ring]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].outer.len(), 4);
    }

    #[test]
    fn a_hole_joined_to_the_outer_ring_becomes_a_hole() {
        let ring = level(&[
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 9.0],
            [0.0, 9.0],
            [0.0, 0.0],
            [3.0, 3.0],
            [3.0, 6.0],
            [6.0, 6.0],
            [6.0, 3.0],
            [3.0, 3.0],
        ]);
        let found = polygons(&[ring]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holes.len(), 1);
        assert!((plan_area(&found[0].outer) - 81.0).abs() < 1e-9);
        assert!((plan_area(&found[0].holes[0]) + 9.0).abs() < 1e-9);
    }

    #[test]
    fn a_figure_eight_becomes_two_polygons() {
        let ring = level(&[[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [4.0, 4.0], [2.0, 2.0], [0.0, 4.0]]);
        let found = polygons(&[ring]);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|polygon| plan_area(&polygon.outer) > 0.0 && polygon.holes.is_empty()));
    }

    #[test]
    fn holes_outside_of_the_outer_ring_are_dropped() {
        let outer = level(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
        let hole = level(&[[10.0, 0.0], [12.0, 0.0], [12.0, 2.0], [10.0, 2.0]]);
        assert_eq!(polygons(&[outer.clone(), hole]), [Polygon3 { outer, holes: Vec::new() }]);
    }
}
