//! A boundary in the local meters of a place: its rings, edges and area.

use aerie_boundary::geojson::ParsedBoundary;
use aerie_boundary::polygon;
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

/// A side of an outline: a straight edge, whatever corners lie along it, or a curve.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edge {
    /// Its corners. The plot lies to the left.
    line: Vec<Point>,
    length: f64,
    /// Share of the ring's length up to its end.
    pub(super) share: f64,
}

impl Edge {
    fn new(line: Vec<Point>) -> Self {
        let length = line.windows(2).map(|w| geometry::distance(w[0], w[1])).sum();
        Self { line, length, share: 0.0 }
    }

    /// Length along the line, meters.
    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// The point at a share of its length.
    pub(super) fn at(&self, share: f64) -> Point {
        let mut left = share * self.length;
        for w in self.line.windows(2) {
            let length = geometry::distance(w[0], w[1]);
            if left <= length && length > 0.0 {
                let t = left / length;
                return [w[0][0] + (w[1][0] - w[0][0]) * t, w[0][1] + (w[1][1] - w[0][1]) * t];
            }
            left -= length;
        }
        self.line[self.line.len() - 1]
    }

    /// Unit vector away from the plot, at the middle.
    pub(super) fn outward(&self) -> Point {
        let (a, b) = (self.at(0.45), self.at(0.55));
        let length = geometry::distance(a, b).max(1e-9);
        [(b[1] - a[1]) / length, -(b[0] - a[0]) / length]
    }

    /// Its label.
    pub(super) fn text(&self) -> String {
        let is_all = self.line.first() == self.line.last();
        if is_all { format!("{} around", length_text(self.length)) } else { length_text(self.length) }
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

    /// The outer rings.
    pub(super) fn outlines(&self) -> impl Iterator<Item = &[Point]> {
        self.polygons.iter().map(|polygon| polygon[0].as_slice())
    }

    /// Sides of its outer rings.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for ring in self.outlines() {
            let total: f64 = geometry::edges(ring).map(|(a, b)| geometry::distance(a, b)).sum();
            let before = |k: usize| -> f64 {
                geometry::edges(ring).take(k).map(|(a, b)| geometry::distance(a, b)).sum::<f64>() / total
            };
            for side in polygon::sides(ring) {
                let corners = (side.first..=side.first + side.count).map(|k| ring[k % ring.len()]);
                let mut edge = Edge::new(corners.collect());
                // A side around the ring's first corner is complete when the ring is.
                let end = side.first + side.count;
                edge.share = if end > ring.len() { 1.0 } else { before(end) };
                edges.push(edge);
            }
        }
        edges
    }

    /// Distance to its border, meters; negative outside.
    pub(super) fn depth(&self, p: Point) -> f64 {
        let (mut near, mut inside) = (f64::INFINITY, false);
        for ring in self.polygons.iter().flatten() {
            near = near.min(geometry::distance_to_ring(p, ring));
            inside ^= geometry::ring_contains(ring, p);
        }
        if inside { near } else { -near }
    }
}

/// Signed area of a ring, summed about the origin, which the rounding of areas in text derives from.
fn signed_area(ring: &[Point]) -> f64 {
    geometry::signed_area_about(ring, [0.0, 0.0])
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
fn length_text(meters: f64) -> String {
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
        let mut shares: Vec<f64> = edges.iter().map(|e| e.share).collect();
        shares.sort_by(f64::total_cmp);
        assert!((shares[3] - 1.0).abs() < 1e-9 && (shares[0] - 0.25).abs() < 1e-6);
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
