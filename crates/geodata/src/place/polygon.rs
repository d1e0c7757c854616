//! A polygon with holes.

use aerie_math::geometry::{Point, Ring, distance_to_ring, polygon_to_geo, ring_contains, signed_area};
use serde::{Deserialize, Serialize};

/// A polygon with holes, local meters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Polygon {
    /// Outer ring, counter-clockwise.
    pub outer: Ring,
    /// Holes, clockwise.
    pub holes: Vec<Ring>,
}

impl Polygon {
    /// Direction of the longest side of the outline, of unit length; east where it has no extent.
    #[must_use]
    pub fn longest_side(&self) -> Point {
        let ring = &self.outer;
        let sides = (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]));
        let sides = sides.map(|(a, b)| [b[0] - a[0], b[1] - a[1]]);
        let longest = sides.max_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
        let [x, y] = longest.filter(|d| d[0].hypot(d[1]) > 0.0).unwrap_or([1.0, 0.0]);
        [x / x.hypot(y), y / x.hypot(y)]
    }

    /// Whether a point lies inside the outer ring and in none of the holes.
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        ring_contains(&self.outer, p) && !self.holes.iter().any(|hole| ring_contains(hole, p))
    }

    /// Distance of a point from the outer ring; 0 inside the polygon.
    #[must_use]
    pub fn distance(&self, p: Point) -> f64 {
        if self.contains(p) { 0.0 } else { distance_to_ring(p, &self.outer) }
    }

    /// Converts to the `geo` crate's type.
    #[must_use]
    pub fn to_geo(&self) -> geo::Polygon {
        polygon_to_geo(&self.outer, &self.holes)
    }

    /// Converts from the `geo` crate's type, without repeated points and rings under 1 m²; `None` if no outer ring
    /// remains.
    #[must_use]
    pub fn from_geo(polygon: &geo::Polygon) -> Option<Self> {
        let ring = |line: &geo::LineString, left: bool| {
            let mut out: Vec<Point> = Vec::with_capacity(line.0.len());
            for c in &line.0 {
                // Points a few millimeters apart count as the same.
                if out.last().is_none_or(|l| (l[0] - c.x).hypot(l[1] - c.y) > 1e-3) {
                    out.push([c.x, c.y]);
                }
            }
            while out.len() > 1 && (out[0][0] - out[out.len() - 1][0]).hypot(out[0][1] - out[out.len() - 1][1]) <= 1e-3
            {
                out.pop();
            }
            let area = signed_area(&out);
            if out.len() < 3 || area.abs() < 1.0 {
                return None;
            }
            if (area > 0.0) != left {
                out.reverse();
            }
            Some(out)
        };
        let outer = ring(polygon.exterior(), true)?;
        Some(Self { outer, holes: polygon.interiors().iter().filter_map(|h| ring(h, false)).collect() })
    }
}
