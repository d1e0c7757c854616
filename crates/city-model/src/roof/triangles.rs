//! Triangulation of faces that are not flat, or that no clean cut takes the holes out of.

use earcut::Earcut;

use super::ring::Polygon3;
use crate::model::Ring3;

/// Triangles of a polygon.
pub(super) fn triangulate(polygon: &Polygon3) -> Vec<Ring3> {
    let mut corners = polygon.outer.clone();
    let mut holes = Vec::new();
    for hole in &polygon.holes {
        holes.push(corners.len());
        corners.extend(hole);
    }
    let mut indices = Vec::new();
    Earcut::new().earcut(corners.iter().map(|&[x, y, _]| [x, y]), &holes, &mut indices);
    let (triangles, _) = indices.as_chunks::<3>();
    triangles
        .iter()
        .map(|triangle| {
            let mut face: Ring3 = triangle.iter().map(|&index| corners[index]).collect();
            if super::plan_area(&face) < 0.0 {
                face.reverse();
            }
            face
        })
        .collect()
}
