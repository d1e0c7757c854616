//! The input of roof building, and the faces that roofs of all shapes share.

use aerie_geodata::place::{Polygon, RoofShape};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3};

use crate::materials::Materials;
use crate::mesh::{Builder, color};
use crate::shape;
use crate::wings::Wing;

/// Depth of the fascia at the roof's edge, meters.
pub(super) const EDGE: f64 = 0.2;
/// How far walls extend up behind the fascia, meters, so that no light leaks through the joint.
pub(super) const TUCKED: f64 = 0.1;
/// How far beyond its end a wing may cover a wall, meters.
const VERGE: f64 = 0.32;

/// A roof to be built.
pub(crate) struct Roof<'a> {
    pub(crate) footprint: &'a Polygon,
    pub(crate) shape: RoofShape,
    /// Height of the eaves, meters above the datum.
    pub(crate) eaves: f64,
    /// Height of the roof above the eaves, meters.
    pub(crate) rise: f64,
    /// How far the roof extends beyond the walls, meters.
    pub(crate) overhang: f64,
    /// Bearing that the roof slopes toward, radians, where tagged.
    pub(crate) direction: Option<f64>,
    /// Whether the ridge runs across the longer side.
    pub(crate) across: bool,
    pub(crate) materials: &'a Materials,
    /// Height of the ground floor above the datum.
    pub(crate) floor: f64,
}

/// Height of the walls under a roof.
pub(crate) enum WallTop {
    /// The same height everywhere.
    Level(f64),
    /// The lowest of the roof's planes at each point, and the height that they fall from: each plane is a point, a direction and
    /// the fall per meter along it.
    Planes(Vec<(DVec2, DVec2, f64)>, f64),
    /// A level, below the slopes of wings where the wall stands beyond their sides.
    Wings { level: f64, wings: Vec<Wing>, pitch: f64, hipped: bool },
}

impl WallTop {
    /// Height of the wall's top at a point.
    pub(crate) fn at(&self, p: DVec2) -> f64 {
        match self {
            Self::Level(z) => *z,
            Self::Wings { level, wings, pitch, hipped } => {
                let beyond = |wing: &Wing| {
                    let [side, end] = wing.beyond(p);
                    (end < VERGE).then(|| if *hipped { side.max(end) } else { side })
                };
                let least = wings.iter().filter_map(beyond).fold(f64::INFINITY, f64::min);
                level - if least.is_finite() { least.max(0.0) * pitch } else { 0.0 }
            }
            Self::Planes(planes, top) => {
                planes.iter().map(|(o, d, fall)| top - (p - *o).dot(*d) * fall).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Where the top of a wall from `a` to `b` bends to follow the roof: shares of its length.
    pub(crate) fn breaks(&self, a: DVec2, b: DVec2) -> Vec<f64> {
        let Self::Planes(planes, _) = self else { return vec![] };
        let [(o, d, _), _, ..] = planes.as_slice() else { return vec![] };
        let (sa, sb) = ((a - *o).dot(*d), (b - *o).dot(*d));
        if sa * sb < -1e-6 { vec![sa / (sa - sb)] } else { vec![] }
    }
}

impl Roof<'_> {
    /// Adds a face of the roof's covering, turned upward.
    pub(super) fn surface(&self, out: &mut Builder, corners: &[(DVec2, f64, Vec2)]) {
        let mut corners: Vec<_> = corners.iter().map(|(p, z, uv)| (p.extend(*z).as_vec3(), *uv, 1.0)).collect();
        let area: f32 = (0..corners.len())
            .map(|i| corners[i].0.truncate().perp_dot(corners[(i + 1) % corners.len()].0.truncate()))
            .sum();
        if area < 0.0 {
            corners.reverse();
        }
        out.face(Finish::Roof, &corners, self.materials.roof);
    }

    /// Adds a plain face turned toward `outwards`.
    pub(super) fn plain(&self, out: &mut Builder, corners: &[Vec3], outwards: DVec2, srgb: [u8; 3]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let mut corners = corners.to_vec();
        if normal.truncate().as_dvec2().dot(outwards) < 0.0 {
            corners.reverse();
        }
        out.plain(&corners, color(srgb, 0));
    }

    fn edge_color(&self) -> [u8; 3] {
        self.materials.roof_color.map(|v| (f32::from(v) * 0.62) as u8)
    }

    /// Adds the fascia from `a` to `b`.
    pub(super) fn edge(&self, out: &mut Builder, a: (DVec2, f64), b: (DVec2, f64), outwards: DVec2) {
        let at = |(p, z): (DVec2, f64), down: f64| p.extend(z - down).as_vec3();
        self.plain(out, &[at(a, 0.0), at(b, 0.0), at(b, EDGE), at(a, EDGE)], outwards, self.edge_color());
    }

    /// Covers a polygon at one height.
    pub(super) fn cover(&self, out: &mut Builder, polygon: &Polygon, z: f64) {
        for triangle in shape::triangles(polygon) {
            let corners = triangle.map(|p| (shape::vec(p), z, Vec2::new(p[0] as f32, p[1] as f32)));
            self.surface(out, &corners);
        }
    }
}
