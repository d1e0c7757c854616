//! Floor lamps and table lamps.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::joinery::{bar, disc, slanted, smooth_line, spun, vessel};
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
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
fn pleated(below: f32, above: f32, height: f32) -> Solid {
    sheet(64 * 4 + 1, 5, |u, v| {
        let fold = ((u * 64.0).fract() - 0.5).abs() * 0.010;
        let r = below + (above - below) * v - fold;
        (Vec2::from_angle(u * TAU) * r).extend(v * height)
    })
}

/// A paper lantern with ribs: a flattened ball from z = 0.
pub(super) fn paper_ball(radius: f32, height: f32) -> Solid {
    let rings = (height / 0.020) as usize;
    let outline: Vec<[f32; 2]> = (0..=rings * 4)
        .map(|i| i as f32 / (rings * 4) as f32)
        .map(|t| {
            let round = (PI * (0.07 + 0.86 * t)).sin().powf(0.75);
            let rib = 0.0035 * (t * rings as f32 * PI).sin().abs();
            [radius * round + rib - 0.0035, height * t]
        })
        .collect();
    lathe(&outline, 64)
}

/// A weighted round foot.
fn foot(radius: f32) -> Solid {
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
fn bulb(radius: f32) -> Solid {
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

/// A form of table lamp that suits a style.
pub(super) fn table_form(palette: &Palette, rng: &mut Rng) -> usize {
    usize::from(super::forms::fitting(PieceKind::TableLamp, palette.style, rng))
}

/// A table lamp of a form.
#[must_use]
pub fn table_lamp(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::TableLamp, Vec3::new(0.32, 0.32, 0.50));
    let glaze = rng.pick(&[Role::Ceramic, Role::DarkCeramic]);
    match form {
        1 => {
            // A globe of clear glass with a brass neck.
            let line = smooth_line(&[[0.05, 0.018], [0.092, 0.07], [0.098, 0.13], [0.066, 0.20], [0.022, 0.245]], 6);
            piece.add(vessel(&line, 0.004, 0.95, 48), Role::Glass);
            piece.add(spun(&[[0.0, 0.0], [0.062, 0.0], [0.062, 0.018], [0.0, 0.018]], 40), Role::Brass);
            piece.add(
                spun(&[[0.0, 0.238], [0.026, 0.238], [0.026, 0.256], [0.008, 0.262], [0.0, 0.30]], 28),
                Role::Brass,
            );
            bar(&mut piece, [0.0, 0.0, 0.018], [0.0, 0.0, 0.30], 0.004, Role::Brass);
            topped(&mut piece, 0.155, 0.115, 0.20);
        }
        2 => mushroom(&mut piece, glaze),
        3 => task(&mut piece),
        4 => {
            let line = smooth_line(
                &[
                    [0.070, 0.0],
                    [0.072, 0.014],
                    [0.040, 0.03],
                    [0.026, 0.05],
                    [0.046, 0.09],
                    [0.054, 0.13],
                    [0.030, 0.18],
                    [0.020, 0.20],
                    [0.030, 0.215],
                    [0.016, 0.24],
                    [0.008, 0.30],
                ],
                6,
            );
            piece.add(lathe(&line, 36).grained(2, 1.0), Role::Wood);
            if palette.is_round {
                piece.add(pleated(0.155, 0.095, 0.19).moved(0.0, 0.0, 0.28), Role::Shade);
                piece.add(bulb(0.026).moved(0.0, 0.0, 0.36), Role::Shade);
            } else {
                topped(&mut piece, 0.150, 0.110, 0.20);
            }
        }
        5 => {
            piece.add(paper_ball(0.125, 0.24).moved(0.0, 0.0, 0.11), Role::Shade);
            for i in 0..3 {
                let away = Vec2::from_angle(TAU * i as f32 / 3.0 + 0.5) * 0.055;
                let solid = slanted(leg(0.13, 0.008, 0.006), 0.13, away * 0.5).grained(2, i as f32);
                piece.add(solid.moved(away.x, away.y, 0.0), Role::Wood);
            }
            piece.size.z = 0.36;
        }
        6 => {
            // Stacked brass balls.
            piece.add(spun(&[[0.0, 0.0], [0.070, 0.0], [0.070, 0.016], [0.0, 0.016]], 48), Role::Marble);
            for i in 0..3 {
                piece.add(ball(0.038 - 0.004 * i as f32).moved(0.0, 0.0, 0.050 + 0.066 * i as f32), Role::Metal);
            }
            bar(&mut piece, [0.0, 0.0, 0.016], [0.0, 0.0, 0.30], 0.006, Role::Metal);
            topped(&mut piece, 0.145, 0.125, 0.19);
        }
        _ => {
            let low = rng.random_bool_f32(0.5);
            let line: &[[f32; 2]] = if low {
                &[
                    [0.060, 0.0],
                    [0.088, 0.03],
                    [0.098, 0.09],
                    [0.084, 0.16],
                    [0.045, 0.21],
                    [0.018, 0.235],
                    [0.016, 0.25],
                ]
            } else {
                &[
                    [0.058, 0.0],
                    [0.062, 0.01],
                    [0.070, 0.08],
                    [0.076, 0.16],
                    [0.058, 0.21],
                    [0.022, 0.232],
                    [0.018, 0.25],
                ]
            };
            let mut closed = vec![[0.0, 0.0]];
            closed.extend(smooth_line(line, 6));
            closed.push([0.0, 0.25]);
            piece.add(lathe(&closed, 56), glaze);
            bar(&mut piece, [0.0, 0.0, 0.24], [0.0, 0.0, 0.32], 0.007, Role::Brass);
            topped(&mut piece, 0.155, 0.115, 0.20);
        }
    }
    piece
}

/// A shade with its bulb and finial over a base.
fn topped(piece: &mut Piece, below: f32, above: f32, height: f32) {
    let z = 0.285;
    piece.add(shade(below, above, height).moved(0.0, 0.0, z), Role::Shade);
    piece.add(bulb(0.026).moved(0.0, 0.0, z + 0.08), Role::Shade);
    bar(piece, [0.0, 0.0, 0.24], [0.0, 0.0, z + 0.06], 0.005, Role::Brass);
    for turn in [0.0, 2.094, 4.189] {
        let away = Vec2::from_angle(turn) * (above - 0.004);
        bar(piece, [0.0, 0.0, z + height - 0.012], [away.x, away.y, z + height - 0.012], 0.0015, Role::Brass);
    }
    piece.add(ball(0.008).moved(0.0, 0.0, z + height - 0.004), Role::Brass);
}

/// A dome on a column, of one color.
fn mushroom(piece: &mut Piece, role: Role) {
    let stem =
        smooth_line(&[[0.075, 0.0], [0.077, 0.012], [0.045, 0.03], [0.030, 0.08], [0.028, 0.20], [0.040, 0.25]], 6);
    let mut closed = vec![[0.0, 0.0]];
    closed.extend(stem);
    piece.add(lathe(&closed, 48), role);
    let dome: Vec<[f32; 2]> =
        (0..=14).map(|i| PI / 2.0 * i as f32 / 14.0).map(|a| [0.155 * a.cos(), 0.235 + 0.125 * a.sin()]).collect();
    piece.add(lathe(&dome, 64), role);
    let inside: Vec<[f32; 2]> = dome.iter().rev().map(|p| [(p[0] - 0.004).max(0.0), p[1] - 0.004]).collect();
    piece.add(lathe(&inside, 64), Role::Shade);
    piece.size.z = 0.37;
}

/// A jointed lamp for a desk.
fn task(piece: &mut Piece) {
    piece.add(foot(0.085).moved(0.03, 0.03, 0.0), Role::Metal);
    let joints = [Vec3::new(0.03, 0.03, 0.03), Vec3::new(0.09, 0.03, 0.25), Vec3::new(-0.06, 0.0, 0.44)];
    for pair in joints.windows(2) {
        for off in [-0.009, 0.009] {
            let y = Vec3::Y * off;
            bar(piece, (pair[0] + y).to_array(), (pair[1] + y).to_array(), 0.0042, Role::Metal);
        }
    }
    for at in &joints[1..] {
        piece.add(ball(0.014).moved(at.x, at.y, at.z), Role::Metal);
    }
    let cone = [[0.070, -0.115], [0.030, -0.03], [0.024, 0.02], [0.0, 0.024]];
    piece.add(lathe(&cone, 40).rolled(0.35).moved(-0.06, 0.0, 0.43), Role::Metal);
    let inside = [[0.0, 0.0], [0.028, -0.032], [0.067, -0.113]];
    piece.add(lathe(&inside, 40).rolled(0.35).moved(-0.06, 0.0, 0.43), Role::Shade);
}
