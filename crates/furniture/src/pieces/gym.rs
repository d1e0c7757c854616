//! Things to exercise with, and screens.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::joinery::{bar, board, slanted, spun};
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::bent;
use crate::shape::{block, lathe, plate, rod, rounded, tube};

/// A mat, flat or with a rolled one beside it.
#[must_use]
pub fn mat(form: usize) -> Piece {
    let size = Vec3::new(0.66, 1.80, if form == 1 { 0.12 } else { 0.012 });
    let mut piece = Piece::new(PieceKind::ExerciseMat, size);
    let outline: Vec<Vec2> = crate::shape::rim(0.64, 1.78, 0.03, 0.0).iter().map(|p| p.truncate()).collect();
    piece.add(plate(&outline, 0.007, 0.002), Role::PillowOne);
    if form == 1 {
        // One end is still rolled up.
        let spiral: Vec<Vec2> = (0..90)
            .map(|i| i as f32 / 89.0)
            .map(|t| Vec2::from_angle(-t * TAU * 4.0 - PI / 2.0) * (0.052 - 0.042 * t))
            .collect();
        let roll = crate::shape::sheet(2, 90, |u, v| {
            let p = spiral[((v * 89.0).round() as usize).min(89)];
            Vec3::new((u - 0.5) * 0.64, 0.82 + p.x, 0.056 + p.y)
        });
        piece.add(roll, Role::PillowOne);
    }
    piece
}

/// A large inflated ball.
#[must_use]
pub fn gym_ball() -> Piece {
    let r = 0.32;
    let mut piece = Piece::new(PieceKind::GymBall, Vec3::new(2.0 * r, 2.0 * r, 2.0 * r * 0.97));
    let outline: Vec<[f32; 2]> = (0..=180)
        .map(|i| i as f32 / 180.0)
        .map(|t| {
            let a = PI * (t - 0.5);
            let ridge = if (0.2..0.8).contains(&t) { 0.0034 * (t * 15.0 * PI).sin().powi(12) } else { 0.0 };
            [((r - 0.0034) * a.cos() + ridge).max(0.0), (r + r * 0.97 * a.sin()).max(0.0) * 0.985]
        })
        .collect();
    piece.add(lathe(&outline, 64), Role::BookThree);
    piece
}

/// A dumbbell along X about the origin, with hexagonal ends.
fn dumbbell(weight: f32) -> Vec<(Solid, Role)> {
    let (r, long) = (0.034 + 0.016 * weight, 0.055 + 0.020 * weight);
    let grip = smooth_grip();
    let mut parts = vec![(lathe(&grip, 20).rolled(PI / 2.0).moved(-0.07, 0.0, 0.0), Role::Mirror)];
    for side in [-1.0, 1.0] {
        let outline: Vec<Vec2> = (0..6).map(|i| Vec2::from_angle(TAU * (i as f32 + 0.5) / 6.0) * r).collect();
        let head = plate(&outline, long, 0.008).moved(0.0, 0.0, -long / 2.0).rolled(PI / 2.0);
        parts.push((head.moved(side * (0.065 + long / 2.0), 0.0, 0.0), Role::Rubber));
        let cap = spun(&[[0.0, 0.0], [r * 0.5, 0.0], [r * 0.5, 0.002], [0.0, 0.002]], 24).rolled(side * PI / 2.0);
        parts.push((cap.moved(side * (0.065 + long), 0.0, 0.0), Role::DarkMetal));
    }
    parts
}

/// The swelling grip of a dumbbell, 0.14 m long.
fn smooth_grip() -> Vec<[f32; 2]> {
    crate::joinery::smooth_line(&[[0.013, 0.0], [0.014, 0.02], [0.0165, 0.07], [0.014, 0.12], [0.013, 0.14]], 4)
}

/// Dumbbells on a rack of steel.
#[must_use]
pub fn dumbbell_rack() -> Piece {
    let size = Vec3::new(1.20, 0.52, 0.86);
    let mut piece = Piece::new(PieceKind::DumbbellRack, size);
    for side in [-1.0, 1.0] {
        let x = side * (size.x / 2.0 - 0.04);
        board(&mut piece, [0.06, size.y, 0.05], [x, 0.0, 0.0], Role::DarkMetal);
        let post = slanted(block(Vec3::new(0.05, 0.07, size.z - 0.05), 0.006), size.z, Vec2::new(0.0, -0.16));
        piece.add(post.moved(x, 0.18, 0.05), Role::DarkMetal);
    }
    for (row, z) in [0.20, 0.48, 0.76].into_iter().enumerate() {
        let y = 0.18 - 0.16 * (1.0 - z / size.z) - 0.06;
        for off in [-0.075, 0.075] {
            let rail = block(Vec3::new(size.x - 0.08, 0.030, 0.030), 0.003).moved(0.0, off, 0.0).pitched(-0.25);
            piece.add(rail.moved(0.0, y, z), Role::DarkMetal);
        }
        let count = 5 - row % 2;
        for i in 0..count {
            let weight = 1.9 - 0.8 * row as f32 - 0.12 * i as f32;
            let step = (size.x - 0.20) / count as f32;
            let x = (i as f32 + 0.5) * step - (size.x - 0.20) / 2.0;
            for (solid, role) in dumbbell(weight.max(0.1)) {
                let lift = 0.034 + 0.016 * weight.max(0.1) + 0.022;
                piece.add(solid.yawed(PI / 2.0).pitched(-0.25).moved(x, y, z + lift), role);
            }
        }
    }
    piece
}

/// A stationary bicycle.
#[must_use]
pub fn bike() -> Piece {
    let size = Vec3::new(0.54, 1.20, 1.22);
    let mut piece = Piece::new(PieceKind::ExerciseBike, size);
    let at = |y: f32, z: f32| Vec3::new(0.0, y, z);
    // Frame, seat post, stem.
    for (from, to, radius, role) in [
        (at(0.44, 0.07), at(0.08, 0.36), 0.036, Role::DarkMetal),
        (at(-0.46, 0.07), at(0.08, 0.36), 0.036, Role::DarkMetal),
        (at(0.08, 0.34), at(0.24, 0.78), 0.032, Role::DarkMetal),
        (at(0.19, 0.66), at(0.27, 0.90), 0.022, Role::Mirror),
        (at(-0.20, 0.22), at(-0.36, 0.86), 0.034, Role::DarkMetal),
        (at(-0.32, 0.78), at(-0.38, 1.04), 0.022, Role::Mirror),
    ] {
        piece.add(tube(&[from, to], radius, 16, false), role);
    }
    for y in [0.46, -0.46] {
        bar(&mut piece, [-0.25, y, 0.045], [0.25, y, 0.045], 0.030, Role::DarkMetal);
        for x in [-0.24, 0.24] {
            piece.add(rounded(Vec3::new(0.05, 0.075, 0.075), 0.02, 2, 1, |v, _| v).moved(x, y, 0.0), Role::Rubber);
        }
    }
    flywheel(&mut piece);
    saddle(&mut piece);
    handlebar(&mut piece);
    piece
}

fn flywheel(piece: &mut Piece) {
    // Cast iron: a thin web with a heavy rim, its running face polished.
    let web = [[0.0, -0.007], [0.165, -0.007], [0.165, 0.007], [0.0, 0.007]];
    let rim = [
        [0.158, -0.004],
        [0.164, -0.017],
        [0.170, -0.021],
        [0.216, -0.021],
        [0.222, -0.017],
        [0.222, 0.017],
        [0.216, 0.021],
        [0.170, 0.021],
        [0.164, 0.017],
        [0.158, 0.004],
    ];
    let face = [[0.222, -0.014], [0.2255, -0.011], [0.2255, 0.011], [0.222, 0.014]];
    let hub = [[0.0, -0.040], [0.016, -0.040], [0.018, -0.034], [0.030, -0.030], [0.030, 0.030], [0.018, 0.034]];
    let hub = [&hub[..], &[[0.016, 0.040], [0.0, 0.040]]].concat();
    for (profile, role) in
        [(&web[..], Role::DarkMetal), (&rim, Role::DarkMetal), (&face, Role::Mirror), (&hub, Role::DarkMetal)]
    {
        piece.add(spun(profile, 72).rolled(PI / 2.0).moved(0.0, -0.28, 0.30), role);
    }
    // Bolts around the hub, and the strap of the brake over the rim.
    for i in 0..6 {
        let at = Vec2::from_angle(TAU * i as f32 / 6.0) * 0.075;
        let bolt = crate::shape::ball(0.008).moved(0.0, -0.28 + at.x, 0.30 + at.y);
        piece.add(bolt.clone().moved(0.008, 0.0, 0.0), Role::Mirror);
        piece.add(bolt.moved(-0.008, 0.0, 0.0), Role::Mirror);
    }
    let strap: Vec<Vec3> = (0..=14)
        .map(|i| Vec2::from_angle(PI * (0.12 + 0.45 * i as f32 / 14.0)) * 0.232)
        .map(|p| Vec3::new(0.0, -0.28 + p.x, 0.30 + p.y))
        .collect();
    piece.add(tube(&strap, 0.009, 8, false), Role::Rubber);
    // The guard of the belt, the cranks and the pedals.
    let guard: Vec<Vec2> = (0..48)
        .map(|i| Vec2::from_angle(TAU * i as f32 / 48.0))
        .map(|d| d * if d.x > 0.0 { 0.085 } else { 0.15 } + Vec2::new(d.x * 0.17, 0.0))
        .collect();
    piece.add(
        plate(&guard, 0.022, 0.008)
            .moved(0.0, 0.0, -0.011)
            .rolled(PI / 2.0)
            .pitched(-PI / 2.0)
            .moved(0.050, -0.10, 0.31),
        Role::DarkMetal,
    );
    for side in [-1.0, 1.0] {
        let hub = Vec3::new(side * 0.075, 0.06, 0.34);
        let end = hub + Vec3::new(side * 0.010, side * 0.12, side * -0.12);
        piece.add(rod(hub, end, 0.013), Role::Mirror);
        bar(piece, [0.0, hub.y, hub.z], hub.to_array(), 0.016, Role::DarkMetal);
        piece.add(
            block(Vec3::new(0.10, 0.085, 0.024), 0.006).moved(end.x + side * 0.06, end.y, end.z - 0.012),
            Role::Rubber,
        );
    }
}

fn saddle(piece: &mut Piece) {
    let solid = rounded(Vec3::new(0.20, 0.28, 0.065), 0.028, 4, 8, |p, _| {
        let narrow = (0.28 + 0.72 * ((p.y + 0.14) / 0.28).clamp(0.0, 1.0).powf(0.8)).min(1.0);
        Vec3::new(p.x * narrow, p.y, p.z - 0.010 * (p.y / 0.14).abs() - 0.8 * p.x * p.x)
    });
    piece.add(solid.moved(0.0, 0.26, 0.90), Role::Rubber);
}

fn handlebar(piece: &mut Piece) {
    for side in [-1.0, 1.0] {
        let path = [
            Vec3::new(0.0, -0.38, 1.04),
            Vec3::new(side * 0.13, -0.38, 1.04),
            Vec3::new(side * 0.21, -0.33, 1.045),
            Vec3::new(side * 0.225, -0.20, 1.06),
            Vec3::new(side * 0.215, -0.13, 1.10),
        ];
        piece.add(bent(&path, 0.013), Role::Rubber);
        // Inner grips for leaning forward.
        let inner = [
            Vec3::new(side * 0.07, -0.38, 1.04),
            Vec3::new(side * 0.075, -0.46, 1.06),
            Vec3::new(side * 0.07, -0.56, 1.12),
        ];
        piece.add(bent(&inner, 0.013), Role::Rubber);
    }
    bar(piece, [0.0, -0.40, 1.04], [0.0, -0.46, 1.10], 0.012, Role::DarkMetal);
    let screen = block(Vec3::new(0.24, 0.016, 0.13), 0.007).pitched(-0.35);
    piece.add(screen.moved(0.0, -0.46, 1.075), Role::DarkMetal);
    // Toward the rider.
    let glass = block(Vec3::new(0.225, 0.003, 0.115), 0.001).pitched(-0.35);
    piece.add(glass.moved(0.0, -0.4485, 1.085), Role::Screen);
}

/// A television on its feet, or flat on a wall with its back to +Y.
#[must_use]
pub fn television(form: usize, width: f32) -> Piece {
    let tall = width * 0.565;
    let foot = if form == 1 { 0.0 } else { 0.075 };
    let depth = if form == 1 { 0.04 } else { 0.24 };
    let mut piece = Piece::new(PieceKind::Television, Vec3::new(width, depth, tall + foot));
    piece.add(block(Vec3::new(width, 0.020, tall), 0.004).moved(0.0, 0.0, foot), Role::DarkMetal);
    piece.add(
        block(Vec3::new(width - 0.014, 0.003, tall - 0.020), 0.0008).moved(0.0, -0.0095, foot + 0.013),
        Role::Screen,
    );
    board(&mut piece, [width * 0.5, 0.028, tall * 0.45], [0.0, 0.006, foot + 0.04], Role::DarkMetal);
    if form == 0 {
        for side in [-1.0, 1.0] {
            let x = side * width * 0.34;
            for y in [-0.11, 0.11] {
                bar(&mut piece, [x, 0.0, foot + 0.01], [x + side * 0.03, y, 0.006], 0.007, Role::DarkMetal);
            }
        }
    }
    piece
}
