//! Vases with what stands in them.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Mat3, Vec2, Vec3};

use super::foliage;
use crate::joinery::{smooth_line, vessel};
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, sheet, tube};
use crate::style::Style;

/// What stands in a vase; the order is that of the forms of vases.
const PAMPAS: usize = 0;
const EUCALYPTUS: usize = 1;
const BRANCHES: usize = 2;
const TULIPS: usize = 3;
const PEONIES: usize = 4;
const GRASS: usize = 5;
const OLIVE: usize = 6;

/// A tall form that suits a style.
pub(super) fn tall(style: Style, rng: &mut Rng) -> usize {
    match style {
        Style::Boho | Style::Coastal | Style::Contemporary => rng.pick(&[PAMPAS, EUCALYPTUS, GRASS]),
        Style::Japandi | Style::Minimalist | Style::Industrial => rng.pick(&[BRANCHES, EUCALYPTUS, GRASS]),
        Style::Traditional | Style::Luxury | Style::ArtDeco => rng.pick(&[PEONIES, OLIVE, BRANCHES]),
        _ => rng.pick(&[EUCALYPTUS, OLIVE, BRANCHES, PAMPAS]),
    }
}

/// A low form.
pub(super) fn low(rng: &mut Rng) -> usize {
    rng.pick(&[TULIPS, PEONIES, GRASS, EUCALYPTUS])
}

/// The profile of a vase: radius and height as shares.
fn profile(which: usize) -> &'static [[f32; 2]] {
    match which {
        // A bottle, a ball, an amphora, a cylinder, a jug.
        0 => &[[0.62, 0.0], [0.92, 0.12], [1.0, 0.34], [0.78, 0.58], [0.36, 0.76], [0.30, 0.92], [0.38, 1.0]],
        1 => &[[0.45, 0.0], [0.85, 0.16], [1.0, 0.45], [0.86, 0.74], [0.48, 0.92], [0.50, 1.0]],
        2 => &[[0.40, 0.0], [0.62, 0.14], [0.94, 0.50], [0.98, 0.66], [0.66, 0.86], [0.44, 0.93], [0.56, 1.0]],
        3 => &[[0.66, 0.0], [0.72, 0.04], [0.72, 0.5], [0.72, 0.9], [0.74, 1.0]],
        _ => &[[0.60, 0.0], [0.80, 0.10], [0.88, 0.36], [0.70, 0.66], [0.50, 0.82], [0.66, 1.0]],
    }
}

/// A vase with dried grasses, branches or flowers.
#[must_use]
pub fn vase(form: usize, rng: &mut Rng) -> Piece {
    let is_glass = matches!(form, TULIPS | PEONIES | BRANCHES) && rng.random_bool_f32(0.5);
    let (belly, height) = match form {
        TULIPS | PEONIES => (rng.range_f32(0.065, 0.080), rng.range_f32(0.16, 0.20)),
        _ => (rng.range_f32(0.070, 0.095), rng.range_f32(0.22, 0.30)),
    };
    let mut piece = Piece::new(PieceKind::Vase, Vec3::new(2.0 * belly, 2.0 * belly, height));
    let which = if is_glass { 3 } else { rng.below(5) };
    let scaled: Vec<[f32; 2]> = smooth_line(profile(which), 5).iter().map(|p| [p[0] * belly, p[1] * height]).collect();
    let mouth = scaled[scaled.len() - 1][0] - 0.006;
    let role = if is_glass {
        Role::Glass
    } else {
        rng.pick(&[Role::Ceramic, Role::Ceramic, Role::DarkCeramic, Role::Concrete, Role::Terracotta])
    };
    piece.add(vessel(&scaled, if is_glass { 0.0025 } else { 0.006 }, 0.92, 40), role);
    let down = if is_glass { height * 0.85 } else { 0.05 };
    let bunch = Bunch { mouth, height, down };
    match form {
        PAMPAS => bunch.pampas(&mut piece, rng),
        BRANCHES => bunch.bare_branches(&mut piece, rng),
        TULIPS => bunch.tulips(&mut piece, rng),
        PEONIES => bunch.peonies(&mut piece, rng),
        GRASS => bunch.grass(&mut piece, rng),
        OLIVE => bunch.twigs(&mut piece, rng, Role::OliveLeaf, false),
        _ => bunch.twigs(&mut piece, rng, Role::OliveLeaf, true),
    }
    piece
}

/// Where stems stand.
struct Bunch {
    mouth: f32,
    height: f32,
    /// How far down they reach below the rim.
    down: f32,
}

impl Bunch {
    /// A stem that leans out of the vase, from its foot to its tip.
    fn stem(&self, turn: f32, out: f32, up: f32, droop: f32) -> Vec<Vec3> {
        let away = Vec2::from_angle(turn);
        let foot = (away * -self.mouth * 0.4).extend(self.height - self.down);
        let rim = (away * self.mouth * 0.75).extend(self.height);
        let mut path = vec![foot, rim];
        path.extend((1..=9).map(|i| {
            let t = i as f32 / 9.0;
            let reach = self.mouth * 0.75 + out * t.powf(1.5);
            (away * reach).extend(self.height + up * (t - droop * t * t * t))
        }));
        path
    }

    fn pampas(&self, piece: &mut Piece, rng: &mut Rng) {
        for i in 0..7 {
            let turn = TAU * i as f32 / 7.0 + rng.range_f32(-0.3, 0.3);
            let path = self.stem(turn, rng.range_f32(0.06, 0.16), rng.range_f32(0.36, 0.52), 0.18);
            piece.add(tube(&path, 0.0016, 5, false), Role::Dry);
            let mut plume = Solid::default();
            // A plume is a crowd of thin hairs that hang from the upper stem.
            for k in 0..90 {
                let share = 0.50 + 0.50 * k as f32 / 90.0;
                let at = along(&path, share);
                let side = Vec2::from_angle(k as f32 * 2.4 + rng.range_f32(-0.3, 0.3));
                let full = (PI * ((share - 0.46) / 0.58)).sin().max(0.15);
                let tip = at + (side * 0.036 * full).extend(0.030 + 0.03 * rng.unit_f32());
                let across = side.perp().extend(0.0) * 0.0035;
                plume = plume.with(sheet(2, 3, |u, v| {
                    let wide = (1.0 - v * 0.7) * (u - 0.5) * 2.0;
                    at.lerp(tip, v) + across * wide - Vec3::Z * 0.012 * v * v
                }));
            }
            piece.add(plume, Role::Dry);
        }
    }

    fn bare_branches(&self, piece: &mut Piece, rng: &mut Rng) {
        for i in 0..4 {
            let turn = TAU * i as f32 / 4.0 + rng.range_f32(-0.6, 0.6);
            let mut path = self.stem(turn, rng.range_f32(0.06, 0.17), rng.range_f32(0.42, 0.62), 0.0);
            for p in path.iter_mut().skip(2) {
                *p += Vec3::new(rng.range_f32(-0.010, 0.010), rng.range_f32(-0.010, 0.010), 0.0);
            }
            piece.add(foliage::tapered(&path, 0.0040, 0.0012), Role::Bark);
            for k in 0..7 {
                let from = along(&path, 0.35 + 0.09 * k as f32);
                let side = turn + k as f32 * 2.4;
                let long = rng.range_f32(0.06, 0.14);
                let to = from + (Vec2::from_angle(side) * 0.5).extend(0.9).normalize() * long;
                let bend = from.lerp(to, 0.5) + Vec3::new(rng.range_f32(-0.01, 0.01), rng.range_f32(-0.01, 0.01), 0.0);
                piece.add(foliage::tapered(&[from, bend, to], 0.0020, 0.0008), Role::Bark);
                for bud in [bend, to] {
                    piece.add(foliage::bud(0.0035).moved(bud.x, bud.y, bud.z), Role::PetalTwo);
                }
            }
        }
    }

    fn tulips(&self, piece: &mut Piece, rng: &mut Rng) {
        let role = rng.pick(&[Role::PetalOne, Role::PetalTwo]);
        for i in 0..9 {
            let turn = i as f32 * 2.4;
            let path = self.stem(turn, rng.range_f32(0.02, 0.11), rng.range_f32(0.10, 0.18), 0.25);
            piece.add(tube(&path, 0.0030, 6, false), Role::PaleLeaf);
            let tip = path[path.len() - 1];
            let lean = (tip - path[path.len() - 3]).normalize_or(Vec3::Z);
            piece.add(
                foliage::cup_flower(0.020, 0.046).turned(foliage::toward(lean)).moved(tip.x, tip.y, tip.z - 0.004),
                role,
            );
            if i % 2 == 0 {
                let solid = foliage::leaf(0.17, 0.032, 0.8, 0.5)
                    .turned(Mat3::from_rotation_z(turn + 0.8) * Mat3::from_rotation_y(-1.15));
                piece.add(solid.moved(0.0, 0.0, self.height - 0.01), Role::PaleLeaf);
            }
        }
    }

    fn peonies(&self, piece: &mut Piece, rng: &mut Rng) {
        let role = rng.pick(&[Role::PetalOne, Role::PetalTwo]);
        for i in 0..9 {
            let turn = i as f32 * 2.4;
            let out = 0.085 * (i as f32 / 8.0).sqrt();
            let path = self.stem(turn, out, 0.12 - out * 0.5 + rng.range_f32(0.0, 0.03), 0.1);
            piece.add(tube(&path, 0.0026, 6, false), Role::PaleLeaf);
            let tip = path[path.len() - 1];
            let lean = ((tip - path[path.len() - 3]).normalize_or(Vec3::Z) + Vec3::Z * 0.4).normalize();
            let solid = foliage::full_flower(rng.range_f32(0.036, 0.048), rng).turned(foliage::toward(lean));
            piece.add(solid.moved(tip.x, tip.y, tip.z), role);
            for side in [-0.9, 0.8] {
                let solid = foliage::leaf(0.10, 0.036, 0.9, 0.4)
                    .turned(Mat3::from_rotation_z(turn + side) * Mat3::from_rotation_y(-0.35));
                piece.add(solid.moved(tip.x * 0.6, tip.y * 0.6, tip.z - 0.05), Role::Leaf);
            }
        }
    }

    fn grass(&self, piece: &mut Piece, rng: &mut Rng) {
        for i in 0..22 {
            let turn = i as f32 * 2.4 + rng.range_f32(-0.2, 0.2);
            let path = self.stem(turn, rng.range_f32(0.03, 0.15), rng.range_f32(0.24, 0.42), 0.15);
            piece.add(tube(&path, 0.0010, 4, false), Role::Dry);
            let tip = path[path.len() - 1];
            if i % 2 == 0 {
                piece.add(ball(0.011).moved(tip.x, tip.y, tip.z), if i % 4 == 0 { Role::PetalTwo } else { Role::Dry });
            } else {
                let head = foliage::tapered(&[along(&path, 0.84), along(&path, 0.92), tip], 0.0062, 0.0018);
                piece.add(head, Role::Dry);
            }
        }
    }

    /// Twigs with pairs of round leaves, or with narrow ones.
    fn twigs(&self, piece: &mut Piece, rng: &mut Rng, role: Role, is_round: bool) {
        for i in 0..8 {
            let turn = TAU * i as f32 / 8.0 + rng.range_f32(-0.3, 0.3);
            let path = self.stem(turn, rng.range_f32(0.06, 0.17), rng.range_f32(0.22, 0.42), 0.2);
            piece.add(tube(&path, 0.0016, 5, false), Role::Bark);
            let mut leaves = Solid::default();
            for k in 0..14 {
                let share = 0.30 + 0.70 * k as f32 / 13.0;
                let at = along(&path, share);
                let size = 1.15 - 0.5 * share;
                let (long, wide) = if is_round { (0.050 * size, 0.042 * size) } else { (0.062 * size, 0.015 * size) };
                for side in [0.0, PI] {
                    let spin = k as f32 * PI / 2.0 + side + turn;
                    let tilt = Mat3::from_rotation_z(spin)
                        * Mat3::from_rotation_y(-rng.range_f32(0.1, 0.8))
                        * Mat3::from_rotation_x(rng.range_f32(-0.6, 0.6));
                    let narrow = |t: f32| wide * (PI * t.powf(0.78)).sin().max(0.0).powf(0.8);
                    let solid = if is_round {
                        foliage::coin(long, wide)
                    } else {
                        foliage::shaped(long, 0.3, 0.3, [6, 4], narrow)
                    };
                    leaves = leaves.with(solid.turned(tilt).moved(at.x, at.y, at.z));
                }
            }
            piece.add(leaves, role);
        }
    }
}

/// A point of a path at a share of its points.
pub(super) fn along(path: &[Vec3], share: f32) -> Vec3 {
    let at = share.clamp(0.0, 1.0) * (path.len() - 1) as f32;
    let i = (at.floor() as usize).min(path.len() - 2);
    path[i].lerp(path[i + 1], at - i as f32)
}
