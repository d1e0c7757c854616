//! Coffee tables and side tables.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::accessories;
use super::handles::knob;
use crate::joinery::{
    bar, board, corners, disc, fluted_drum, frame, plank, slanted, slanted_leg, spun, squarish, turned_leg,
};
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, leg, plate, rounded, square_leg, tube};

/// A top of boards beside one another, with hairline joints.
pub(super) fn boarded_top(piece: &mut Piece, size: [f32; 3], z: f32, count: usize, role: Role) {
    let wide = size[1] / count as f32;
    for i in 0..count {
        let y = (i as f32 + 0.5) * wide - size[1] / 2.0;
        piece.add(plank([size[0], wide - 0.0012, size[2]], [0.0, y, z]), role);
    }
}

/// A coffee table of a form, with a group on it.
#[must_use]
pub fn coffee_table(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let mut piece = match form {
        1 => drum(),
        2 => nested(),
        3 => stone_on_metal(),
        4 => glass_on_brass(),
        5 => oval_on_legs(),
        6 => chunk(rng),
        7 => plinths(),
        8 => planks_on_steel(),
        9 => turned_coffee_table(),
        10 => slatted_shelf(),
        11 => rattan_drum(),
        _ => shelved(),
    };
    let (size, z) = (piece.size, piece.size.z);
    let reach = [(size.x * 0.24).min(0.30), size.y * 0.22];
    if form == 2 {
        // The higher of the two tables is on the left.
        let mut group = Piece::new(PieceKind::Tray, Vec3::ZERO);
        accessories::low_group(&mut group, palette, [0.13, 0.06], 0.0, rng);
        piece.attach(&group, 0.0, Vec3::new(-0.20, 0.05, z));
    } else {
        accessories::low_group(&mut piece, palette, reach, z, rng);
    }
    piece
}

/// A frame of square legs and rails with a shelf.
fn shelved() -> Piece {
    let size = Vec3::new(1.15, 0.65, 0.42);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    boarded_top(&mut piece, [size.x, size.y, 0.028], size.z - 0.028, 4, Role::Wood);
    let (x, y) = (size.x / 2.0 - 0.05, size.y / 2.0 - 0.05);
    for at in corners(x, y) {
        piece.add(square_leg(size.z - 0.028, 0.055, 0.042).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(&mut piece, [2.0 * x - 0.05, 0.020, 0.075], [0.0, side * (y + 0.006), size.z - 0.103], Role::Wood);
        board(&mut piece, [0.020, 2.0 * y - 0.05, 0.075], [side * (x + 0.006), 0.0, size.z - 0.103], Role::Wood);
        board(&mut piece, [2.0 * x, 0.026, 0.030], [0.0, side * y, 0.105], Role::Wood);
    }
    for i in 0..13 {
        let at = (i as f32 - 6.0) * (2.0 * x - 0.06) / 13.0;
        board(&mut piece, [0.062, 2.0 * y, 0.014], [at, 0.0, 0.135], Role::Wood);
    }
    for at in [-0.22, 0.22] {
        // Drawers in the front rail.
        board(&mut piece, [0.36, 0.006, 0.058], [at, -y - 0.018, size.z - 0.095], Role::Wood);
        knob(&mut piece, 0.010, Vec3::new(at, -y - 0.021, size.z - 0.066), Role::Metal);
    }
    piece
}

/// A fluted drum under a round top.
fn drum() -> Piece {
    let size = Vec3::new(0.90, 0.90, 0.38);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    piece.add(disc(0.90, 0.90, 0.030).grained(0, 3.0).moved(0.0, 0.0, size.z - 0.030), Role::Wood);
    piece.add(fluted_drum(0.415, size.z - 0.060, 72).moved(0.0, 0.0, 0.030), Role::Wood);
    piece.add(disc(0.80, 0.80, 0.032), Role::DarkWood);
    piece
}

/// A high and a low round table, one over the other.
fn nested() -> Piece {
    let size = Vec3::new(1.10, 0.76, 0.44);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    for (at, wide, tall, role) in
        [(Vec2::new(-0.20, 0.04), 0.68, 0.44, Role::Wood), (Vec2::new(0.28, -0.11), 0.52, 0.33, Role::Marble)]
    {
        piece.add(disc(wide, wide, 0.024).grained(0, at.x).moved(at.x, at.y, tall - 0.024), role);
        let r = wide / 2.0 - 0.035;
        for i in 0..3 {
            let turn = TAU * (i as f32 + 0.25 + at.x) / 3.0;
            let foot = at + Vec2::from_angle(turn) * (r + 0.02);
            let head = at + Vec2::from_angle(turn) * r;
            bar(&mut piece, [foot.x, foot.y, 0.002], [head.x, head.y, tall - 0.020], 0.010, Role::Metal);
        }
        let ring: Vec<Vec3> =
            (0..40).map(|i| (at + Vec2::from_angle(TAU * i as f32 / 40.0) * r).extend(tall - 0.032)).collect();
        piece.add(tube(&ring, 0.008, 8, true), Role::Metal);
    }
    piece
}

/// A slab of stone with a soft outline on a frame of polished metal.
fn stone_on_metal() -> Piece {
    let size = Vec3::new(1.15, 0.65, 0.40);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    piece.add(plate(&squarish(size.x, size.y, 3.2, 96), 0.026, 0.006).moved(0.0, 0.0, size.z - 0.026), Role::Marble);
    let outline = squarish(size.x - 0.14, size.y - 0.14, 3.2, 64);
    for z in [0.012, size.z - 0.038] {
        let ring: Vec<Vec3> = outline.iter().map(|p| p.extend(z)).collect();
        piece.add(tube(&ring, 0.011, 10, true), Role::Brass);
    }
    for i in 0..6 {
        let p = outline[(i * 64 + 16) / 6 % 64];
        bar(&mut piece, [p.x, p.y, 0.012], [p.x, p.y, size.z - 0.038], 0.010, Role::Brass);
    }
    piece
}

/// A sheet of glass over a frame of brass, with a second one below.
fn glass_on_brass() -> Piece {
    let size = Vec3::new(1.15, 0.62, 0.42);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    let t = 0.022;
    let (x, y) = (size.x / 2.0 - t / 2.0, size.y / 2.0 - t / 2.0);
    for at in corners(x, y) {
        board(&mut piece, [t, t, size.z], [at.x, at.y, 0.0], Role::Brass);
    }
    for z in [size.z - t, 0.10] {
        for side in [-1.0, 1.0] {
            board(&mut piece, [size.x - 2.0 * t, t, t], [0.0, side * y, z], Role::Brass);
            board(&mut piece, [t, size.y - 2.0 * t, t], [side * x, 0.0, z], Role::Brass);
        }
        let pane = plate(&corners(size.x / 2.0 - t, size.y / 2.0 - t), 0.003, 0.0005);
        piece.add(pane.moved(0.0, 0.0, z + t - 0.004), Role::Glass);
    }
    piece
}

/// An oval top with a beveled rim on four slanted legs, and a rack for magazines.
fn oval_on_legs() -> Piece {
    let size = Vec3::new(1.20, 0.62, 0.41);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    piece.add(
        plate(&squarish(size.x, size.y, 2.5, 96), 0.024, 0.010).grained(0, 2.0).moved(0.0, 0.0, size.z - 0.024),
        Role::Wood,
    );
    let (x, y) = (0.36, 0.16);
    for at in corners(x, y) {
        let out = at.signum() * Vec2::new(0.10, 0.055);
        let solid = slanted(leg(size.z - 0.022, 0.021, 0.0125), size.z - 0.022, out).grained(2, at.x + at.y);
        piece.add(solid.moved(at.x, at.y, 0.0), Role::Wood);
        piece.add(slanted(leg(0.03, 0.0145, 0.0130), size.z - 0.022, out).moved(at.x, at.y, 0.0), Role::Brass);
    }
    for side in [-1.0, 1.0] {
        board(&mut piece, [2.0 * x, 0.022, 0.045], [0.0, side * y, size.z - 0.070], Role::Wood);
        board(&mut piece, [0.022, 2.0 * y, 0.045], [side * x, 0.0, size.z - 0.070], Role::Wood);
    }
    for i in 0..7 {
        let y = (i as f32 - 3.0) * 0.056;
        bar(&mut piece, [-0.42, y, 0.185], [0.42, y, 0.185], 0.006, Role::Wood);
    }
    for side in [-1.0, 1.0] {
        bar(&mut piece, [side * 0.42, -0.195, 0.185], [side * 0.42, 0.195, 0.185], 0.009, Role::Wood);
    }
    piece
}

/// A block cut from a trunk, with live edges.
fn chunk(rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.10, 0.66, 0.36);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let outline: Vec<Vec2> = squarish(size.x - 0.05, size.y - 0.06, 2.8, 110)
        .iter()
        .map(|p| *p * (1.0 + 0.10 * (value_noise(p.extend(0.0) * 5.0, seed) - 0.5)))
        .collect();
    let mut top = plate(&outline, 0.075, 0.010);
    for v in &mut top.vertices {
        // The bark side of a plank slants.
        let slant = 1.0 - 0.05 * (1.0 - v.place.z / 0.075);
        v.place.x *= slant;
        v.place.y *= slant;
    }
    top.smoothen();
    piece.add(top.grained(0, 3.7).moved(0.0, 0.0, size.z - 0.075), Role::Wood);
    for side in [-1.0, 1.0] {
        let solid = rounded(Vec3::new(0.11, size.y * 0.66, size.z - 0.07), 0.012, 3, 8, |p, n| {
            p + n * 0.010 * (value_noise(p * 9.0, seed + 3) - 0.5)
        });
        piece.add(solid.grained(2, side).moved(side * 0.33, 0.0, 0.0), Role::Wood);
    }
    piece
}

/// Two plinths of different heights.
fn plinths() -> Piece {
    let size = Vec3::new(1.12, 0.66, 0.36);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    piece.add(block(Vec3::new(0.98, 0.56, 0.20), 0.004).moved(-0.03, 0.02, 0.0), Role::DarkWood);
    piece.add(block(Vec3::new(size.x, size.y, 0.17), 0.012).moved(0.0, 0.0, size.z - 0.17), Role::Marble);
    piece
}

/// Planks on a frame of steel with a mesh shelf.
fn planks_on_steel() -> Piece {
    let size = Vec3::new(1.15, 0.64, 0.43);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    boarded_top(&mut piece, [size.x, size.y, 0.042], size.z - 0.042, 4, Role::Wood);
    let (x, y, t) = (size.x / 2.0 - 0.06, size.y / 2.0 - 0.05, 0.028);
    for at in corners(x, y) {
        board(&mut piece, [t, t, size.z - 0.042], [at.x, at.y, 0.0], Role::DarkMetal);
        piece.add(
            spun(&[[0.0, 0.0], [0.008, 0.0], [0.008, 0.004], [0.0, 0.006]], 12).moved(at.x, at.y, size.z),
            Role::DarkMetal,
        );
    }
    for z in [0.11, size.z - 0.070] {
        for side in [-1.0, 1.0] {
            board(&mut piece, [2.0 * x, t * 0.8, t], [0.0, side * y, z], Role::DarkMetal);
            board(&mut piece, [t * 0.8, 2.0 * y, t], [side * x, 0.0, z], Role::DarkMetal);
        }
    }
    boarded_top(&mut piece, [2.0 * x - 0.03, 2.0 * y - 0.03, 0.020], 0.118, 5, Role::Wood);
    piece
}

/// Turned legs under a thick top with a shelf.
fn turned_coffee_table() -> Piece {
    let size = Vec3::new(1.15, 0.68, 0.45);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    boarded_top(&mut piece, [size.x, size.y, 0.034], size.z - 0.034, 5, Role::Wood);
    let (x, y) = (size.x / 2.0 - 0.075, size.y / 2.0 - 0.075);
    for at in corners(x, y) {
        piece.add(turned_leg(size.z - 0.034, 0.082).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Front);
    }
    for side in [-1.0, 1.0] {
        board(&mut piece, [2.0 * x - 0.07, 0.022, 0.085], [0.0, side * (y + 0.018), size.z - 0.119], Role::Front);
        board(&mut piece, [0.022, 2.0 * y - 0.07, 0.085], [side * (x + 0.018), 0.0, size.z - 0.119], Role::Front);
    }
    boarded_top(&mut piece, [2.0 * x + 0.03, 2.0 * y + 0.03, 0.022], 0.085, 4, Role::Wood);
    for at in [-0.24, 0.24] {
        board(&mut piece, [0.40, 0.008, 0.062], [at, -y - 0.032, size.z - 0.108], Role::Front);
        knob(&mut piece, 0.012, Vec3::new(at, -y - 0.036, size.z - 0.077), Role::DarkMetal);
    }
    piece
}

/// A low rounded table with a slatted shelf.
fn slatted_shelf() -> Piece {
    let size = Vec3::new(1.10, 0.60, 0.36);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    piece.add(
        plate(&squarish(size.x, size.y, 5.0, 96), 0.026, 0.008).grained(0, 2.0).moved(0.0, 0.0, size.z - 0.026),
        Role::Wood,
    );
    let (x, y) = (size.x / 2.0 - 0.09, size.y / 2.0 - 0.075);
    for at in corners(x, y) {
        piece.add(leg(size.z - 0.024, 0.024, 0.022).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(&mut piece, [2.0 * x, 0.020, 0.032], [0.0, side * y, 0.115], Role::Wood);
        board(&mut piece, [2.0 * x, 0.020, 0.040], [0.0, side * y, size.z - 0.066], Role::Wood);
        board(&mut piece, [0.020, 2.0 * y, 0.040], [side * x, 0.0, size.z - 0.066], Role::Wood);
    }
    for i in 0..24 {
        let at = (i as f32 - 11.5) * (2.0 * x - 0.04) / 24.0;
        board(&mut piece, [0.020, 2.0 * y + 0.01, 0.012], [at, 0.0, 0.147], Role::Wood);
    }
    piece
}

/// A round table of bent rattan poles between hoops.
fn rattan_drum() -> Piece {
    let size = Vec3::new(0.86, 0.86, 0.40);
    let mut piece = Piece::new(PieceKind::CoffeeTable, size);
    rattan_cage(&mut piece, size.x / 2.0 - 0.02, size.z - 0.020, 44);
    piece.add(disc(size.x, size.y, 0.024).grained(0, 1.0).moved(0.0, 0.0, size.z - 0.024), Role::Wood);
    piece
}

/// Bent poles between hoops, narrower at half height.
fn rattan_cage(piece: &mut Piece, radius: f32, height: f32, count: usize) {
    let waist = |t: f32| radius - 0.012 - radius * 0.22 * (PI * t).sin();
    for i in 0..count {
        let away = Vec2::from_angle(TAU * i as f32 / count as f32);
        let path: Vec<Vec3> =
            (0..=8).map(|k| k as f32 / 8.0).map(|t| (away * waist(t)).extend(0.008 + (height - 0.016) * t)).collect();
        piece.add(tube(&path, 0.0065, 6, false), Role::Cane);
    }
    for (t, out, thick) in
        [(0.0, 0.010, 0.013), (0.28, -0.008, 0.007), (0.5, -0.008, 0.007), (0.72, -0.008, 0.007), (1.0, 0.010, 0.013)]
    {
        let ring: Vec<Vec3> = (0..56)
            .map(|i| Vec2::from_angle(TAU * i as f32 / 56.0) * (waist(t) + out))
            .map(|p| p.extend(0.013 + (height - 0.026) * t))
            .collect();
        piece.add(tube(&ring, thick, 8, true), Role::Cane);
    }
}

/// A small table beside a seat.
#[must_use]
pub fn side_table(form: usize) -> Piece {
    let side = if form == 7 { 0.44 } else { 0.46 };
    let (r, height) = (side / 2.0, 0.54);
    let mut piece = Piece::new(PieceKind::SideTable, Vec3::new(side, side, height));
    let top = |thick: f32| disc(side, side, thick).grained(0, 2.0).moved(0.0, 0.0, height - thick);
    match form {
        1 => {
            piece.add(top(0.018), Role::Marble);
            let stem = [
                [0.0, 0.0],
                [0.155, 0.0],
                [0.157, 0.005],
                [0.060, 0.018],
                [0.020, 0.030],
                [0.014, 0.060],
                [0.014, height - 0.06],
                [0.060, height - 0.026],
                [0.075, height - 0.018],
            ];
            piece.add(spun(&stem, 56), Role::Brass);
        }
        2 => {
            piece.add(top(0.022), Role::Wood);
            piece.add(fluted_drum(r - 0.025, height - 0.040, 44).moved(0.0, 0.0, 0.020), Role::Wood);
            piece.add(disc(side - 0.07, side - 0.07, 0.024), Role::DarkWood);
        }
        3 => {
            // A frame like a C that slides under a seat.
            let (x, y) = (r - 0.012, r - 0.05);
            piece.add(
                block(Vec3::new(side, side - 0.06, 0.020), 0.004).grained(0, 1.0).moved(0.0, 0.0, height - 0.020),
                Role::Wood,
            );
            for at in [-y, y] {
                bar(&mut piece, [x, at, 0.0], [x, at, height - 0.010], 0.010, Role::DarkMetal);
                bar(&mut piece, [-x, at, 0.010], [x, at, 0.010], 0.010, Role::DarkMetal);
                bar(&mut piece, [-x, at, height - 0.028], [x, at, height - 0.028], 0.008, Role::DarkMetal);
            }
            bar(&mut piece, [-x, -y, 0.010], [-x, y, 0.010], 0.010, Role::DarkMetal);
        }
        4 => turned_pedestal(&mut piece, side, height),
        5 => {
            // An hourglass of glazed clay.
            let line = crate::joinery::smooth_line(
                &[
                    [r * 0.74, 0.0],
                    [r * 0.80, 0.02],
                    [r * 0.62, height * 0.36],
                    [r * 0.52, height * 0.52],
                    [r * 0.66, height * 0.70],
                    [r * 0.96, height - 0.03],
                    [r * 0.97, height - 0.01],
                    [r * 0.92, height],
                ],
                6,
            );
            let mut closed = line;
            closed.push([0.0, height]);
            piece.add(crate::shape::lathe(&closed, 64), Role::Ceramic);
        }
        6 => {
            piece.add(top(0.020), Role::Wood);
            rattan_cage(&mut piece, r - 0.01, height - 0.016, 28);
        }
        7 => cube_with_drawer(&mut piece, side, height),
        _ => {
            piece.add(top(0.022), Role::Wood);
            for i in 0..3 {
                let away = Vec2::from_angle(TAU * (i as f32 + 0.1) / 3.0);
                let solid = slanted(leg(height - 0.02, 0.018, 0.0115), height - 0.02, away * 0.06);
                piece.add(solid.grained(2, i as f32).moved(away.x * 0.135, away.y * 0.135, 0.0), Role::Wood);
            }
            piece.add(disc(0.27, 0.27, 0.014).grained(0, 4.0).moved(0.0, 0.0, 0.205), Role::Wood);
        }
    }
    piece
}

/// A tripod with a turned column under a molded round top.
fn turned_pedestal(piece: &mut Piece, side: f32, height: f32) {
    let r = side / 2.0;
    let rim = [
        [0.0, height - 0.022],
        [r - 0.02, height - 0.022],
        [r - 0.004, height - 0.014],
        [r, height - 0.006],
        [r - 0.006, height],
        [r - 0.016, height - 0.004],
        [0.0, height - 0.004],
    ];
    piece.add(spun(&rim, 64).grained(0, 1.0), Role::Wood);
    let line = crate::joinery::smooth_line(
        &[
            [0.016, 0.10],
            [0.034, 0.13],
            [0.040, 0.17],
            [0.020, 0.21],
            [0.017, 0.25],
            [0.031, 0.31],
            [0.034, 0.36],
            [0.017, 0.42],
            [0.022, 0.44],
            [0.022, 0.45],
            [0.015, 0.47],
            [0.040, height - 0.02],
        ],
        5,
    );
    piece.add(crate::shape::lathe(&line, 28).grained(2, 1.0), Role::Wood);
    for i in 0..3 {
        let away = Vec2::from_angle(TAU * (i as f32 + 0.25) / 3.0);
        let path: Vec<Vec3> = (0..=10)
            .map(|k| k as f32 / 10.0)
            .map(|t| {
                (away * (0.02 + 0.17 * t))
                    .extend(0.155 - 0.13 * t - 0.05 * (PI * t).sin() * (1.0 - t) + 0.012 * t.powi(6))
            })
            .collect();
        piece.add(super::foliage::tapered(&path, 0.022, 0.013), Role::Wood);
    }
}

/// A small case with a drawer over an open shelf.
fn cube_with_drawer(piece: &mut Piece, side: f32, height: f32) {
    for at in corners(side / 2.0 - 0.018, side / 2.0 - 0.018) {
        piece.add(
            slanted_leg(height - 0.02, 0.034, 0.024, Vec2::ZERO).grained(2, at.x + at.y).moved(at.x, at.y, 0.0),
            Role::Wood,
        );
    }
    board(piece, [side, side, 0.022], [0.0, 0.0, height - 0.022], Role::Wood);
    board(piece, [side - 0.04, side - 0.04, 0.012], [0.0, 0.0, height - 0.150], Role::Wood);
    board(piece, [side - 0.03, side - 0.03, 0.018], [0.0, 0.0, 0.14], Role::Wood);
    for sign in [-1.0, 1.0] {
        board(piece, [0.014, side - 0.05, 0.128], [sign * (side / 2.0 - 0.014), 0.0, height - 0.150], Role::Wood);
    }
    board(piece, [side - 0.06, 0.014, 0.128], [0.0, side / 2.0 - 0.016, height - 0.150], Role::Wood);
    board(piece, [side - 0.076, 0.018, 0.116], [0.0, -side / 2.0 + 0.016, height - 0.141], Role::Front);
    frame(piece, [side - 0.070, 0.124], [0.003, 0.012], [0.0, -side / 2.0 + 0.018, height - 0.146], Role::DarkWood);
    knob(piece, 0.013, Vec3::new(0.0, -side / 2.0 + 0.007, height - 0.083), Role::Metal);
}
