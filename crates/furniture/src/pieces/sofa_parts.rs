//! Parts that several sofas have.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::dressing::{Nook, seed};
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::joinery::Profile;
use crate::shape::upholstery::{Cushion, Tufting, button, padded};
use crate::shape::{plate, sheet, tube};

/// Cross-section of a rolled arm or back, from the seat inside, over the roll and down the outside: outward and up.
pub(super) fn roll_profile(low: f32, seat: f32, top: f32, radius: f32, lean: f32) -> Vec<Vec2> {
    let center = Vec2::new(lean + radius * 0.75, top - radius);
    let mut points = vec![Vec2::new(0.0, seat)];
    let begin = center + Vec2::from_angle(2.95) * radius;
    points.push(Vec2::new(begin.x * 0.35, seat + (begin.y - seat) * 0.55));
    for i in 0..=16 {
        points.push(center + Vec2::from_angle(2.95 - 4.5 * i as f32 / 16.0) * radius);
    }
    let outside = center.x + radius * 0.42;
    points.push(Vec2::new(outside, center.y - radius * 1.25));
    points.push(Vec2::new(outside, low));
    points
}

/// A plate whose outline is in the plane of X and Z, as thick along Y, centered on y = 0.
pub(super) fn face_along_y(outline: &[Vec2], thick: f32, soft: f32) -> Solid {
    plate(outline, thick, soft).pitched(std::f32::consts::FRAC_PI_2).moved(0.0, thick / 2.0, 0.0)
}

/// Loose cushions between arms.
pub(super) struct Row {
    /// Width between the arms.
    pub(super) inner: f32,
    /// Where the seat begins and where its back leans, along Y.
    pub(super) front: f32,
    pub(super) back: f32,
    /// Height of the seat, and of the top of the back.
    pub(super) seat: f32,
    pub(super) top: f32,
    pub(super) thick: f32,
    pub(super) slack: f32,
    pub(super) welt: f32,
}

impl Row {
    /// Adds seat cushions, `across` of them, and back cushions.
    pub(super) fn add(&self, piece: &mut Piece, across: [usize; 2], rng: &mut Rng) {
        let deep = self.back - self.front + 0.10;
        for i in 0..across[0] {
            let one = self.inner / across[0] as f32;
            let x = (i as f32 + 0.5) * one - self.inner / 2.0;
            let cushion = Cushion { welt: self.welt, ..Cushion::new(one - 0.006, deep, self.thick, seed(rng)) };
            let solid = cushion.filled(0.034, self.slack).edged(0.034).lying();
            piece.add(solid.moved(x, self.front + deep / 2.0, self.seat - self.thick), Role::Sofa);
        }
        for i in 0..across[1] {
            let one = self.inner / across[1] as f32;
            let x = (i as f32 + 0.5) * one - self.inner / 2.0;
            let high = self.top - self.seat + 0.02;
            let cushion = Cushion { welt: self.welt, ..Cushion::new(one - 0.008, high, 0.17, seed(rng)) };
            let solid = cushion.filled(0.054, self.slack * 1.3).edged(0.055).standing();
            let solid = solid.pitched(-0.16).yawed(rng.range_f32(-0.012, 0.012));
            piece.add(solid.moved(x, self.back + 0.075, self.seat - 0.012), Role::Sofa);
        }
    }

    /// Where cushions lean on it.
    pub(super) fn nook(&self) -> Nook {
        let (half, back, high) = (self.inner / 2.0, self.back - 0.045, self.top - self.seat + 0.02);
        Nook { half, back, seat: self.seat, lean: 0.2, high }
    }
}

/// Numbers of seat and back cushions of a width.
pub(super) fn split(width: f32) -> usize {
    if width > 2.05 { 3 } else { 2 }
}

/// A rolled arm along Y with a front of its own; `profile` is mirrored for the left side.
pub(super) fn rolled_arm(profile: &[Vec2], side: f32, from: f32, to: f32, role: Role, piece: &mut Piece) {
    let line = Profile::new(profile.to_vec());
    let body = sheet(12, 40, |s, t| {
        let p = line.at(t);
        Vec3::new(side * p.x, from + (to - from) * s, p.y)
    });
    piece.add(body, role);
    let mut outline: Vec<Vec2> = profile.iter().map(|p| Vec2::new(side * p.x, p.y)).collect();
    outline.push(Vec2::new(0.0, profile[profile.len() - 1].y));
    if side > 0.0 {
        outline.reverse();
    }
    let path: Vec<Vec3> = outline.iter().map(|p| Vec3::new(p.x, from - 0.004, p.y)).collect();
    piece.add(face_along_y(&outline, 0.02, 0.006).moved(0.0, from, 0.0), role);
    piece.add(tube(&path, 0.005, 6, true), role);
    piece.add(face_along_y(&outline, 0.02, 0.004).moved(0.0, to, 0.0), role);
}

/// A pleated skirt around a base, down to the floor.
pub(super) fn skirt(width: f32, depth: f32, top: f32, seed: u32) -> Solid {
    let line: Vec<Vec3> = crate::shape::rim(width, depth, 0.03, 0.0);
    let mut flat: Vec<Vec2> = line.iter().map(|p| Vec2::new(p.x, p.y)).collect();
    flat.push(flat[0]);
    let line = Profile::new(flat);
    let length = line.length();
    let count = (length / 0.30).round();
    let hanging = padded(
        (length / 0.018) as usize,
        6,
        |s, t| line.at(s).extend(0.012 + (top - 0.012) * t),
        move |s, t| {
            // Inverted pleats: narrow and deep.
            let near = (s * count - (s * count).round()).abs() * length / count;
            let wave = (s * length * 21.0 + value(s * length * 3.0, seed) * 5.0).sin() * 0.004;
            (1.0 - t) * (0.010 + wave) - 0.018 * (-(near / 0.012).powi(2)).exp() * (1.0 - 0.5 * t)
        },
    );
    let seam: Vec<Vec3> = (0..160).map(|i| line.at(i as f32 / 160.0).extend(top)).collect();
    hanging.with(tube(&seam, 0.0045, 5, true))
}

fn value(at: f32, seed: u32) -> f32 {
    crate::noise::value_noise(Vec3::new(at, 0.5, 0.5), seed)
}

/// A standing pad with buttons in its front, as thick along Y; it stands on z = 0.
pub(super) fn buttoned(width: f32, high: f32, thick: f32, tufting: Tufting, seed: u32) -> Solid {
    let low = Vec2::new(-width / 2.0 + 0.05, -high / 2.0 + 0.05);
    let pull = move |at: Vec2| 0.022 * (1.0 - tufting.dimple(at));
    let mut solid = Cushion::new(width, high, thick, seed).edged(0.035).filled(0.030, 0.6).standing();
    for v in &mut solid.vertices {
        let at = Vec2::new(v.place.x, v.place.z - high / 2.0);
        let inside = at.x.abs() < -low.x && at.y.abs() < -low.y;
        if v.place.y < 0.0 && inside {
            v.place.y += pull(at);
        }
    }
    solid.smoothen();
    for at in tufting.buttons(low, -low) {
        let y = -thick / 2.0 - 0.004;
        solid = solid.with(button(0.013, Vec3::Y).moved(at.x, y, at.y + high / 2.0));
    }
    solid
}
