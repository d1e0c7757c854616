//! Furniture that a person places: an arrangement that a job returned, with pieces moved, swapped, recolored, added or removed.

use std::collections::BTreeMap;

use aerie_math::geometry;
use glam::{Vec2, Vec3};

use crate::arrange::{Arrangement, Placed};
use crate::site::{Footprint, Site};
use aerie_furniture::catalog::Catalog;
use aerie_furniture::palette::Role;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::recipe::Recipe;

/// A piece at a place that a person gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What it is.
    pub kind: PieceKind,
    /// Name of an operator's model.
    pub model: Option<String>,
    /// How to generate it; of the usual size without.
    pub recipe: Option<Recipe>,
    /// Center of its footprint: meters to the right of the camera, and away from it.
    pub at: Vec2,
    /// Height of its lower edge above the floor, meters.
    pub elevation: f32,
    /// Rotation to the left, radians; 0 faces the camera's side of the room.
    pub turn: f32,
    /// Colors of its materials, linear sRGB, by role.
    pub colors: BTreeMap<Role, Vec3>,
}

/// How far a piece may reach out of the room, meters: the room's shape is an estimate.
const OUTSIDE: f32 = 0.10;
/// How far a piece that reaches through a wall is moved at most, meters, and in how many steps.
const FARTHEST_SHIFT: f32 = 1.0;
const STEPS: usize = 12;
/// Elevation up to which a piece stands on the floor, meters.
const STANDING: f32 = 0.3;

/// The pieces at their places, and what is doubtful about these.
///
/// # Errors
/// Which piece cannot be placed, and the remedy.
pub(crate) fn arranged(
    site: &Site<'_>,
    asked: &[Asked],
    catalog: &Catalog,
) -> Result<(Arrangement, Vec<String>), String> {
    let space = &site.shell.space;
    let rim: Vec<[f64; 2]> = space.sides.iter().map(|side| side.from.as_dvec2().to_array()).collect();
    let mut done = Arrangement::default();
    let mut doubts = Vec::new();
    for (i, asked) in asked.iter().enumerate() {
        let kind = asked.kind;
        let recipe = asked.recipe.unwrap_or_else(|| Recipe::usual(kind, 1));
        let piece = catalog.asked(asked.model.as_deref(), recipe).ok_or_else(|| {
            format!(
                "`options.arrangement[{i}].model` names a model that this installation does not have, or cannot read; leave it \
                 out for a built-in piece"
            )
        })?;
        let piece = if asked.model.is_none() { catalog.recolored(piece, &asked.colors) } else { piece };
        let mut placed = Placed { piece, at: asked.at.extend(asked.elevation), yaw: asked.turn };
        let Some(shift) = shift_inside(&rim, &placed.footprint()) else {
            let [[left, right], [_, far]] = [0, 1].map(|axis| extent(&rim, axis));
            return Err(format!(
                "`options.arrangement[{i}]` ({kind}) stands outside the room: the floor is {} m wide, from {} m left of the camera, \
                 and reaches {} m away from it. Move the piece inside, or correct the floor with `options.room_corners`",
                meters(right - left),
                meters(-left),
                meters(far),
            ));
        };
        if shift != Vec2::ZERO {
            placed.at += shift.extend(0.0);
            doubts.push(format!(
                "`options.arrangement[{i}]` ({kind}) reached through a wall and was moved by {:.2} m: its `position` in `furniture` is \
                 the new one.",
                shift.length()
            ));
        }
        let print = placed.footprint();
        if asked.elevation + placed.piece.size.z > space.height + OUTSIDE {
            return Err(format!(
                "`options.arrangement[{i}]` ({kind}) reaches through the ceiling, which is {} m high: lower its `elevation`",
                meters(f64::from(space.height))
            ));
        }
        let stands = asked.elevation < STANDING && placed.is_solid();
        if stands && !site.allows(&print, placed.piece.size.z) {
            doubts.push(format!(
                "`options.arrangement[{i}]` ({kind}) stands before a door or a window, in something that the photo shows, or right \
                 at the camera: check it in the picture."
            ));
        }
        let collides = |other: &Placed| other.is_solid() && other.footprint().overlaps(&print);
        if stands && let Some(other) = done.placed.iter().find(|other| collides(other)) {
            doubts.push(format!(
                "`options.arrangement[{i}]` ({kind}) stands in another piece ({}): check both in the picture.",
                other.piece.kind
            ));
        }
        done.placed.push(placed);
    }
    Ok((done, doubts))
}

/// The shortest way found to bring a piece inside the room; zero where it is, `None` where that would be far.
fn shift_inside(rim: &[[f64; 2]], print: &Footprint) -> Option<Vec2> {
    let inside = |corner: Vec2| geometry::ring_contains(rim, corner.as_dvec2().to_array());
    let reaches_out = |shift: Vec2| {
        let corners = print.corners().map(|corner| corner + shift);
        let middle = print.center + shift;
        corners.into_iter().find(|corner| !inside(*corner + (middle - *corner).clamp_length_max(OUTSIDE)))
    };
    let mut shift = Vec2::ZERO;
    for _ in 0..STEPS {
        let Some(corner) = reaches_out(shift) else { return Some(shift) };
        let sides = (0..rim.len()).map(|i| [rim[i], rim[(i + 1) % rim.len()]].map(|p| glam::DVec2::from(p).as_vec2()));
        let nearest = sides.map(|[from, to]| {
            let along = to - from;
            from + along * ((corner - from).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0)
        });
        let wall = nearest.min_by(|a, b| a.distance_squared(corner).total_cmp(&b.distance_squared(corner)))?;
        shift += wall - corner;
        if shift.length() > FARTHEST_SHIFT {
            return None;
        }
    }
    None
}

fn extent(rim: &[[f64; 2]], axis: usize) -> [f64; 2] {
    let values = || rim.iter().map(|p| p[axis]);
    [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)]
}

fn meters(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
