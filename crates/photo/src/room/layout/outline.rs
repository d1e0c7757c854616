//! Face polygons in the image, and the edges between the faces of a box.

use glam::{DVec2, DVec3};

use crate::room::camera::Camera;

/// Visible part of a planar polygon in room axes, in pixels (Sutherland-Hodgman clipping). Concave polygons may yield edges that
/// run back and forth along the image border.
pub(super) fn visible(corners: &[DVec3], camera: &Camera) -> Vec<[f64; 2]> {
    // Homogeneous pixel coordinates, so that points behind the camera are clipped like those beside the image.
    let project = |point: &DVec3| {
        let p = camera.rotation * *point;
        (p.truncate() * camera.focal + camera.center * p.z).extend(p.z)
    };
    let mut polygon: Vec<DVec3> = corners.iter().map(project).collect();
    let (width, height) = (camera.width as f64, camera.height as f64);
    let halves = [DVec3::Z, DVec3::X, DVec3::Y, DVec3::new(-1.0, 0.0, width), DVec3::new(0.0, -1.0, height)];
    for (i, half) in halves.into_iter().enumerate() {
        let value = |p: DVec3| half.dot(p) - if i == 0 { 1e-6 } else { 0.0 };
        let mut kept = Vec::with_capacity(polygon.len() + 2);
        for (j, &a) in polygon.iter().enumerate() {
            let b = polygon[(j + 1) % polygon.len()];
            let (u, v) = (value(a), value(b));
            if u >= 0.0 {
                kept.push(a);
            }
            if (u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0) {
                kept.push(a + (b - a) * (u / (u - v)));
            }
        }
        polygon = kept;
    }
    let mut pixels: Vec<[f64; 2]> = polygon.iter().map(|p| [p.x / p.z, p.y / p.z]).collect();
    pixels.dedup_by(|a, b| (a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6);
    pixels
}

/// Pairs of adjoining faces, and the axis of their edge.
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
    // Only in front of the camera, where the functions are positive.
    keep(functions[a]);
    (from < to).then(|| [start + along * from, start + along * to])
}
