//! Solids that furniture is made of, with rounded edges and soft cushions.

pub mod bedding;
pub mod joinery;
pub mod upholstery;

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::mesh::Solid;
use crate::noise::value_noise;

/// A box with rounded edges, standing on z = 0, centered over the origin.
#[must_use]
pub fn block(size: Vec3, radius: f32) -> Solid {
    rounded(size, radius, 3, 1, |p, _| p)
}

/// A soft box: its faces bulge by `crown` meters, and its cloth is a little uneven.
#[must_use]
pub fn soft(size: Vec3, radius: f32, crown: f32, seed: u32) -> Solid {
    let half = size / 2.0;
    rounded(size, radius, 5, 14, move |p, normal| {
        let share = (p / half).clamp(Vec3::splat(-1.0), Vec3::ONE);
        let open = Vec3::ONE - share * share;
        // The bulge vanishes at the edges.
        let bulge = normal.abs().dot(Vec3::new(open.y * open.z, open.x * open.z, open.x * open.y).max(Vec3::ZERO));
        let uneven = (value_noise(p * 7.0, seed) - 0.5) * 0.010 + (value_noise(p * 19.0, seed + 1) - 0.5) * 0.003;
        p + normal * (crown * bulge.powf(0.6) + uneven)
    })
}

/// A rounded box whose vertices are displaced by `shape(position, normal)`, centered on the origin before that.
pub(crate) fn rounded(size: Vec3, radius: f32, arcs: usize, flats: usize, shape: impl Fn(Vec3, Vec3) -> Vec3) -> Solid {
    rounded_in(size, radius, arcs, [flats; 3], shape)
}

/// A rounded box with a number of divisions of its flat part along each axis.
pub(crate) fn rounded_in(
    size: Vec3,
    radius: f32,
    arcs: usize,
    flats: [usize; 3],
    shape: impl Fn(Vec3, Vec3) -> Vec3,
) -> Solid {
    let half = size / 2.0;
    let radius = radius.min(half.min_element() * 0.98).max(1e-4);
    let line = |h: f32, flats: usize| -> Vec<f32> {
        let arc = |i: usize| radius * (PI / 4.0 * i as f32 / arcs as f32).tan();
        let low = (0..arcs).map(|i| -(h - radius) - arc(arcs - i));
        let middle = (0..=flats).map(|i| -(h - radius) + 2.0 * (h - radius) * i as f32 / flats as f32);
        low.chain(middle).chain((0..arcs).map(|i| h - radius + arc(i + 1))).collect()
    };
    let lines = [line(half.x, flats[0]), line(half.y, flats[1]), line(half.z, flats[2])];
    let (mut places, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-1.0_f32, 1.0] {
            let base = places.len() as u32;
            for b in &lines[v] {
                for a in &lines[u] {
                    let mut p = Vec3::ZERO;
                    p[axis] = side * half[axis];
                    p[u] = *a;
                    p[v] = *b;
                    let inner = p.clamp(radius - half, half - radius);
                    let normal = (p - inner).normalize();
                    places.push(shape(inner + normal * radius, normal) + Vec3::Z * half.z);
                }
            }
            let (columns, rows) = (lines[u].len() as u32, lines[v].len() as u32);
            grid(&mut triangles, base, columns, rows, side > 0.0);
        }
    }
    Solid::smooth(places, triangles)
}

fn grid(triangles: &mut Vec<[u32; 3]>, base: u32, columns: u32, rows: u32, forward: bool) {
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| base + (j + y) * columns + i + x);
            if forward {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
    }
}

/// A surface of `columns` x `rows` vertices, given by parameters of 0 to 1. Visible from both sides.
#[must_use]
pub fn sheet(columns: usize, rows: usize, at: impl Fn(f32, f32) -> Vec3) -> Solid {
    let mut places = Vec::with_capacity(columns * rows);
    for j in 0..rows {
        for i in 0..columns {
            places.push(at(i as f32 / (columns - 1) as f32, j as f32 / (rows - 1) as f32));
        }
    }
    let mut triangles = Vec::new();
    grid(&mut triangles, 0, columns as u32, rows as u32, true);
    Solid::smooth(places, triangles)
}

/// A ball about the origin.
#[must_use]
pub fn ball(radius: f32) -> Solid {
    let outline: Vec<[f32; 2]> = (0..=14)
        .map(|i| {
            let turn = PI * (i as f32 / 14.0 - 0.5);
            [radius * turn.cos().max(0.0), radius * turn.sin()]
        })
        .collect();
    lathe(&outline, 24)
}

/// A surface of revolution about Z. The outline gives radius and height, from the bottom up on the outside.
#[must_use]
pub fn lathe(outline: &[[f32; 2]], steps: usize) -> Solid {
    let mut solid = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    let mut places = Vec::new();
    for [r, z] in outline {
        for i in 0..=steps {
            let turn = TAU * i as f32 / steps as f32;
            places.push(Vec3::new(r * turn.cos(), r * turn.sin(), *z));
        }
    }
    let mut triangles = Vec::new();
    grid(&mut triangles, 0, steps as u32 + 1, outline.len() as u32, true);
    solid = solid.with(Solid::smooth(places, triangles));
    solid
}

/// A round leg, thicker above; standing on z = 0.
#[must_use]
pub fn leg(height: f32, above: f32, below: f32) -> Solid {
    let soft = below * 0.3;
    lathe(
        &[
            [0.0, 0.0],
            [below - soft, 0.0],
            [below, soft],
            [above, height - 0.002],
            [above - 0.002, height],
            [0.0, height],
        ],
        20,
    )
}

/// A square leg, thicker above.
#[must_use]
pub fn square_leg(height: f32, above: f32, below: f32) -> Solid {
    let mut solid = rounded(Vec3::new(above, above, height), above * 0.12, 2, 2, |p, _| p);
    for v in &mut solid.vertices {
        let share = (v.place.z / height).clamp(0.0, 1.0);
        let scale = (below + (above - below) * share) / above;
        v.place.x *= scale;
        v.place.y *= scale;
        v.tex = v.place;
    }
    solid
}

/// A round tube along a path.
#[must_use]
pub fn tube(path: &[Vec3], radius: f32, steps: usize, closed: bool) -> Solid {
    let count = path.len();
    let direction = |i: usize| {
        let (before, after) = if closed {
            (path[(i + count - 1) % count], path[(i + 1) % count])
        } else {
            (path[i.saturating_sub(1)], path[(i + 1).min(count - 1)])
        };
        (after - before).normalize_or(Vec3::Z)
    };
    let mut side = direction(0).any_orthonormal_vector();
    let mut places = Vec::new();
    for i in 0..count + usize::from(closed) {
        let along = direction(i % count);
        side = (side - along * side.dot(along)).normalize_or(along.any_orthonormal_vector());
        let other = along.cross(side);
        for k in 0..=steps {
            let turn = TAU * k as f32 / steps as f32;
            places.push(path[i % count] + (side * turn.cos() + other * turn.sin()) * radius);
        }
    }
    let rows = (count + usize::from(closed)) as u32;
    let mut triangles = Vec::new();
    grid(&mut triangles, 0, steps as u32 + 1, rows, true);
    if !closed {
        for (end, ring) in [(0, 0), (count - 1, count - 1)] {
            let middle = places.len() as u32;
            places.push(path[end]);
            let base = (ring * (steps + 1)) as u32;
            for k in 0..steps as u32 {
                let t = [middle, base + k, base + k + 1];
                triangles.push(if ring == 0 { [t[0], t[2], t[1]] } else { t });
            }
        }
    }
    Solid::smooth(places, triangles)
}

/// A straight rod.
#[must_use]
pub fn rod(from: Vec3, to: Vec3, radius: f32) -> Solid {
    tube(&[from, to], radius, 14, false)
}

/// Piping around a cushion: a rounded rectangle at height `z`.
#[must_use]
pub fn piping(width: f32, depth: f32, corner: f32, z: f32, radius: f32) -> Solid {
    tube(&rim(width, depth, corner, z), radius, 8, true)
}

/// Points along a rounded rectangle, counter-clockwise.
#[must_use]
pub fn rim(width: f32, depth: f32, corner: f32, z: f32) -> Vec<Vec3> {
    let mut path = Vec::new();
    let (x, y) = (width / 2.0 - corner, depth / 2.0 - corner);
    for (i, center) in [Vec2::new(x, y), Vec2::new(-x, y), Vec2::new(-x, -y), Vec2::new(x, -y)].into_iter().enumerate()
    {
        for k in 0..=5 {
            let turn = (i as f32 + k as f32 / 5.0) * PI / 2.0;
            path.push((center + Vec2::from_angle(turn) * corner).extend(z));
        }
    }
    path
}

/// A plate of any outline with rounded edges, standing on z = 0.
#[must_use]
pub fn plate(outline: &[Vec2], thickness: f32, soft: f32) -> Solid {
    let center = outline.iter().copied().sum::<Vec2>() / outline.len() as f32;
    let soft = soft.min(thickness * 0.49);
    let mut places = Vec::new();
    // Rings from the middle of the underside, around the rim, to the middle of the top.
    let mut rings: Vec<(f32, f32)> = vec![(f32::INFINITY, 0.0)];
    for i in 0..=4 {
        let a = PI / 2.0 * i as f32 / 4.0;
        rings.push((soft * (1.0 - a.sin()), soft * (1.0 - a.cos())));
    }
    for i in 0..=4 {
        let a = PI / 2.0 * i as f32 / 4.0;
        rings.push((soft * (1.0 - a.cos()), thickness - soft * (1.0 - a.sin())));
    }
    rings.push((f32::INFINITY, thickness));
    let count = outline.len();
    for (inset, z) in &rings {
        for i in 0..=count {
            let p = outline[i % count];
            let to = center - p;
            let flat = if inset.is_infinite() { center } else { p + to.normalize_or_zero() * *inset };
            places.push(flat.extend(*z));
        }
    }
    let mut triangles = Vec::new();
    grid(&mut triangles, 0, count as u32 + 1, rings.len() as u32, true);
    Solid::smooth(places, triangles)
}

/// An outline of a circle or an ellipse.
#[must_use]
pub fn ellipse(width: f32, depth: f32, steps: usize) -> Vec<Vec2> {
    (0..steps).map(|i| Vec2::from_angle(TAU * i as f32 / steps as f32) * Vec2::new(width, depth) / 2.0).collect()
}
