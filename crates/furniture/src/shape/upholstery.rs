//! Upholstery: cushions with seams and piping, tufted and channeled padding, scatter cushions.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

use glam::{Vec2, Vec3};

use super::{ball, rounded_in, sheet, tube};
use crate::mesh::Solid;
use crate::noise::value_noise;

/// A box cushion: two broad faces joined by a band, its thickness along Z.
#[derive(Debug, Clone, Copy)]
pub struct Cushion {
    /// Meters.
    pub size: Vec3,
    /// Radius of its edges.
    pub radius: f32,
    /// How far its broad faces bulge, meters.
    pub crown: f32,
    /// Radius of the piping in its seams; 0 for none.
    pub welt: f32,
    /// How wrinkled its cloth is, 1 for the usual.
    pub slack: f32,
    /// Seed of its wrinkles.
    pub seed: u32,
}

impl Cushion {
    /// A filled cushion with piping.
    #[must_use]
    pub fn new(width: f32, depth: f32, thickness: f32, seed: u32) -> Self {
        Self { size: Vec3::new(width, depth, thickness), radius: 0.035, crown: 0.03, welt: 0.0045, slack: 1.0, seed }
    }

    /// With edges of another radius.
    #[must_use]
    pub fn edged(self, radius: f32) -> Self {
        Self { radius, ..self }
    }

    /// With other faces: how far they bulge, and how wrinkled they are.
    #[must_use]
    pub fn filled(self, crown: f32, slack: f32) -> Self {
        Self { crown, slack, ..self }
    }

    /// Without piping.
    #[must_use]
    pub fn bare(self) -> Self {
        Self { welt: 0.0, ..self }
    }

    fn shape(&self, p: Vec3, normal: Vec3) -> Vec3 {
        let half = self.size / 2.0;
        let share = (p / half).clamp(Vec3::splat(-1.0), Vec3::ONE);
        let open = (Vec3::ONE - share * share).max(Vec3::ZERO);
        let face = self.crown * (open.x * open.y).powf(0.45) * normal.z;
        let band = (self.crown * 0.35).min(0.012) * open.z.sqrt();
        let side = Vec3::new(normal.x * open.y.powf(0.3), normal.y * open.x.powf(0.3), 0.0) * band;
        p + Vec3::Z * face + side + normal * self.wrinkle(p, normal)
    }

    /// Height of the wrinkles: puckers across the seams, creases and an uneven filling.
    fn wrinkle(&self, p: Vec3, normal: Vec3) -> f32 {
        let half = self.size / 2.0;
        let (dx, dy) = (half.x - p.x.abs(), half.y - p.y.abs());
        let (near, along) = if dx < dy { (dx, p.y) } else { (dy, p.x) };
        let noise = |at: Vec3, more: u32| value_noise(at, self.seed + more);
        let patch = noise(p * 6.0, 3);
        let pucker = (along * 120.0 + noise(p * 9.0, 4) * 9.0).sin() * (-near / 0.035).exp() * 0.0022 * patch;
        let ridge = 1.0 - (noise(Vec3::new(p.x * 4.0 + p.y * 2.0, p.y * 3.0, p.z * 4.0), 5) * 2.0 - 1.0).abs();
        let uneven = (noise(p * 5.5, 1) - 0.5) * 0.013 + (noise(p * 15.0, 2) - 0.5) * 0.003;
        self.slack * (uneven + pucker * normal.z.abs() + ridge.powi(5) * 0.006)
    }

    /// The cushion lying on z = 0, centered over the origin.
    #[must_use]
    pub fn lying(&self) -> Solid {
        let half = self.size / 2.0;
        let radius = self.radius.min(half.min_element() * 0.96);
        // Stiff parts need fewer vertices.
        let step = if self.crown < 0.007 { 0.11 } else { 0.06 };
        let flats = (self.size / step).round().clamp(Vec3::splat(2.0), Vec3::splat(26.0)).as_uvec3();
        let flats = [flats.x as usize, flats.y as usize, (flats.z as usize).min(3)];
        let mut solid = rounded_in(self.size, radius, 3, flats, |p, normal| self.shape(p, normal));
        if self.welt > 0.0 {
            for side in [-1.0, 1.0] {
                solid = solid.with(tube(&self.seam(radius, side), self.welt, 5, true));
            }
        }
        solid
    }

    /// The cushion standing on z = 0, its thickness along Y.
    #[must_use]
    pub fn standing(&self) -> Solid {
        self.lying().moved(0.0, 0.0, -self.size.z / 2.0).pitched(FRAC_PI_2).moved(0.0, 0.0, self.size.y / 2.0)
    }

    /// The cushion standing on z = 0 along Y, its thickness along X.
    #[must_use]
    pub fn sideways(&self) -> Solid {
        self.standing().yawed(FRAC_PI_2)
    }

    /// Points along the seam around a broad face.
    fn seam(&self, radius: f32, side: f32) -> Vec<Vec3> {
        let inner = self.size / 2.0 - radius;
        let z = side * (inner.z + radius * FRAC_1_SQRT_2);
        let out = radius * FRAC_1_SQRT_2;
        let mut path = Vec::new();
        for (from, to, turn) in [
            (Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0), 0.0),
            (Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0), 1.0),
            (Vec2::new(-1.0, 1.0), Vec2::new(-1.0, -1.0), 2.0),
            (Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), 3.0),
        ] {
            let flat = Vec2::new(inner.x, inner.y);
            let steps = (((to - from) * flat).length() / 0.045).ceil() as usize;
            for i in 0..=steps {
                let at = from.lerp(to, i as f32 / steps as f32) * flat;
                path.push((at, turn * FRAC_PI_2));
            }
            for k in 1..3 {
                path.push((to * flat, (turn + k as f32 / 3.0) * FRAC_PI_2));
            }
        }
        let center = Vec3::Z * self.size.z / 2.0;
        let place = |(at, turn): (Vec2, f32)| {
            let way = Vec2::from_angle(turn);
            let normal = (way * FRAC_1_SQRT_2).extend(side * FRAC_1_SQRT_2);
            self.shape((at + way * out).extend(z), normal) + normal * self.welt * 0.35 + center
        };
        path.into_iter().map(place).collect()
    }
}

/// A padded surface: `base` gives its places, `relief` how far they are raised to the side of its normal, which is that of the
/// directions of growing first and second parameter.
#[must_use]
pub fn padded(columns: usize, rows: usize, base: impl Fn(f32, f32) -> Vec3, relief: impl Fn(f32, f32) -> f32) -> Solid {
    const STEP: f32 = 2e-3;
    sheet(columns, rows, |s, t| {
        let across = base(s + STEP, t) - base(s - STEP, t);
        let up = base(s, t + STEP) - base(s, t - STEP);
        base(s, t) + across.cross(up).normalize_or_zero() * relief(s, t)
    })
}

/// Distances of the buttons of a tufting: along a row, and between rows.
#[derive(Debug, Clone, Copy)]
pub struct Tufting {
    /// Between buttons of a row, meters.
    pub wide: f32,
    /// Between rows; each is shifted by half of `wide`.
    pub high: f32,
}

impl Tufting {
    fn lattice(self, at: Vec2) -> Vec2 {
        Vec2::new(at.x / self.wide + at.y / (2.0 * self.high), at.x / self.wide - at.y / (2.0 * self.high))
    }

    /// Height of diamond tufting, 0 at a button to 1 between them. A button is at the origin.
    #[must_use]
    pub fn diamonds(self, at: Vec2) -> f32 {
        let p = self.lattice(at);
        let (s, t) = ((PI * p.x).sin().abs(), (PI * p.y).sin().abs());
        0.55 * (s * t).powf(0.42) + 0.45 * self.dimple(at)
    }

    /// Height of a flat pad with buttons, 0 at a button to 1 away from it.
    #[must_use]
    pub fn dimple(self, at: Vec2) -> f32 {
        let p = self.lattice(at);
        let d = p - p.round();
        let away = Vec2::new(self.wide * (d.x + d.y) / 2.0, self.high * (d.x - d.y));
        1.0 - (-away.length() / (0.20 * self.wide)).exp()
    }

    /// Places of the buttons inside a rectangle from `low` to `high`.
    #[must_use]
    pub fn buttons(self, low: Vec2, high: Vec2) -> Vec<Vec2> {
        let rows = (low.y / self.high).ceil() as i32..=(high.y / self.high).floor() as i32;
        rows.flat_map(|row| {
            let shift = if row.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
            let columns = (low.x / self.wide - shift).ceil() as i32..=(high.x / self.wide - shift).floor() as i32;
            columns.map(move |column| Vec2::new((column as f32 + shift) * self.wide, row as f32 * self.high))
        })
        .collect()
    }
}

/// A covered button, about the origin, facing along a direction.
#[must_use]
pub fn button(radius: f32, facing: Vec3) -> Solid {
    let mut solid = ball_of(radius, 4, 7);
    for v in &mut solid.vertices {
        v.place -= facing * facing.dot(v.place) * 0.5;
    }
    solid.smoothen();
    solid
}

/// A ball of few triangles.
#[must_use]
pub fn ball_of(radius: f32, rows: usize, columns: usize) -> Solid {
    let outline: Vec<[f32; 2]> = (0..=rows)
        .map(|i| {
            let turn = PI * (i as f32 / rows as f32 - 0.5);
            [radius * turn.cos().max(0.0), radius * turn.sin()]
        })
        .collect();
    super::lathe(&outline, columns)
}

/// Height of upright channels, 0 in a seam to 1: `share` runs over `count` of them.
#[must_use]
pub fn channel(share: f32, count: f32) -> f32 {
    (PI * share * count).sin().abs().powf(0.55)
}

/// How the edge of a scatter cushion is finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finish {
    /// Sewn edge to edge.
    Knife,
    /// With a cord in the seam.
    Piped,
    /// With a flat border of a width.
    Flange(f32),
    /// With threads of a length.
    Fringe(f32),
}

/// A scatter cushion lying on z = 0, centered over the origin; corners pointed, sides drawn in.
#[must_use]
pub fn scatter_cushion(width: f32, depth: f32, plump: f32, finish: Finish, seed: u32) -> Solid {
    const SIDE: usize = 21;
    let low = (depth / width).min(1.0).powi(2);
    let shape = move |u: f32, v: f32, top: f32| {
        let noise = |scale: f32, more: u32| value_noise(Vec3::new(u * scale, v * scale, top), seed + more);
        let open = ((1.0 - u * u) * (1.0 - v * v)).max(0.0);
        let x = u * (1.0 - 0.075 * (1.0 - v * v) * u.abs().powi(3)) * width / 2.0;
        let y = v * (1.0 - 0.075 * (1.0 - u * u) * v.abs().powi(3)) * depth / 2.0;
        // Wrinkles that run into the corners, and puckers along the seams.
        let corner = Vec2::new(1.0 - u.abs(), 1.0 - v.abs());
        let fan = (corner.y.atan2(corner.x) * 9.0 + noise(2.0, 7) * 4.0).sin() * (-corner.length() / 0.28).exp();
        let near = corner.min_element();
        let along = if corner.x < corner.y { v } else { u };
        let pucker = (along * 26.0 + noise(3.0, 8) * 6.0).sin() * (-near / 0.10).exp() * open.min(0.3);
        let crease = (noise(2.6, 1) - 0.5) * 0.22 + (noise(6.0, 2) - 0.5) * 0.07;
        // The dent of a cushion that was chopped into shape, which a low one hardly has; never quite in its middle.
        let aside = u - 0.16 * (value_noise(Vec3::splat(0.5), seed + 9) - 0.5);
        let chop = 0.20 * low * (-(aside * aside) / 0.07).exp() * (-(v - 0.85).powi(2) / 0.16).exp();
        let z = open.powf(0.46) * (1.0 + crease - chop + 0.10 * fan) + 0.10 * pucker;
        Vec3::new(x, y - 0.35 * chop * plump, (top * z.max(0.0) + 1.0) * plump / 2.0)
    };
    let face = |top: f32| sheet(SIDE, SIDE, move |s, t| shape(graded(s), graded(t), top));
    let mut below = face(-1.0);
    below.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let mut solid = face(1.0).with(below);
    solid.smoothen();
    let edge: Vec<Vec3> = around(14).into_iter().map(|(u, v)| shape(u, v, 1.0)).collect();
    match finish {
        Finish::Knife => solid,
        Finish::Piped => solid.with(tube(&edge, 0.0042, 5, true)),
        Finish::Flange(wide) => solid.with(flange(&edge, plump / 2.0, wide, seed)),
        Finish::Fringe(long) => solid.with(fringe(&edge, plump / 2.0, long, seed)),
    }
}

/// Vertices closer together toward the seams.
fn graded(share: f32) -> f32 {
    let t = share * 2.0 - 1.0;
    t * (1.25 - 0.25 * t * t)
}

/// Points around the square from -1 to 1, counter-clockwise.
fn around(steps: usize) -> Vec<(f32, f32)> {
    let at = |i: usize| -1.0 + 2.0 * i as f32 / steps as f32;
    let mut points = Vec::new();
    points.extend((0..steps).map(|i| (at(i), -1.0)));
    points.extend((0..steps).map(|i| (1.0, at(i))));
    points.extend((0..steps).map(|i| (-at(i), 1.0)));
    points.extend((0..steps).map(|i| (-1.0, -at(i))));
    points
}

fn outward(edge: &[Vec3], i: usize, middle: f32) -> Vec3 {
    let count = edge.len();
    let along = edge[(i + 1) % count] - edge[(i + count - 1) % count];
    (Vec3::new(along.y, -along.x, 0.0).normalize_or_zero() + edge[i] * 0.5).normalize_or_zero()
        * Vec3::new(1.0, 1.0, middle)
}

/// A flat border around an edge at a height.
fn flange(edge: &[Vec3], height: f32, wide: f32, seed: u32) -> Solid {
    let count = edge.len();
    let rows = [(0.0, 0.004), (wide, 0.003), (wide + 0.002, 0.0), (wide, -0.003), (0.0, -0.004)];
    sheet(count + 1, rows.len(), move |s, t| {
        let i = (s * count as f32).round() as usize % count;
        let (out, up) = rows[(t * (rows.len() - 1) as f32).round() as usize];
        let way = outward(edge, i, 0.0);
        let wave = (value_noise(edge[i] * 14.0, seed + 21) - 0.5) * 0.02 * out / wide.max(1e-3);
        edge[i] * Vec3::new(1.0, 1.0, 0.0) + way * out + Vec3::Z * (height + up + wave)
    })
}

/// Threads around an edge at a height.
fn fringe(edge: &[Vec3], height: f32, long: f32, seed: u32) -> Solid {
    let mut solid = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
    let count = edge.len();
    for i in 0..count {
        for part in 0..3_u32 {
            let at = edge[i].lerp(edge[(i + 1) % count], part as f32 / 3.0);
            let at = Vec3::new(at.x, at.y, height);
            let noise = value_noise(at * 90.0 + part as f32, seed + 31) - 0.5;
            let way = outward(edge, i, 0.0) + Vec3::new(-at.y, at.x, noise * 0.6).normalize_or_zero() * noise * 0.5;
            solid = solid.with(tube(&[at, at + way * long * (1.0 + 0.3 * noise)], 0.0022, 3, false));
        }
    }
    solid
}

/// A bolster along X: a round roll with gathered ends, centered on the origin.
#[must_use]
pub fn bolster(length: f32, radius: f32, seed: u32) -> Solid {
    let roll = sheet(33, 28, move |s, t| {
        let turn = -TAU * s;
        let x = (t * 2.0 - 1.0) * 1.12;
        let (over, x) = ((x.abs() - 1.0).max(0.0) / 0.12, x.clamp(-1.0, 1.0));
        let pleat = 1.0 + 0.05 * (turn * 14.0).sin() * over;
        let round = if over > 0.0 { (1.0 - over).max(0.02) } else { 1.0 - 0.06 * x.powi(8) };
        let dented = 1.0 + (value_noise(Vec3::new(x * 3.0, turn.cos(), turn.sin()), seed) - 0.5) * 0.06;
        let r = radius * round * pleat * dented;
        Vec3::new(x * length / 2.0 - x.signum() * over * 0.004, r * turn.cos(), r * turn.sin())
    });
    let mut solid = roll;
    for side in [-1.0, 1.0] {
        solid = solid.with(ball(0.012).moved(side * length / 2.0, 0.0, 0.0));
        let ring: Vec<Vec3> = (0..24)
            .map(|i| Vec2::from_angle(TAU * i as f32 / 24.0))
            .map(|p| {
                // On the cloth, dents and all.
                let dented = 1.0 + (value_noise(Vec3::new(side * 3.0, p.x, p.y), seed) - 0.5) * 0.06;
                (p * radius * 0.94 * dented).extend(side * length / 2.0)
            })
            .map(|p| Vec3::new(p.z, p.x, p.y))
            .collect();
        solid = solid.with(tube(&ring, 0.004, 5, true));
    }
    solid
}

/// A cushion of any convex outline, `thick` at its rim, its top raised by `crown` in the middle; lying on z = 0.
#[must_use]
pub fn pad(outline: &[Vec2], thick: f32, soft: f32, crown: f32, seed: u32) -> Solid {
    const ARC: usize = 4;
    const RINGS: usize = 7;
    let center = outline.iter().copied().sum::<Vec2>() / outline.len() as f32;
    let soft = soft.min(thick * 0.49);
    // Inset, height and share of the crown of the rings, from the middle of the underside to the middle of the top.
    let mut rings: Vec<(f32, f32, f32)> = vec![(f32::INFINITY, 0.0, 0.0)];
    let arc = |i: usize| (FRAC_PI_2 * i as f32 / ARC as f32).sin_cos();
    rings.extend((0..=ARC).map(arc).map(|(sin, cos)| (soft * (1.0 - sin), soft * (1.0 - cos), 0.0)));
    rings.extend((0..=ARC).map(arc).map(|(sin, cos)| (soft * (1.0 - cos), thick - soft * (1.0 - sin), 0.0)));
    rings.extend((1..=RINGS).map(|i| (-(i as f32) / RINGS as f32, thick, i as f32 / RINGS as f32)));
    let count = outline.len();
    sheet(count + 1, rings.len(), move |s, t| {
        let p = outline[(s * count as f32).round() as usize % count];
        let (inset, z, share) = rings[(t * (rings.len() - 1) as f32).round() as usize];
        let to = center - p;
        let soft_in = if share > 0.0 { soft } else { 0.0 };
        let flat = match inset {
            i if i.is_infinite() => center,
            i if i < 0.0 => (p + to.normalize_or_zero() * soft_in).lerp(center, -i),
            i => p + to.normalize_or_zero() * i,
        };
        let uneven = (value_noise(flat.extend(z) * 8.0, seed) - 0.5) * 0.012 * share.min(0.5) * 2.0;
        let rise = crown * (1.0 - (1.0 - share).powi(2)).max(0.0).powf(0.6);
        flat.extend(z + rise + uneven)
    })
}
