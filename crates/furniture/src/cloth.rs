//! Cloths: weaves, piles, knits and open cane webbing.

use glam::{Vec2, Vec3};

use crate::look::Look;
use crate::material::{Material, fade, faded};
use crate::noise::{at_cell, cloud_noise, value_noise};

impl Material {
    /// Threads over and under one another, with slubs and thicker yarns.
    pub(crate) fn weave(&self, p: Vec2, thread: f32, spread: f32, plain: Look) -> Look {
        let q = p / thread;
        let cell = q.floor();
        let over = (cell.x + cell.y) as i32 % 2 == 0;
        let (along, across) = if over { (q.x - cell.x, q.y - cell.y) } else { (q.y - cell.y, q.x - cell.x) };
        let round = (std::f32::consts::PI * across).sin() * (0.6 + 0.4 * (std::f32::consts::PI * along).sin());
        let seen = fade(thread * 2.0, spread);
        let which = if over { cell.y as i32 } else { cell.x as i32 + 7919 };
        let yarn = at_cell(which, 0, 0, self.seed) - 0.5;
        // Slubs: thick places along a thread, wide enough to be seen across a room.
        let slub = |u: f32, v: f32, s: u32| value_noise(Vec3::new(u / 0.05, v / 0.004, 0.0), self.seed + s) - 0.5;
        let uneven = faded(0.006, spread, || slub(p.x, p.y, 1) + slub(p.y, p.x, 2));
        // Thicker yarns here and there: what is left of a weave in a whole room.
        let thick = |u: f32, v: f32, s: u32| value_noise(Vec3::new(u / 0.4, v / 0.011, 0.0), self.seed + s) - 0.5;
        let yarns = faded(0.024, spread, || thick(p.x, p.y, 21) + thick(p.y, p.x, 22));
        let mottled = faded(0.04, spread, || cloud_noise(Vec3::new(p.x, p.y, 0.0) * 45.0, 2, self.seed) - 0.5);
        let tone = 1.0 + seen * (0.45 * (round - 0.55) + 0.18 * yarn) + 0.11 * uneven + 0.08 * yarns + 0.10 * mottled;
        let mix = (0.5 + 0.8 * yarn * seen + 0.4 * uneven + 0.25 * yarns).clamp(0.0, 1.0);
        Look { albedo: self.color.lerp(self.third, 0.35 * mix) * tone, ..plain }
    }

    /// Pile that was brushed this way and that.
    pub(crate) fn velvet(&self, at: Vec3, spread: f32, plain: Look) -> Look {
        // Where the pile was brushed the other way it looks darker.
        let brushed = cloud_noise(at * 5.0, 3, self.seed) - 0.5;
        let pile = faded(0.006, spread, || value_noise(at * 260.0, self.seed + 2) - 0.5);
        let albedo = self.color * (0.86 + 0.55 * brushed + 0.16 * pile);
        let sheen = self.color.lerp(Vec3::splat(self.color.max_element()), 0.3) * 0.9 + 0.02;
        let slope = self.relief(at, 14.0, 0.10);
        Look { albedo, sheen, sheen_roughness: 0.32, slope, ..plain }
    }

    /// Slope of the fine creases of washed linen.
    pub(crate) fn creases(&self, at: Vec3) -> Vec3 {
        let height = |p: Vec3| {
            let bent = p + Vec3::splat(value_noise(p * 9.0, self.seed + 11) * 0.05);
            let ridge = |scale: f32, more: u32| 1.0 - (value_noise(bent * scale, self.seed + more) * 2.0 - 1.0).abs();
            0.0045 * ridge(17.0, 12).powi(3) + 0.0016 * ridge(44.0, 13).powi(3)
        };
        let (here, step) = (height(at), 0.002);
        let along = |way: Vec3| (height(at + way * step) - here) / step;
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    }

    /// Columns of stitches that look like braids.
    pub(crate) fn knit(&self, p: Vec2, spread: f32, plain: Look) -> Look {
        const STITCH: f32 = 0.016;
        let column = p.x / STITCH;
        let across = column - column.floor() - 0.5;
        let stitch = p.y / (0.62 * STITCH) - across.abs() * 1.5;
        let (along, cell) = (stitch - stitch.floor(), stitch.floor());
        let loop_round = (std::f32::consts::PI * along).sin();
        let yarn = at_cell(column.floor() as i32, cell as i32, 0, self.seed) - 0.5;
        let shape = (loop_round * (1.0 - (across.abs() * 2.0 - 0.5).abs())).max(0.0).sqrt() - 0.6;
        let seen = fade(2.0 * STITCH, spread);
        let tone = 1.0 + seen * (0.75 * shape + 0.12 * yarn);
        let slope = (along - 0.5) * 0.8 * seen;
        Look { albedo: self.color * tone, slope: Vec3::new(across * 0.6 * seen, slope, slope), ..plain }
    }

    /// Strands in four directions with eight-sided holes.
    pub(crate) fn webbing(&self, p: Vec2, spread: f32, plain: Look) -> Look {
        const CELL: f32 = 0.013;
        let q = p / CELL;
        let near = |v: f32| (v - v.round()).abs();
        let straight = near(q.x).min(near(q.y));
        let slanted = near(q.x + q.y - 0.5).min(near(q.x - q.y - 0.5));
        let strand = if straight < 0.15 || slanted < 0.13 { 1.0 } else { 0.0 };
        let seen = fade(CELL, spread);
        // From afar the holes blur to a veil.
        let cover = 0.66 + (strand - 0.66) * seen;
        let tone = 1.0 + 0.35 * seen * (0.12 - straight.min(slanted)).max(-0.2) * 4.0;
        let uneven = 0.16 * (cloud_noise(Vec3::new(p.x, p.y, 0.0) * 14.0, 2, self.seed) - 0.5);
        Look { albedo: self.color * (tone + uneven) * cover, clear: Vec3::splat(1.0 - cover), ..plain }
    }

    /// Loops, close together.
    pub(crate) fn boucle(&self, at: Vec3, spread: f32, plain: Look) -> Look {
        let loops = faded(0.012, spread, || value_noise(at * 130.0, self.seed) - 0.5);
        let lumps = faded(0.04, spread, || cloud_noise(at * 48.0, 2, self.seed + 4) - 0.5);
        let tone = 1.0 + 0.40 * loops + 0.14 * lumps;
        let slope = self.relief(at, 95.0, 0.5 * fade(0.018, spread));
        Look { albedo: self.color * tone, slope, ..plain }
    }
}
