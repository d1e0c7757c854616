//! Headboards, and footboards where a frame has them.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::bed_frame::Frame;
use super::dressing::seed;
use super::sofa_parts::face_along_y;
use super::sofa_shells::Shell;
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::Piece;
use crate::shape::joinery::{Profile, bar, bent, dowel, turned_leg};
use crate::shape::upholstery::{Cushion, Tufting, ball_of, button, pad, padded};
use crate::shape::{ball, block, rod, tube};

/// Upholstered panels side by side in a padded border.
pub(super) fn panels(piece: &mut Piece, frame: &Frame, rng: &mut Rng) {
    let (wide, low) = (2.0 * frame.half - 0.012, 0.14);
    let back = Cushion::new(wide, frame.high - low, 0.07, seed(rng)).edged(0.022).filled(0.006, 0.5).standing();
    piece.add(back.moved(0.0, frame.head - 0.045, low), Role::Headboard);
    let count = if frame.width > 1.2 { 4 } else { 2 };
    let inner = wide - 0.10;
    for i in 0..count {
        let one = inner / count as f32;
        let x = (i as f32 + 0.5) * one - inner / 2.0;
        let panel = Cushion::new(one - 0.003, frame.high - 0.36, 0.055, seed(rng)).edged(0.024).filled(0.020, 0.6);
        piece.add(panel.standing().moved(x, frame.head - 0.092, 0.31), Role::Headboard);
    }
}

/// Upright channels with a rounded top.
pub(super) fn channeled(piece: &mut Piece, frame: &Frame) {
    let x = frame.half - 0.06;
    let y = frame.head - 0.065;
    let plan = Profile::new(vec![Vec2::new(x + 0.05, y), Vec2::new(-x - 0.05, y)]);
    let count = (2.0 * frame.half / 0.125).round();
    let shell = Shell { plan, thick: 0.10, low: 0.10, top: [frame.high; 2], channels: (count, 0.028), lean: 0.0 };
    piece.add(shell.solid(), Role::Headboard);
}

/// Diamond tufting between wings, with nails.
pub(super) fn winged(piece: &mut Piece, frame: &Frame, rng: &mut Rng) {
    let low = 0.12;
    let wide = 2.0 * frame.half - 0.15;
    let (bottom, top) = (0.42, frame.high - 0.075);
    let back = Cushion::new(wide + 0.08, frame.high - low, 0.06, seed(rng)).edged(0.025).filled(0.003, 0.4).standing();
    piece.add(back.moved(0.0, frame.head - 0.035, low), Role::Headboard);
    let tufting = Tufting { wide: wide / (wide / 0.20).round(), high: 0.115 };
    let middle = Vec3::new(0.0, frame.head - 0.062, (bottom + top) / 2.0);
    let at = move |s: f32, t: f32| Vec2::new((s - 0.5) * wide, (t - 0.5) * (top - bottom));
    let fade = move |p: Vec2| {
        let near = (wide / 2.0 - p.x.abs()).min((top - bottom) / 2.0 - p.y.abs());
        (near / 0.035).clamp(0.0, 1.0).sqrt()
    };
    let columns = ((wide / 0.023) as usize).min(80);
    let face = padded(
        columns,
        36,
        |s, t| middle + Vec3::new(at(s, t).x, 0.0, at(s, t).y),
        |s, t| 0.054 * tufting.diamonds(at(s, t)) * fade(at(s, t)),
    );
    piece.add(face, Role::Headboard);
    let reach = Vec2::new(wide / 2.0 - 0.04, (top - bottom) / 2.0 - 0.03);
    let mut buttons = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    for p in tufting.buttons(-reach, reach) {
        buttons = buttons.with(button(0.013, Vec3::Y).moved(p.x, middle.y - 0.004, middle.z + p.y));
    }
    piece.add(buttons, Role::Headboard);
    for side in [-1.0, 1.0] {
        let wing = Cushion::new(0.19, frame.high - low, 0.07, seed(rng)).edged(0.026).filled(0.010, 0.4).sideways();
        piece.add(wing.moved(side * (frame.half - 0.042), frame.head - 0.10, low), Role::Headboard);
        let y = frame.head - 0.197;
        let count = ((frame.high - low - 0.05) / 0.03) as usize;
        let mut row = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
        for i in 0..count {
            row = row.with(ball_of(0.008, 3, 5).moved(side * (frame.half - 0.042), y, low + 0.03 + 0.03 * i as f32));
        }
        piece.add(row, Role::Metal);
    }
}

/// Boards between posts.
pub(super) fn slatted(piece: &mut Piece, frame: &Frame) {
    let (x, y) = (frame.half - 0.03, frame.head - 0.04);
    for side in [-1.0, 1.0] {
        let at = |z: f32| Vec3::new(side * x, y, z);
        piece.add(bar(at(0.0), at(frame.high), 0.055, 0.055, side), Role::Wood);
    }
    let rows = 5;
    let step = (frame.high - 0.40) / rows as f32;
    for i in 0..rows {
        let z = 0.40 + step * (i as f32 + 0.5);
        let solid = bar(Vec3::new(-x, y, z), Vec3::new(x, y, z), 0.024, step - 0.016, i as f32);
        piece.add(solid, Role::Wood);
    }
    let cap = Vec3::new(0.0, y, frame.high - 0.004);
    piece.add(bar(cap - Vec3::X * (x + 0.03), cap + Vec3::X * (x + 0.03), 0.075, 0.024, 9.0), Role::Wood);
}

/// Open cane in frames.
pub(super) fn caned(piece: &mut Piece, frame: &Frame) {
    let (x, y) = (frame.half - 0.03, frame.head - 0.035);
    let count = if frame.width > 1.2 { 3 } else { 2 };
    for i in 0..=count {
        let x = -x + 2.0 * x * i as f32 / count as f32;
        let low = if i == 0 || i == count { 0.0 } else { 0.36 };
        piece.add(bar(Vec3::new(x, y, low), Vec3::new(x, y, frame.high), 0.05, 0.045, i as f32), Role::Wood);
    }
    for (i, z) in [0.38, frame.high - 0.025].into_iter().enumerate() {
        piece.add(bar(Vec3::new(-x, y, z), Vec3::new(x, y, z), 0.045, 0.052, 5.0 + i as f32), Role::Wood);
    }
    piece.add(block(Vec3::new(2.0 * x, 0.003, frame.high - 0.40), 0.001).moved(0.0, y, 0.39), Role::Webbing);
}

/// Two wide planks that lean.
pub(super) fn planks(piece: &mut Piece, frame: &Frame) {
    let wide = 2.0 * frame.half - 0.01;
    for i in 0..2 {
        let plank = block(Vec3::new(wide, 0.032, 0.235), 0.007).grained(0, i as f32 + 1.0).pitched(-0.08);
        piece.add(plank.moved(0.0, frame.head - 0.075 + i as f32 * 0.020, 0.285 + i as f32 * 0.255), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        let x = side * frame.width * 0.33;
        let (from, to) = (Vec3::new(x, frame.head - 0.062, 0.17), Vec3::new(x, frame.head - 0.014, 0.76));
        piece.add(bar(from, to, 0.07, 0.03, side), Role::Wood);
    }
}

/// Tubes with uprights, at the head and lower at the foot.
pub(super) fn metal(piece: &mut Piece, frame: &Frame) {
    for (y, high) in [(frame.head - 0.03, frame.high), (frame.foot + 0.03, 0.62)] {
        let x = frame.half - 0.026;
        let at = |x: f32, z: f32| Vec3::new(x, y, z);
        let r = 0.10;
        let arch = [
            at(-x, 0.0),
            at(-x, high * 0.5),
            at(-x, high - r - 0.02),
            at(-x + r * 0.35, high - r * 0.35 - 0.016),
            at(-x + r, high - 0.016),
            at(0.0, high - 0.016),
            at(x - r, high - 0.016),
            at(x - r * 0.35, high - r * 0.35 - 0.016),
            at(x, high - r - 0.02),
            at(x, high * 0.5),
            at(x, 0.0),
        ];
        piece.add(bent(&arch, 0.016), Role::DarkMetal);
        let (low, upper) = (0.34, high - 0.16);
        for z in [low, upper] {
            piece.add(rod(at(-x, z), at(x, z), 0.010), Role::DarkMetal);
        }
        let count = (2.0 * x / 0.15).round() as usize;
        for i in 1..count {
            let x = -x + 2.0 * x * i as f32 / count as f32;
            piece.add(rod(at(x, low), at(x, upper), 0.0075), Role::DarkMetal);
            piece.add(ball(0.014).moved(x, y, upper), Role::DarkMetal);
        }
        for side in [-1.0, 1.0] {
            piece.add(rod(at(side * x, 0.0), at(side * x, 0.012), 0.022), Role::DarkMetal);
        }
    }
}

/// Turned posts and spindles, at the head and lower at the foot.
pub(super) fn spindled(piece: &mut Piece, frame: &Frame) {
    for (y, high, rail) in [(frame.head - 0.045, frame.high, 1.06), (frame.foot + 0.045, 0.80, 0.64)] {
        let x = frame.half - 0.04;
        for side in [-1.0, 1.0] {
            let at = |z: f32| Vec3::new(side * x, y, z);
            piece.add(bar(at(0.10), at(0.46), 0.072, 0.072, side), Role::Wood);
            piece.add(turned_leg(0.11, 0.036, side).moved(side * x, y, 0.0), Role::Wood);
            let post = turned_leg(high - 0.50, 0.034, side + 2.0).pitched(std::f32::consts::PI);
            piece.add(post.moved(side * x, y, high - 0.055), Role::Wood);
            piece.add(ball(0.036).grained(2, side).moved(side * x, y, high - 0.036), Role::Wood);
        }
        for (i, z) in [0.42, rail].into_iter().enumerate() {
            piece.add(bar(Vec3::new(-x, y, z), Vec3::new(x, y, z), 0.032, 0.06, i as f32 + y), Role::Wood);
        }
        let count = (2.0 * x / 0.125).round() as usize;
        for i in 1..count {
            let x = -x + 2.0 * x * i as f32 / count as f32;
            let middle = (0.45 + rail) / 2.0;
            piece.add(dowel(Vec3::new(x, y, 0.44), Vec3::new(x, y, middle), 0.0085, 0.014, i as f32), Role::Wood);
            piece.add(dowel(Vec3::new(x, y, rail), Vec3::new(x, y, middle), 0.0085, 0.014, i as f32), Role::Wood);
        }
    }
}

/// An arch with a padded middle.
pub(super) fn arched(piece: &mut Piece, palette: &Palette, frame: &Frame, rng: &mut Rng) {
    let x = frame.half - 0.008;
    let arch = |inset: f32, low: f32| -> Vec<Vec2> {
        let (half, shoulder) = (x - inset, frame.high - 0.46);
        let mut outline = vec![Vec2::new(-half, low), Vec2::new(half, low)];
        outline.extend((0..=40).map(|i| {
            let turn = std::f32::consts::PI * i as f32 / 40.0;
            let bent = |v: f32| v.signum() * v.abs().powf(0.82);
            Vec2::new(half * bent(turn.cos()), shoulder + (0.46 - inset) * bent(turn.sin()))
        }));
        outline
    };
    let outline = arch(0.0, 0.12);
    let is_caned = palette.materials[Role::Headboard as usize].kind == crate::material::Kind::Cane;
    let rim: Vec<Vec3> = outline.iter().map(|p| Vec3::new(p.x, frame.head - 0.075, p.y)).collect();
    if is_caned {
        let middle: Vec<Vec3> = arch(0.022, 0.14).iter().map(|p| Vec3::new(p.x, frame.head - 0.04, p.y)).collect();
        piece.add(tube(&middle, 0.021, 10, true).grained(0, 1.0), Role::Wood);
        piece.add(face_along_y(&arch(0.03, 0.30), 0.003, 0.001).moved(0.0, frame.head - 0.04, 0.0), Role::Webbing);
        let inner: Vec<Vec3> = arch(0.17, 0.30).iter().map(|p| Vec3::new(p.x, frame.head - 0.042, p.y)).collect();
        piece.add(tube(&inner, 0.012, 8, true).grained(0, 2.0), Role::Wood);
        return;
    }
    piece.add(face_along_y(&outline, 0.075, 0.022).moved(0.0, frame.head - 0.040, 0.0), Role::Headboard);
    piece.add(tube(&rim, 0.005, 6, true), Role::Headboard);
    let padding = pad(&arch(0.13, 0.20), 0.030, 0.018, 0.014, seed(rng));
    piece.add(padding.pitched(std::f32::consts::FRAC_PI_2).moved(0.0, frame.head - 0.075, 0.0), Role::Headboard);
}
