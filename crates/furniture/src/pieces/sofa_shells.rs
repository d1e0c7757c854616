//! Sofas whose back and arms are one upholstered shell.

use std::f32::consts::{FRAC_PI_2, PI};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::dressing::{Nook, seed, throw_along};
use super::feet::{Feet, stand};
use super::sofa_parts::{face_along_y, roll_profile};
use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::bedding::corner;
use crate::shape::joinery::Profile;
use crate::shape::upholstery::{Cushion, Tufting, ball_of, button, channel, pad, padded};
use crate::shape::{plate, rounded_in, tube};

/// The plan of a back with arms: from the front of the right arm around the back to that of the left one, along the inner faces.
fn horseshoe(inner: f32, front: f32, back: f32, radius: f32) -> Profile {
    let x = inner / 2.0;
    let mut points = vec![Vec2::new(x, front)];
    points.extend(corner(Vec2::new(x - radius, back - radius), radius, 0.0, FRAC_PI_2, 6));
    points.extend(corner(Vec2::new(radius - x, back - radius), radius, FRAC_PI_2, PI, 6));
    points.push(Vec2::new(-x, front));
    Profile::new(points)
}

/// A place on a shell: `s` along its plan, `across` outward from it, at height `z`.
fn on_plan(plan: &Profile, s: f32, across: f32, z: f32) -> Vec3 {
    const STEP: f32 = 0.006;
    let along = (plan.at(s + STEP) - plan.at(s - STEP)).normalize_or(Vec2::X);
    // The way runs counter-clockwise, so that outward is on its right.
    (plan.at(s) - along.perp() * across).extend(z)
}

/// Deep diamond tufting, arms as high as the back, rolled, with nails around the fronts.
pub(super) fn chesterfield(width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, top, foot) = (0.94, 0.45, 0.74, 0.12);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, top));
    tufted_shell(&mut piece, Role::Sofa, [width, depth, seat, top, foot], 0.145);
    let arm = 0.215;
    let inner = width - 2.0 * arm;
    let count = if width > 2.05 { 3 } else { 2 };
    let (front, back) = (-depth / 2.0 + 0.012, depth / 2.0 - 0.20);
    for i in 0..count {
        let one = inner / count as f32;
        let cushion = Cushion::new(one - 0.004, back - front, 0.17, seed(rng)).edged(0.04).filled(0.030, 0.9);
        let x = (i as f32 + 0.5) * one - inner / 2.0;
        piece.add(cushion.lying().moved(x, (front + back) / 2.0, seat - 0.17), Role::Sofa);
    }
    let base = Cushion::new(inner + 0.06, depth - 0.12, 0.18, seed(rng)).edged(0.014).filled(0.004, 0.4);
    piece.add(base.lying().moved(0.0, -0.03, foot), Role::Sofa);
    nails(
        &mut piece,
        Vec3::new(-inner / 2.0, -depth / 2.0 + 0.028, foot + 0.02),
        Vec3::new(inner / 2.0, -depth / 2.0 + 0.028, foot + 0.02),
    );
    stand(&mut piece, Feet::Bun, width / 2.0 - 0.14, depth / 2.0 - 0.14, foot + 0.01);
    Nook { half: inner / 2.0, back: back - 0.03, seat, lean: 0.2, high: top - seat }.dress(&mut piece, rng);
    if rng.random_bool(0.6) {
        let y = [depth / 2.0 - 0.02, depth / 2.0 - 0.04, depth / 2.0 - 0.12, back + 0.0, back - 0.06, back - 0.20];
        let z = [0.36, top - 0.06, top + 0.012, top - 0.09, seat + 0.07, seat + 0.04];
        let line: Vec<Vec3> = y.into_iter().zip(z).rev().map(|(y, z)| Vec3::new(0.0, y, z)).collect();
        throw_along(&mut piece, &line, -inner * 0.10, 0.42, rng);
    }
    piece
}

/// A row of nail heads.
fn nails(piece: &mut Piece, from: Vec3, to: Vec3) {
    let count = ((to - from).length() / 0.024) as usize;
    let mut row = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    for i in 0..=count {
        let at = from.lerp(to, i as f32 / count as f32);
        row = row.with(ball_of(0.0075, 3, 5).moved(at.x, at.y, at.z));
    }
    piece.add(row, Role::Metal);
}

/// A tufted back with rolled arms of the same height: `[width, depth, seat, top, foot]`.
fn tufted_shell(piece: &mut Piece, role: Role, measures: [f32; 5], wide: f32) {
    let [width, depth, seat, top, foot] = measures;
    let radius = 0.085;
    let section = Profile::new(roll_profile(foot, seat - 0.08, top, radius, 0.06));
    let reach = 0.215;
    let (front, back) = (-depth / 2.0 + 0.04, depth / 2.0 - reach);
    let plan = horseshoe(width - 2.0 * reach, front, back, 0.09);
    // Whole diamonds along the plan, measured at the crest.
    let (length, high) = (plan.length(), section.length());
    let count = (length / wide).round();
    let tufting = Tufting { wide: length / count, high: 0.095 };
    let ends = |s: f32| (s.min(1.0 - s) * length / 0.05).clamp(0.0, 1.0);
    let at = move |s: f32, t: f32| Vec2::new((s - 0.5) * length, t * high - 0.14);
    let padding = move |s: f32, t: f32| {
        // Tufted from the seat to over the roll.
        let share = (1.0 - (t * high - 0.50) / 0.04).clamp(0.0, 1.0) * ends(s);
        share * (0.040 * tufting.diamonds(at(s, t)) - 0.012)
    };
    let columns = ((count * 9.0) as usize).min(150);
    let place = |s: f32, t: f32| {
        let p = section.at(t);
        on_plan(&plan, s, p.x, p.y)
    };
    piece.add(padded(columns, 52, place, |s, t| -padding(s, t)), role);
    let mut buttons = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    for p in tufting.buttons(Vec2::new(0.06 - length / 2.0, -0.10), Vec2::new(length / 2.0 - 0.06, 0.36)) {
        let (s, t) = (p.x / length + 0.5, (p.y + 0.14) / high);
        let middle = place(s, t);
        let facing = (place(s + 0.004, t) - middle).cross(place(s, t + 0.01) - middle).normalize_or_zero();
        let at = middle + facing * 0.010;
        buttons = buttons.with(button(0.011, facing).moved(at.x, at.y, at.z));
    }
    piece.add(buttons, role);
    for side in [-1.0, 1.0] {
        scroll_front(piece, role, section_outline(&section, side), front, side * (width / 2.0 - reach));
    }
}

fn section_outline(section: &Profile, side: f32) -> Vec<Vec2> {
    let mut outline: Vec<Vec2> = (0..48).map(|i| section.at(i as f32 / 47.0)).collect();
    let low = outline[outline.len() - 1].y;
    outline.push(Vec2::new(0.0, low));
    outline.iter_mut().for_each(|p| p.x *= side);
    if side > 0.0 {
        outline.reverse();
    }
    outline
}

/// The front of a rolled arm: a panel with piping and nails.
fn scroll_front(piece: &mut Piece, role: Role, outline: Vec<Vec2>, front: f32, x: f32) {
    piece.add(face_along_y(&outline, 0.024, 0.010).moved(x, front - 0.006, 0.0), role);
    let center = outline.iter().copied().sum::<Vec2>() / outline.len() as f32;
    let inner: Vec<Vec3> = outline
        .iter()
        .map(|p| *p + (center - *p).normalize_or_zero() * 0.018)
        .map(|p| Vec3::new(p.x + x, front - 0.019, p.y))
        .collect();
    let closed: Vec<Vec2> = inner.iter().chain(inner.first()).map(|p| Vec2::new(p.x, p.z)).collect();
    let line = Profile::new(closed);
    let count = (line.length() / 0.024) as usize;
    let mut row = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    for i in 0..count {
        let p = line.at(i as f32 / count as f32);
        row = row.with(ball_of(0.0075, 3, 5).moved(p.x, front - 0.017, p.y));
    }
    piece.add(row, Role::Metal);
    let rim: Vec<Vec3> = outline.iter().map(|p| Vec3::new(p.x + x, front - 0.012, p.y)).collect();
    piece.add(tube(&rim, 0.005, 5, true), role);
}

/// A plump, heavily rounded block of padding, standing on z = 0.
pub(super) fn plump(size: Vec3, radius: f32, seed: u32) -> Solid {
    let flats = (size / 0.065).round().clamp(Vec3::splat(2.0), Vec3::splat(20.0)).as_uvec3();
    rounded_in(size, radius, 4, [flats.x as usize, flats.y as usize, flats.z as usize], |p, normal| {
        let half = size / 2.0;
        let share = (p / half).clamp(Vec3::splat(-1.0), Vec3::ONE);
        let open = (Vec3::ONE - share * share).max(Vec3::ZERO);
        let bulge = normal.abs().dot(Vec3::new(open.y * open.z, open.x * open.z, open.x * open.y)).max(0.0).sqrt();
        let lumps = (value_noise(p * 4.5, seed) - 0.5) * 0.022 + (value_noise(p * 11.0, seed + 1) - 0.5) * 0.006;
        p + normal * (0.022 * bulge + lumps)
    })
}

/// Low, deep and soft, without visible legs.
pub(super) fn cloud(width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, arm, back_top, foot) = (1.02, 0.42, 0.25, 0.72, 0.035);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let inner = width - 2.0 * arm;
    let plinth = Vec3::new(width - 0.16, depth - 0.16, foot + 0.01);
    piece.add(crate::shape::block(plinth, 0.004), Role::DarkWood);
    let base = plump(Vec3::new(width - 0.05, depth - 0.05, 0.19), 0.07, seed(rng));
    piece.add(base.moved(0.0, 0.0, foot), Role::Sofa);
    for side in [-1.0, 1.0] {
        let solid = plump(Vec3::new(arm, depth - 0.05, 0.42), 0.115, seed(rng));
        piece.add(solid.moved(side * (width - arm - 0.03) / 2.0, -0.005, 0.17), Role::Sofa);
    }
    // The frame behind the back cushions.
    let rear = plump(Vec3::new(inner + 0.16, 0.17, 0.36), 0.08, 21);
    piece.add(rear.moved(0.0, depth / 2.0 - 0.12, 0.17), Role::Sofa);
    let count = if width > 2.2 { 3 } else { 2 };
    let one = inner / count as f32;
    for i in 0..count {
        let x = (i as f32 + 0.5) * one - inner / 2.0;
        let solid = plump(Vec3::new(one + 0.02, 0.76, 0.225), 0.095, seed(rng));
        piece.add(solid.moved(x, -0.115, seat - 0.215), Role::Sofa);
        let solid = plump(Vec3::new(one + 0.03, 0.27, 0.40), 0.12, seed(rng)).pitched(-0.14);
        piece.add(solid.moved(x, depth / 2.0 - 0.215, seat - 0.10), Role::Sofa);
    }
    Nook { half: inner / 2.0, back: depth / 2.0 - 0.35, seat: seat + 0.02, lean: 0.25, high: back_top - seat + 0.06 }
        .dress(&mut piece, rng);
    let y = [-depth / 2.0 - 0.02, -depth / 2.0 - 0.012, -depth / 2.0 + 0.06, -0.12, 0.10];
    let z = [0.16, seat - 0.08, seat + 0.045, seat + 0.075, seat + 0.06];
    let line: Vec<Vec3> = y.into_iter().zip(z).map(|(y, z)| Vec3::new(0.0, y, z)).collect();
    if rng.random_bool(0.7) {
        throw_along(&mut piece, &line, inner * 0.20, 0.44, rng);
    }
    piece
}

/// A shell that curves around the seat, its inside in upright channels.
pub(super) struct Shell {
    /// Its middle line in plan, from the right front around the back to the left front.
    pub(super) plan: Profile,
    /// Meters.
    pub(super) thick: f32,
    pub(super) low: f32,
    /// Height in the middle of the back, and at the fronts of the arms.
    pub(super) top: [f32; 2],
    /// Number and depth of the channels; none with a depth of 0.
    pub(super) channels: (f32, f32),
    /// How far its top leans outward.
    pub(super) lean: f32,
}

impl Shell {
    fn height(&self, s: f32) -> f32 {
        let side = (2.0 * s - 1.0).abs().min(1.0);
        let ease = side * side * (3.0 - 2.0 * side);
        self.top[0] + (self.top[1] - self.top[0]) * ease.powf(1.3)
    }

    fn place(&self, s: f32, t: f32) -> Vec3 {
        let length = self.plan.length();
        let top = self.height(s);
        let half = self.thick / 2.0;
        // The ends of the shell are round in plan.
        let end = ((1.0 - (2.0 * s - 1.0).abs()) * length / 2.0 / half).clamp(0.0, 1.0);
        let scale = (1.0 - (1.0 - end).powi(2)).sqrt();
        // Up the inside, over the rim, down the outside.
        let rim = half;
        let straight = top - rim - self.low;
        let total = 2.0 * straight + PI * rim;
        let way = t.clamp(0.0, 1.0) * total;
        let (across, z) = if way < straight {
            (-half, self.low + way)
        } else if way < straight + PI * rim {
            let turn = (way - straight) / rim;
            (-half * turn.cos(), top - rim + rim * turn.sin() * (0.4 + 0.6 * scale))
        } else {
            (half, self.low + total - way)
        };
        let up = ((z - self.low) / (top - self.low)).clamp(0.0, 1.0);
        let lean = self.lean * up * up * (1.0 - (2.0 * s - 1.0).abs().powi(3));
        on_plan(&self.plan, s.clamp(0.0, 1.0), across * scale + lean, z)
    }

    /// The shell.
    pub(super) fn solid(&self) -> Solid {
        let (count, deep) = self.channels;
        let length = self.plan.length();
        let columns = if deep > 0.0 { (count * 9.0) as usize } else { (length / 0.035) as usize }.max(40);
        // Vertices gather where the ends are round.
        padded(
            columns + 1,
            34,
            |s, t| self.place(s, t),
            |s, t| {
                let inside = (1.0 - (t - 0.50) / 0.06).clamp(0.0, 1.0);
                let ends = ((1.0 - (2.0 * s - 1.0).abs()) * length / 0.10).clamp(0.0, 1.0);
                -deep * (channel(s, count) - 0.5) * inside * ends
            },
        )
    }

    /// Outline of all that it encloses, its front between the ends of the arms, drawn in by `inset` from its outside.
    fn around(&self, inset: f32) -> Vec<Vec2> {
        // Behind its very ends, where the shell is as thin as its plan.
        let end = (inset + 0.03) / self.plan.length();
        let at = |i: i32| end + (1.0 - 2.0 * end) * i as f32 / 60.0;
        let across = |s: f32| {
            let near = (s.min(1.0 - s) * self.plan.length() / (self.thick / 2.0)).clamp(0.0, 1.0);
            self.thick / 2.0 * (1.0 - (1.0 - near).powi(2)).sqrt() - inset
        };
        (0..=60).map(at).map(|s| on_plan(&self.plan, s, across(s), 0.0).truncate()).collect()
    }

    /// The cloth under it.
    pub(super) fn bottom(&self) -> Solid {
        plate(&self.around(0.008), 0.016, 0.006).moved(0.0, 0.0, self.low - 0.004)
    }

    /// A plinth under it, its sides set back.
    pub(super) fn plinth(&self, inset: f32) -> Solid {
        plate(&self.around(inset), self.low + 0.004, 0.004)
    }

    /// Outline of the seat inside it, its front bulging by `bulge` beyond the arms.
    pub(super) fn seat(&self, bulge: f32, gap: f32) -> Vec<Vec2> {
        let mut outline: Vec<Vec2> = (0..=28)
            .map(|i| 0.04 + 0.92 * i as f32 / 28.0)
            .map(|s| on_plan(&self.plan, s, -self.thick / 2.0 - gap, 0.0).truncate())
            .collect();
        let (left, right) = (outline[outline.len() - 1], outline[0]);
        outline.extend((1..12).map(|i| {
            let t = i as f32 / 12.0;
            left.lerp(right, t) - Vec2::Y * bulge * (PI * t).sin().powf(0.7)
        }));
        outline
    }
}

/// A plan along a superellipse around `center`, with half axes, from an angle below the right side to the left.
pub(super) fn bow(center: Vec2, half: Vec2, below: f32, power: f32) -> Profile {
    let points = (0..=64)
        .map(|i| {
            let turn = -below + (PI + 2.0 * below) * i as f32 / 64.0;
            let (sin, cos) = turn.sin_cos();
            let bent = |v: f32| v.signum() * v.abs().powf(power);
            center + half * Vec2::new(bent(cos), bent(sin))
        })
        .collect();
    Profile::new(points)
}

/// A curved back in channels around a rounded seat, on a plinth of metal.
pub(super) fn channeled(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, top) = (0.96, 0.43, 0.78);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, top));
    let thick = 0.15;
    let half = Vec2::new(width / 2.0 - thick / 2.0 - 0.012, depth - thick / 2.0 - 0.30);
    let plan = bow(Vec2::new(0.0, depth / 2.0 - half.y - thick / 2.0 - 0.03), half, 0.22, 0.72);
    let count = (plan.length() / 0.105).round();
    let shell = Shell { plan, thick, low: 0.10, top: [top, 0.60], channels: (count, 0.026), lean: 0.035 };
    piece.add(shell.solid(), Role::Sofa);
    piece.add(shell.bottom(), Role::Sofa);
    let outline = shell.seat(0.07, -0.012);
    piece.add(pad(&outline, 0.19, 0.06, 0.030, seed(rng)).moved(0.0, 0.0, seat - 0.21), Role::Sofa);
    let under = shell.seat(0.05, 0.004);
    piece.add(pad(&under, 0.146, 0.03, 0.0, seed(rng)).moved(0.0, 0.0, 0.094), Role::Sofa);
    let mut rim: Vec<Vec3> = outline.iter().map(|p| p.extend(seat - 0.055)).collect();
    rim.dedup();
    piece.add(tube(&rim, 0.005, 6, true), Role::Sofa);
    if palette.on_metal {
        piece.add(shell.plinth(0.045), Role::Metal);
    } else {
        stand(&mut piece, Feet::Splayed, width / 2.0 - 0.28, depth / 2.0 - 0.24, 0.105);
    }
    Nook {
        half: width / 2.0 - 0.30,
        back: depth / 2.0 - 0.24,
        seat: seat + 0.015,
        lean: 0.14,
        high: top - seat + 0.02,
    }
    .dress(&mut piece, rng);
    piece
}
