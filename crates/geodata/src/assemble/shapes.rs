//! Plane geometry that several parts of a place need. Rings are closed implicitly.

use crate::place::{Point, Polygon};

/// Signed area, positive counter-clockwise.
pub(crate) fn signed_area(ring: &[Point]) -> f64 {
    let Some(&[x0, y0]) = ring.first() else { return 0.0 };
    (0..ring.len())
        .map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            (a[0] - x0) * (b[1] - y0) - (b[0] - x0) * (a[1] - y0)
        })
        .sum::<f64>()
        / 2.0
}

/// Center of a ring's area; the mean of its points where it has none.
pub(crate) fn centroid(ring: &[Point]) -> Point {
    let Some(&[x0, y0]) = ring.first() else { return [0.0, 0.0] };
    let (mut sx, mut sy, mut area) = (0.0, 0.0, 0.0);
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let (a, b) = ([a[0] - x0, a[1] - y0], [b[0] - x0, b[1] - y0]);
        let cross = a[0] * b[1] - b[0] * a[1];
        sx += (a[0] + b[0]) * cross;
        sy += (a[1] + b[1]) * cross;
        area += cross;
    }
    if area.abs() < f64::MIN_POSITIVE * 1e10 {
        let n = ring.len() as f64;
        return [ring.iter().map(|p| p[0]).sum::<f64>() / n, ring.iter().map(|p| p[1]).sum::<f64>() / n];
    }
    [x0 + sx / (3.0 * area), y0 + sy / (3.0 * area)]
}

/// Whether a point lies inside a ring (even-odd).
pub(crate) fn ring_contains(ring: &[Point], [x, y]: Point) -> bool {
    let mut inside = false;
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        if (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0] {
            inside = !inside;
        }
    }
    inside
}

/// Whether a point lies inside a polygon and in none of its holes.
pub(crate) fn contains(polygon: &Polygon, p: Point) -> bool {
    ring_contains(&polygon.outer, p) && !polygon.holes.iter().any(|h| ring_contains(h, p))
}

/// Point of a segment nearest to another point, and its distance.
pub(crate) fn nearest_on_segment(a: Point, b: Point, p: Point) -> (Point, f64) {
    let d = [b[0] - a[0], b[1] - a[1]];
    let len2 = d[0] * d[0] + d[1] * d[1];
    let t = if len2 > 0.0 { (((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / len2).clamp(0.0, 1.0) } else { 0.0 };
    let q = [a[0] + t * d[0], a[1] + t * d[1]];
    (q, (p[0] - q[0]).hypot(p[1] - q[1]))
}

/// Nearest point of a line, and its distance.
pub(crate) fn nearest_on_line(line: &[Point], p: Point) -> Option<(Point, f64)> {
    line.windows(2).map(|w| nearest_on_segment(w[0], w[1], p)).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Distance of a point from a polygon's outer edge; 0 inside.
pub(crate) fn distance_to(polygon: &Polygon, p: Point) -> f64 {
    if contains(polygon, p) {
        return 0.0;
    }
    let ring = &polygon.outer;
    (0..ring.len()).map(|i| nearest_on_segment(ring[i], ring[(i + 1) % ring.len()], p).1).fold(f64::INFINITY, f64::min)
}

/// South-west and north-east corners.
pub(crate) fn bounds(points: &[Point]) -> [f64; 4] {
    points.iter().fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |b, p| {
        [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])]
    })
}

/// A point inside rings (an outer one and holes): the centroid, or else the middle of the widest gap on a level line.
pub(crate) fn interior_point(rings: &[Vec<Point>]) -> Option<Point> {
    let outer = rings.first().filter(|r| r.len() >= 3)?;
    let inside = |p| ring_contains(outer, p) && !rings[1..].iter().any(|h| ring_contains(h, p));
    let center = centroid(outer);
    if inside(center) {
        return Some(center);
    }
    let [_, south, _, north] = bounds(outer);
    let mut best: Option<(f64, Point)> = None;
    for step in 1..10 {
        let y = south + (north - south) * (f64::from(step) + 0.013) / 10.0;
        for (from, to) in spans(rings, y) {
            let p = [f64::midpoint(from, to), y];
            if best.is_none_or(|b| to - from > b.0) && inside(p) {
                best = Some((to - from, p));
            }
        }
    }
    best.map(|b| b.1)
}

/// Stretches of the level line at `y` that lie inside rings (even-odd over all of them).
pub(crate) fn spans(rings: &[Vec<Point>], y: f64) -> Vec<(f64, f64)> {
    let mut xs = Vec::new();
    for ring in rings {
        for i in 0..ring.len() {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            if (a[1] > y) != (b[1] > y) {
                xs.push((b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]);
            }
        }
    }
    xs.sort_by(f64::total_cmp);
    let (pairs, _) = xs.as_chunks::<2>();
    pairs.iter().map(|p| (p[0], p[1])).collect()
}

/// Edge of a band: both ends.
type Edge = (Point, Point);

/// Polygons cut into level bands, so that a point is compared with the edges of its own band alone.
pub(crate) struct BandedPolygons {
    bounds: [f64; 4],
    bands: Vec<Vec<Edge>>,
}

impl BandedPolygons {
    pub(crate) fn new(polygons: &[Vec<Vec<Point>>]) -> Self {
        let all: Vec<Point> = polygons.iter().flatten().flatten().copied().collect();
        let bounds = bounds(&all);
        let count = (all.len() / 8).clamp(1, 512);
        let mut banded = Self { bounds, bands: vec![Vec::new(); count] };
        for ring in polygons.iter().flatten() {
            for i in 0..ring.len() {
                let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
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

    pub(crate) fn contains(&self, [x, y]: Point) -> bool {
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

/// A number in 0..1 from an identity and a purpose: the same in every run.
pub(crate) fn chance(id: &str, purpose: u64) -> f64 {
    (hash(id.bytes().fold(purpose ^ 0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
        >> 11) as f64
        / (1_u64 << 53) as f64
}

/// A well-mixed number from another (splitmix64).
pub(crate) fn hash(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// [`hash`] as a number in 0..1.
pub(crate) fn unit(seed: u64) -> f64 {
    (hash(seed) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c_shape() -> Vec<Point> {
        vec![[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [2.0, 2.0], [2.0, 8.0], [10.0, 8.0], [10.0, 10.0], [0.0, 10.0]]
    }

    #[test]
    fn an_interior_point_lies_inside_even_where_the_centroid_does_not() {
        let ring = c_shape();
        assert!(!ring_contains(&ring, centroid(&ring)));
        let p = interior_point(std::slice::from_ref(&ring)).unwrap();
        assert!(ring_contains(&ring, p));
    }

    #[test]
    fn banded_polygons_agree_with_the_plain_test() {
        let ring: Vec<Point> = (0..200)
            .map(|i| {
                let a = f64::from(i) / 200.0 * std::f64::consts::TAU;
                let r = 10.0 + 3.0 * (a * 7.0).sin();
                [r * a.cos(), r * a.sin()]
            })
            .collect();
        let banded = BandedPolygons::new(&[vec![ring.clone()]]);
        for i in 0..2000_u64 {
            let p = [unit(i) * 30.0 - 15.0, unit(i + 9999) * 30.0 - 15.0];
            assert_eq!(banded.contains(p), ring_contains(&ring, p), "{p:?}");
        }
    }
}
