//! Procedural materials: wood, cloth, leather, metal, stone, pile, leaves and painted canvas.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::look::Look;
use crate::noise::{at_cell, cloud_noise, value_noise};
use crate::surface::Surface;

/// Kinds of material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Even color: lacquer, ceramics, plaster.
    Paint,
    /// Wood, its grain along x.
    Wood,
    /// Woven cloth; the width of a thread, meters.
    Weave(f32),
    /// Cloth of loops.
    Boucle,
    /// Smooth hide.
    Leather,
    /// Polished or brushed metal.
    Metal,
    /// Stone with veins.
    Marble,
    /// A rug's pile with a design.
    Rug(Design),
    /// Plaited cane or seagrass.
    Cane,
    /// A leaf, along x from its stalk.
    Leaf,
    /// Edges of pages.
    Pages,
    /// A painting of a motif: x and y are shares of its sides, -1 to 1.
    Art(u8),
    /// A lamp's shade: cloth that glows.
    Shade,
    /// Glass or a screen that is off.
    Screen,
    /// Thin clear glass.
    Glass,
    /// Thin cloth that light passes.
    Sheer,
    /// Speckled, uneven mineral: concrete, terracotta, terrazzo of fine grain.
    Mineral,
    /// Short dense pile that shines along its edges.
    Velvet,
    /// Washed linen, finely creased.
    Linen,
    /// Thick knitted stitches.
    Knit,
    /// Open cane webbing: strands with holes between them.
    Webbing,
}

/// Designs of rugs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// One tone, uneven as wool is.
    Plain,
    /// Thin lines that cross to diamonds.
    Diamonds,
    /// A border with a line.
    Bordered,
    /// Broad washed stripes.
    Stripes,
    /// Faded ornament.
    Vintage,
    /// A trellis of quatrefoils.
    Trellis,
    /// An oriental medallion with corners and borders.
    Medallion,
    /// Braided cords.
    Jute,
    /// Woven bands with figures.
    Kilim,
    /// Soft shapes and lines.
    Abstract,
}

/// A material. Colors are reflectances, linear sRGB.
#[derive(Debug, Clone)]
pub struct Material {
    /// Kind.
    pub kind: Kind,
    /// Its main color.
    pub color: Vec3,
    /// Another one: dark grain, veins, a design's lines.
    pub second: Vec3,
    /// A third.
    pub third: Vec3,
    /// Roughness, 0 to 1 (GGX alpha is its square).
    pub roughness: f32,
    /// Seed of its pattern.
    pub seed: u32,
    /// The surface of an operator's model, in place of the pattern; x and y of the material coordinates are those of its textures.
    pub surface: Option<Arc<Surface>>,
}

impl Material {
    /// The material of an operator's model.
    #[must_use]
    pub fn of(surface: Surface) -> Self {
        let made = Self::new(Kind::Paint, surface.color.truncate(), surface.roughness);
        Self { surface: Some(Arc::new(surface)), ..made }
    }

    /// A material of one color.
    #[must_use]
    pub fn new(kind: Kind, color: Vec3, roughness: f32) -> Self {
        Self { kind, color, second: color * 0.6, third: color * 0.8, roughness, seed: 0, surface: None }
    }

    /// In another main color; the others keep their distance to it.
    #[must_use]
    pub fn recolored(&self, color: Vec3) -> Self {
        let factor = color / self.color.max(Vec3::splat(0.01));
        let other = |c: Vec3| (c * factor).min(Vec3::splat(0.85));
        Self { color, second: other(self.second), third: other(self.third), ..self.clone() }
    }

    /// With other colors.
    #[must_use]
    pub fn and(mut self, second: Vec3, third: Vec3) -> Self {
        (self.second, self.third) = (second, third);
        self
    }

    /// With another seed.
    #[must_use]
    pub fn seeded(mut self, seed: u32) -> Self {
        self.seed = seed;
        self
    }

    /// Appearance at material coordinates `at` on a surface with normal `facing`, for pixels `spread` meters wide.
    #[must_use]
    pub fn look(&self, at: Vec3, facing: Vec3, spread: f32) -> Look {
        let plain = Look::matt(self.color, self.roughness);
        match self.kind {
            Kind::Paint => Look { mirror: Vec3::splat(if self.roughness < 0.7 { 0.04 } else { 0.0 }), ..plain },
            Kind::Wood => self.wood(at, spread, plain),
            Kind::Weave(thread) => {
                let cloth = self.weave(flat(at, facing), thread, spread, plain);
                // The weave's relief, and the fuzz that brightens cloth where it turns away.
                let slope = self.relief(at, 0.45 / thread, 0.30 * fade(8.0 * thread, spread));
                let sheen = self.color * 0.22 + 0.012;
                Look { slope, sheen, sheen_roughness: 0.55, ..cloth }
            }
            Kind::Boucle => self.boucle(at, spread, plain),
            Kind::Leather => {
                let worn = cloud_noise(at * 9.0, 3, self.seed) - 0.5;
                let slope = self.relief(at, 160.0, 0.05 * fade(0.006, spread));
                Look { albedo: self.color * (1.0 + 0.28 * worn), mirror: Vec3::splat(0.035), slope, ..plain }
            }
            Kind::Metal => Look { albedo: Vec3::ZERO, mirror: self.color, ..plain },
            Kind::Marble => self.marble(at, plain),
            Kind::Rug(design) => self.rug(at, design, spread, plain),
            Kind::Cane => {
                let p = flat(at, facing) / CANE;
                let over = if (p.x.floor() + p.y.floor()) as i32 % 2 == 0 { p.x } else { p.y };
                let round = (std::f32::consts::PI * (over - over.floor())).sin();
                let tone = at_cell(p.x.floor() as i32, p.y.floor() as i32, 0, self.seed) - 0.5;
                let uneven = cloud_noise(at * 14.0, 2, self.seed) - 0.5;
                let amount = 1.0 + fade(2.0 * CANE, spread) * (0.5 * (round - 0.64) + 0.22 * tone) + 0.15 * uneven;
                Look { albedo: self.color * amount, ..plain }
            }
            Kind::Leaf => {
                let vein = (-(at.y / 0.0018).powi(2)).exp() * 0.35;
                // No leaf is as green as the next: its number is in whole steps of the third coordinate.
                let own = |more: i32| at_cell((at.z / LEAF_STEP).round() as i32, more, 0, self.seed) - 0.5;
                let tone = (0.75 + 0.5 * value_noise(at * 30.0, self.seed)) * (1.0 + 0.42 * own(1));
                let tone = tone * Vec3::new(1.0 + 0.30 * own(2), 1.0, 1.0 - 0.25 * own(2));
                let albedo = self.color.lerp(self.second, (at.x * 2.5).clamp(0.0, 1.0)) * tone * (1.0 + vein);
                Look { albedo, mirror: Vec3::splat(0.035), roughness: 0.42, ..plain }
            }
            Kind::Pages => {
                let lines = at_cell((at.z * 1400.0) as i32, 0, 0, self.seed) - 0.5;
                Look { albedo: self.color * (1.0 + 0.25 * lines * fade(0.004, spread)), ..plain }
            }
            Kind::Art(motif) => Look { albedo: self.painted(motif, Vec2::new(at.x, at.y)), roughness: 0.9, ..plain },
            Kind::Shade => {
                // Around the lamp and up: shades are round.
                let p = Vec2::new(at.y.atan2(at.x) * 0.15, at.z);
                let slub =
                    |u: f32, v: f32, s: u32| value_noise(Vec3::new(u / 0.07, v / 0.005, 0.0), self.seed + s) - 0.5;
                let uneven = faded(0.011, spread, || slub(p.x, p.y, 1) + slub(p.y, p.x, 2));
                let threads = 1.0 + 0.06 * (at_cell((p.y * 500.0) as i32, 3, 0, self.seed) - 0.5) + 0.04 * uneven;
                let albedo = self.color * threads;
                // Warm, and dim enough that light from outside still models the shade.
                Look { albedo: albedo * 0.86, emitted: albedo * Vec3::new(0.52, 0.46, 0.36), ..plain }
            }
            Kind::Screen => Look { mirror: Vec3::splat(0.05), ..plain },
            Kind::Glass => {
                let clear = self.color * self.clear();
                Look { albedo: Vec3::ZERO, mirror: Vec3::splat(0.05), clear, ..plain }
            }
            Kind::Sheer => {
                let p = flat(at, facing) / 0.0016;
                let threads =
                    faded(0.0032, spread, || at_cell(p.x.floor() as i32, p.y.floor() as i32, 0, self.seed) - 0.5);
                // What does not pass straight through is scattered, to both sides.
                let albedo = self.color * SHEER_SCATTERS * (1.0 + 0.2 * threads);
                Look { albedo, clear: self.color * self.clear(), ..plain }
            }
            Kind::Mineral => {
                let cloud = cloud_noise(at * 16.0, 3, self.seed) - 0.5;
                let speck = faded(0.006, spread, || value_noise(at * 260.0, self.seed + 1) - 0.5);
                let slope = self.relief(at, 120.0, 0.08 * fade(0.012, spread));
                Look { albedo: self.color * (1.0 + 0.30 * cloud + 0.22 * speck), slope, ..plain }
            }
            Kind::Velvet => self.velvet(at, spread, plain),
            Kind::Linen => {
                let cloth = self.weave(flat(at, facing), 0.0016, spread, plain);
                let slope = self.creases(at) * fade(0.05, spread);
                let albedo = self.color.lerp(cloth.albedo, 0.5);
                Look { albedo, slope, sheen: Vec3::splat(0.03), sheen_roughness: 0.6, ..cloth }
            }
            Kind::Knit => self.knit(flat(at, facing), spread, plain),
            Kind::Webbing => self.webbing(flat(at, facing), spread, plain),
        }
    }

    /// Share of the light that passes straight through, for materials without a surface of their own.
    pub fn clear(&self) -> f32 {
        match self.kind {
            // Its color is at most that of white paint.
            Kind::Glass => 1.12,
            Kind::Sheer => 0.5,
            _ => 0.0,
        }
    }

    /// Whether rays may pass it.
    pub fn is_sheer(&self) -> bool {
        self.surface.as_ref().map_or(self.clear() > 0.0, |surface| surface.is_sheer())
    }

    pub(crate) fn relief(&self, at: Vec3, fineness: f32, depth: f32) -> Vec3 {
        if depth < 0.01 {
            return Vec3::ZERO;
        }
        let p = at * fineness;
        let here = value_noise(p, self.seed + 7);
        let step = 0.15;
        let along = |d: Vec3| (value_noise(p + d * step, self.seed + 7) - here) / step;
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)) * depth
    }

    /// Solid wood: rings around a heart beside the piece, drawn out along the grain, and fine fibers.
    fn wood(&self, at: Vec3, spread: f32, plain: Look) -> Look {
        let wander = Vec3::new(at.x * 0.7, at.y * 2.2, at.z * 2.2);
        let bend = cloud_noise(wander, 2, self.seed) * 0.13
            + value_noise(wander * Vec3::new(2.0, 6.0, 6.0), self.seed + 3) * 0.02;
        let heart = Vec2::new(at.y - 0.31, at.z + 0.22).length() + bend;
        let rings = heart * RINGS;
        let share = rings - rings.floor();
        // Each ring darkens slowly and ends at once.
        let ring = (share.powf(2.2) - 0.3) * (0.55 + 0.45 * at_cell(rings.floor() as i32, 0, 0, self.seed));
        let fibers = Vec3::new(at.x * 9.0, at.y * 420.0, at.z * 420.0);
        let fiber = faded(0.005, spread, || value_noise(fibers, self.seed + 5) - 0.5);
        let streak = value_noise(Vec3::new(at.x * 2.5, at.y * 60.0, at.z * 60.0), self.seed + 9) - 0.5;
        let dark = (0.36 + 0.40 * ring * fade(1.3 / RINGS, spread) + 0.24 * fiber + 0.26 * streak).clamp(0.0, 1.0);
        let slope = Vec3::new(0.0, fiber, fiber) * 0.05;
        Look { albedo: self.color.lerp(self.second, dark), mirror: Vec3::splat(0.04), slope, ..plain }
    }

    fn marble(&self, at: Vec3, plain: Look) -> Look {
        let vein = |scale: f32, sharp: f32, seed: u32| {
            let p = at * scale;
            let bend = cloud_noise(p, 4, self.seed + seed) * 2.0 + p.x * 0.35 + p.y * 0.6;
            (1.0 - (bend.fract() - 0.5).abs() * 2.0).powf(sharp)
        };
        let veins = (vein(1.6, 55.0, 0) * 0.75 + vein(4.1, 60.0, 50) * 0.35 + vein(0.8, 8.0, 90) * 0.13).min(1.0);
        Look { albedo: self.color.lerp(self.second, veins), mirror: Vec3::splat(0.045), ..plain }
    }
}

/// Rings of wood per meter: furniture is made of slowly grown wood.
const RINGS: f32 = 150.0;

/// How far apart leaves are in the third material coordinate, meters: farther than they are curved.
const LEAF_STEP: f32 = 2.0;

/// Material coordinates of a leaf that grows at a place, from those that all leaves of its shape have.
pub(crate) fn own_leaf(tex: Vec3, at: Vec3) -> Vec3 {
    let number = (at.dot(Vec3::new(3_701.0, 9_103.0, 5_303.0)).sin() * 64.0).round();
    tex + Vec3::Z * number * LEAF_STEP
}

/// Width of a strand of cane, meters.
const CANE: f32 = 0.007;
/// Share of its color that a sheer scatters.
const SHEER_SCATTERS: f32 = 0.58;

/// The two coordinates of a face.
fn flat(at: Vec3, facing: Vec3) -> Vec2 {
    let n = facing.abs();
    if n.z >= n.x && n.z >= n.y {
        Vec2::new(at.x, at.y)
    } else if n.x >= n.y {
        Vec2::new(at.y, at.z)
    } else {
        Vec2::new(at.x, at.z)
    }
}

/// Visible share of a pattern with a period where pixels are `spread` wide: all of it from four pixels a period, none below two, where it
/// would show as moiré.
pub(crate) fn fade(period: f32, spread: f32) -> f32 {
    (2.0 - 4.0 * spread / period).clamp(0.0, 1.0)
}

/// A pattern with a period, as far as pixels `spread` wide show it; not computed where they do not.
pub(crate) fn faded(period: f32, spread: f32, pattern: impl Fn() -> f32) -> f32 {
    let seen = fade(period, spread);
    if seen == 0.0 { 0.0 } else { seen * pattern() }
}

pub(crate) fn smooth(t: f32) -> f32 {
    let t = (t * 0.5 + 0.5).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of a material along a line: standard deviation of its brightness by its mean.
    fn contrast(material: &Material, step: f32, spread: f32) -> f32 {
        let light = |i: i32| material.look(Vec3::X * step * i as f32, Vec3::Z, spread).albedo.element_sum();
        let lights: Vec<f32> = (0..400).map(light).collect();
        let mean = lights.iter().sum::<f32>() / 400.0;
        (lights.iter().map(|l| (l - mean).powi(2)).sum::<f32>() / 400.0).sqrt() / mean
    }

    #[test]
    fn threads_and_cane_that_pixels_cannot_resolve_leave_no_moire() {
        for kind in [Kind::Weave(0.004), Kind::Cane] {
            let material = Material::new(kind, Vec3::splat(0.5), 0.9);
            let (near, far) = (contrast(&material, 0.0005, 0.0005), contrast(&material, 0.0005, 0.006));
            assert!(near > 0.1 && far < 0.5 * near, "{kind:?}: {near} {far}");
        }
    }
}
