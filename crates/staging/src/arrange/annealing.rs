//! Placement of groups by simulated annealing.

use std::f32::consts::PI;

use aerie_math::Rng;
use aerie_photo::segmentation::Class;
use glam::Vec2;

use super::builder::Builder;
use super::placement::Placed;
use super::score;
use crate::site::Site;
use aerie_furniture::piece::PieceKind;

/// Position of a group: the wall behind it, the place along the wall, and the distance from it, meters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) side: usize,
    pub(super) along: f32,
    off: f32,
}

impl Stand {
    /// Origin and rotation of the group.
    pub(super) fn group(&self, site: &Site<'_>) -> (Vec2, f32) {
        let wall = &site.shell.space.sides[self.side];
        (wall.at(self.along, 0.0).truncate() + wall.inward * self.off, wall.inward.to_angle() + PI / 2.0)
    }
}

/// Finds the best position for a group by simulated annealing. `make` returns its pieces, which must all fit; `worth` scores them.
pub(super) fn annealed(
    room: &Builder<'_>,
    rng: &mut Rng,
    offs: [f32; 2],
    make: impl Fn((Vec2, f32)) -> Vec<Placed>,
    worth: impl Fn(&[Placed], &Stand) -> f32,
) -> Option<(Vec<Placed>, Stand)> {
    let site = room.site;
    let sides = &site.shell.space.sides;
    let open: Vec<usize> = (0..sides.len()).filter(|i| sides[*i].seen && sides[*i].length() > 1.2).collect();
    if open.is_empty() {
        return None;
    }
    let drawn = |rng: &mut Rng| {
        let side = open[rng.below(open.len())];
        let off = if rng.random_bool_f32(0.6) { offs[0] } else { rng.range_f32(offs[0], offs[1]) };
        Stand { side, along: rng.range_f32(0.3, sides[side].length() - 0.3), off }
    };
    let judged = |stand: &Stand| {
        let pieces = make(stand.group(site));
        (room.admits(&pieces) && room.keeps_ways(&pieces)).then(|| (worth(&pieces, stand), pieces))
    };
    let mut best: Option<(f32, Vec<Placed>, Stand)> = None;
    for _ in 0..4 {
        // Starts from a position that fits; steps to worse positions become ever less likely.
        let start = (0..160).find_map(|_| {
            let stand = drawn(rng);
            judged(&stand).map(|(score, pieces)| (score, pieces, stand))
        });
        let Some(mut now) = start else { continue };
        for step in 0..70 {
            let warmth = 0.35 * (1.0 - step as f32 / 70.0);
            let mut stand = now.2;
            if rng.random_bool_f32(0.15) {
                stand = drawn(rng);
            } else {
                stand.along += rng.range_f32(-0.6, 0.6) * (0.3 + warmth * 2.0);
                if rng.random_bool_f32(0.3) {
                    stand.off = (stand.off + rng.range_f32(-0.3, 0.3)).clamp(offs[0], offs[1]);
                }
            }
            if let Some((score, pieces)) = judged(&stand)
                && (score > now.0 || rng.random_bool_f32(((score - now.0) / warmth.max(0.01)).exp()))
            {
                now = (score, pieces, stand);
            }
            if best.as_ref().is_none_or(|b| now.0 > b.0) {
                best = Some(now.clone());
            }
        }
    }
    best.map(|(_, pieces, stand)| (pieces, stand))
}

/// Share of the main piece in the picture below which another place is better, if there is one.
const WHOLE: f32 = 0.85;
/// Share of the picture's width that a group should span.
const FILLED: f32 = 0.7;

/// Score of a group at a wall: visibility, composition, and what it hides.
pub(super) fn group_score(room: &Builder<'_>, pieces: &[Placed], stand: &Stand) -> f32 {
    let space = &room.site.shell.space;
    let main = &pieces[0];
    let seen: f32 = pieces.iter().map(|p| score::view(space, p)).sum::<f32>() / pieces.len() as f32;
    let half = main.piece.size.x / 2.0;
    let odd = room.site.oddness(stand.side, [stand.along - half, stand.along + half]);
    // Prefers the middle of the wall.
    let wall = space.sides[stand.side].length();
    let middle = 1.0 - ((stand.along - wall / 2.0).abs() / wall).min(0.5) * 2.0;
    // Art above the main piece needs bare wall.
    let bare =
        room.site.is_bare(stand.side, [Vec2::new(stand.along - 0.45, 1.15), Vec2::new(stand.along + 0.45, 1.75)], 0.03);
    // Chair backs close to the camera hide the rest.
    let backs: f32 = pieces[1..]
        .iter()
        .filter(|p| p.piece.kind == PieceKind::Armchair)
        .map(|p| {
            0.5 * (-0.2 - score::faces_camera(p)).max(0.0) + 0.8 * ((3.2 - p.at.truncate().length()) / 1.2).max(0.0)
        })
        .sum();
    // Pieces cut off by the edge of the picture, or in front of a fireplace or shelves, are better left out.
    let stands = || pieces[1..].iter().filter(|p| p.is_solid());
    let of_main = 1.5 * (1.0 - score::seen(space, main))
        + 6.0 * (WHOLE - score::seen(space, main)).max(0.0)
        + 0.6 * (score::off_center(space, main) - 0.35).max(0.0);
    // The group fills the picture, and its middle is not far from the picture's.
    let [from, to] = score::span(space, pieces);
    let fills = (to - from).min(FILLED) - 0.8 * (((from + to) / 2.0 - 0.5).abs() - 0.1).max(0.0);
    let cut: f32 = of_main + stands().map(|p| 1.4 * (1.0 - score::seen(space, p))).sum::<f32>();
    let hides: f32 =
        0.9 * room.site.hides(&main.footprint()) + stands().map(|p| 0.5 * room.site.hides(&p.footprint())).sum::<f32>();
    // A bed or a sofa stands before a wall rather than before glass.
    let glass = 2.0 * room.site.behind(Class::Window, &main.footprint(), [0.1, main.piece.size.z.max(1.0)]);
    let attracts = room.site.attracts(stand.side);
    let reach = main.at.truncate().length();
    let far = 0.10 * (reach - 4.5).max(0.0) + 0.5 * (3.2 - reach).max(0.0);
    // What lies beyond a door stays in view.
    let doors: f32 = pieces.iter().filter(|p| p.is_solid()).map(|p| hidden_door(room.site, p)).sum();
    -backs - cut - hides - far - glass - attracts - doors
        + 1.5 * fills
        + 1.6 * seen
        + 0.45 * score::faces_camera(main)
        + 0.25 * middle
        - 0.7 * odd
        - (0.3 * (stand.off - 0.08)).clamp(0.0, 0.7)
        + if bare { 0.25 } else { 0.0 }
        + 0.6 * score::view(space, main)
}

/// Share of a piece, as the camera sees it, that lies before doors and passages.
fn hidden_door(site: &Site<'_>, placed: &Placed) -> f32 {
    (site.hidden(Class::Door, &placed.footprint(), placed.piece.size.z) - 0.1).max(0.0)
}
