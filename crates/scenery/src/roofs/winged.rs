//! Gabled and hipped roofs over wings.

use aerie_geodata::place::RoofShape;
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2};

use super::roof::{EDGE, Roof, TUCKED, WallTop};
use crate::mesh::Builder;
use crate::wings::Wing;

/// Minimum height and maximum width of a gable with a window, meters.
const GABLE_WINDOW: (f64, f64) = (3.0, 12.0);

impl Roof<'_> {
    /// A gabled or hipped roof on each wing.
    pub(super) fn winged(&self, out: &mut Builder, wings: &[Wing]) -> WallTop {
        let pitch = self.rise / wings[0].half_width.max(0.5);
        let hipped = self.shape == RoofShape::Hipped;
        for (i, wing) in wings.iter().enumerate() {
            let rise = if i == 0 { self.rise } else { (pitch * wing.half_width).min(self.rise * 0.97) };
            if hipped { self.hipped_wing(out, wing, rise) } else { self.gabled_wing(out, wing, rise) }
        }
        WallTop::Wings { level: self.eaves + TUCKED, wings: wings.to_vec(), pitch, hipped }
    }

    fn gabled_wing(&self, out: &mut Builder, wing: &Wing, rise: f64) {
        let (a, c, w, l) = (wing.along, wing.along.perp(), wing.half_width, wing.half_length);
        let pitch = rise / w;
        let lift = EDGE * 0.8;
        let (eave, ridge) = (self.eaves - self.overhang * pitch + lift, self.eaves + rise + lift);
        let verge = |end: usize| if wing.free[end] { self.overhang * 0.7 } else { 0.0 };
        let (x0, x1) = (-l - verge(0), l + verge(1));
        // A ridge that continues into another roof forms a valley with it.
        let (r0, r1) = (x0 - wing.runs_on[0], x1 + wing.runs_on[1]);
        let up = ((w + self.overhang).powi(2) + (ridge - eave).powi(2)).sqrt() as f32;
        for side in [1.0, -1.0] {
            let low = |x: f64| wing.center + a * x + c * side * (w + self.overhang);
            let high = |x: f64| wing.center + a * x;
            self.surface(
                out,
                &[
                    (low(x0), eave, Vec2::new(x0 as f32, 0.0)),
                    (low(x1), eave, Vec2::new(x1 as f32, 0.0)),
                    (high(r1), ridge, Vec2::new(r1 as f32, up)),
                    (high(r0), ridge, Vec2::new(r0 as f32, up)),
                ],
            );
            self.edge(out, (low(x0), eave), (low(x1), eave), c * side);
            for (end, x, outwards) in [(0, x0, -a), (1, x1, a)] {
                if wing.free[end] {
                    self.edge(out, (low(x), eave), (high(x), ridge), outwards);
                }
            }
        }
        for (end, x, outwards) in [(0, -l, -a), (1, l, a)] {
            if wing.free[end] {
                self.gable(out, wing.center + a * x, outwards, w, rise + lift * 0.5);
            }
        }
    }

    /// Adds the triangle of wall below a gable end.
    fn gable(&self, out: &mut Builder, middle: DVec2, outwards: DVec2, half_width: f64, rise: f64) {
        // The direction to the right, seen from outside.
        let right = outwards.perp();
        let window = self.materials.attic && rise > GABLE_WINDOW.0 && 2.0 * half_width < GABLE_WINDOW.1;
        let material = if window {
            self.materials.gable_material(2.0 * half_width)
        } else {
            self.materials.wall_material(1.0, false, false).0
        };
        let corner = |s: f64, z: f64| {
            let p = middle + right * s;
            (p.extend(z).as_vec3(), Vec2::new((s + half_width) as f32, (z - self.floor) as f32), 0.9)
        };
        out.face(
            Finish::Wall,
            &[corner(-half_width, self.eaves), corner(half_width, self.eaves), corner(0.0, self.eaves + rise)],
            material,
        );
    }

    fn hipped_wing(&self, out: &mut Builder, wing: &Wing, rise: f64) {
        let (a, c, w, l) = (wing.along, wing.along.perp(), wing.half_width, wing.half_length);
        let pitch = rise / w;
        let lift = EDGE * 0.8;
        let o = self.overhang;
        let (eave, ridge) = (self.eaves - o * pitch + lift, self.eaves + rise + lift);
        let ends = [0, 1].map(|end| {
            let sign = if end == 0 { -1.0 } else { 1.0 };
            if wing.free[end] {
                (sign * (l + o), sign * (l - w).max(0.0))
            } else {
                (sign * l, sign * (l + wing.runs_on[end]))
            }
        });
        let up = ((w + o).powi(2) + (ridge - eave).powi(2)).sqrt() as f32;
        let at = |x: f64, y: f64| wing.center + a * x + c * y;
        for side in [1.0, -1.0] {
            let y = side * (w + o);
            self.surface(
                out,
                &[
                    (at(ends[0].0, y), eave, Vec2::new(ends[0].0 as f32, 0.0)),
                    (at(ends[1].0, y), eave, Vec2::new(ends[1].0 as f32, 0.0)),
                    (at(ends[1].1, 0.0), ridge, Vec2::new(ends[1].1 as f32, up)),
                    (at(ends[0].1, 0.0), ridge, Vec2::new(ends[0].1 as f32, up)),
                ],
            );
            self.edge(out, (at(ends[0].0, y), eave), (at(ends[1].0, y), eave), c * side);
        }
        for (end, outwards) in [(0, -a), (1, a)] {
            if wing.free[end] {
                let (x, top) = ends[end];
                self.surface(
                    out,
                    &[
                        (at(x, -(w + o)), eave, Vec2::new(-(w + o) as f32, 0.0)),
                        (at(x, w + o), eave, Vec2::new((w + o) as f32, 0.0)),
                        (at(top, 0.0), ridge, Vec2::new(0.0, up)),
                    ],
                );
                self.edge(out, (at(x, -(w + o)), eave), (at(x, w + o), eave), outwards);
            }
        }
    }
}
