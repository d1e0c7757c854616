//! Point-in-polygon tests against large polygons.

use crate::geometry::{Point, Ring, bounds, edges};

/// Edge of a band: both ends.
type Edge = (Point, Point);

/// Polygons divided into horizontal bands, so that a point is compared only with the edges of its own band.
#[derive(Debug)]
pub struct BandedPolygons {
    bounds: [f64; 4],
    bands: Vec<Vec<Edge>>,
}

impl BandedPolygons {
    /// Divides polygons, each an outer ring and its holes, into bands.
    #[must_use]
    pub fn new(polygons: &[Vec<Ring>]) -> Self {
        let all: Vec<Point> = polygons.iter().flatten().flatten().copied().collect();
        let bounds = bounds(&all);
        let count = (all.len() / 8).clamp(1, 512);
        let mut banded = Self { bounds, bands: vec![Vec::new(); count] };
        for ring in polygons.iter().flatten() {
            for (a, b) in edges(ring) {
                let (low, high) = (banded.band(a[1].min(b[1])), banded.band(a[1].max(b[1])));
                banded.bands[low..=high].iter_mut().for_each(|band| band.push((a, b)));
            }
        }
        banded
    }

    fn band(&self, y: f64) -> usize {
        let height = (self.bounds[3] - self.bounds[1]).max(f64::MIN_POSITIVE);
        let at = (y - self.bounds[1]) / height * self.bands.len() as f64;
        (at.max(0.0) as usize).min(self.bands.len() - 1)
    }

    /// Whether a point lies inside an odd number of rings.
    #[must_use]
    pub fn contains(&self, [x, y]: Point) -> bool {
        let [west, south, east, north] = self.bounds;
        if !(west..=east).contains(&x) || !(south..=north).contains(&y) {
            return false;
        }
        let mut inside = false;
        for (a, b) in &self.bands[self.band(y)] {
            if (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0] {
                inside = !inside;
            }
        }
        inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ring_contains;
    use crate::rng::hash_to_unit;

    #[test]
    fn banded_polygons_agree_with_the_plain_test() {
        let ring: Ring = (0..200)
            .map(|i| {
                let a = f64::from(i) / 200.0 * std::f64::consts::TAU;
                let r = 10.0 + 3.0 * (a * 7.0).sin();
                [r * a.cos(), r * a.sin()]
            })
            .collect();
        let banded = BandedPolygons::new(&[vec![ring.clone()]]);
        for i in 0..2000_u64 {
            let p = [hash_to_unit(i) * 30.0 - 15.0, hash_to_unit(i + 9999) * 30.0 - 15.0];
            assert_eq!(banded.contains(p), ring_contains(&ring, p), "{p:?}");
        }
    }
}
