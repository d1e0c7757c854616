//! Roofs: flat with parapet, gabled, hipped, pyramidal, single-pitched, domed, mansard, on any footprint.

mod outlines;

use aerie_geodata::place::{Polygon, RoofShape};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3, dvec2};

use crate::looks::Looks;
use crate::mesh::{Builder, color};
use crate::shape;
use crate::wings::{Wing, bounding_wing, wings};

/// Depth of the roof's edge, meters.
const EDGE: f64 = 0.2;
/// How far walls reach up behind the roof's edge, meters, so that no light falls through the joint.
const TUCKED: f64 = 0.1;
/// Least height of a gable with a window in it, meters, and the widest.
const GABLE_WINDOW: (f64, f64) = (3.0, 12.0);

/// A roof to be built.
pub(crate) struct RoofJob<'a> {
    pub(crate) footprint: &'a Polygon,
    pub(crate) shape: RoofShape,
    /// Height of the eaves, meters above the datum.
    pub(crate) eaves: f64,
    /// Height of the roof above the eaves, meters.
    pub(crate) rise: f64,
    /// How far the roof reaches beyond the walls, meters.
    pub(crate) overhang: f64,
    pub(crate) direction: Option<f64>,
    pub(crate) across: bool,
    pub(crate) looks: &'a Looks,
    /// Height of the ground floor above the datum.
    pub(crate) floor: f64,
}

/// How high the walls must reach under the roof.
pub(crate) enum WallTop {
    /// The same height everywhere.
    Level(f64),
    /// The lower of the roof's planes at each point; each plane is a point, a direction and a fall along it.
    Planes(Vec<(DVec2, DVec2, f64)>, f64),
}

impl WallTop {
    /// Height of the wall's top at a point.
    pub(crate) fn at(&self, p: DVec2) -> f64 {
        match self {
            Self::Level(z) => *z,
            Self::Planes(planes, top) => {
                planes.iter().map(|(o, d, fall)| top - (p - *o).dot(*d) * fall).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Where a wall from `a` to `b` must have a corner for its top to follow the roof: shares of its length.
    pub(crate) fn breaks(&self, a: DVec2, b: DVec2) -> Vec<f64> {
        let Self::Planes(planes, _) = self else { return vec![] };
        let [(o, d, _), _, ..] = planes.as_slice() else { return vec![] };
        let (sa, sb) = ((a - *o).dot(*d), (b - *o).dot(*d));
        if sa * sb < -1e-6 { vec![sa / (sa - sb)] } else { vec![] }
    }
}

impl RoofJob<'_> {
    /// Builds the roof and tells how high the walls go.
    pub(crate) fn build(&self, out: &mut Builder) -> WallTop {
        let pitched = self.rise > 0.3;
        match self.shape {
            RoofShape::Flat => self.flat(out),
            _ if !pitched => self.flat(out),
            RoofShape::Skillion => self.skillion(out),
            RoofShape::Pyramidal => self.rings(out, &[(1.0, 0.0)]),
            RoofShape::Dome => {
                let steps: Vec<_> =
                    (1..=6).map(|i| (f64::from(i) / 6.0 * std::f64::consts::FRAC_PI_2).sin_cos()).collect();
                self.rings(out, &steps.iter().map(|(s, c)| (*s, *c)).collect::<Vec<_>>())
            }
            RoofShape::Mansard => self.truncated(out, self.rise * 0.45),
            RoofShape::Gabled | RoofShape::HalfHipped | RoofShape::Gambrel | RoofShape::Hipped => {
                let across = self.across || self.ridge_runs_across();
                let wings = wings(self.footprint, across);
                let is_plain = wings.as_ref().is_some_and(|wings| wings.len() == 1);
                if self.shape == RoofShape::Hipped
                    && !is_plain
                    && let Some(top) = self.hipped(out)
                {
                    return top;
                }
                match wings {
                    Some(wings) => self.winged(out, &wings),
                    None => {
                        let area = shape::area(&self.footprint.outer).abs();
                        if area < 450.0 && self.footprint.holes.is_empty() && self.footprint.outer.len() <= 14 {
                            self.split(out, across)
                        } else {
                            self.truncated(out, self.rise / 0.75)
                        }
                    }
                }
            }
        }
    }

    /// Whether the tagged direction of the ridge lies across the longer side.
    fn ridge_runs_across(&self) -> bool {
        self.direction.is_some_and(|bearing| {
            let fall = dvec2(bearing.sin(), bearing.cos());
            bounding_wing(self.footprint, false).along.dot(fall).abs() > std::f64::consts::FRAC_1_SQRT_2
        })
    }

    fn surface(&self, out: &mut Builder, corners: &[(DVec2, f64, Vec2)]) {
        let mut corners: Vec<_> = corners.iter().map(|(p, z, uv)| (p.extend(*z).as_vec3(), *uv, 1.0)).collect();
        let area: f32 = (0..corners.len())
            .map(|i| corners[i].0.truncate().perp_dot(corners[(i + 1) % corners.len()].0.truncate()))
            .sum();
        if area < 0.0 {
            corners.reverse();
        }
        out.face(Finish::Roof, &corners, self.looks.roof);
    }

    /// A plain face turned so that it looks along `outwards`.
    fn plain(&self, out: &mut Builder, corners: &[Vec3], outwards: DVec2, srgb: [u8; 3]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let mut corners = corners.to_vec();
        if normal.truncate().as_dvec2().dot(outwards) < 0.0 {
            corners.reverse();
        }
        out.plain(&corners, color(srgb, 0));
    }

    fn edge_color(&self) -> [u8; 3] {
        self.looks.roof_color.map(|v| (f32::from(v) * 0.62) as u8)
    }

    fn edge(&self, out: &mut Builder, a: (DVec2, f64), b: (DVec2, f64), outwards: DVec2) {
        let at = |(p, z): (DVec2, f64), down: f64| p.extend(z - down).as_vec3();
        self.plain(out, &[at(a, 0.0), at(b, 0.0), at(b, EDGE), at(a, EDGE)], outwards, self.edge_color());
    }

    fn winged(&self, out: &mut Builder, wings: &[Wing]) -> WallTop {
        let pitch = self.rise / wings[0].half_width.max(0.5);
        let hipped = self.shape == RoofShape::Hipped;
        for (i, wing) in wings.iter().enumerate() {
            let rise = if i == 0 { self.rise } else { (pitch * wing.half_width).min(self.rise * 0.97) };
            if hipped { self.hipped_wing(out, wing, rise) } else { self.gabled_wing(out, wing, rise) }
        }
        WallTop::Level(self.eaves + TUCKED)
    }

    fn gabled_wing(&self, out: &mut Builder, wing: &Wing, rise: f64) {
        let (a, c, w, l) = (wing.along, wing.along.perp(), wing.half_width, wing.half_length);
        let pitch = rise / w;
        let lift = EDGE * 0.8;
        let (eave, ridge) = (self.eaves - self.overhang * pitch + lift, self.eaves + rise + lift);
        let verge = |end: usize| if wing.free[end] { self.overhang * 0.7 } else { 0.0 };
        let (x0, x1) = (-l - verge(0), l + verge(1));
        // A ridge that runs on into another roof leaves a valley between the two.
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

    /// The triangle of wall below a gabled end.
    fn gable(&self, out: &mut Builder, middle: DVec2, outwards: DVec2, half_width: f64, rise: f64) {
        // Seen from outside, the wall runs to the right along this direction.
        let right = outwards.perp();
        let window = self.looks.attic && rise > GABLE_WINDOW.0 && 2.0 * half_width < GABLE_WINDOW.1;
        let look =
            if window { self.looks.gable_look(2.0 * half_width) } else { self.looks.wall_look(1.0, false, false).0 };
        let corner = |s: f64, z: f64| {
            let p = middle + right * s;
            (p.extend(z).as_vec3(), Vec2::new((s + half_width) as f32, (z - self.floor) as f32), 0.9)
        };
        out.face(
            Finish::Wall,
            &[corner(-half_width, self.eaves), corner(half_width, self.eaves), corner(0.0, self.eaves + rise)],
            look,
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

    fn cover(&self, out: &mut Builder, polygon: &Polygon, z: f64) {
        for triangle in shape::triangles(polygon) {
            let corners = triangle.map(|p| (shape::vec(p), z, Vec2::new(p[0] as f32, p[1] as f32)));
            self.surface(out, &corners);
        }
    }

    /// A flat roof behind a low parapet.
    fn flat(&self, out: &mut Builder) -> WallTop {
        let parapet = 0.35;
        let inner = shape::inset(&self.footprint.outer, 0.28);
        let (Some(inner), true) = (inner, self.overhang > 0.0) else {
            self.cover(out, self.footprint, self.eaves);
            return WallTop::Level(self.eaves);
        };
        let n = inner.len();
        let top = self.eaves + parapet;
        let cap = self.looks.wall.map(|v| (f32::from(v) * 0.86) as u8);
        for i in 0..n {
            let j = (i + 1) % n;
            let (a, b) = (shape::vec(self.footprint.outer[i]), shape::vec(self.footprint.outer[j]));
            let (c, d) = (shape::vec(inner[j]), shape::vec(inner[i]));
            let at = |p: DVec2, z: f64| p.extend(z).as_vec3();
            out.plain(&[at(a, top), at(b, top), at(c, top), at(d, top)], color(cap, 0));
            let inwards = (b - a).perp();
            self.plain(out, &[at(d, self.eaves), at(c, self.eaves), at(c, top), at(d, top)], inwards, cap);
        }
        // Courtyards have a low rim, too.
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
