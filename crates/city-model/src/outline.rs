//! Ground outlines: the union of faces seen from above.

use aerie_math::geometry::{bounds, counter_clockwise, polygon_to_geo, ring_from_geo, signed_area};
use geo::unary_union;

use crate::roof::{MIN_AREA, Polygon3, plan};

/// Pairs of edges that may cross each other in one building; every one may become a corner of the union.
const MAX_CROSSINGS: usize = 200_000;
/// Pairs of edges that are tested for it.
const MAX_PAIRS: usize = 40_000_000;
/// Holes and gaps narrower than this (area by half the perimeter) close, meters.
const NARROW: f64 = 0.02;

/// Polygons of an outline, each an outer ring and holes.
pub(crate) type Outline = Vec<Vec<Vec<[f64; 2]>>>;

/// The union of polygons in plan.
pub(crate) fn union(polygons: &[Polygon3]) -> Result<Outline, &'static str> {
    let flat: Vec<Vec<Vec<[f64; 2]>>> = polygons
        .iter()
        .map(|polygon| std::iter::once(&polygon.outer).chain(&polygon.holes).map(|ring| plan(ring)).collect())
        .collect();
    if too_many_crossings(&flat) {
        return Err("surfaces that cross each other too often");
    }
    let shapes: Vec<geo::Polygon<f64>> = flat.iter().map(|rings| polygon_to_geo(&rings[0], &rings[1..])).collect();
    let mut outline = Outline::new();
    for polygon in unary_union(&shapes) {
        let outer = counter_clockwise(ring_from_geo(polygon.exterior()));
        if !is_wide(&outer) {
            continue;
        }
        let mut rings = vec![outer];
        for hole in polygon.interiors() {
            let mut hole = counter_clockwise(ring_from_geo(hole));
            if is_wide(&hole) {
                hole.reverse();
                rings.push(hole);
            }
        }
        outline.push(rings);
    }
    Ok(outline)
}

fn is_wide(ring: &[[f64; 2]]) -> bool {
    let perimeter: f64 = aerie_math::geometry::edges(ring).map(|(a, b)| aerie_math::geometry::distance(a, b)).sum();
    let area = signed_area(ring).abs();
    ring.len() >= 3 && area >= MIN_AREA && area >= NARROW * perimeter / 2.0
}

/// Whether the edges cross each other so often that a union would take much memory. Sorted by their lowest x, an edge is compared
/// with those that start before it ends.
fn too_many_crossings(polygons: &[Vec<Vec<[f64; 2]>>]) -> bool {
    let mut boxes: Vec<[f64; 4]> = polygons
        .iter()
        .flatten()
        .flat_map(|ring| aerie_math::geometry::edges(ring))
        .map(|(a, b)| bounds(&[a, b]))
        .collect();
    boxes.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut pairs, mut crossings) = (0, 0);
    for (index, [_, low, end, high]) in boxes.iter().enumerate() {
        for [start, other_low, _, other_high] in &boxes[index + 1..] {
            if start > end {
                break;
            }
            pairs += 1;
            crossings += usize::from(other_low < high && low < other_high);
            if pairs > MAX_PAIRS || crossings > MAX_CROSSINGS {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Polygon3 {
        let outer = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]].map(|[x, y]| [x, y, 1.0]).to_vec();
        Polygon3 { outer, holes: Vec::new() }
    }

    fn area(outline: &Outline) -> f64 {
        outline.iter().flatten().map(|ring| signed_area(ring)).sum()
    }

    #[test]
    fn adjoining_and_overlapping_squares_become_one_ring() {
        let outline = union(&[square(0.0, 0.0, 4.0), square(4.0, 0.0, 4.0), square(2.0, 2.0, 4.0)]).unwrap();
        assert_eq!(outline.len(), 1);
        assert_eq!(outline[0].len(), 1);
        assert!((area(&outline) - 40.0).abs() < 1e-6);
    }

    #[test]
    fn a_courtyard_is_a_clockwise_hole() {
        let mut ring = square(0.0, 0.0, 9.0);
        let mut hole = square(3.0, 3.0, 3.0).outer;
        hole.reverse();
        ring.holes.push(hole);
        let outline = union(&[ring]).unwrap();
        assert_eq!(outline[0].len(), 2);
        assert!(signed_area(&outline[0][0]) > 0.0 && signed_area(&outline[0][1]) < 0.0);
        assert!((area(&outline) - 72.0).abs() < 1e-6);
    }

    #[test]
    fn a_tangle_is_refused() {
        let star = |count: usize| {
            let outer = (0..count).map(|index| {
                let angle = index as f64 * 2.4;
                [10.0 * angle.cos(), 10.0 * angle.sin(), 0.0]
            });
            Polygon3 { outer: outer.collect(), holes: Vec::new() }
        };
        assert!(union(&[star(30)]).is_ok());
        assert!(union(&[star(20_000)]).is_err());
    }
}
