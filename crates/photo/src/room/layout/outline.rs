//! Polygons of faces in the picture, and the edges between the faces of a box.

use glam::{DVec2, DVec3};

use crate::room::camera::Camera;

/// The part of a flat polygon in the room that a picture shows, in pixels. A polygon with inward corners may come back
/// with edges that run along the picture's rim and back.
pub(super) fn seen(corners: &[DVec3], camera: &Camera) -> Vec<[f64; 2]> {
    // Homogeneous pixels, so that what lies behind the camera is cut off like what lies beside the picture.
    let project = |place: &DVec3| {
        let seen = camera.rotation * *place;
        (seen.truncate() * camera.focal + camera.center * seen.z).extend(seen.z)
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
