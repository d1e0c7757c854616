//! Flat roofs.

use aerie_geodata::place::Polygon;
use glam::DVec2;

use super::roof::{Roof, WallTop};
use crate::mesh::{Builder, color};
use crate::shape;

impl Roof<'_> {
    /// A flat roof behind a low parapet.
    pub(super) fn flat(&self, out: &mut Builder) -> WallTop {
        let parapet = 0.35;
        let inner = shape::inset(&self.footprint.outer, 0.28);
        let (Some(inner), true) = (inner, self.overhang > 0.0) else {
            self.cover(out, self.footprint, self.eaves);
            return WallTop::Level(self.eaves);
        };
        let n = inner.len();
        let top = self.eaves + parapet;
        let cap = self.materials.wall.map(|v| (f32::from(v) * 0.86) as u8);
        for i in 0..n {
            let j = (i + 1) % n;
            let (a, b) = (shape::vec(self.footprint.outer[i]), shape::vec(self.footprint.outer[j]));
            let (c, d) = (shape::vec(inner[j]), shape::vec(inner[i]));
            let at = |p: DVec2, z: f64| p.extend(z).as_vec3();
            out.plain(&[at(a, top), at(b, top), at(c, top), at(d, top)], color(cap, 0));
            let inwards = (b - a).perp();
            self.plain(out, &[at(d, self.eaves), at(c, self.eaves), at(c, top), at(d, top)], inwards, cap);
        }
        // Parapets around courtyards.
        for hole in &self.footprint.holes {
            for i in 0..hole.len() {
                let (a, b) = (shape::vec(hole[i]), shape::vec(hole[(i + 1) % hole.len()]));
                let out_of_it = (b - a).normalize_or_zero().perp() * 0.28;
                let at = |p: DVec2, z: f64| p.extend(z).as_vec3();
                let (c, d) = (b + out_of_it, a + out_of_it);
                out.plain(&[at(a, top), at(b, top), at(c, top), at(d, top)], color(cap, 0));
                self.plain(out, &[at(d, self.eaves), at(c, self.eaves), at(c, top), at(d, top)], out_of_it, cap);
            }
        }
        self.cover(out, &Polygon { outer: inner, holes: self.footprint.holes.clone() }, self.eaves);
        WallTop::Level(top)
    }
}
