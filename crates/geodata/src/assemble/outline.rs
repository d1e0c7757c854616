//! Cleans footprints.

use aerie_math::geometry;

use crate::place::{Point, Polygon, Ring};

/// Removes repeated and redundant points from a footprint and winds its rings as a [`Polygon`] requires. `None` where
/// the outer ring crosses itself or nothing is left of it; such holes, and tiny ones, are dropped.
pub(super) fn tidy(polygon: &Polygon, tolerance: f64) -> Option<Polygon> {
    let ring = |ring: &Ring, left: bool| {
        let mut out = without_needless(ring, tolerance)?;
        if (geometry::signed_area(&out) > 0.0) != left {
            out.reverse();
        }
        (!crosses_itself(&out)).then_some(out)
    };
    let outer = ring(&polygon.outer, true)?;
    let holes =
        polygon.holes.iter().filter_map(|h| ring(h, false)).filter(|h| geometry::signed_area(h).abs() > 0.5).collect();
    Some(Polygon { outer, holes })
}

fn without_needless(ring: &Ring, tolerance: f64) -> Option<Ring> {
    let mut out = ring.clone();
    loop {
        let n = out.len();
        if n < 3 {
            return None;
        }
        let needless = (0..n).find(|&i| {
            let (a, p, b) = (out[(i + n - 1) % n], out[i], out[(i + 1) % n]);
            let off = geometry::nearest_on_segment(a, b, p).1;
            (p[0] - a[0]).hypot(p[1] - a[1]) < tolerance || off < tolerance
        });
        match needless {
            Some(i) => out.remove(i),
            None => return Some(out),
        };
    }
}

fn crosses_itself(ring: &Ring) -> bool {
    let n = ring.len();
    let side = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    (0..n).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        (i + 2..n).filter(|j| (j + 1) % n != i).any(|j| {
            let (c, d) = (ring[j], ring[(j + 1) % n]);
            side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needless_points_go_and_crossing_rings_are_refused() {
        let square = vec![[0.0, 0.0], [5.0, 0.0], [10.0, 0.01], [10.0, 10.0], [10.0, 10.0], [0.0, 10.0]];
        let tidied = tidy(&Polygon { outer: square, holes: vec![] }, 0.05).unwrap();
        assert_eq!(tidied.outer.len(), 4);
        let bow = vec![[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 9.0]];
        assert!(tidy(&Polygon { outer: bow, holes: vec![] }, 0.05).is_none());
    }
}
