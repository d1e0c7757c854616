//! Polygons of faces and the edges between them, from linear functions of the pixel.

use glam::{DVec2, DVec3};

/// The part of the picture where function `face` is the greatest, clockwise.
pub(super) fn polygon(functions: &[DVec3; 5], face: usize, width: f64, height: f64) -> Vec<DVec2> {
    let mut polygon = vec![DVec2::ZERO, DVec2::new(width, 0.0), DVec2::new(width, height), DVec2::new(0.0, height)];
    for other in (0..5).filter(|o| *o != face) {
        let line = functions[face] - functions[other];
        polygon = clipped(&polygon, line);
    }
    polygon
}

/// The part of a polygon where a linear function is not below 0.
fn clipped(polygon: &[DVec2], line: DVec3) -> Vec<DVec2> {
    let value = |p: DVec2| line.dot(p.extend(1.0));
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (u, v) = (value(a), value(b));
        if u >= 0.0 {
            out.push(a);
        }
        if (u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0) {
            out.push(a + (b - a) * (u / (u - v)));
        }
    }
    out
}

/// Faces that meet, and the axis that their edge runs along.
pub(super) const EDGES: [(usize, usize, usize); 8] =
    [(0, 4, 0), (0, 2, 1), (0, 3, 1), (1, 4, 0), (1, 2, 1), (1, 3, 1), (2, 4, 2), (3, 4, 2)];

/// The visible part of the edge between two faces.
pub(super) fn edge(functions: &[DVec3; 5], a: usize, b: usize, width: f64, height: f64) -> Option<[DVec2; 2]> {
    let line = functions[a] - functions[b];
    let across = line.truncate();
    let square = across.length_squared();
    if square < 1e-24 {
        return None;
    }
    let start = -across * line.z / square;
    let along = across.perp() / square.sqrt();
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut keep = |half: DVec3| {
        let (at, slope) = (half.dot(start.extend(1.0)), half.dot(along.extend(0.0)));
        if slope.abs() < 1e-15 {
            if at < 0.0 {
                to = f64::NEG_INFINITY;
            }
        } else if slope > 0.0 {
            from = from.max(-at / slope);
        } else {
            to = to.min(-at / slope);
        }
    };
    keep(DVec3::X);
    keep(DVec3::Y);
    keep(DVec3::new(-1.0, 0.0, width));
    keep(DVec3::new(0.0, -1.0, height));
    for other in (0..5).filter(|o| *o != a && *o != b) {
        keep(functions[a] - functions[other]);
    }
    // Both are met first only before the camera, where the functions are above 0.
    keep(functions[a]);
    (from < to).then(|| [start + along * from, start + along * to])
}
