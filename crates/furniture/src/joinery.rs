//! Parts that joiners, turners and weavers make: boards, turned legs, flutes, woven walls.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::{block, lathe, plate, rod, rounded, sheet, square_leg, tube};

/// Adds a board with its lower side at `at`, its grain along its longest side.
pub fn board(piece: &mut Piece, size: [f32; 3], at: [f32; 3], role: Role) {
    piece.add(plank(size, at), role);
}

/// A board with its lower side centered on `at`, its grain along its longest side.
#[must_use]
pub fn plank(size: [f32; 3], at: [f32; 3]) -> Solid {
    let radius = (size.into_iter().fold(f32::MAX, f32::min) * 0.2).min(0.003);
    let axis = if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
    let cut = at[0] * 1.7 + at[1] * 3.1 + at[2] * 5.3;
    brick(Vec3::from_array(size), radius).grained(axis, cut).moved(at[0], at[1], at[2])
}

/// A box with chamfered edges, of few triangles, standing on z = 0.
#[must_use]
pub fn brick(size: Vec3, radius: f32) -> Solid {
    rounded(size, radius, 1, 1, |p, _| p)
}

/// The corners of a rectangle about the origin.
#[must_use]
pub fn corners(x: f32, y: f32) -> [Vec2; 4] {
    [Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)]
}

/// A surface of revolution whose sharp edges are broken by a small chamfer, so that they shade as edges.
#[must_use]
pub fn spun(outline: &[[f32; 2]], steps: usize) -> Solid {
    const CHAMFER: f32 = 0.0015;
    let points: Vec<Vec2> = outline.iter().copied().map(Vec2::from_array).collect();
    let mut broken = vec![outline[0]];
    for three in points.windows(3) {
        let (before, after) = (three[0] - three[1], three[2] - three[1]);
        let is_sharp = before.normalize_or_zero().dot(after.normalize_or_zero()) > -0.8;
        if is_sharp {
            let cut = |d: Vec2| three[1] + d.normalize_or_zero() * CHAMFER.min(d.length() * 0.4);
            broken.extend([cut(before).to_array(), cut(after).to_array()]);
        } else {
            broken.push(three[1].to_array());
        }
    }
    broken.push(outline[outline.len() - 1]);
    lathe(&broken, steps)
}

/// The outline of a turned thing through points of radius and height, with `between` points from each to the next.
#[must_use]
pub fn smooth_line(points: &[[f32; 2]], between: usize) -> Vec<[f32; 2]> {
    smooth_line_signed(points, between).into_iter().map(|p| [p[0].max(0.0), p[1]]).collect()
}

/// A smooth line through points of the plane.
#[must_use]
pub fn smooth_line_signed(points: &[[f32; 2]], between: usize) -> Vec<[f32; 2]> {
    let at = |i: isize| Vec2::from_array(points[i.clamp(0, points.len() as isize - 1) as usize]);
    let mut line = Vec::with_capacity(points.len() * between);
    for i in 0..points.len() as isize - 1 {
        let [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        for k in 0..between {
            let t = k as f32 / between as f32;
            let bent = b * 2.0
                + (c - a) * t
                + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t * t
                + (b * 3.0 - a - c * 3.0 + d) * t * t * t;
            line.push([bent.x * 0.5, bent.y * 0.5]);
        }
    }
    line.push(points[points.len() - 1]);
    line
}

/// A vessel: an outer outline from the foot to the rim, and its wall's inside down to `deep` of its height.
#[must_use]
pub fn vessel(outline: &[[f32; 2]], wall: f32, deep: f32, steps: usize) -> Solid {
    let mut closed = vec![[0.0, outline[0][1]]];
    closed.extend(outline);
    let [mouth, top] = outline[outline.len() - 1];
    closed.push([mouth - wall * 0.5, top + wall * 0.35]);
    let floor = outline[0][1] + (top - outline[0][1]) * (1.0 - deep);
    let inside: Vec<[f32; 2]> =
        outline.iter().rev().filter(|p| p[1] > floor).map(|p| [(p[0] - wall).max(0.001), p[1] - wall * 0.2]).collect();
    let last = inside.last().copied().unwrap_or([mouth - wall, top]);
    closed.extend(inside);
    closed.push([0.0, last[1]]);
    lathe(&closed, steps)
}

/// A turned leg with a square head, rings and a tapered shaft, as on farmhouse tables. `wide` is the side of its head.
#[must_use]
pub fn turned_leg(height: f32, wide: f32) -> Solid {
    let (r, head) = (wide / 2.0, height * 0.80);
    let shaft = smooth_line(
        &[
            [r * 0.50, 0.0],
            [r * 0.62, height * 0.02],
            [r * 0.72, height * 0.06],
            [r * 0.46, height * 0.095],
            [r * 0.56, height * 0.14],
            [r * 0.84, height * 0.46],
            [r * 0.98, height * 0.60],
            [r * 0.80, height * 0.675],
            [r * 0.55, height * 0.695],
            [r * 0.92, height * 0.72],
            [r * 0.92, height * 0.735],
            [r * 0.62, height * 0.755],
            [r * 0.95, head],
        ],
        5,
    );
    let mut closed = vec![[0.0, 0.0]];
    closed.extend(shaft);
    closed.push([0.0, head + 0.002]);
    lathe(&closed, 24).with(block(Vec3::new(wide, wide, height - head), 0.004).moved(0.0, 0.0, head))
}

/// A small turned foot under a chest.
#[must_use]
pub fn bun_foot(height: f32, radius: f32) -> Solid {
    let line = smooth_line(
        &[
            [radius * 0.55, 0.0],
            [radius * 0.95, height * 0.28],
            [radius, height * 0.45],
            [radius * 0.72, height * 0.72],
            [radius * 0.5, height * 0.8],
            [radius * 0.85, height * 0.9],
            [radius * 0.85, height],
        ],
        4,
    );
    let mut closed = vec![[0.0, 0.0]];
    closed.extend(line);
    closed.push([0.0, height]);
    lathe(&closed, 24)
}

/// A square leg that tapers toward its foot and stands at a slant: `out` is how far the foot stands out.
#[must_use]
pub fn slanted_leg(height: f32, above: f32, below: f32, out: Vec2) -> Solid {
    slanted(square_leg(height, above, below), height, out)
}

/// A solid whose foot is pushed aside, its head kept in place.
#[must_use]
pub fn slanted(mut solid: Solid, height: f32, out: Vec2) -> Solid {
    for v in &mut solid.vertices {
        let share = 1.0 - v.place.z / height;
        v.place += (out * share).extend(0.0);
    }
    solid.smoothen();
    solid
}

/// A panel of half-round flutes, `width` x `height`, its lower middle on the origin, its front toward -Y.
#[must_use]
pub fn fluted(width: f32, height: f32, pitch: f32) -> Solid {
    const STEPS: usize = 8;
    let count = (width / pitch).round().max(1.0);
    let deep = width / count * 0.42;
    let columns = count as usize * STEPS + 1;
    sheet(columns, 2, |u, v| {
        let share = (u * count).fract();
        let share = if u >= 1.0 { 0.0 } else { share };
        let out = (1.0 - (share * 2.0 - 1.0).powi(2)).max(0.0).sqrt();
        Vec3::new((u - 0.5) * width, -out * deep, v * height)
    })
    .grained(2, width * 3.0 + height)
}

/// A round drum with flutes, standing on z = 0, open above and below.
#[must_use]
pub fn fluted_drum(radius: f32, height: f32, count: usize) -> Solid {
    sheet(count * 8 + 1, 2, |u, v| {
        let share = (u * count as f32).fract();
        let out = (1.0 - (share * 2.0 - 1.0).powi(2)).max(0.0).sqrt();
        let r = radius - radius * PI / count as f32 * 0.8 * (1.0 - out);
        (Vec2::from_angle(u * TAU) * r).extend(v * height)
    })
    .grained(2, radius)
}

/// A rounded or pointed bar along a path in the wall's plane: points give x and z.
#[must_use]
pub fn bent(path: &[[f32; 2]], y: f32, radius: f32) -> Solid {
    let path: Vec<Vec3> = path.iter().map(|p| Vec3::new(p[0], y, p[1])).collect();
    tube(&path, radius, 8, false)
}

/// A wall woven of strands around ribs, as baskets have: radius by height share, `rows` strands high.
#[must_use]
pub fn woven_wall(height: f32, rows: usize, ribs: usize, strand: f32, radius: impl Fn(f32) -> f32) -> Solid {
    let around = ribs * 4;
    let per_row = 4;
    sheet(around + 1, rows * per_row + 1, |u, v| {
        let row = (v * rows as f32).min(rows as f32 - 0.01);
        let across = row.fract();
        let over = if (row as usize).is_multiple_of(2) { 0.0 } else { PI };
        let round = (PI * across).sin() * strand * 0.55;
        let wave = (u * ribs as f32 * PI + over).cos() * strand * 0.40;
        (Vec2::from_angle(u * TAU) * (radius(v) + round + wave)).extend(v * height)
    })
}

/// A disc with a soft edge, standing on z = 0.
#[must_use]
pub fn disc(width: f32, depth: f32, thickness: f32) -> Solid {
    plate(&crate::shape::ellipse(width, depth, 72), thickness, (thickness * 0.3).min(0.006))
}

/// An outline between a circle and a rectangle: 2 is an ellipse, more is squarer.
#[must_use]
pub fn squarish(width: f32, depth: f32, power: f32, steps: usize) -> Vec<Vec2> {
    let bend = |v: f32| v.signum() * v.abs().powf(2.0 / power);
    (0..steps)
        .map(|i| Vec2::from_angle(TAU * i as f32 / steps as f32))
        .map(|p| Vec2::new(bend(p.x) * width / 2.0, bend(p.y) * depth / 2.0))
        .collect()
}

/// A frame of square bars around a rectangle in the wall's plane, its lower middle on the origin.
pub fn frame(piece: &mut Piece, size: [f32; 2], bar: [f32; 2], at: [f32; 3], role: Role) {
    let ([width, height], [wide, deep], [x, y, z]) = (size, bar, at);
    for side in [-1.0, 1.0] {
        board(piece, [wide, deep, height], [x + side * (width - wide) / 2.0, y, z], role);
    }
    for z in [z, z + height - wide] {
        board(piece, [width - 2.0 * wide, deep, wide], [x, y, z], role);
    }
}

/// A rod between two points as part of a piece.
pub fn bar(piece: &mut Piece, from: [f32; 3], to: [f32; 3], radius: f32, role: Role) {
    piece.add(rod(Vec3::from_array(from), Vec3::from_array(to), radius), role);
}
