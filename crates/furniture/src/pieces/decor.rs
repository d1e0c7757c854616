//! Books, bowls, baskets, ladders with throws.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::pots;
use crate::joinery::{bar, brick};
use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{lathe, plate, sheet, tube};

/// A stack of books lying flat.
#[must_use]
pub fn books(count: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Books, Vec3::new(0.30, 0.24, 0.03 * count as f32));
    let mut z = 0.0;
    for i in 0..count {
        let size = Vec3::new(rng.range_f32(0.24, 0.31), rng.range_f32(0.18, 0.235), rng.range_f32(0.02, 0.036))
            * (1.0 - 0.06 * i as f32);
        let role = [Role::BookOne, Role::BookTwo, Role::BookThree][(i + rng.below(2)) % 3];
        let yaw = rng.range_f32(-0.22, 0.22);
        let title_share = rng.range_f32(0.25, 0.5);
        let mut add = |solid: Solid, role| piece.add(solid.yawed(yaw).moved(0.0, 0.0, z), role);
        add(
            brick(Vec3::new(size.x - 0.012, size.y - 0.012, size.z - 0.005), 0.001).moved(0.0, 0.0, 0.0025),
            Role::Pages,
        );
        for cover in [0.0, size.z - 0.003] {
            add(brick(Vec3::new(size.x, size.y, 0.003), 0.0012).moved(0.0, 0.0, cover), role);
        }
        // A rounded spine with a printed title.
        let half = size.z / 2.0;
        let spine: Vec<Vec2> = (0..=8)
            .map(|k| PI * (0.5 + k as f32 / 8.0))
            .map(|a| Vec2::new(0.007 * a.cos(), half + half * a.sin()))
            .chain([Vec2::new(0.003, 0.0), Vec2::new(0.003, size.z)])
            .collect();
        let turned = plate(&spine, size.x, 0.0005).pitched(PI / 2.0).yawed(PI / 2.0);
        add(turned.moved(-size.x / 2.0, -size.y / 2.0 + 0.003, 0.0), role);
        let title = brick(Vec3::new(size.x * title_share, 0.0008, size.z * 0.30), 0.0002);
        add(
            title.moved(size.x * 0.08, -size.y / 2.0 - 0.0042, size.z * 0.35),
            if i % 2 == 0 { Role::Mount } else { Role::Brass },
        );
        z += size.z;
    }
    piece
}

/// A row of upright books, the last ones leaning. Its middle is on the origin.
#[must_use]
pub fn standing_books(count: usize, tallest: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Books, Vec3::new(0.03 * count as f32, 0.2, tallest));
    let mut x = -0.015 * count as f32;
    let roles = [Role::BookOne, Role::BookTwo, Role::BookThree, Role::Mount, Role::Linen, Role::DarkCeramic];
    let mut run = (rng.below(6), 0);
    for i in 0..count {
        if run.1 == 0 {
            // Volumes of a series stand together.
            run = (rng.below(6), 1 + rng.below(3));
        }
        run.1 -= 1;
        let size =
            Vec3::new(rng.range_f32(0.016, 0.038), rng.range_f32(0.15, 0.20), tallest * rng.range_f32(0.70, 1.0));
        let role = roles[run.0];
        let lean = if i + 1 == count && count > 3 { -0.17 } else { 0.0 };
        let px = x + size.x / 2.0 + if lean < 0.0 { size.z * 0.17 * 0.5 } else { 0.0 };
        let mut add = |solid: Solid, role| piece.add(solid.rolled(lean).moved(px, 0.0, 0.0), role);
        add(
            brick(Vec3::new(size.x - 0.005, size.y - 0.008, size.z - 0.006), 0.001).moved(0.0, 0.004, 0.003),
            Role::Pages,
        );
        for side in [-1.0, 1.0] {
            add(brick(Vec3::new(0.0026, size.y, size.z), 0.001).moved(side * (size.x / 2.0 - 0.0013), 0.0, 0.0), role);
        }
        add(spine(size), role);
        let ink = [Role::Brass, Role::DarkMetal, Role::Mount][rng.below(3)];
        let tall = size.z * rng.range_f32(0.2, 0.4);
        add(label(size.x * 0.34, tall).moved(0.0, -size.y / 2.0 - 0.0044, size.z * 0.42), ink);
        if rng.random_bool_f32(0.4) {
            for z in [0.14, 0.86] {
                add(label(size.x * 0.55, 0.004).moved(0.0, -size.y / 2.0 - 0.0042, size.z * z), ink);
            }
        }
        x += size.x + 0.001;
    }
    piece
}

/// The round spine of a standing book of a size, its front toward -Y.
fn spine(size: Vec3) -> Solid {
    const ROWS: [[f32; 2]; 6] = [[0.0, 0.0], [0.0, 1.0], [0.002, 1.0], [-0.002, 1.0], [0.0, 1.0], [0.0, 0.0]];
    let half = size.x / 2.0;
    sheet(9, ROWS.len(), |u, v| {
        let row = (v * 5.0).round() as usize;
        let [inset, open] = ROWS[row];
        let around = Vec2::from_angle(PI * (1.0 + u)) * Vec2::new(half, 0.006) * open;
        around.extend(if row < 3 { inset } else { size.z + inset })
    })
    .moved(0.0, 0.002 - size.y / 2.0, 0.0)
}

/// A printed strip, its front toward -Y.
fn label(wide: f32, tall: f32) -> Solid {
    sheet(2, 2, |u, v| Vec3::new((u - 0.5) * wide, 0.0, v * tall))
}

/// A bowl.
#[must_use]
pub fn bowl(rng: &mut Rng) -> Piece {
    let r = rng.range_f32(0.12, 0.16);
    let mut piece = Piece::new(PieceKind::Bowl, Vec3::new(2.0 * r, 2.0 * r, 0.09));
    let mut outline: Vec<[f32; 2]> = vec![[0.0, 0.0], [r * 0.4, 0.0], [r * 0.42, 0.008]];
    outline.extend((1..=10).map(|i| {
        let a = PI / 2.0 * i as f32 / 10.0;
        [r * (0.42 + 0.58 * a.sin()), 0.012 + 0.075 * (1.0 - a.cos())]
    }));
    outline.extend((0..=10).map(|i| {
        let a = PI / 2.0 * (10 - i) as f32 / 10.0;
        [(r - 0.007) * (0.42 + 0.58 * a.sin()), 0.018 + 0.071 * (1.0 - a.cos())]
    }));
    outline.push([0.0, 0.016]);
    let role = if rng.random_bool_f32(0.5) { Role::Ceramic } else { Role::DarkCeramic };
    piece.add(lathe(&outline, 56), role);
    piece
}

/// A knot of two links carved of wood.
#[must_use]
pub fn knot() -> Piece {
    let mut piece = Piece::new(PieceKind::Bowl, Vec3::new(0.16, 0.10, 0.09));
    for (x, tilt) in [(-0.030, 0.35_f32), (0.030, -0.9)] {
        let ring: Vec<Vec3> =
            (0..28).map(|i| TAU * i as f32 / 28.0).map(|a| Vec3::new(0.042 * a.cos(), 0.030 * a.sin(), 0.0)).collect();
        let solid = tube(&ring, 0.0115, 12, true).grained(0, x).pitched(tilt).moved(x, 0.0, 0.034);
        piece.add(solid, Role::Wood);
    }
    piece
}

/// A basket with a throw in it.
#[must_use]
pub fn basket(form: usize, rng: &mut Rng) -> Piece {
    let (r, h) = (0.215, if form == 1 { 0.44 } else { 0.33 });
    let mut piece = Piece::new(PieceKind::Basket, Vec3::new(2.0 * r, 2.0 * r, h + 0.06));
    pots::woven(&mut piece, r, h);
    if form == 1 {
        // Cords coiled to a lid inside the rim.
        let coils = 12.0;
        let mut lid = vec![[0.0, -0.010], [r * 0.80, -0.010]];
        lid.extend((0..=96).map(|i| 1.0 - i as f32 / 96.0).map(|t| {
            let cord = 0.007 * (PI * (t * coils).fract()).sin();
            [r * 0.80 * t, 0.012 + 0.030 * (1.0 - t * t) + cord]
        }));
        piece.add(lathe(&lid, 56).moved(0.0, 0.0, h), Role::Cane);
        let grip = [[0.0, 0.0], [0.012, 0.0], [0.010, 0.008], [0.017, 0.018], [0.014, 0.026], [0.0, 0.029]];
        piece.add(lathe(&grip, 24).moved(0.0, 0.0, h + 0.042), Role::Wood);
        piece.size.z = h + 0.075;
        return piece;
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let heap = sheet(56, 30, |u, v| {
        let (a, d) = (u * TAU, v * r * 0.84);
        let flat = Vec3::new(a.cos() * d, a.sin() * d, 0.0);
        // Folds run across the heap and bend.
        let bend = value_noise(flat * 7.0, seed) * 5.0;
        let fold = ((flat.x * 0.8 + flat.y * 0.6) * 62.0 + bend).sin();
        let small = value_noise(flat * 26.0, seed + 1) - 0.5;
        flat.with_z(h - 0.03 + 0.085 * (1.0 - v * v).sqrt() + (0.012 * fold + 0.014 * small) * (1.0 - v * 0.5))
    });
    piece.add(heap, Role::Throw);
    // A corner of it hangs over the rim.
    let hang = sheet(16, 22, |u, v| {
        let turn = -1.9 + (u - 0.5) * 0.75 * (1.0 - 0.45 * v);
        let over = (v * 1.35 - 0.35).max(0.0);
        let reach = r * (0.70 + 0.33 * (v / 0.35).min(1.0)) + 0.010 + 0.006 * (u * 19.0).sin() * v;
        let z = h + 0.030 - 0.02 * v - over * 0.17 + 0.012 * (1.0 - (v / 0.35 - 1.0).powi(2)).max(0.0);
        Vec3::new(turn.cos() * reach, turn.sin() * reach, z)
    });
    piece.add(hang, Role::Throw);
    piece
}

/// Cloth over a rod along X at a height: how far it hangs before and behind, thick and folded.
pub(super) fn draped(width: f32, at: Vec3, (before, behind): (f32, f32), lean: f32, seed: u32) -> Solid {
    let whole = before + behind;
    let side = |off: f32| {
        sheet(40, 56, move |u, v| {
            let d = v * whole - before;
            // Over the rod, then down on both sides.
            let (radius, half) = (0.016 + off, 0.016 * PI / 2.0);
            let (y, z) = if d.abs() < half {
                let a = d / 0.016;
                (radius * a.sin(), radius * a.cos())
            } else {
                (radius * d.signum(), half - d.abs())
            };
            let down = (d.abs() - half).max(0.0);
            let bend = value_noise(Vec3::new(u * 2.0, d * 2.5, 0.0), seed) * 3.0;
            let fold = (u * 15.0 + bend).sin() * 0.011 + (u * 37.0 + bend * 2.0).sin() * 0.003;
            let open = (down / 0.10).min(1.0);
            let gather = 1.0 - 0.16 * (1.0 - (down / 0.45).min(1.0));
            let out = if d < 0.0 { -1.0 } else { 1.0 };
            let hem = 0.012 * (value_noise(Vec3::new(u * 5.0, 0.0, d.signum()), seed + 2) - 0.5);
            let x = (u - 0.5) * width * gather;
            at + Vec3::new(x, y + out * (fold.abs() * 0.6 + 0.4 * fold) * open + lean * (z - radius), z + hem * open)
        })
    };
    let mut inner = side(-0.004);
    inner.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    side(0.0).with(inner)
}

/// A row of knotted threads along the hem of a throw.
pub(super) fn tassels(width: f32, at: Vec3, long: f32) -> Solid {
    let mut solid = Solid::default();
    let count = (width / 0.016) as usize;
    for i in 0..count {
        let x = ((i as f32 + 0.5) / count as f32 - 0.5) * width;
        let from = at + Vec3::X * x;
        let to = from - Vec3::Z * long + Vec3::new((x * 90.0).sin() * 0.006, (x * 70.0).cos() * 0.004, 0.0);
        solid = solid.with(tube(&[from, from.lerp(to, 0.5) - Vec3::Y * 0.002, to], 0.0019, 4, false));
    }
    solid
}

/// A ladder that leans on a wall, with throws over its rungs.
#[must_use]
pub fn ladder(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, height) = (0.48, 1.70);
    let mut piece = Piece::new(PieceKind::BlanketLadder, Vec3::new(width, 0.38, height));
    let lean = |z: f32| -0.14 + 0.28 * z / height;
    let role = if palette.on_metal { Role::DarkMetal } else { Role::Wood };
    for side in [-1.0, 1.0] {
        let x = side * (width / 2.0 - 0.02);
        bar(&mut piece, [x, lean(0.0), 0.0], [x, lean(height), height], 0.018, role);
    }
    for i in 0..5 {
        let z = 0.25 + i as f32 * 0.32;
        bar(&mut piece, [-width / 2.0 + 0.02, lean(z), z], [width / 2.0 - 0.02, lean(z), z], 0.013, role);
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    for (rung, wide, hangs, role) in [(4, 0.36, (0.52, 0.36), Role::Throw), (2, 0.34, (0.34, 0.26), Role::PillowTwo)] {
        let z = 0.25 + rung as f32 * 0.32;
        let at = Vec3::new(0.0, lean(z), z);
        // It lies on the rungs below.
        let slope = 0.28 / height;
        piece.add(draped(wide, at, hangs, slope, seed + rung), role);
        let hem = at + Vec3::new(0.0, -0.022 - slope * (hangs.0 - 0.010), -hangs.0 + 0.026);
        piece.add(tassels(wide * 0.98, hem, 0.05), role);
    }
    piece
}
