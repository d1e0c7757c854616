//! Rugs, books, bowls, vases, pictures, mirrors.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{MOTIFS, Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, lathe, rod, rounded, sheet, tube};

/// A rug with a slightly uneven pile and a bound edge.
#[must_use]
pub fn rug(width: f32, depth: f32, round: bool, rng: &mut Rng) -> Piece {
    let thick = 0.014;
    let mut piece = Piece::new(PieceKind::Rug, Vec3::new(width, depth, thick));
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let solid = if round {
        let rings = 24;
        let mut outline: Vec<[f32; 2]> = vec![[0.0, thick]];
        outline.extend((1..rings).map(|i| [width / 2.0 * i as f32 / rings as f32, thick]));
        outline.extend([[width / 2.0 - 0.004, thick], [width / 2.0, thick * 0.6], [width / 2.0, 0.0]]);
        outline.reverse();
        lathe(&outline, 96)
    } else {
        rounded(Vec3::new(width, depth, thick), thick * 0.45, 2, 40, |p, _| p)
    };
    let mut solid = solid;
    for v in &mut solid.vertices {
        if v.place.z > thick * 0.7 {
            v.place.z += (value_noise(Vec3::new(v.place.x, v.place.y, 0.0) * 6.0, seed) - 0.5) * 0.004;
        }
        // The edges of woven things are never quite straight.
        let wave = (value_noise(Vec3::new(v.place.x, v.place.y, 3.0) * 2.5, seed) - 0.5) * 0.012;
        let out = Vec2::new(v.place.x / width, v.place.y / depth) * 2.0;
        if out.abs().max_element() > 0.97 || round {
            v.place.x += wave * out.x;
            v.place.y += wave * out.y;
        }
    }
    solid.smoothen();
    for v in &mut solid.vertices {
        let (x, y) = (v.place.x.abs(), v.place.y.abs());
        let edge = if round { width / 2.0 - x.hypot(y) } else { (width / 2.0 - x).min(depth / 2.0 - y) };
        v.tex = Vec3::new(v.place.x, v.place.y, edge);
    }
    piece.add(solid, Role::Rug);
    piece
}

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
        let mut add = |solid: Solid, role| piece.add(solid.yawed(yaw).moved(0.0, 0.0, z), role);
        add(
            block(Vec3::new(size.x - 0.012, size.y - 0.012, size.z - 0.005), 0.001).moved(0.0, 0.0, 0.0025),
            Role::Pages,
        );
        add(block(Vec3::new(size.x, size.y, 0.003), 0.0012), role);
        add(block(Vec3::new(size.x, size.y, 0.003), 0.0012).moved(0.0, 0.0, size.z - 0.003), role);
        add(block(Vec3::new(size.x, 0.004, size.z), 0.0015).moved(0.0, -size.y / 2.0 + 0.002, 0.0), role);
        z += size.z;
    }
    piece
}

/// A row of upright books, the last one leaning.
#[must_use]
pub fn standing_books(count: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Books, Vec3::new(0.03 * count as f32, 0.2, 0.28));
    let mut x = -0.016 * count as f32;
    for i in 0..count {
        let size = Vec3::new(rng.range_f32(0.018, 0.042), rng.range_f32(0.15, 0.20), rng.range_f32(0.20, 0.29));
        let role = [Role::BookOne, Role::BookTwo, Role::BookThree, Role::Mount][rng.below(4)];
        let lean = if i + 1 == count { -0.16 } else { 0.0 };
        let (px, dx) = (x + size.x / 2.0 + if lean < 0.0 { 0.03 } else { 0.0 }, 0.0);
        piece.add(block(size, 0.003).rolled(lean).moved(px + dx, 0.0, 0.0), role);
        piece.add(
            block(Vec3::new(size.x - 0.006, size.y - 0.01, 0.004), 0.001)
                .moved(0.0, 0.008, size.z - 0.002)
                .rolled(lean)
                .moved(px, 0.0, 0.0),
            Role::Pages,
        );
        x += size.x + 0.001;
    }
    piece
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

/// A vase, usually with dry twigs.
#[must_use]
pub fn vase(rng: &mut Rng) -> Piece {
    let (belly, height) = (rng.range_f32(0.055, 0.085), rng.range_f32(0.17, 0.27));
    let mut piece = Piece::new(PieceKind::Vase, Vec3::new(2.0 * belly, 2.0 * belly, height));
    let lean = rng.range_f32(0.28, 0.45);
    let mut outline: Vec<[f32; 2]> = vec![[0.0, 0.0], [belly * 0.6, 0.0]];
    outline.extend((0..=22).map(|i| {
        let t = i as f32 / 22.0;
        let body = (PI * (t * 0.86 + 0.14)).sin().max(0.0).powf(0.8);
        let neck = lean * (1.0 - t) + 0.30;
        [belly * (body * (1.0 - 0.25 * t) + neck * 0.35 * t).clamp(0.28, 1.0), height * t]
    }));
    let mouth = outline[outline.len() - 1][0];
    outline.extend([[mouth + 0.004, height + 0.004], [mouth - 0.004, height + 0.002], [mouth - 0.008, height - 0.05]]);
    let role = if rng.random_bool_f32(0.6) { Role::Ceramic } else { Role::DarkCeramic };
    piece.add(lathe(&outline, 48), role);
    if rng.random_bool_f32(0.75) {
        for i in 0..9 {
            let turn = TAU * i as f32 / 9.0 + rng.range_f32(-0.3, 0.3);
            let (out, up) = (rng.range_f32(0.04, 0.15), rng.range_f32(0.20, 0.38));
            let at = |t: f32| {
                let bow = t * t;
                Vec3::new(
                    turn.cos() * (mouth * 0.5 + out * bow),
                    turn.sin() * (mouth * 0.5 + out * bow),
                    height - 0.03 + up * t,
                )
            };
            let path: Vec<Vec3> = (0..=6).map(|k| at(k as f32 / 6.0)).collect();
            piece.add(tube(&path, 0.0018, 5, false), Role::Dry);
            for k in 0..7 {
                let place = at(0.55 + 0.07 * k as f32);
                let size = 0.012 * (1.0 - 0.08 * k as f32);
                let side = turn + k as f32 * 2.4;
                let tip = place + Vec3::new(side.cos(), side.sin(), 1.2) * 0.03;
                piece.add(tube(&[place, place.lerp(tip, 0.4), tip], size * 0.45, 6, false), Role::Dry);
            }
        }
    }
    piece
}

/// A framed picture, its back to +Y. `width` and `height` include the frame; `art` chooses one of three paintings.
#[must_use]
pub fn picture(width: f32, height: f32, art: usize, mounted: bool) -> Piece {
    let mut piece = Piece::new(PieceKind::FramedArt, Vec3::new(width, 0.035, height));
    let bar = 0.022;
    for sx in [-1.0, 1.0] {
        piece.add(
            block(Vec3::new(bar, 0.032, height), 0.003).grained(2, sx).moved(sx * (width - bar) / 2.0, 0.0, 0.0),
            Role::Frame,
        );
    }
    for z in [0.0, height - bar] {
        piece.add(block(Vec3::new(width - 2.0 * bar, 0.032, bar), 0.003).grained(0, z).moved(0.0, 0.0, z), Role::Frame);
    }
    let margin = if mounted { 0.16 * width.min(height) } else { 0.004 };
    piece.add(
        block(Vec3::new(width - 1.5 * bar, 0.004, height - 1.5 * bar), 0.001).moved(0.0, 0.006, 0.75 * bar),
        Role::Mount,
    );
    let (w, h) = (width - 2.0 * bar - 2.0 * margin, height - 2.0 * bar - 2.0 * margin);
    let mut canvas = sheet(2, 2, |u, v| Vec3::new((u - 0.5) * w, 0.0, height / 2.0 + (v - 0.5) * h));
    let longer = w.max(h);
    for v in &mut canvas.vertices {
        v.tex = Vec3::new(v.place.x / longer * 2.0, (v.place.z - height / 2.0) / longer * 2.0, 0.0);
    }
    let role = MOTIFS[art % MOTIFS.len()];
    piece.add(canvas.moved(0.0, -0.001 + 0.002, 0.0), role);
    piece
}

/// A round wall mirror, its back to +Y.
#[must_use]
pub fn mirror(width: f32) -> Piece {
    let r = width / 2.0;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.035, width));
    let ring: Vec<Vec3> = (0..64)
        .map(|i| {
            let turn = TAU * i as f32 / 64.0;
            Vec3::new(turn.cos() * r, 0.0, r + turn.sin() * r)
        })
        .collect();
    piece.add(tube(&ring, 0.012, 10, true), Role::Metal);
    let disc = lathe(&[[r, 0.0], [0.0, 0.001]], 64).pitched(PI / 2.0);
    piece.add(disc.moved(0.0, 0.004, r), Role::Mirror);
    piece
}

/// A wicker basket with a throw.
#[must_use]
pub fn basket(rng: &mut Rng) -> Piece {
    let (r, h) = (0.21, 0.34);
    let mut piece = Piece::new(PieceKind::Basket, Vec3::new(2.0 * r, 2.0 * r, h + 0.06));
    let outline = [
        [0.0, 0.0],
        [r * 0.86, 0.0],
        [r * 0.95, 0.03],
        [r, h * 0.5],
        [r * 0.93, h],
        [r * 0.88, h],
        [r * 0.90, h * 0.5],
        [r * 0.8, 0.03],
        [0.0, 0.02],
    ];
    piece.add(lathe(&outline, 56), Role::Cane);
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let heap = sheet(28, 28, |u, v| {
        let (a, d) = (u * TAU, v * r * 0.85);
        let fold = value_noise(Vec3::new(a.cos() * d * 14.0, a.sin() * d * 14.0, 0.0), seed);
        Vec3::new(a.cos() * d, a.sin() * d, h - 0.03 + 0.09 * (1.0 - v * v) * (0.6 + 0.6 * fold))
    });
    piece.add(heap, Role::Throw);
    for sx in [-1.0, 1.0] {
        let path: Vec<Vec3> = (0..=8)
            .map(|i| {
                let a = PI * i as f32 / 8.0;
                Vec3::new(sx * r * 0.95, 0.06 * a.cos(), h - 0.02 + 0.07 * a.sin())
            })
            .collect();
        piece.add(tube(&path, 0.008, 8, false), Role::Cane);
    }
    piece
}

/// A ladder that leans on a wall, with a throw over a rung.
#[must_use]
pub fn ladder(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, height) = (0.45, 1.70);
    let mut piece = Piece::new(PieceKind::BlanketLadder, Vec3::new(width, 0.34, height));
    let lean = |z: f32| -0.14 + 0.28 * z / height;
    let role = if palette.on_metal { Role::DarkMetal } else { Role::Wood };
    for sx in [-1.0, 1.0] {
        piece.add(
            rod(
                Vec3::new(sx * width / 2.0 - sx * 0.02, lean(0.0), 0.0),
                Vec3::new(sx * width / 2.0 - sx * 0.02, lean(height), height),
                0.018,
            ),
            role,
        );
    }
    for i in 0..5 {
        let z = 0.25 + i as f32 * 0.32;
        piece.add(
            rod(Vec3::new(-width / 2.0 + 0.02, lean(z), z), Vec3::new(width / 2.0 - 0.02, lean(z), z), 0.013),
            role,
        );
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let z = 0.25 + 3.0 * 0.32;
    let cloth = sheet(24, 30, |u, v| {
        let (d, side) = if v < 0.5 { ((0.5 - v) * 2.0 * 0.55, -1.0) } else { ((v - 0.5) * 2.0 * 0.30, 1.0) };
        let fold = (u * 19.0 + value_noise(Vec3::new(u * 5.0, v, 0.0), seed) * 4.0).sin() * 0.006;
        let top = 0.016 * (-(d / 0.02_f32).powi(2)).exp();
        Vec3::new((u - 0.5) * 0.34, lean(z) + side * (0.017 + fold), z - d + top)
    });
    piece.add(cloth, Role::Throw);
    piece
}
