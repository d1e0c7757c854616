//! Beds.

use aerie_math::Rng;
use glam::Vec3;

use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, leg, pillow, rounded, sheet, soft};

/// A quilt over a mattress; `fall` is how far it hangs down the sides.
fn quilt(width: f32, length: f32, thick: f32, fall: f32, seed: u32) -> Solid {
    let size = Vec3::new(width + 0.07, length, thick + fall);
    let half = size / 2.0;
    rounded(size, 0.055, 5, 44, move |p, normal| {
        let top = (p.z / half.z).clamp(-1.0, 1.0);
        // Long creases across the top, folds down the sides.
        let ridge = |v: f32| 1.0 - (v * 2.0 - 1.0).abs();
        let creased = ridge(value_noise(Vec3::new(p.x * 3.0 + p.y * 1.1, p.y * 2.2, 0.3), seed)).powi(3) * 0.020
            + ridge(value_noise(Vec3::new(p.x * 6.5, p.y * 5.0 + p.x * 2.0, 1.3), seed + 1)).powi(3) * 0.010;
        let hang = (1.0 - top) * 0.5;
        let along = if normal.x.abs() > 0.5 { p.y } else { p.x };
        let folds = ((along * 13.0 + value_noise(Vec3::splat(along * 2.0), seed + 2) * 6.0).sin()) * 0.016 * hang;
        let out = 0.03 * hang * hang;
        p + normal * (creased * (0.4 + 0.6 * normal.z.max(0.0)) + folds + out)
    })
}

/// A bed, 1.4 to 1.8 m wide, its head toward +Y.
#[must_use]
pub fn bed(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (length, head) = (2.06, 1.12);
    let mut piece = Piece::new(PieceKind::Bed, Vec3::new(width + 0.10, length + 0.12, head));
    let mut seed = || (rng.next_u64() & 0xFFFF) as u32;
    let foot_end = -(length + 0.12) / 2.0;
    // Headboard: upholstered channels or a wooden frame.
    let y = length / 2.0 + 0.0;
    if palette.on_metal || palette.is_round {
        let count = 7;
        for i in 0..count {
            let one = (width + 0.10) / count as f32;
            let x = (i as f32 + 0.5) * one - (width + 0.10) / 2.0;
            piece.add(
                soft(Vec3::new(one - 0.002, 0.10, head - 0.12), 0.035, 0.016, seed()).moved(x, y, 0.12),
                Role::Headboard,
            );
        }
    } else {
        for i in 0..5 {
            let solid = block(Vec3::new(width + 0.10, 0.035, 0.175), 0.006).grained(0, i as f32 * 2.0);
            piece.add(solid.moved(0.0, y, head - 0.18 - i as f32 * 0.18), Role::Wood);
        }
        for sx in [-1.0, 1.0] {
            piece.add(
                block(Vec3::new(0.06, 0.07, head), 0.008).grained(2, sx).moved(sx * (width / 2.0 + 0.02), y, 0.0),
                Role::Wood,
            );
        }
    }
    // Frame, legs, mattress.
    let rail = if palette.on_metal || palette.is_round { Role::Headboard } else { Role::Wood };
    piece.add(soft(Vec3::new(width + 0.06, length - 0.02, 0.20), 0.035, 0.003, seed()).moved(0.0, -0.04, 0.12), rail);
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            piece.add(
                leg(0.14, 0.028, 0.022).grained(2, sx + sy).moved(
                    sx * (width / 2.0 - 0.08),
                    sy * (length / 2.0 - 0.12) - 0.02,
                    0.0,
                ),
                Role::Wood,
            );
        }
    }
    piece.add(soft(Vec3::new(width, length - 0.06, 0.24), 0.07, 0.012, seed()).moved(0.0, -0.02, 0.30), Role::Linen);
    let top = 0.535;
    // The quilt, folded back below the pillows.
    let quilt_length = length * 0.66;
    let quilt_y = foot_end + 0.055 + quilt_length / 2.0;
    piece.add(quilt(width, quilt_length, 0.075, 0.20, seed()).moved(0.0, quilt_y, top - 0.20), Role::Linen);
    let fold = soft(Vec3::new(width + 0.075, 0.34, 0.055), 0.026, 0.010, seed());
    piece.add(fold.moved(0.0, quilt_y + quilt_length / 2.0 - 0.13, top + 0.062), Role::PillowTwo);
    // A blanket across the foot.
    let fold_seed = seed();
    let blanket = sheet(60, 26, move |u, v| {
        let (half, fall) = (width / 2.0 + 0.052, 0.24);
        let total = 2.0 * half + 2.0 * fall;
        let d = u * total;
        let crease = value_noise(Vec3::new(u * 12.0, v * 5.0, 0.0), fold_seed) * 0.012;
        let ruffle = (v * 16.0 + value_noise(Vec3::new(u * 6.0, v * 2.0, 1.0), fold_seed) * 3.0).sin() * 0.007;
        let y = foot_end + 0.20 + v * 0.52 + (value_noise(Vec3::new(u * 5.0, 0.0, 2.0), fold_seed) - 0.5) * 0.05;
        let bend = |x: f32| 0.03 * (-(x / 0.05).powi(2)).exp();
        if d < fall {
            Vec3::new(-half - 0.040 - ruffle, y, top + 0.103 - (fall - d) - bend(fall - d))
        } else if d < fall + 2.0 * half {
            let x = d - fall;
            Vec3::new((x - half) * 1.02, y, top + 0.106 + crease + ruffle * 0.5 - bend(x) - bend(2.0 * half - x))
        } else {
            let x = d - fall - 2.0 * half;
            Vec3::new(half + 0.040 + ruffle, y, top + 0.103 - x - bend(x))
        }
    });
    piece.add(blanket, Role::Throw);
    // Pillows: two rows and a small one.
    let each = (width - 0.06) / 2.0;
    for (row, (deep, lean, back, role)) in
        [(0.50, 1.10, 0.20, Role::Linen), (0.46, 0.98, 0.37, Role::PillowTwo)].into_iter().enumerate()
    {
        for sx in [-1.0, 1.0] {
            let wide = (each * (1.0 - 0.06 * row as f32)).min(0.78);
            let solid = pillow(wide, deep, 0.20, seed()).moved(0.0, 0.0, -0.10).pitched(lean);
            let z = top + deep * 0.5 * f32::sin(lean) - 0.035;
            piece.add(solid.moved(sx * each * 0.5, length / 2.0 - back, z), role);
        }
    }
    let small = pillow(0.52, 0.32, 0.16, seed()).moved(0.0, 0.0, -0.08).pitched(0.92);
    piece.add(small.moved(0.02, length / 2.0 - 0.55, top + 0.11), Role::PillowOne);
    piece
}

/// A child's bed, 0.9 m wide.
#[must_use]
pub fn single_bed(palette: &Palette, rng: &mut Rng) -> Piece {
    Piece { kind: PieceKind::SingleBed, ..bed(palette, 0.92, rng) }
}

/// A barred cot.
#[must_use]
pub fn cot(rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.26, 0.68, 0.92);
    let mut piece = Piece::new(PieceKind::Cot, size);
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            let post = block(Vec3::new(0.045, 0.045, size.z), 0.010).grained(2, sx + sy);
            piece.add(post.moved(sx * (size.x / 2.0 - 0.0225), sy * (size.y / 2.0 - 0.0225), 0.0), Role::Wood);
        }
    }
    for sy in [-1.0, 1.0] {
        let y = sy * (size.y / 2.0 - 0.0225);
        for z in [0.22, size.z - 0.05] {
            piece.add(
                block(Vec3::new(size.x - 0.08, 0.03, 0.04), 0.008).grained(0, z + sy).moved(0.0, y, z),
                Role::Wood,
            );
        }
        for i in 0..15 {
            let x = (i as f32 + 0.5) / 15.0 * (size.x - 0.09) - (size.x - 0.09) / 2.0;
            piece.add(
                block(Vec3::new(0.016, 0.016, size.z - 0.28), 0.006).grained(2, i as f32).moved(x, y, 0.25),
                Role::Wood,
            );
        }
    }
    for sx in [-1.0, 1.0] {
        piece.add(
            block(Vec3::new(0.025, size.y - 0.08, 0.62), 0.008).grained(1, sx).moved(
                sx * (size.x / 2.0 - 0.0225),
                0.0,
                0.25,
            ),
            Role::Wood,
        );
    }
    piece.add(
        soft(Vec3::new(1.17, 0.59, 0.12), 0.04, 0.01, (rng.next_u64() & 0xFFFF) as u32).moved(0.0, 0.0, 0.30),
        Role::Linen,
    );
    piece.add(
        quilt(0.50, 0.62, 0.05, 0.02, 7).yawed(std::f32::consts::FRAC_PI_2).moved(-0.2, 0.0, 0.40),
        Role::PillowTwo,
    );
    piece
}
