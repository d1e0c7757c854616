//! Dining chairs of wood: bent, turned, with seats of cord, cane or straw.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::chair_parts::{SEAT, chair, seat_outline};
use super::dressing::seed;
use super::feet::CORNERS;
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::joinery::{bar, bent, curve, dowel, tapered};
use crate::shape::upholstery::pad;
use crate::shape::{plate, sheet, tube};

/// A seat of cord wound around four rails, its strands meeting in diagonals.
pub(super) fn cord_seat(wide: f32, deep: f32, top: f32) -> Solid {
    sheet(57, 57, move |s, t| {
        let (u, v) = (s * 2.0 - 1.0, t * 2.0 - 1.0);
        let edge = 1.0 - u.abs().max(v.abs());
        // Strands run across the nearer rail.
        let strand = if u.abs() > v.abs() { v * deep } else { u * wide };
        let cord = (strand / 0.011 * std::f32::consts::PI).sin().abs() * 0.0035 * (edge / 0.10).min(1.0);
        let dish = 0.012 * (1.0 - (1.0 - edge).powi(3));
        let drop = (0.10 - edge).max(0.0).powi(2) * 3.0;
        Vec3::new(u * wide / 2.0, v * deep / 2.0 - 0.02, top - dish - drop + cord)
    })
}

/// Rails around a seat.
fn rails(piece: &mut Piece, x: f32, y: f32, z: f32, radius: f32) {
    for side in [-1.0, 1.0] {
        let cut = side + z;
        let (left, right) = (Vec3::new(-x, side * y - 0.02, z), Vec3::new(x, side * y - 0.02, z));
        piece.add(dowel(left, right, radius, radius, cut), Role::Wood);
        let (front, back) = (Vec3::new(side * x, -y - 0.02, z), Vec3::new(side * x, y - 0.02, z));
        piece.add(dowel(front, back, radius, radius, cut + 3.0), Role::Wood);
    }
}

/// A bent arm rail over a forked splat, and a seat of cord.
pub(super) fn wishbone() -> Piece {
    let mut piece = chair(0.76);
    let (x, y) = (0.205, 0.19);
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let cut = i as f32;
        if sy < 0.0 {
            let (foot, middle) = (Vec3::new(sx * 0.215, -0.225, 0.0), Vec3::new(sx * x, -y - 0.02, SEAT));
            piece.add(dowel(foot, middle, 0.013, 0.019, cut), Role::Wood);
        } else {
            let path = [
                Vec3::new(sx * 0.195, 0.225, 0.0),
                Vec3::new(sx * 0.20, 0.185, 0.30),
                Vec3::new(sx * 0.205, y - 0.02, SEAT),
                Vec3::new(sx * 0.225, 0.145, 0.60),
                Vec3::new(sx * 0.222, 0.10, 0.715),
            ];
            piece.add(bent(&path, 0.0155).grained(2, cut), Role::Wood);
        }
    }
    rails(&mut piece, x, y, SEAT - 0.022, 0.013);
    rails(&mut piece, 0.207, 0.195, 0.24, 0.009);
    piece.add(cord_seat(0.445, 0.42, SEAT + 0.006), Role::Cane);
    // The bow: flat and broad in the middle, round at its ends.
    let line = curve(
        &[
            Vec3::new(-0.225, -0.09, 0.71),
            Vec3::new(-0.226, 0.06, 0.715),
            Vec3::new(-0.165, 0.20, 0.728),
            Vec3::new(0.0, 0.247, 0.735),
            Vec3::new(0.165, 0.20, 0.728),
            Vec3::new(0.226, 0.06, 0.715),
            Vec3::new(0.225, -0.09, 0.71),
        ],
        8,
    );
    piece.add(rail(&line, [0.011, 0.011], [0.013, 0.026], 1.0), Role::Wood);
    // The fork.
    piece.add(bar(Vec3::new(0.0, 0.175, SEAT - 0.02), Vec3::new(0.0, 0.205, 0.57), 0.034, 0.012, 2.0), Role::Wood);
    for side in [-1.0, 1.0] {
        let path = [
            Vec3::new(side * 0.012, 0.203, 0.56),
            Vec3::new(side * 0.035, 0.215, 0.63),
            Vec3::new(side * 0.085, 0.228, 0.725),
        ];
        piece.add(rail(&curve(&path, 5), [0.006, 0.013], [0.006, 0.013], side), Role::Wood);
    }
    piece
}

/// A rail along a line: half its section, level across and upright, at its ends and in its middle.
pub(super) fn rail(line: &[Vec3], ends: [f32; 2], middle: [f32; 2], cut: f32) -> Solid {
    let count = line.len();
    let solid = sheet(count, 15, |s, t| {
        let i = (s * (count - 1) as f32).round() as usize;
        let along = (line[(i + 1).min(count - 1)] - line[i.saturating_sub(1)]).normalize();
        let level = Vec3::Z.cross(along).normalize_or(Vec3::Y);
        let up = along.cross(level);
        let open = (std::f32::consts::PI * s).sin();
        let half = [0, 1].map(|k| ends[k] + (middle[k] - ends[k]) * open);
        let end = (1.0 - (2.0 * s - 1.0).abs().powi(40)).max(0.02);
        let (sin, cos) = (std::f32::consts::TAU * t).sin_cos();
        let square = |v: f32| v.signum() * v.abs().powf(0.75);
        line[i] + (level * square(cos) * half[0] + up * square(sin) * half[1]) * end
    });
    solid.grained(0, cut)
}

/// A bent hoop with open cane, and a seat of cane.
pub(super) fn caned() -> Piece {
    let mut piece = chair(0.84);
    let outline = seat_outline(0.455, 0.41, 0.43, 0.11);
    piece.add(plate(&outline, 0.032, 0.012).grained(0, 1.0).moved(0.0, 0.0, SEAT - 0.032), Role::Wood);
    let inner: Vec<Vec2> = outline.iter().map(|p| (*p + Vec2::Y * 0.02) * 0.82 - Vec2::Y * 0.02).collect();
    piece.add(plate(&inner, 0.006, 0.002).moved(0.0, 0.0, SEAT - 0.003), Role::Cane);
    let back = |x: f32, z: f32| Vec3::new(x, 0.165 + 0.16 * (z - SEAT), z);
    let hoop: Vec<Vec3> = [
        (-0.185, SEAT - 0.02),
        (-0.195, 0.60),
        (-0.185, 0.74),
        (-0.13, 0.81),
        (0.0, 0.825),
        (0.13, 0.81),
        (0.185, 0.74),
        (0.195, 0.60),
        (0.185, SEAT - 0.02),
    ]
    .iter()
    .map(|(x, z)| back(*x, *z))
    .collect();
    piece.add(bent(&hoop, 0.0155).grained(2, 2.0), Role::Wood);
    piece.add(bent(&[back(-0.19, 0.545), back(0.0, 0.540), back(0.19, 0.545)], 0.012).grained(0, 3.0), Role::Wood);
    let web = sheet(13, 9, |s, t| {
        let z = 0.545 + 0.265 * t;
        let half = 0.188 - 0.115 * ((z - 0.72).max(0.0) / 0.09).powi(2) * 0.55;
        back((s * 2.0 - 1.0) * half, z)
    });
    piece.add(web, Role::Webbing);
    bent_legs(&mut piece);
    piece
}

/// Round legs with a hoop between them.
fn bent_legs(piece: &mut Piece) {
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let (top, foot) =
            (Vec3::new(sx * 0.18, sy * 0.165 - 0.02, SEAT - 0.02), Vec3::new(sx * 0.215, sy * 0.225 - 0.015, 0.0));
        piece.add(dowel(foot, top, 0.012, 0.0175, i as f32), Role::Wood);
    }
    let ring: Vec<Vec3> =
        crate::shape::ellipse(0.37, 0.36, 32).iter().map(|p| (*p - Vec2::Y * 0.02).extend(0.25)).collect();
    piece.add(tube(&ring, 0.009, 8, true).grained(0, 5.0), Role::Wood);
}

/// A hoop with two bent rods that cross, and a seat of straw.
pub(super) fn cross_back(rng: &mut Rng) -> Piece {
    let mut piece = chair(0.88);
    let outline = seat_outline(0.45, 0.40, 0.42, 0.08);
    piece.add(plate(&outline, 0.034, 0.012).grained(0, 1.0).moved(0.0, 0.0, SEAT - 0.04), Role::Wood);
    piece.add(
        pad(&outline.iter().map(|p| *p * 0.93).collect::<Vec<_>>(), 0.022, 0.010, 0.016, seed(rng)).moved(
            0.0,
            0.0,
            SEAT - 0.012,
        ),
        Role::Cane,
    );
    let back = |x: f32, z: f32| Vec3::new(x, 0.165 + 0.19 * (z - SEAT) - 0.35 * x * x, z);
    let hoop: Vec<Vec3> = [
        (-0.185, SEAT - 0.03),
        (-0.198, 0.62),
        (-0.19, 0.76),
        (-0.14, 0.845),
        (0.0, 0.866),
        (0.14, 0.845),
        (0.19, 0.76),
        (0.198, 0.62),
        (0.185, SEAT - 0.03),
    ]
    .iter()
    .map(|(x, z)| back(*x, *z))
    .collect();
    piece.add(bent(&hoop, 0.0165).grained(2, 2.0), Role::Wood);
    for side in [-1.0, 1.0] {
        let path = [(0.180, SEAT - 0.01), (0.115, 0.56), (0.0, 0.665), (-0.115, 0.765), (-0.165, 0.815)];
        let path: Vec<Vec3> = path.iter().map(|(x, z)| back(side * x, *z) - Vec3::Y * (0.006 * side)).collect();
        piece.add(bent(&path, 0.0095).grained(2, side), Role::Wood);
    }
    piece.add(crate::shape::ball(0.017).grained(2, 1.0).moved(0.0, back(0.0, 0.665).y, 0.665), Role::Wood);
    bent_legs(&mut piece);
    piece
}

/// Spindles under a curved comb, and a saddled seat.
pub(super) fn spindled() -> Piece {
    let mut piece = chair(0.86);
    let outline = seat_outline(0.46, 0.42, 0.43, 0.13);
    piece.add(saddle(&outline, 0.036).moved(0.0, 0.0, SEAT - 0.036), Role::Wood);
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let (top, foot) =
            (Vec3::new(sx * 0.15, sy * 0.14 - 0.02, SEAT - 0.02), Vec3::new(sx * 0.222, sy * 0.225 - 0.015, 0.0));
        let middle = foot.lerp(top, 0.55);
        piece.add(dowel(foot, middle, 0.0105, 0.0185, i as f32), Role::Wood);
        piece.add(dowel(middle, top, 0.0185, 0.0125, i as f32 + 0.3), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        let at = |y: f32| Vec3::new(side * 0.195, y - 0.02, 0.18);
        piece.add(dowel(at(-0.19), at(0.19), 0.008, 0.008, side), Role::Wood);
    }
    piece.add(dowel(Vec3::new(-0.195, -0.02, 0.18), Vec3::new(0.195, -0.02, 0.18), 0.008, 0.008, 4.0), Role::Wood);
    let comb = |share: f32| Vec3::new(share * 0.205, 0.262 - 0.055 * share * share, 0.815);
    let line: Vec<Vec3> = (0..=24).map(|i| comb(i as f32 / 12.0 - 1.0)).collect();
    piece.add(rail(&line, [0.010, 0.020], [0.011, 0.036], 1.0), Role::Wood);
    for i in 0..8 {
        let share = (i as f32 / 7.0) * 2.0 - 1.0;
        let low = Vec3::new(share * 0.165, 0.165 - 0.03 * share * share, SEAT - 0.01);
        let thick = if i == 0 || i == 7 { 0.011 } else { 0.0075 };
        piece.add(dowel(low, comb(share * 0.92), thick, thick * 0.8, i as f32), Role::Wood);
    }
    piece
}

/// A wooden seat with two hollows.
pub(super) fn saddle(outline: &[Vec2], thick: f32) -> Solid {
    let mut solid = pad(outline, thick, 0.014, 0.0, 7);
    for v in &mut solid.vertices {
        if v.place.z > thick * 0.7 {
            let p = v.place;
            let hollow = (-((p.x.abs() - 0.09) / 0.08).powi(2) - ((p.y - 0.02) / 0.13).powi(2)).exp();
            v.place.z -= 0.014 * hollow;
        }
    }
    solid.smoothen();
    solid.grained(0, 2.0)
}

/// A frame of square bars for stools and benches: legs and stretchers.
pub(super) fn square_frame(piece: &mut Piece, x: f32, y: f32, top: f32, stretcher: f32, role: Role) {
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let (from, to) = (Vec3::new(sx * x, sy * y, top), Vec3::new(sx * (x + 0.012), sy * (y + 0.012), 0.0));
        piece.add(tapered(from, to, [0.036, 0.036], 0.8, i as f32), role);
    }
    for side in [-1.0, 1.0] {
        for z in [stretcher, top - 0.03] {
            let (a, b) = (Vec3::new(-x, side * y, z), Vec3::new(x, side * y, z));
            piece.add(bar(a, b, 0.02, 0.034, side + z), role);
            let (a, b) = (Vec3::new(side * x, -y, z + 0.035), Vec3::new(side * x, y, z + 0.035));
            piece.add(bar(a, b, 0.02, 0.034, side + z + 2.0), role);
        }
    }
}
