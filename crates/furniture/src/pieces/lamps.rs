//! Floor lamps, and the parts that lamps share.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::joinery::{bar, disc, slanted, smooth_line, spun};
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, lathe, leg, sheet, tube};

/// A cloth lampshade with bound rims, open at both ends: radii at the bottom and top, and height.
pub(super) fn shade(below: f32, above: f32, height: f32) -> Solid {
    let at = |t: f32, inset: f32| [below + (above - below) * t - inset, height * t];
    let mut outline: Vec<[f32; 2]> = vec![at(0.0, 0.004), at(0.0, -0.0012), at(0.018, -0.0012), at(0.022, 0.0)];
    outline.extend((1..6).map(|i| at(i as f32 / 6.0, 0.0)));
    outline.extend([at(0.978, 0.0), at(0.982, -0.0012), at(1.0, -0.0012), at(1.0, 0.004)]);
    outline.extend((0..=6).map(|i| at(1.0 - i as f32 / 6.0, 0.004)));
    lathe(&outline, 64)
}

/// A pleated shade.
pub(super) fn pleated(below: f32, above: f32, height: f32) -> Solid {
    sheet(64 * 4 + 1, 5, |u, v| {
        let fold = ((u * 64.0).fract() - 0.5).abs() * 0.010;
        let r = below + (above - below) * v - fold;
        (Vec2::from_angle(u * TAU) * r).extend(v * height)
    })
}

/// A paper lantern with ribs: a flattened ball from z = 0.
pub(super) fn paper_ball(radius: f32, height: f32) -> Solid {
    let rings = (height / 0.026) as usize;
    let outline: Vec<[f32; 2]> = (0..=rings * 4)
        .map(|i| i as f32 / (rings * 4) as f32)
        .map(|t| {
            // An ellipse, open above and below.
            let round = (1.0 - (0.95 * (2.0 * t - 1.0)).powi(2)).sqrt();
            let rib = 0.006 * (t * rings as f32 * PI).sin().abs();
            [radius * round + rib - 0.006, height * t]
        })
        .collect();
    lathe(&outline, 64)
}

/// A weighted round foot.
pub(super) fn foot(radius: f32) -> Solid {
    spun(
        &[
            [0.0, 0.0],
            [radius, 0.0],
            [radius, 0.018],
            [radius * 0.94, 0.024],
            [0.016, 0.026],
            [0.012, 0.05],
            [0.0, 0.05],
        ],
        64,
    )
}

/// A bulb that glows.
pub(super) fn bulb(radius: f32) -> Solid {
    ball(radius)
}

/// A floor lamp of a form.
#[must_use]
pub fn floor_lamp(form: usize) -> Piece {
    let sized = |x: f32, y: f32, z: f32| Piece::new(PieceKind::FloorLamp, Vec3::new(x, y, z));
    match form {
        1 => arc(sized(0.72, 0.38, 1.82)),
        2 => reading(sized(0.42, 0.34, 1.50)),
        3 => lantern(sized(0.44, 0.44, 1.52)),
        4 => rattan(sized(0.46, 0.46, 1.55)),
        5 => column(sized(0.42, 0.42, 1.60)),
        6 => turned(sized(0.46, 0.46, 1.62)),
        7 => globes(sized(0.40, 0.34, 1.60)),
        _ => tripod(sized(0.58, 0.58, 1.55)),
    }
}

fn tripod(mut piece: Piece) -> Piece {
    for i in 0..3 {
        let away = Vec2::from_angle(TAU * (i as f32 + 0.5) / 3.0);
        let solid = slanted(leg(1.24, 0.014, 0.010), 1.24, away * 0.235).grained(2, i as f32);
        piece.add(solid.moved(away.x * 0.030, away.y * 0.030, 0.0), Role::Wood);
    }
    piece.add(
        spun(&[[0.0, 1.17], [0.048, 1.17], [0.052, 1.20], [0.034, 1.245], [0.012, 1.25], [0.0, 1.25]], 32),
        Role::Metal,
    );
    bar(&mut piece, [0.0, 0.0, 1.24], [0.0, 0.0, 1.36], 0.009, Role::Metal);
    piece.add(disc(0.26, 0.26, 0.010).grained(0, 1.0).moved(0.0, 0.0, 0.46), Role::Wood);
    piece.add(shade(0.235, 0.19, 0.29).moved(0.0, 0.0, 1.26), Role::Shade);
    piece.add(bulb(0.03).moved(0.0, 0.0, 1.38), Role::Shade);
    piece
}

/// A bow that reaches over a seat from a block of stone.
fn arc(mut piece: Piece) -> Piece {
    let x = -0.20;
    piece.add(spun(&[[0.0, 0.0], [0.135, 0.0], [0.135, 0.055], [0.0, 0.055]], 64).moved(x, 0.0, 0.0), Role::Marble);
    let mut path = vec![Vec3::new(x, 0.0, 0.05), Vec3::new(x, 0.0, 0.6), Vec3::new(x, 0.0, 1.25)];
    path.extend((1..=16).map(|i| {
        let a = PI * 0.94 * i as f32 / 16.0;
        Vec3::new(x + 0.20 - 0.20 * a.cos(), 0.0, 1.25 + 0.55 * a.sin().max(0.0).powf(0.8) * (1.0 - 0.12 * a / PI))
    }));
    let end = path[path.len() - 1];
    piece.add(tube(&path, 0.010, 12, false), Role::Metal);
    let (tall, r) = (0.15, 0.155);
    let dome: Vec<[f32; 2]> =
        (0..=12).map(|i| PI / 2.0 * i as f32 / 12.0).map(|a| [r * a.cos().max(0.05), tall * a.sin()]).collect();
    let z = end.z - tall + 0.01;
    piece.add(lathe(&dome, 56).moved(end.x, 0.0, z), Role::Metal);
    let inside: Vec<[f32; 2]> = dome.iter().map(|p| [(p[0] - 0.004).max(0.0), p[1] - 0.004]).rev().collect();
    piece.add(lathe(&inside, 56).moved(end.x, 0.0, z), Role::Shade);
    piece
}

/// A slim lamp with a jointed arm and a small head.
fn reading(mut piece: Piece) -> Piece {
    piece.add(foot(0.125).moved(0.06, 0.0, 0.0), Role::Metal);
    bar(&mut piece, [0.06, 0.0, 0.02], [0.06, 0.0, 1.32], 0.0075, Role::Metal);
    piece.add(ball(0.014).moved(0.06, 0.0, 1.32), Role::Metal);
    bar(&mut piece, [0.12, 0.0, 1.30], [-0.11, 0.0, 1.42], 0.006, Role::Metal);
    piece.add(ball(0.012).moved(-0.11, 0.0, 1.42), Role::Metal);
    let cone = [[0.0, 0.0], [0.022, 0.0], [0.026, -0.03], [0.072, -0.15], [0.068, -0.148], [0.020, -0.032]];
    let reversed: Vec<[f32; 2]> = cone.iter().rev().copied().collect();
    piece.add(lathe(&reversed, 40).rolled(0.25).moved(-0.11, 0.0, 1.41), Role::Metal);
    piece.add(bulb(0.032).rolled(0.25).moved(-0.135, 0.0, 1.30), Role::Shade);
    piece
}

/// A tall paper lantern on a wooden tripod.
fn lantern(mut piece: Piece) -> Piece {
    for i in 0..3 {
        let away = Vec2::from_angle(TAU * i as f32 / 3.0 + 0.5);
        let solid = slanted(leg(0.42, 0.010, 0.008), 0.42, away * 0.09).grained(2, i as f32);
        piece.add(solid.moved(away.x * 0.09, away.y * 0.09, 0.0), Role::Wood);
    }
    piece.add(disc(0.22, 0.22, 0.012).grained(0, 1.0).moved(0.0, 0.0, 0.40), Role::Wood);
    piece.add(paper_ball(0.205, 1.08).moved(0.0, 0.0, 0.42), Role::Shade);
    piece
}

/// A woven shade on a bent stem.
fn rattan(mut piece: Piece) -> Piece {
    piece.add(foot(0.15), Role::DarkMetal);
    bar(&mut piece, [0.0, 0.0, 0.02], [0.0, 0.0, 1.26], 0.010, Role::DarkMetal);
    wicker(&mut piece, 1.18, 0.34, |t| 0.085 + 0.125 * (PI * (0.92 - 0.80 * t)).sin());
    bar(&mut piece, [0.0, 0.0, 1.24], [0.0, 0.0, 1.33], 0.016, Role::DarkMetal);
    piece.add(bulb(0.045).moved(0.0, 0.0, 1.37), Role::Shade);
    piece
}

/// An open lampshade of cane strands that cross, between bound rims: its radius by the share of its height.
pub(super) fn wicker(piece: &mut Piece, z: f32, height: f32, radius: impl Fn(f32) -> f32) {
    const STRANDS: usize = 34;
    let mut strands = Solid::default();
    for i in 0..STRANDS {
        for (way, off) in [(-0.55, 0.0), (0.55, 0.0035), (0.0, -0.003)] {
            let path: Vec<Vec3> = (0..=14)
                .map(|k| k as f32 / 14.0)
                .map(|t| {
                    let turn = TAU * i as f32 / STRANDS as f32 + way * t;
                    (Vec2::from_angle(turn) * (radius(t) + off)).extend(z + height * t)
                })
                .collect();
            strands = strands.with(tube(&path, 0.0021, 4, false));
        }
    }
    for t in [0.0, 0.05, 0.34, 0.37, 0.66, 0.69, 0.95, 1.0] {
        let thick = if t == 0.0 || t == 1.0 { 0.006 } else { 0.0032 };
        strands = strands.with(super::pots::ring(radius(t), z + height * t, thick));
    }
    piece.add(strands, Role::Cane);
}

/// A drum on a straight stem.
fn column(mut piece: Piece) -> Piece {
    piece.add(foot(0.145), Role::Metal);
    bar(&mut piece, [0.0, 0.0, 0.02], [0.0, 0.0, 1.40], 0.010, Role::Metal);
    bar(&mut piece, [0.05, 0.0, 1.20], [0.05, 0.0, 1.30], 0.0015, Role::Metal);
    piece.add(ball(0.007).moved(0.05, 0.0, 1.195), Role::Metal);
    piece.add(shade(0.205, 0.185, 0.29).moved(0.0, 0.0, 1.30), Role::Shade);
    piece.add(bulb(0.03).moved(0.0, 0.0, 1.40), Role::Shade);
    piece
}

/// A turned column with a pleated shade.
fn turned(mut piece: Piece) -> Piece {
    let line = smooth_line(
        &[
            [0.145, 0.0],
            [0.15, 0.018],
            [0.12, 0.034],
            [0.045, 0.055],
            [0.026, 0.09],
            [0.036, 0.15],
            [0.024, 0.20],
            [0.016, 0.26],
            [0.019, 0.60],
            [0.015, 0.88],
            [0.030, 0.92],
            [0.034, 0.98],
            [0.018, 1.06],
            [0.014, 1.14],
            [0.024, 1.16],
            [0.010, 1.20],
            [0.008, 1.34],
        ],
        5,
    );
    piece.add(lathe(&line, 36).grained(2, 1.0), Role::Wood);
    piece.add(pleated(0.23, 0.13, 0.30).moved(0.0, 0.0, 1.28), Role::Shade);
    piece.add(bulb(0.03).moved(0.0, 0.0, 1.38), Role::Shade);
    piece.add(ball(0.011).moved(0.0, 0.0, 1.59), Role::Brass);
    bar(&mut piece, [0.0, 0.0, 1.34], [0.0, 0.0, 1.59], 0.003, Role::Brass);
    piece
}

/// Three glass globes along a stem.
fn globes(mut piece: Piece) -> Piece {
    piece.add(foot(0.14), Role::Brass);
    bar(&mut piece, [0.0, 0.0, 0.02], [0.0, 0.0, 1.56], 0.009, Role::Brass);
    for (i, (x, z)) in [(0.10, 1.46), (-0.11, 1.28), (0.10, 1.08)].into_iter().enumerate() {
        bar(&mut piece, [0.0, 0.0, z - 0.04], [x * 0.85, 0.0, z - 0.06], 0.006, Role::Brass);
        piece.add(
            spun(&[[0.0, -0.02], [0.020, -0.02], [0.024, 0.012], [0.0, 0.012]], 24).moved(x, 0.0, z - 0.065),
            Role::Brass,
        );
        piece.add(ball(0.075 - 0.003 * i as f32).moved(x, 0.0, z), Role::Shade);
    }
    piece
}
