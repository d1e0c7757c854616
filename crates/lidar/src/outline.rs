//! Outlines of buildings, in the coordinates of the point cloud.

/// An outline: an outer ring and its holes. Rings need not repeat their first corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// Outer ring.
    pub outer: Vec<[f64; 2]>,
    /// Rings of courtyards.
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Outline {
    /// West, south, east and north edge of the outer ring; infinite and reversed if it is empty.
    #[must_use]
    pub fn bounds(&self) -> [f64; 4] {
        self.outer.iter().fold(
            [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY],
            |[west, south, east, north], &[x, y]| [west.min(x), south.min(y), east.max(x), north.max(y)],
        )
    }

    /// Whether the point is inside the outer ring and in none of the holes.
    #[must_use]
    pub fn contains(&self, at: [f64; 2]) -> bool {
        in_ring(&self.outer, at) && !self.holes.iter().any(|hole| in_ring(hole, at))
    }

    /// Distance from a point to the nearest wall, meters; zero inside, infinite for an empty outline.
    #[must_use]
    pub fn distance(&self, at: [f64; 2]) -> f64 {
        if self.contains(at) {
            return 0.0;
        }
        let rings = std::iter::once(&self.outer).chain(&self.holes);
        rings.flat_map(|ring| edges(ring)).map(|(from, to)| to_segment(at, from, to)).fold(f64::INFINITY, f64::min)
    }
}

fn edges(ring: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

fn in_ring(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let crossings = edges(ring)
        .filter(|&([x0, y0], [x1, y1])| (y0 > y) != (y1 > y) && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
        .count();
    crossings % 2 == 1
}

fn to_segment(at: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx * dx + dy * dy;
    let along =
        if length > 0.0 { (((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (at[0] - from[0] - along * dx).hypot(at[1] - from[1] - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yard() -> Outline {
        Outline {
            outer: vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]],
            holes: vec![vec![[4.0, 4.0], [6.0, 4.0], [6.0, 6.0], [4.0, 6.0]]],
        }
    }

    #[test]
    fn a_courtyard_is_outside() {
        assert!(yard().contains([2.0, 5.0]));
        assert!(!yard().contains([5.0, 5.0]));
        assert!(!yard().contains([12.0, 5.0]));
    }

    #[test]
    fn distances_are_measured_to_the_nearest_wall() {
        assert_eq!(yard().distance([2.0, 5.0]), 0.0);
        assert!((yard().distance([5.0, 5.0]) - 1.0).abs() < 1e-9);
        assert!((yard().distance([13.0, 14.0]) - 5.0).abs() < 1e-9);
    }
}
