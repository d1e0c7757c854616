//! A boundary in the local meters of a place: its rings, edges and area.

use aerie_boundary::geojson::ParsedBoundary;
use aerie_geodata::LocalFrame;
use aerie_geodata::place::{GeoPoint, Point};
use aerie_math::geometry;

/// Square meters of an international acre.
const ACRE: f64 = 4_046.856_422_4;

/// A marked plot of ground.
pub(super) struct Plot {
    /// Polygons: outer ring counter-clockwise, then holes clockwise.
    polygons: Vec<Vec<Vec<Point>>>,
}

/// An edge of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Its ends. The plot lies to the left.
    pub(super) ends: [Point; 2],
    /// Share of the ring's length up to its end.
    pub(super) share: f64,
}

impl Edge {
    pub(super) fn length(&self) -> f64 {
        let [a, b] = self.ends;
        (b[0] - a[0]).hypot(b[1] - a[1])
    }

    pub(super) fn at(&self, share: f64) -> Point {
        let [a, b] = self.ends;
        [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
    }

    /// Unit vector away from the plot.
    pub(super) fn outward(&self) -> Point {
        let ([a, b], length) = (self.ends, self.length().max(1e-9));
        [(b[1] - a[1]) / length, -(b[0] - a[0]) / length]
    }
}

impl Plot {
    /// A boundary in longitude and latitude.
    pub(super) fn of(boundary: &ParsedBoundary, origin: GeoPoint) -> Self {
        let frame = LocalFrame::new(origin);
        let local = |ring: &Vec<Point>, outer: bool| {
            let mut ring: Vec<Point> = ring.iter().map(|&[lon, lat]| frame.local(lon, lat)).collect();
            if (signed_area(&ring) > 0.0) != outer {
                ring.reverse();
            }
            ring
        };
        let polygon = |rings: &Vec<Vec<Point>>| rings.iter().enumerate().map(|(i, r)| local(r, i == 0)).collect();
        Self { polygons: boundary.polygons.iter().map(polygon).collect() }
    }

    /// All rings in the renderer's format.
    pub(super) fn rings(&self) -> Vec<Vec<glam::Vec2>> {
        let ring = |ring: &Vec<Point>| ring.iter().map(|p| glam::vec2(p[0] as f32, p[1] as f32)).collect();
        self.polygons.iter().flatten().map(ring).collect()
    }

    /// Corners of the outer rings.
    pub(super) fn corners(&self) -> Vec<Point> {
        self.polygons.iter().flat_map(|polygon| polygon[0].iter().copied()).collect()
    }

    /// Greatest distance from the origin, meters.
    pub(super) fn reach(&self) -> f64 {
        self.corners().iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max)
    }

    /// Lowest and highest corner of its bounding box.
    pub(super) fn bounds(&self) -> [Point; 2] {
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for p in self.corners() {
            for i in 0..2 {
                bounds[0][i] = bounds[0][i].min(p[i]);
                bounds[1][i] = bounds[1][i].max(p[i]);
            }
        }
        bounds
    }

    /// Longer side of its bounding box, meters.
    pub(super) fn extent(&self) -> f64 {
        let [low, high] = self.bounds();
        (high[0] - low[0]).max(high[1] - low[1])
    }

    /// Square meters.
    pub(super) fn area(&self) -> f64 {
        self.polygons.iter().flatten().map(|ring| signed_area(ring)).sum()
    }

    /// Edges of its outer rings.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for ring in self.polygons.iter().map(|polygon| &polygon[0]) {
            let first = edges.len();
            let mut along = 0.0;
            for (i, a) in ring.iter().enumerate() {
                let mut edge = Edge { ends: [*a, ring[(i + 1) % ring.len()]], share: 0.0 };
                along += edge.length();
                edge.share = along;
                edges.push(edge);
            }
            edges[first..].iter_mut().for_each(|edge| edge.share /= along);
        }
        edges
    }

    /// Distance to its border, meters; negative outside.
    pub(super) fn depth(&self, p: Point) -> f64 {
        let (mut near, mut inside) = (f64::INFINITY, false);
        for ring in self.polygons.iter().flatten() {
            near = near.min(distance_to_ring(ring, p));
            inside ^= geometry::ring_contains(ring, p);
        }
        if inside { near } else { -near }
    }
}

/// Signed area of a ring, summed about the origin, which the rounding of areas in text derives from.
fn signed_area(ring: &[Point]) -> f64 {
    geometry::signed_area_about(ring, [0.0, 0.0])
}

/// Distance of a point from a ring's outline.
pub(super) fn distance_to_ring(ring: &[Point], p: Point) -> f64 {
    geometry::edges(ring).map(|(a, b)| distance_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

/// Distance of a point from a segment. Not [`geometry::distance_to_segment`], whose last bits differ: in a rectangular plot they
/// choose among equally good positions of the area label, which must not move.
fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy).max(1e-12)).clamp(0.0, 1.0);
    (p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy)
}

/// An area in square meters and acres, no more precise than a hand-drawn line.
pub(super) fn area_text(square_meters: f64) -> String {
    let acres = square_meters / ACRE;
    let step = if square_meters < 1000.0 { 1.0 } else { 10.0 };
    let meters = thousands((square_meters / step).round() * step);
    if acres < 10.0 {
        format!("{meters} m²  ·  {acres:.2} acres")
    } else {
        format!("{meters} m²  ·  {acres:.1} acres")
    }
}

/// A length in meters.
pub(super) fn length_text(meters: f64) -> String {
    if meters < 99.95 { format!("{meters:.1} m") } else { format!("{meters:.0} m") }
}

fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let origin = GeoPoint { lat: 47.0, lon: 9.0 };
        let frame = LocalFrame::new(origin);
        // Clockwise as it comes, with a hole.
        let ring = |side: f64| -> Vec<Point> {
            [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]].map(|p| frame.geographic(p)).to_vec()
        };
        let hole = [[2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0]].map(|p| frame.geographic(p)).to_vec();
        Plot::of(&ParsedBoundary { polygons: vec![vec![ring(20.0), hole]], image: None }, origin)
    }

    #[test]
    fn areas_edges_and_depths_are_those_on_the_ground() {
        let plot = plot();
        assert!((plot.area() - 396.0).abs() < 0.01, "{}", plot.area());
        let edges = plot.edges();
        assert_eq!(edges.len(), 4);
        assert!(edges.iter().all(|e| (e.length() - 20.0).abs() < 1e-3));
        assert!((edges[3].share - 1.0).abs() < 1e-9 && (edges[0].share - 0.25).abs() < 1e-6);
        for edge in &edges {
            let (middle, out) = (edge.at(0.5), edge.outward());
            assert!(plot.depth([middle[0] + out[0], middle[1] + out[1]]) < 0.0, "outward leads out");
        }
        assert!((plot.depth([10.0, 10.0]) - 8.485).abs() < 1e-2);
        assert!(plot.depth([3.0, 3.0]) < 0.0, "a hole is outside");
        assert!((plot.extent() - 20.0).abs() < 1e-3);
    }

    #[test]
    fn measures_are_formatted() {
        assert_eq!(area_text(842.4), "842 m²  ·  0.21 acres");
        assert_eq!(area_text(1_234.0), "1,230 m²  ·  0.30 acres");
        assert_eq!(area_text(125_678.0), "125,680 m²  ·  31.1 acres");
        assert_eq!((length_text(24.04), length_text(123.4)), ("24.0 m".into(), "123 m".into()));
    }
}
