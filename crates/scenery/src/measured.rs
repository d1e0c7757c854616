//! Buildings whose roofs were measured: the faces as they are, walls below their edges, and nothing invented on top.

mod edges;
mod face;
mod outlook;
mod walls;

use std::collections::BTreeMap;

use aerie_geodata::place::{Building, Place, Polygon};
use aerie_render::scene::Finish;
use earcut::Earcut;
use glam::{DVec2, DVec3};

pub(crate) use self::face::{Face, faces};

use self::edges::{Below, Piece, pieces};
use self::outlook::{EDGE, Outlook, edge_color, is_flat};
use crate::materials::Materials;
use crate::mesh::{Builder, color};
use crate::property::is_property;
use crate::shape;

/// Height up to which the wall of a step between two faces is covered like the roof (the cheek of a dormer), meters.
const CHEEK: f64 = 1.6;

/// Colors of roof faces, sRGB, by index of the building and of the face.
pub(crate) type FaceColors = BTreeMap<usize, Vec<Option<[u8; 3]>>>;

/// Adds a building with a measured roof, whose heights count from `ground` above the datum.
pub(crate) fn add(place: &Place, index: usize, ground: f64, colors: Option<&Vec<Option<[u8; 3]>>>, out: &mut Builder) {
    let building = &place.buildings[index];
    let Some(roof) = &building.measured else { return };
    let faces = faces(roof, ground);
    let pieces = pieces(&faces, &building.footprint, &neighbors(place, index));
    let is_property = is_property(place, index);
    let outlook = Outlook::new(place, building, is_property, ground, &pieces);
    let look = |face: &Face| outlook.covering(face);
    for face in &faces {
        let color = colors.and_then(|colors| *colors.get(face.index)?);
        cover(face, look(face), color, out);
    }
    let overhangs: Vec<usize> = pieces.iter().filter(|p| p.below == Below::Overhang).map(|p| p.face).collect();
    for face in faces.iter().enumerate().filter(|(i, _)| overhangs.contains(i)).map(|(_, face)| face) {
        underside(face, edge_color(face, look(face)), out);
    }
    for piece in &pieces {
        let face = &faces[piece.face];
        let edge = edge_color(face, look(face));
        match piece.below {
            Below::Roof(z) => step(piece, z, &outlook, look(face), out),
            Below::Overhang => band(piece, edge, out),
            Below::Ground { is_party: false } if outlook.has_band(piece) => band(piece, edge, out),
            Below::Ground { .. } => {}
        }
    }
    walls::add(place, building, &outlook, &faces, &pieces, out);
}

/// Outlines of the buildings that may touch a building.
fn neighbors(place: &Place, index: usize) -> Vec<&Polygon> {
    let (low, high) = bounds(&place.buildings[index]);
    let meets = |other: &Building| {
        let (l, h) = bounds(other);
        l.cmple(high + 1.0).all() && h.cmpge(low - 1.0).all()
    };
    let others = place.buildings.iter().enumerate().filter(|(i, b)| *i != index && !b.replaced_by_parts && meets(b));
    others.map(|(_, b)| &b.footprint).collect()
}

fn bounds(building: &Building) -> (DVec2, DVec2) {
    let corners = building.footprint.outer.iter().map(|&p| shape::vec(p));
    corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)))
}

/// Triangles of a face: numbers of its corners, counter-clockwise from above.
fn triangles(face: &Face) -> Vec<[DVec3; 3]> {
    let mut indices: Vec<u32> = Vec::new();
    Earcut::new().earcut(face.corners.iter().map(|c| [c.x, c.y]), &[], &mut indices);
    let corner = |i: u32| face.corners[i as usize];
    let upward = |[a, b, c]: [DVec3; 3]| {
        if (b - a).truncate().perp_dot((c - a).truncate()) < 0.0 { [a, c, b] } else { [a, b, c] }
    };
    indices.chunks_exact(3).map(|t| upward([corner(t[0]), corner(t[1]), corner(t[2])])).collect()
}

/// Adds a face's covering, with `uv` in meters along and up the slope.
fn cover(face: &Face, materials: &Materials, color: Option<[u8; 3]>, out: &mut Builder) {
    let steepness = face.slope.length();
    let up = if is_flat(face) { DVec2::Y } else { face.slope / steepness };
    let stretch = if is_flat(face) { 1.0 } else { (1.0 + steepness * steepness).sqrt() };
    let material = materials.roof_in(color);
    for triangle in triangles(face) {
        let corners = triangle.map(|p| {
            let uv = DVec2::new(p.truncate().dot(-up.perp()), p.truncate().dot(up) * stretch);
            (p.as_vec3(), uv.as_vec2(), 1.0)
        });
        out.face(Finish::Roof, &corners, material);
    }
}

/// Adds the underside of a face that overhangs.
fn underside(face: &Face, srgb: [u8; 3], out: &mut Builder) {
    for [a, b, c] in triangles(face) {
        out.plain(&[a, c, b].map(|p| (p - DVec3::Z * EDGE).as_vec3()), color(srgb, 0));
    }
}

/// Adds the band along an edge of the roof.
fn band(piece: &Piece, srgb: [u8; 3], out: &mut Builder) {
    let (a, b, down) = (piece.from, piece.to, DVec3::Z * EDGE);
    out.plain(&[a - down, b - down, b, a].map(|p| p.as_vec3()), color(srgb, 0));
}

/// Adds the wall from an edge down to the lower face beside it.
fn step(piece: &Piece, z: [f64; 2], outlook: &Outlook, materials: &Materials, out: &mut Builder) {
    let (a, b) = (piece.from, piece.to);
    let height = (a.z - z[0]).max(b.z - z[1]);
    // Its foot lies below the lower face, so that no gap shows where the two do not meet exactly.
    let foot = [a.z.min(z[0]) - edges::TUCKED, b.z.min(z[1]) - edges::TUCKED];
    let corners = [a.truncate().extend(foot[0]), b.truncate().extend(foot[1]), b, a];
    if height < CHEEK {
        let srgb = materials.roof_color.map(|v| (f32::from(v) * 0.8) as u8);
        out.plain(&corners.map(|p| p.as_vec3()), color(srgb, 0));
        return;
    }
    let length = a.truncate().distance(b.truncate());
    let (material, _) = outlook.pitched.wall_material(length, false, false);
    let along = [0.0, length, length, 0.0];
    let corner = |i: usize| {
        let uv = DVec2::new(along[i], corners[i].z - outlook.floor).as_vec2();
        (corners[i].as_vec3(), uv, if i < 2 { 0.6 } else { 0.9 })
    };
    out.face(Finish::Wall, &[corner(0), corner(1), corner(2), corner(3)], material);
}

#[cfg(test)]
mod tests;
