//! Designs of rugs: what color a place of a rug has.

mod medallion;

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Vec2, Vec3};

use crate::look::Look;
use crate::material::{Design, Material, faded, smooth};
use crate::noise::{at_cell, cloud_noise, value_noise};

/// A place on a rug.
pub(crate) struct Place {
    /// Meters from its middle.
    pub(crate) at: Vec2,
    /// How far its edge is.
    pub(crate) edge: f32,
    /// How worn it is there, 0 to 1.
    pub(crate) worn: f32,
    /// A small irregularity of the weave, meters.
    jitter: f32,
}

/// Steps in which material coordinates hold half the sides of a rug, meters, and how far each step moves them.
const STEP: f32 = 0.01;
const APART: f32 = 16.0;

/// Material coordinates of a place that also hold half the sides of the rug; a round one has a negative first side.
#[must_use]
pub(crate) fn with_extent(at: Vec2, half: Vec2) -> Vec2 {
    at + (half / STEP).round() * APART
}

/// Half the sides of a rug, zero if the coordinates do not hold them, and the place on it.
fn measured(at: Vec2) -> (Vec2, Vec2) {
    let steps = (at / APART).round();
    (steps * STEP, at - steps * APART)
}

/// 1 within `width` of a line, 0 away from it.
pub(crate) fn line(d: f32, width: f32) -> f32 {
    1.0 - smooth((d.abs() - width) / 0.004)
}

/// Distance to the nearest of the lines that repeat with a period.
pub(crate) fn wave(v: f32, period: f32) -> f32 {
    (v / period - (v / period).floor() - 0.5).abs() * period
}

impl Material {
    /// The look of a rug at material coordinates: x and y on it, z how far its edge is.
    pub(crate) fn rug(&self, at: Vec3, design: Design, spread: f32, plain: Look) -> Look {
        let (half, middle) = measured(Vec2::new(at.x, at.y));
        let at = middle.extend(at.z);
        let at_floor = Vec3::new(at.x, at.y, 0.0);
        let worn = cloud_noise(at_floor * 6.0, 3, self.seed);
        let jitter = (value_noise(Vec3::new(at.x, at.y, 1.0) * 11.0, self.seed + 2) - 0.5) * 0.009;
        let place = Place { at: Vec2::new(at.x, at.y), edge: at.z, worn, jitter };
        let color = match design {
            Design::Abstract => self.abstract_rug(&place),
            Design::Jute => self.jute(&place, spread),
            Design::Kilim => self.kilim(&place),
            Design::Medallion => self.medallion(&place, half),
            Design::Trellis => self.color.lerp(self.second, trellis(&place)),
            Design::Vintage => self.vintage(&place, half, spread),
            _ => self.color.lerp(self.second, self.two_tone(design, &place)),
        };
        let pile = faded(0.010, spread, || value_noise(at_floor * 190.0, self.seed + 6) - 0.5);
        let tufts = faded(0.03, spread, || cloud_noise(at_floor * 70.0, 2, self.seed + 8) - 0.5);
        let tone = 1.0 + 0.5 * pile + 0.22 * tufts + 0.12 * (worn - 0.5);
        let slope = self.relief(at_floor, 85.0, 0.35 * crate::material::fade(0.02, spread));
        Look { albedo: color * tone, slope, ..plain }
    }

    /// How much of the second color a design of two colors has.
    fn two_tone(&self, design: Design, place: &Place) -> f32 {
        let Place { at: p, edge, worn, jitter } = *place;
        match design {
            Design::Diamonds => {
                let (a, b) = (p.x + p.y * 0.62 + jitter, p.x - p.y * 0.62 + jitter);
                line(wave(a, 0.36), 0.011).max(line(wave(b, 0.36), 0.011))
            }
            Design::Stripes => 0.8 * smooth((wave(p.y + jitter, 0.34) - 0.085) / 0.006) * (0.6 + 0.6 * worn),
            Design::Bordered => {
                line(edge - 0.13 + jitter * 0.3, 0.016).max(line(edge - 0.19 + jitter * 0.3, 0.005)).max(0.10 * worn)
            }
            _ => 0.25 * worn,
        }
    }

    /// Large soft shapes and a few drawn lines.
    fn abstract_rug(&self, place: &Place) -> Vec3 {
        let p = place.at + Vec2::splat(place.jitter);
        let random = |i: i32| at_cell(i, 3, 1, self.seed);
        let mut color = self.color;
        for i in 0..4 {
            let center = Vec2::new(random(i) - 0.5, random(i + 10) - 0.5) * Vec2::new(2.4, 1.8);
            let wide = Vec2::new(0.35 + 0.45 * random(i + 20), 0.30 + 0.3 * random(i + 30));
            let turned = Vec2::from_angle(random(i + 40) * PI).rotate(p - center);
            let bulge = (cloud_noise(Vec3::new(p.x, p.y, i as f32) * 1.6, 2, self.seed + 7) - 0.5) * 0.5;
            let d = (turned / wide).length() - 1.0 + bulge;
            let ink = if i % 2 == 0 { self.third } else { self.color.lerp(self.second, 0.55) };
            color = color.lerp(ink, (1.0 - smooth(d / 0.02)) * 0.8);
        }
        for i in 0..3 {
            let bow = (p.x * (0.9 + random(i + 50)) + random(i + 60) * TAU).sin() * 0.28 + (random(i + 70) - 0.5) * 1.1;
            color = color.lerp(self.second, line(p.y - bow, 0.009) * 0.85);
        }
        color
    }

    /// Braided jute: cords side by side, straight or in a spiral.
    fn jute(&self, place: &Place, spread: f32) -> Vec3 {
        const CORD: f32 = 0.026;
        let (row, along) = (place.edge / CORD, place.at.x + place.at.y);
        let seen = crate::material::fade(CORD, spread);
        let round = (PI * row.fract().abs()).sin();
        let strand = ((along / CORD * 1.3 + row.fract() * 0.9).rem_euclid(1.0) - 0.5).abs();
        let cord = at_cell(row.floor() as i32, 0, 2, self.seed) - 0.5;
        let fiber = cloud_noise(Vec3::new(place.at.x * 60.0, place.at.y * 60.0, 0.0), 2, self.seed) - 0.5;
        let tone = 1.0 + seen * (0.55 * (round - 0.64) + 0.30 * (strand - 0.25)) + 0.14 * cord + 0.25 * fiber;
        self.color * tone
    }

    /// Bands across, some plain, some with rows of triangles or diamonds.
    fn kilim(&self, place: &Place) -> Vec3 {
        const BAND: f32 = 0.19;
        let p = place.at + Vec2::splat(place.jitter * 0.6);
        let (number, share) = ((p.x / BAND).floor() as i32, (p.x / BAND).rem_euclid(1.0));
        let pick = (at_cell(number, 1, 1, self.seed) * 4.0) as i32;
        let inks = [self.color, self.second, self.third, self.color * 0.35];
        let ground = inks[(number.rem_euclid(2) + pick / 2) as usize % 3];
        let ink = inks[(number + 1 + pick).rem_euclid(4) as usize];
        let across = wave(p.y, 0.16) / 0.16;
        let figure = match pick {
            0 => 0.0,
            1 => smooth((across * 2.0 - (share - 0.5).abs() * 2.4) / 0.05),
            2 => {
                let d = across * 2.0 + (share - 0.5).abs() * 2.0;
                smooth((0.85 - d) / 0.05) - smooth((0.42 - d) / 0.05)
            }
            _ => smooth((across * 2.0 - share) / 0.05),
        };
        let seam = line((share.min(1.0 - share) * BAND) - 0.012, 0.004);
        ground.lerp(ink, figure.clamp(0.0, 1.0)).lerp(self.color * 0.3, seam * 0.8) * (0.9 + 0.2 * place.worn)
    }
}

/// A trellis of quatrefoils that touch.
fn trellis(place: &Place) -> f32 {
    const STEP: f32 = 0.30;
    let p = (place.at + Vec2::splat(place.jitter * 0.5)) / STEP * Vec2::new(1.15, 1.0);
    let near = |off: Vec2| {
        let d = p - off - (p - off).round();
        let lobes = [Vec2::new(0.24, 0.0), Vec2::new(-0.24, 0.0), Vec2::new(0.0, 0.24), Vec2::new(0.0, -0.24)];
        lobes.iter().map(|lobe| (d - *lobe).length()).fold(f32::MAX, f32::min) - 0.235
    };
    let d = near(Vec2::ZERO).min(f32::MAX);
    let soft = FRAC_PI_2 * 0.012;
    1.0 - smooth((d.abs() - 0.038) / soft)
}
