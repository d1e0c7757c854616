//! Coffee tables, and the tops of tables.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::accessories;
use super::handles::knob;
use crate::joinery::{bar, board, corners, disc, fluted_drum, plank, slanted, spun, squarish, turned_leg};
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
pub(super) fn rattan_cage(piece: &mut Piece, radius: f32, height: f32, count: usize) {
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
