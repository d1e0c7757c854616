//! A scene of triangles with labels, ready to be traced.

use std::time::Duration;

use aerie_furniture::mesh::Mesh;
pub use aerie_segmentation::FineClass as Label;
use bvh_glam::Vec3A;
use glam::{Vec2, Vec3};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;

/// How a surface may look; it selects the finishes that a sample chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Material {
    Floor,
    Wall,
    Trim,
    Ceiling,
    Door,
    Glass,
    Blind,
    Curtain,
    Cabinet,
    Counter,
    Metal,
    Masonry,
    Soot,
    Rug,
    Cloth,
    Wood,
    Object,
    Lamp,
    Facade,
    Pane,
    Roof,
    Solar,
    Lawn,
    Soil,
    Paving,
    Asphalt,
    Water,
    Leaves,
    Needles,
    Flowers,
    Bark,
    Rock,
    CarPaint,
    Sky,
}

/// A surface: a plane with a label, or the surface of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    /// Its class.
    pub label: Label,
    /// Its finishes.
    pub material: Material,
    /// Surfaces of one group have the same finish.
    pub group: u16,
    /// Plane of the room that it belongs to: 0 none, 1 floor, 2 ceiling, then walls by direction.
    pub plane: u8,
    /// Origin and axes of its texture coordinates, meters.
    pub origin: Vec3,
    /// First axis.
    pub u: Vec3,
    /// Second axis.
    pub v: Vec3,
    /// Mean reflectance, for light reflected by it.
    pub albedo: f32,
}

/// A window pane as a light source.
#[derive(Debug, Clone, Copy)]
pub struct Pane {
    /// A corner.
    pub corner: Vec3,
    /// Edges from it.
    pub edges: [Vec3; 2],
    /// Radiance.
    pub strength: f32,
}

/// A lamp as a point.
#[derive(Debug, Clone, Copy)]
pub struct Lamp {
    /// Its position.
    pub place: Vec3,
    /// Intensity.
    pub strength: f32,
    /// Warmth of its color, 0 to 1.
    pub warmth: f32,
}

/// A scene under construction.
#[derive(Debug, Default)]
pub struct Builder {
    triangles: Vec<Triangle>,
    owners: Vec<u32>,
    /// Its surfaces.
    pub surfaces: Vec<Surface>,
    /// Its windows.
    pub panes: Vec<Pane>,
    /// Its lamps.
    pub lamps: Vec<Lamp>,
    groups: u16,
}

/// Label, material, group and plane of what is added next.
#[derive(Debug, Clone, Copy)]
pub struct Brush {
    /// Class.
    pub label: Label,
    /// Finishes.
    pub material: Material,
    /// Group of one finish.
    pub group: u16,
    /// Plane of the room; `None` derives walls from the normal.
    pub plane: Option<u8>,
    /// Mean reflectance.
    pub albedo: f32,
}

impl Brush {
    /// A brush for surfaces that belong to no plane of the room.
    #[must_use]
    pub fn new(label: Label, material: Material, group: u16) -> Self {
        Self { label, material, group, plane: Some(0), albedo: 0.5 }
    }

    /// For walls, whose plane follows from their normal.
    #[must_use]
    pub fn wall(material: Material, group: u16) -> Self {
        Self { label: Label::Wall, material, group, plane: None, albedo: 0.6 }
    }

    /// In a plane.
    #[must_use]
    pub fn on(self, plane: u8) -> Self {
        Self { plane: Some(plane), ..self }
    }

    /// With a reflectance.
    #[must_use]
    pub fn reflecting(self, albedo: f32) -> Self {
        Self { albedo, ..self }
    }
}

/// The plane of a wall with a normal: one for each of 24 directions.
fn wall_plane(normal: Vec3) -> u8 {
    if normal.z.abs() > 0.7 {
        return if normal.z > 0.0 { 0 } else { 2 };
    }
    let turn = (normal.y.atan2(normal.x) / std::f32::consts::TAU).rem_euclid(1.0);
    3 + ((turn * 24.0).round() as u8) % 24
}

fn wide(v: Vec3) -> Vec3A {
    Vec3A::new(v.x, v.y, v.z)
}

impl Builder {
    /// A new group of surfaces.
    pub fn group(&mut self) -> u16 {
        self.groups += 1;
        self.groups
    }

    /// Adds a parallelogram from a corner along two edges.
    pub fn quad(&mut self, corner: Vec3, a: Vec3, b: Vec3, brush: Brush) {
        let normal = a.cross(b).normalize_or(Vec3::Z);
        // Texture axes: level and upward where the surface is upright.
        let (u, v) = if normal.z.abs() > 0.9 {
            (Vec3::X, Vec3::Y)
        } else {
            let level = Vec3::Z.cross(normal).normalize_or(Vec3::X);
            (level, normal.cross(level).normalize_or(Vec3::Z))
        };
        let plane = brush.plane.unwrap_or_else(|| wall_plane(normal));
        let origin = corner - u * corner.dot(u) - v * corner.dot(v);
        let owner = self.surfaces.len() as u32;
        self.surfaces.push(Surface {
            label: brush.label,
            material: brush.material,
            group: brush.group,
            plane,
            origin,
            u,
            v,
            albedo: brush.albedo,
        });
        let [p, q, r, s] = [corner, corner + a, corner + a + b, corner + b].map(wide);
        self.triangles.push(Triangle { v0: p, v1: q, v2: r });
        self.triangles.push(Triangle { v0: p, v1: r, v2: s });
        self.owners.extend([owner, owner]);
    }

    /// Adds a triangle.
    pub fn triangle(&mut self, corners: [Vec3; 3], brush: Brush) {
        let [p, q, r] = corners;
        let normal = (q - p).cross(r - p).normalize_or(Vec3::Z);
        let u = Vec3::Z.cross(normal).normalize_or(Vec3::X);
        self.owners.push(self.surfaces.len() as u32);
        self.surfaces.push(Surface {
            label: brush.label,
            material: brush.material,
            group: brush.group,
            plane: brush.plane.unwrap_or_else(|| wall_plane(normal)),
            origin: Vec3::ZERO,
            u,
            v: normal.cross(u),
            albedo: brush.albedo,
        });
        let [v0, v1, v2] = corners.map(wide);
        self.triangles.push(Triangle { v0, v1, v2 });
    }

    /// Adds a box from its footprint's corner along two horizontal edges, between two heights.
    pub fn prism(&mut self, corner: Vec2, a: Vec2, b: Vec2, heights: [f32; 2], brush: Brush) {
        let (a, b) = if a.perp_dot(b) < 0.0 { (b, a) } else { (a, b) };
        let up = Vec3::Z * (heights[1] - heights[0]);
        let low = corner.extend(heights[0]);
        let [a, b] = [a.extend(0.0), b.extend(0.0)];
        self.quad(low, a, up, brush);
        self.quad(low + a, b, up, brush);
        self.quad(low + a + b, -a, up, brush);
        self.quad(low + b, -b, up, brush);
        self.quad(low + up, a, b, brush);
        self.quad(low + b, a, -b, brush);
    }

    /// Adds an axis-aligned box.
    pub fn block(&mut self, low: Vec3, high: Vec3, brush: Brush) {
        let size = high - low;
        self.prism(low.truncate(), Vec2::X * size.x, Vec2::Y * size.y, [low.z, high.z], brush);
    }

    /// Adds a mesh turned about Z; `brush` maps the number of a material.
    pub fn mesh(&mut self, mesh: &Mesh, yaw: f32, to: Vec3, mut brush: impl FnMut(usize) -> Brush) {
        let mut placed = Mesh::default();
        placed.place(mesh, yaw, to);
        let base = self.surfaces.len() as u32;
        for part in &placed.parts {
            let b = brush(part.material);
            self.surfaces.push(Surface {
                label: b.label,
                material: b.material,
                group: b.group,
                plane: b.plane.unwrap_or(0),
                origin: Vec3::ZERO,
                u: Vec3::new(0.8, 0.6, 0.1),
                v: Vec3::new(-0.3, 0.3, 0.9),
                albedo: b.albedo,
            });
        }
        for (corners, part) in &placed.triangles {
            let [v0, v1, v2] = corners.map(|i| wide(placed.vertices[i as usize].place));
            self.triangles.push(Triangle { v0, v1, v2 });
            self.owners.push(base + part);
        }
    }

    /// Adds loose triangles as one surface: leaves, twigs, distant hills.
    pub fn soup(&mut self, triangles: impl IntoIterator<Item = [Vec3; 3]>, brush: Brush) {
        let owner = self.surfaces.len() as u32;
        self.surfaces.push(Surface {
            label: brush.label,
            material: brush.material,
            group: brush.group,
            plane: brush.plane.unwrap_or(0),
            origin: Vec3::ZERO,
            u: Vec3::new(0.8, 0.6, 0.1),
            v: Vec3::new(-0.3, 0.3, 0.9),
            albedo: brush.albedo,
        });
        for corners in triangles {
            let [v0, v1, v2] = corners.map(wide);
            self.triangles.push(Triangle { v0, v1, v2 });
            self.owners.push(owner);
        }
    }

    /// The scene.
    #[must_use]
    pub fn finish(self) -> Scene {
        let bvh = build_cwbvh_from_tris(&self.triangles, BvhBuildParams::fast_build(), &mut Duration::default());
        let triangles = bvh.primitive_indices.iter().map(|i| self.triangles[*i as usize]).collect();
        let owners = bvh.primitive_indices.iter().map(|i| self.owners[*i as usize]).collect();
        Scene {
            bvh,
            triangles,
            owners,
            surfaces: self.surfaces,
            panes: self.panes,
            lamps: self.lamps,
            sun: None,
            ambient: 0.3,
            is_outdoors: false,
        }
    }
}

/// A scene.
pub struct Scene {
    bvh: CwBvh,
    triangles: Vec<Triangle>,
    owners: Vec<u32>,
    /// Its surfaces.
    pub surfaces: Vec<Surface>,
    /// Its windows.
    pub panes: Vec<Pane>,
    /// Its lamps.
    pub lamps: Vec<Lamp>,
    /// Direction toward the sun, and its irradiance.
    pub sun: Option<(Vec3, f32)>,
    /// Radiance of what no ray reaches, and of reflections beyond the first.
    pub ambient: f32,
    /// Whether the cameras stand outside.
    pub is_outdoors: bool,
}

/// Where a ray meets the scene.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    /// Along the ray, meters.
    pub distance: f32,
    /// Index of the surface.
    pub surface: u32,
    /// Normal, toward the ray.
    pub normal: Vec3,
}

impl Scene {
    /// First hit of a ray.
    #[must_use]
    pub fn hit(&self, from: Vec3, way: Vec3) -> Option<Hit> {
        let ray = Ray::new(wide(from), wide(way), 1e-4, 4e3);
        let mut hit = RayHit::none();
        if !self.bvh.ray_traverse(ray, &mut hit, |ray, id| self.triangles[id].intersect(ray)) {
            return None;
        }
        let id = hit.primitive_id as usize;
        let t = &self.triangles[id];
        let normal = (t.v1 - t.v0).cross(t.v2 - t.v0);
        let normal = Vec3::new(normal.x, normal.y, normal.z).normalize_or(-way);
        let normal = if normal.dot(way) > 0.0 { -normal } else { normal };
        Some(Hit { distance: hit.t, surface: self.owners[id], normal })
    }

    /// Whether something is in the way.
    #[must_use]
    pub fn is_blocked(&self, from: Vec3, way: Vec3, most: f32) -> bool {
        let ray = Ray::new(wide(from), wide(way), 1e-4, most);
        let mut hit = RayHit::none();
        self.bvh.ray_traverse(ray, &mut hit, |ray, id| {
            let t = self.triangles[id].intersect(ray);
            // Light passes through panes.
            let is_pane = matches!(self.surfaces[self.owners[id] as usize].material, Material::Glass | Material::Sky);
            if is_pane || t >= ray.tmax { f32::INFINITY } else { ray.tmin }
        })
    }
}
