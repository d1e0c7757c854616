//! Joinery: bars, tapered and turned legs, bent rods.

use glam::{Mat3, Vec2, Vec3};

use super::{block, lathe, tube};
use crate::mesh::Solid;

/// The axes of a bar along a direction: across it and level, across it and as upright as can be, along it.
fn axes(along: Vec3) -> Mat3 {
    let level = if along.z.abs() > 0.9 { Vec3::X - along * along.x } else { Vec3::Z.cross(along) }.normalize();
    Mat3::from_cols(level, along.cross(level), along)
}

/// A square-edged bar between two points: `wide` across and level (along X if it stands), `thick` the other way, its grain along it.
#[must_use]
pub fn bar(from: Vec3, to: Vec3, wide: f32, thick: f32, cut: f32) -> Solid {
    tapered(from, to, [wide, thick], 1.0, cut)
}

/// A bar whose section at its end is `end` times as large.
#[must_use]
pub fn tapered(from: Vec3, to: Vec3, section: [f32; 2], end: f32, cut: f32) -> Solid {
    let length = (to - from).length();
    let [wide, thick] = section;
    let mut solid = block(Vec3::new(wide, thick, length), (wide.min(thick) * 0.16).min(0.006)).grained(2, cut);
    for v in &mut solid.vertices {
        let scale = 1.0 + (end - 1.0) * (v.place.z / length).clamp(0.0, 1.0);
        v.place.x *= scale;
        v.place.y *= scale;
    }
    solid.turned(axes((to - from) / length)).moved(from.x, from.y, from.z)
}

/// A round rod between two points, of another radius at its end, its grain along it.
#[must_use]
pub fn dowel(from: Vec3, to: Vec3, radius: f32, end: f32, cut: f32) -> Solid {
    let length = (to - from).length();
    let soft = 0.003_f32.min(radius * 0.4).min(end * 0.4);
    let outline = [
        [0.0, 0.0],
        [radius - soft, 0.0],
        [radius, soft],
        [radius + (end - radius) * 0.5, length * 0.5],
        [end, length - soft],
        [end - soft, length],
        [0.0, length],
    ];
    lathe(&outline, 12).grained(2, cut).turned(axes((to - from) / length)).moved(from.x, from.y, from.z)
}

/// A turned leg standing on z = 0: rings and a bulb over a tapered shaft, `radius` at its thickest.
#[must_use]
pub fn turned_leg(height: f32, radius: f32, cut: f32) -> Solid {
    let profile = [
        [0.0, 0.0],
        [0.42, 0.0],
        [0.50, 0.02],
        [0.50, 0.06],
        [0.40, 0.09],
        [0.46, 0.20],
        [0.62, 0.45],
        [0.78, 0.62],
        [0.60, 0.66],
        [0.82, 0.69],
        [0.82, 0.73],
        [0.56, 0.76],
        [0.90, 0.84],
        [1.00, 0.92],
        [0.92, 0.985],
        [0.90, 1.0],
        [0.0, 1.0],
    ];
    let outline: Vec<[f32; 2]> = profile.iter().map(|[r, z]| [r * radius, z * height]).collect();
    lathe(&outline, 16).grained(2, cut)
}

/// A round bun foot standing on z = 0.
#[must_use]
pub fn bun_foot(height: f32, radius: f32, cut: f32) -> Solid {
    let profile = [
        [0.0, 0.0],
        [0.62, 0.0],
        [0.86, 0.10],
        [1.0, 0.38],
        [0.94, 0.62],
        [0.70, 0.78],
        [0.72, 0.84],
        [0.86, 0.86],
        [0.86, 1.0],
        [0.0, 1.0],
    ];
    let outline: Vec<[f32; 2]> = profile.iter().map(|[r, z]| [r * radius, z * height]).collect();
    lathe(&outline, 24).grained(2, cut)
}

/// Points along a smooth curve through others, `steps` between two of them (Catmull-Rom).
#[must_use]
pub fn curve(points: &[Vec3], steps: usize) -> Vec<Vec3> {
    let last = points.len() - 1;
    let mut path = Vec::new();
    for i in 0..last {
        let [a, b, c, d] = [points[i.saturating_sub(1)], points[i], points[i + 1], points[(i + 2).min(last)]];
        path.extend((0..steps).map(|k| {
            let t = k as f32 / steps as f32;
            0.5 * (2.0 * b
                + (c - a) * t
                + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                + (3.0 * b - a - 3.0 * c + d) * t * t * t)
        }));
    }
    path.push(points[last]);
    path
}

/// A bent rod through points.
#[must_use]
pub fn bent(points: &[Vec3], radius: f32) -> Solid {
    tube(&curve(points, 6), radius, 10, false)
}

/// A broken line that is followed by shares of its length.
#[derive(Debug, Clone)]
pub struct Profile {
    points: Vec<Vec2>,
    reach: Vec<f32>,
}

impl Profile {
    /// The line through points.
    #[must_use]
    pub fn new(points: Vec<Vec2>) -> Self {
        let mut reach = vec![0.0];
        for pair in points.windows(2) {
            reach.push(reach[reach.len() - 1] + (pair[1] - pair[0]).length());
        }
        Self { points, reach }
    }

    /// Meters.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.reach[self.reach.len() - 1]
    }

    /// The point at a share of its length, beyond 0 and 1 straight on.
    #[must_use]
    pub fn at(&self, share: f32) -> Vec2 {
        let way = share * self.length();
        let i = self.reach.partition_point(|r| *r <= way).clamp(1, self.points.len() - 1);
        let part = (way - self.reach[i - 1]) / (self.reach[i] - self.reach[i - 1]).max(1e-6);
        self.points[i - 1] + (self.points[i] - self.points[i - 1]) * part
    }
}
