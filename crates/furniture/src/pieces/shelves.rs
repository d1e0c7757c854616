//! Bookshelves, with what stands on them.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::{decor, plants, trays, vases};
use crate::joinery::{bar, board, brick, corners, frame, slanted_leg};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};

/// A bookshelf of a form.
#[must_use]
pub fn bookshelf(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.92, 0.34, 1.92);
    let mut piece = Piece::new(PieceKind::Bookshelf, size);
    let floors = match form {
        1 => cased(&mut piece, size, Role::Wood),
        2 => etagere(&mut piece, size),
        3 => slanted(&mut piece, size),
        4 => cased(&mut piece, size, Role::Front),
        5 => stepped(&mut piece, size),
        _ => steel(&mut piece, size),
    };
    let count = floors.len();
    for (i, (at, room)) in floors.into_iter().enumerate() {
        shelf_group(&mut piece, palette, at, room, i + 1 == count && room.y > 0.6, i, rng);
    }
    piece
}

/// What stands on one shelf: `at` is its middle, `room` its width and the height over it.
fn shelf_group(piece: &mut Piece, palette: &Palette, at: Vec3, room: Vec2, is_top: bool, number: usize, rng: &mut Rng) {
    let side = if number.is_multiple_of(2) { -1.0 } else { 1.0 };
    let tallest = (room.y - 0.05).min(0.29);
    let wide = room.x;
    if is_top {
        piece.attach(&plants::small(palette, rng), 0.0, at + Vec3::X * side * wide * 0.28);
        piece.attach(&decor::books(2, rng).scaled(0.8), 0.2, at - Vec3::X * side * wide * 0.22);
        return;
    }
    let many = (wide * 0.50 / 0.028) as usize;
    let row = |count: usize, rng: &mut Rng| decor::standing_books(count, tallest, rng);
    match (number + rng.below(2)) % 5 {
        0 => {
            let books = row(many, rng);
            piece.attach(&books, 0.0, at + Vec3::new(side * (wide * 0.5 - many as f32 * 0.0145 - 0.03), 0.03, 0.0));
            let vase = vases::vase(vases::low(rng), rng).scaled((tallest / 0.42).min(0.7));
            piece.attach(&vase, 0.0, at - Vec3::new(side * wide * 0.27, 0.0, 0.0));
        }
        1 => {
            boxes(piece, at + Vec3::X * side * wide * 0.25, wide * 0.40, tallest * 0.62);
            let books = row(many / 2 + 1, rng);
            piece.attach(&books, 0.0, at + Vec3::new(-side * wide * 0.25, 0.03, 0.0));
        }
        2 => {
            let stack = decor::books(4, rng).scaled(0.82);
            piece.attach(&stack, 0.08, at + Vec3::X * side * wide * 0.24);
            piece.attach(&decor::knot().scaled(0.8), 0.5, at + Vec3::new(side * wide * 0.24, 0.0, stack.size.z));
            piece.attach(&decor::bowl(rng).scaled(0.62), 0.0, at - Vec3::X * side * wide * 0.24);
        }
        3 => {
            let books = row(many / 2 + 2, rng);
            piece.attach(&books, 0.0, at + Vec3::new(side * wide * 0.26, 0.03, 0.0));
            let small = plants::small(palette, rng).scaled((tallest / 0.30).min(0.9));
            piece.attach(&small, 0.0, at - Vec3::X * side * wide * 0.26);
        }
        _ => {
            let books = row(many, rng);
            piece.attach(&books, 0.0, at + Vec3::new(-side * (wide * 0.5 - many as f32 * 0.0145 - 0.03), 0.03, 0.0));
            leaning_picture(piece, at + Vec3::new(side * wide * 0.24, 0.06, 0.0), tallest, number);
            piece.attach(&trays::candle(0.08, rng), 0.0, at + Vec3::new(side * wide * 0.34, -0.06, 0.0));
        }
    }
}

/// Two boxes of linen with tags.
fn boxes(piece: &mut Piece, at: Vec3, wide: f32, tall: f32) {
    let box_size = Vec3::new(wide, 0.24, tall);
    piece.add(brick(box_size, 0.006).moved(at.x, at.y, at.z), Role::Linen);
    piece.add(
        brick(Vec3::new(wide + 0.006, 0.246, tall * 0.22), 0.004).moved(at.x, at.y, at.z + tall * 0.80),
        Role::Linen,
    );
    frame(piece, [0.060, 0.034], [0.004, 0.004], [at.x, at.y - 0.121, at.z + tall * 0.34], Role::Brass);
    board(piece, [0.052, 0.002, 0.026], [at.x, at.y - 0.121, at.z + tall * 0.34 + 0.004], Role::Mount);
}

/// A small framed picture that leans on the back.
fn leaning_picture(piece: &mut Piece, at: Vec3, tall: f32, number: usize) {
    let mut small = Piece::new(PieceKind::FramedArt, Vec3::ZERO);
    frame(&mut small, [tall * 0.72, tall * 0.92], [0.010, 0.014], [0.0, 0.0, 0.0], Role::Brass);
    board(&mut small, [tall * 0.70, 0.004, tall * 0.90], [0.0, 0.002, 0.004], Role::Mount);
    let picture =
        crate::shape::sheet(2, 2, |u, v| Vec3::new((u - 0.5) * tall * 0.40, -0.0015, tall * (0.20 + 0.52 * v)));
    let mut picture = picture;
    for v in &mut picture.vertices {
        v.tex = Vec3::new(v.place.x / tall * 4.0, (v.place.z / tall - 0.46) * 4.0, 0.0);
    }
    let motifs = [Role::ArtEight, Role::ArtNine, Role::ArtTwelve, Role::ArtThirteen];
    small.add(picture, motifs[number % motifs.len()]);
    small.mesh_mut().vertices.iter_mut().for_each(|v| v.place.y += v.place.z * 0.14);
    piece.attach(&small, 0.0, at);
}

/// A frame of black steel with wooden shelves and crossed bars at its back.
fn steel(piece: &mut Piece, size: Vec3) -> Vec<(Vec3, Vec2)> {
    let t = 0.026;
    for at in corners((size.x - t) / 2.0, (size.y - t) / 2.0) {
        board(piece, [t, t, size.z], [at.x, at.y, 0.0], Role::DarkMetal);
    }
    let mut floors = Vec::new();
    for i in 0..5 {
        let z = 0.10 + i as f32 * 0.445;
        board(piece, [size.x - 0.006, size.y - 0.006, 0.030], [0.0, 0.0, z], Role::Wood);
        for side in [-1.0, 1.0] {
            board(
                piece,
                [t * 0.7, size.y - 2.0 * t, 0.022],
                [side * (size.x - t) / 2.0, 0.0, z - 0.022],
                Role::DarkMetal,
            );
        }
        floors.push((Vec3::new(0.0, 0.0, z + 0.030), Vec2::new(size.x - 0.06, if i == 4 { 0.9 } else { 0.41 })));
    }
    let (x, y) = (size.x / 2.0 - t, size.y / 2.0 - 0.010);
    for (low, high) in [(0.13, 0.99), (1.0, 1.88)] {
        for side in [-1.0, 1.0] {
            bar(piece, [side * x, y, low], [-side * x, y, high], 0.004, Role::DarkMetal);
        }
    }
    floors
}

/// A case with a cornice, a base and a back.
fn cased(piece: &mut Piece, size: Vec3, role: Role) -> Vec<(Vec3, Vec2)> {
    let t = 0.026;
    let (w, d) = (size.x - 0.04, size.y - 0.03);
    let y = 0.012;
    for side in [-1.0, 1.0] {
        board(piece, [t, d, size.z - 0.05], [side * (w - t) / 2.0, y, 0.0], role);
        board(piece, [0.045, 0.018, size.z - 0.12], [side * (w - 0.045) / 2.0, y - d / 2.0 - 0.004, 0.06], role);
    }
    board(piece, [w - 2.0 * t, 0.008, size.z - 0.10], [0.0, y + d / 2.0 - 0.006, 0.06], role);
    for (out, z, tall) in [
        (0.0, size.z - 0.115, 0.055),
        (0.010, size.z - 0.062, 0.020),
        (0.020, size.z - 0.042, 0.024),
        (0.016, size.z - 0.018, 0.018),
    ] {
        piece.add(
            brick(Vec3::new(w + 2.0 * out, d + out, tall), 0.005).grained(0, z).moved(0.0, y - out / 2.0 - 0.006, z),
            role,
        );
    }
    piece.add(brick(Vec3::new(w + 0.02, d + 0.012, 0.085), 0.004).grained(0, 5.0).moved(0.0, y - 0.008, 0.0), role);
    let mut floors = Vec::new();
    for i in 0..5 {
        let z = 0.085 + i as f32 * 0.345;
        if i > 0 {
            board(piece, [w - 2.0 * t, d - 0.02, 0.024], [0.0, y + 0.004, z], role);
        }
        floors.push((Vec3::new(0.0, y, z + if i == 0 { 0.002 } else { 0.024 }), Vec2::new(w - 0.10, 0.315)));
    }
    floors
}

/// Shelves of glass and marble between thin uprights of brass.
fn etagere(piece: &mut Piece, size: Vec3) -> Vec<(Vec3, Vec2)> {
    let t = 0.018;
    let (x, y) = ((size.x - t) / 2.0, (size.y - t) / 2.0);
    for at in corners(x, y) {
        board(piece, [t, t, size.z], [at.x, at.y, 0.0], Role::Brass);
    }
    let mut floors = Vec::new();
    for i in 0..5 {
        let z = 0.07 + i as f32 * 0.455;
        for side in [-1.0, 1.0] {
            board(piece, [size.x - 2.0 * t, t, t], [0.0, side * y, z], Role::Brass);
            board(piece, [t, size.y - 2.0 * t, t], [side * x, 0.0, z], Role::Brass);
        }
        let role = if i == 0 { Role::Marble } else { Role::Glass };
        piece.add(
            crate::shape::plate(&corners(x - 0.008, y - 0.008), 0.006, 0.001).moved(0.0, 0.0, z + t - 0.007),
            role,
        );
        floors.push((Vec3::new(0.0, 0.0, z + t), Vec2::new(size.x - 0.08, if i == 4 { 0.9 } else { 0.42 })));
    }
    floors
}

/// A light case on slanted legs, its shelves of different widths divided by uprights.
fn slanted(piece: &mut Piece, size: Vec3) -> Vec<(Vec3, Vec2)> {
    let (t, foot, y) = (0.020, 0.17, 0.0);
    for at in corners(size.x / 2.0 - 0.07, size.y / 2.0 - 0.05) {
        let solid = slanted_leg(foot, 0.036, 0.022, at.signum() * Vec2::new(0.04, 0.02));
        piece.add(solid.grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(piece, [t, size.y, size.z - foot], [side * (size.x - t) / 2.0, y, foot], Role::Wood);
    }
    board(piece, [size.x - 2.0 * t, 0.008, size.z - foot - 0.02], [0.0, size.y / 2.0 - 0.006, foot], Role::Wood);
    let mut floors = Vec::new();
    let step = (size.z - foot - t) / 5.0;
    for i in 0..6 {
        let z = foot + i as f32 * step;
        board(piece, [size.x - 2.0 * t, size.y - 0.012, t], [0.0, -0.004, z], Role::Wood);
        if i == 5 {
            break;
        }
        let x = [-0.12, 0.16, -0.02, 0.10, -0.14][i];
        board(piece, [t * 0.8, size.y - 0.03, step - t], [x, 0.0, z + t], Role::Wood);
        let (left, right) = (-size.x / 2.0 + t, size.x / 2.0 - t);
        let (from, to) = if x > 0.0 { (left, x) } else { (x, right) };
        floors.push((Vec3::new((from + to) / 2.0, 0.0, z + t), Vec2::new(to - from - 0.02, step - t)));
    }
    floors
}

/// Open shelves that get narrower upward between slanted sides.
fn stepped(piece: &mut Piece, size: Vec3) -> Vec<(Vec3, Vec2)> {
    let mut floors = Vec::new();
    let depth = |z: f32| size.y - 0.13 * z / size.z;
    for side in [-1.0, 1.0] {
        let x = side * (size.x / 2.0 - 0.014);
        bar(piece, [x, size.y / 2.0 - 0.014, 0.0], [x, size.y / 2.0 - 0.014, size.z], 0.013, Role::Wood);
        bar(
            piece,
            [x, -size.y / 2.0 + 0.014, 0.0],
            [x, size.y / 2.0 - depth(size.z) + 0.014, size.z],
            0.013,
            Role::Wood,
        );
    }
    for i in 0..5 {
        let z = 0.12 + i as f32 * 0.43;
        let deep = depth(z) - 0.01;
        board(piece, [size.x - 0.05, deep, 0.022], [0.0, (size.y - deep) / 2.0 - 0.006, z], Role::Wood);
        board(piece, [size.x - 0.05, 0.014, 0.045], [0.0, size.y / 2.0 - 0.014, z + 0.022], Role::Wood);
        for side in [-1.0, 1.0] {
            let x = side * (size.x / 2.0 - 0.014);
            bar(piece, [x, size.y / 2.0 - 0.014, z + 0.006], [x, size.y / 2.0 - deep, z + 0.006], 0.010, Role::Wood);
        }
        floors.push((
            Vec3::new(0.0, (size.y - deep) / 2.0, z + 0.022),
            Vec2::new(size.x - 0.08, if i == 4 { 0.9 } else { 0.40 }),
        ));
    }
    floors
}
