//! What a measured building looks like: its materials, and where its roof has a band.

use aerie_geodata::place::{Building, Place, RoofShape};

use super::edges::{Below, Piece};
use super::face::Face;
use crate::materials::Materials;
use crate::region::Region;
use crate::shape;

/// Depth of the band along the edges of a roof, meters.
pub(super) const EDGE: f64 = 0.16;
/// Slope (rise over run) up to which a face is covered like a flat roof.
const FLAT: f64 = 0.1;
/// What a measured building looks like.
pub(super) struct Outlook {
    pub(super) pitched: Materials,
    pub(super) flat: Materials,
    /// Height that the stories count from.
    pub(super) floor: f64,
    pub(super) is_property: bool,
}

impl Outlook {
    pub(super) fn new(place: &Place, building: &Building, is_property: bool, ground: f64, pieces: &[Piece]) -> Self {
        let area = shape::area(&building.footprint.outer).abs();
        let region = Region::of(place.origin);
        let eaves = wall_top(pieces).map_or(building.eaves, |z| z - ground).max(2.0);
        let told = eaves / f64::from(building.stories.max(1));
        let stories = if (2.3..4.2).contains(&told) { building.stories } else { (eaves / 2.9).round().max(1.0) as u32 };
        let materials = |roof: RoofShape| {
            let ridge = if roof == RoofShape::Flat { eaves } else { building.ridge.max(eaves + 3.0) };
            let measured = None;
            let like = Building { roof, eaves, ridge, stories, base: 0.0, measured, ..building.clone() };
            Materials::of(&like, area, is_property, region)
        };
        Self { pitched: materials(RoofShape::Gabled), flat: materials(RoofShape::Flat), floor: ground, is_property }
    }

    pub(super) fn covering(&self, face: &Face) -> &Materials {
        if is_flat(face) { &self.flat } else { &self.pitched }
    }

    /// Whether a wall is high enough for a band along the roof's edge.
    pub(super) fn has_band(&self, piece: &Piece) -> bool {
        piece.from.z.min(piece.to.z) > self.floor + 1.0
    }
}

pub(super) fn is_flat(face: &Face) -> bool {
    face.slope.length() < FLAT
}

pub(super) fn edge_color(face: &Face, materials: &Materials) -> [u8; 3] {
    let (srgb, shade) = if is_flat(face) { (materials.wall, 0.86) } else { (materials.roof_color, 0.62) };
    srgb.map(|v| (f32::from(v) * shade) as u8)
}

/// Height above the datum of the top of most outer walls: the median by length.
fn wall_top(pieces: &[Piece]) -> Option<f64> {
    let outer = pieces.iter().filter(|p| matches!(p.below, Below::Ground { .. } | Below::Overhang));
    let mut tops: Vec<[f64; 2]> =
        outer.map(|p| [p.from.z.min(p.to.z), p.from.truncate().distance(p.to.truncate())]).collect();
    tops.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let half = tops.iter().map(|top| top[1]).sum::<f64>() * 0.5;
    let mut sum = 0.0;
    tops.iter().find_map(|top| {
        sum += top[1];
        (sum >= half).then_some(top[0])
    })
}
