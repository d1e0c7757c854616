//! Path tracing of furniture in the light of its room.
//!
//! The surfaces of the room emit what the photo shows of them, windows what was fitted; furniture scatters it (Lambert and GGX).
//! A path ends where it meets the room. Windows are sampled by area and by the surface, combined by the balance heuristic (Veach
//! 1995).

use std::f32::consts::PI;
use std::time::Duration;

use bvh_glam::Vec3A;
use glam::Vec3;
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;

use crate::light::Shell;
use crate::material::{Look, Material};
use crate::mesh::Mesh;
use crate::sampling::{Sampler, cosine_direction};

/// Most light that a path brings from furniture to furniture, in mean radiances of the room: rare paths that meet a lamp in a mirror would
/// leave bright dots.
const SCATTERED: f32 = 6.0;

/// Furniture ready to be traced.
pub struct Scene {
    mesh: Mesh,
    materials: Vec<Material>,
    bvh: Option<CwBvh>,
    triangles: Vec<Triangle>,
    ids: Vec<u32>,
    low: Vec3,
    high: Vec3,
    /// Mean radiance in the room: the unit of lampshade glow.
    pub(crate) level: f32,
    /// Factor on the light that falls on furniture, from the fit.
    pub gain: f32,
}

/// Where a ray meets furniture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) distance: f32,
    pub(crate) place: Vec3,
    /// Normal of the triangle, toward the ray.
    pub(crate) face_normal: Vec3,
    /// Interpolated normal with relief, toward the ray.
    pub(crate) normal: Vec3,
    pub(crate) look: Look,
    pub(crate) part: u32,
}

impl Scene {
    /// Builds the acceleration structure of a mesh whose parts index `materials`.
    #[must_use]
    pub fn new(mesh: Mesh, materials: Vec<Material>) -> Self {
        let wide = |v: Vec3| Vec3A::new(v.x, v.y, v.z);
        let triangles: Vec<Triangle> = mesh
            .triangles
            .iter()
            .map(|(t, _)| {
                let [v0, v1, v2] = t.map(|i| wide(mesh.vertices[i as usize].place));
                Triangle { v0, v1, v2 }
            })
            .collect();
        let bvh = (!triangles.is_empty())
            .then(|| build_cwbvh_from_tris(&triangles, BvhBuildParams::medium_build(), &mut Duration::default()));
        let ids: Vec<u32> = bvh.as_ref().map(|b| b.primitive_indices.clone()).unwrap_or_default();
        let triangles = ids.iter().map(|i| triangles[*i as usize]).collect();
        let [low, high] = mesh.bounds();
        Self { mesh, materials, bvh, triangles, ids, low: low - 1e-3, high: high + 1e-3, level: 0.5, gain: 1.0 }
    }

    /// Whether there is any furniture.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bvh.is_none()
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.triangles.len()
    }

    fn misses(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        let inverse = ray.recip();
        let (a, b) = ((self.low - from) * inverse, (self.high - from) * inverse);
        let enter = a.min(b).max_element().max(0.0);
        let leave = a.max(b).min_element().min(most);
        enter > leave || leave.is_nan()
    }

    /// Whether furniture is in the way within `most` meters along a ray.
    pub(crate) fn is_blocked(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        let Some(bvh) = &self.bvh else { return false };
        if self.misses(from, ray, most) {
            return false;
        }
        let ray = Ray::new(Vec3A::new(from.x, from.y, from.z), Vec3A::new(ray.x, ray.y, ray.z), 1e-4, most);
        let mut hit = RayHit::none();
        bvh.ray_traverse(ray, &mut hit, |ray, id| {
            // Any hit will do: the shortest possible distance ends the search.
            let t = self.triangles[id].intersect(ray);
            if t < ray.tmax { ray.tmin } else { t }
        })
    }

    fn nearest(&self, from: Vec3, ray: Vec3, most: f32) -> Option<(usize, f32)> {
        let bvh = self.bvh.as_ref()?;
        if self.misses(from, ray, most) {
            return None;
        }
        let ray = Ray::new(Vec3A::new(from.x, from.y, from.z), Vec3A::new(ray.x, ray.y, ray.z), 1e-4, most);
        let mut hit = RayHit::none();
        bvh.ray_traverse(ray, &mut hit, |ray, id| self.triangles[id].intersect(ray))
            .then_some((hit.primitive_id as usize, hit.t))
    }

    /// The first hit of a ray within `most` meters. `spread` is the width of a pixel at one meter.
    pub(crate) fn hit(&self, from: Vec3, ray: Vec3, most: f32, spread: f32) -> Option<Hit> {
        let (id, distance) = self.nearest(from, ray, most)?;
        let (corners, part) = self.mesh.triangles[self.ids[id] as usize];
        let [a, b, c] = corners.map(|i| self.mesh.vertices[i as usize]);
        let place = from + ray * distance;
        let (e1, e2, p) = (b.place - a.place, c.place - a.place, place - a.place);
        let across = e1.cross(e2);
        let square = across.length_squared().max(1e-20);
        let v = p.cross(e2).dot(across) / square;
        let w = e1.cross(p).dot(across) / square;
        let u = 1.0 - v - w;
        let mut face_normal = across / square.sqrt();
        let mut normal = (a.normal * u + b.normal * v + c.normal * w).normalize_or(face_normal);
        let tex = a.tex * u + b.tex * v + c.tex * w;
        let at = self.mesh.parts[part as usize];
        let back = at.turn.transpose();
        let slant = ray.dot(normal).abs().max(0.25);
        let look = self.materials[at.material].look(tex, back * face_normal, spread * distance / slant.sqrt());
        if face_normal.dot(ray) > 0.0 {
            face_normal = -face_normal;
        }
        if normal.dot(face_normal) < 0.0 {
            normal = -normal;
        }
        if look.slope != Vec3::ZERO {
            let slope = at.turn * look.slope;
            normal = (normal - (slope - normal * slope.dot(normal))).normalize_or(normal);
        }
        // An interpolated normal that faces away from the ray would leak light.
        let facing = normal.dot(ray);
        if facing > -0.02 {
            normal = (normal - ray * (facing + 0.02)).normalize_or(face_normal);
        }
        Some(Hit { distance, place, face_normal, normal, look, part })
    }

    /// Radiance that arrives at `from` along a ray, following up to `bounces` more scatterings. `pdf` is the density, by solid
    /// angle, with which the ray was sampled where windows were sampled apart, 0 where they were not.
    pub(crate) fn light(
        &self,
        shell: &Shell,
        from: Vec3,
        ray: Vec3,
        bounces: u32,
        pdf: f32,
        sampler: &mut Sampler,
    ) -> Vec3 {
        let (reach, surface) = shell.space.intersect(from, ray);
        sampler.rays += 1;
        let Some(hit) = self.hit(from, ray, reach, 0.02) else {
            return shell.light(from, ray, reach, surface, pdf);
        };
        let look = &hit.look;
        let glow = look.albedo * look.glow * self.level;
        if bounces == 0 {
            // Deep among furniture little of the light of the room arrives.
            return glow + look.albedo * shell.ambient() * 0.35;
        }
        let mirror = look.mirror.max_element();
        let metal = look.albedo == Vec3::ZERO;
        if metal || (mirror > 0.0 && look.roughness < 0.35 && sampler.next() < 0.15) {
            let weight = if metal { look.mirror } else { fresnel(look.mirror, -hit.normal.dot(ray)) / 0.15 };
            let out = reflect_ggx(&hit, ray, sampler);
            if out.dot(hit.face_normal) <= 0.0 {
                return glow;
            }
            let from = hit.place + hit.face_normal * 2e-4;
            let mirrored = weight.min(Vec3::ONE) * self.light(shell, from, out, bounces - 1, 0.0, sampler);
            return glow + mirrored.min(Vec3::splat(SCATTERED * self.level));
        }
        let scattered = look.albedo / PI * self.irradiance(shell, &hit, bounces - 1, sampler);
        glow + scattered.min(Vec3::splat(SCATTERED * self.level))
    }

    /// One-sample estimate of the irradiance at a hit.
    pub(crate) fn irradiance(&self, shell: &Shell, hit: &Hit, bounces: u32, sampler: &mut Sampler) -> Vec3 {
        let from = hit.place + hit.face_normal * 2e-4;
        self.irradiance_at(shell, from, hit.face_normal, hit.normal, bounces, sampler)
    }

    /// The same at a point with a face normal and a shading normal.
    pub(crate) fn irradiance_at(
        &self,
        shell: &Shell,
        from: Vec3,
        face_normal: Vec3,
        normal: Vec3,
        bounces: u32,
        sampler: &mut Sampler,
    ) -> Vec3 {
        let mut sum = Vec3::ZERO;
        let (pick, at) = (sampler.next(), sampler.next_2d());
        if let Some(window) = shell.sample_window(from, normal, pick, at) {
            sampler.rays += 1;
            let facing = normal.dot(window.ray);
            if facing > 0.0
                && face_normal.dot(window.ray) > 0.0
                && !self.is_blocked(from, window.ray, window.distance * 0.999)
            {
                let by_surface = facing / PI;
                sum += window.radiance * (facing / (window.pdf + by_surface));
            }
        }
        let ray = cosine_direction(normal, sampler.next_2d());
        if face_normal.dot(ray) > 0.0 {
            let pdf = normal.dot(ray).max(0.0) / PI;
            sum += PI * self.light(shell, from, ray, bounces, pdf, sampler);
        }
        sum
    }
}

/// Schlick's Fresnel term.
pub(crate) fn fresnel(straight: Vec3, facing: f32) -> Vec3 {
    straight + (Vec3::ONE - straight) * (1.0 - facing.clamp(0.0, 1.0)).powi(5)
}

/// Reflects a ray at a sampled GGX facet.
pub(crate) fn reflect_ggx(hit: &Hit, ray: Vec3, sampler: &mut Sampler) -> Vec3 {
    let alpha = (hit.look.roughness * hit.look.roughness).max(1e-3);
    let at = sampler.next_2d();
    let tan = alpha * (at.x / (1.0 - at.x).max(1e-4)).sqrt();
    let turn = 2.0 * PI * at.y;
    let [side, other] = hit.normal.any_orthonormal_pair().into();
    let facet = (hit.normal + (side * turn.cos() + other * turn.sin()) * tan.min(2.0)).normalize();
    let out = ray - facet * (2.0 * ray.dot(facet));
    let low = out.dot(hit.face_normal);
    if low > 0.01 { out } else { (out + hit.face_normal * (0.02 - low)).normalize() }
}
