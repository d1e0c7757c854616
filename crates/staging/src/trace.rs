//! Rays against furniture in a room whose own light the photo tells.
//!
//! The room's faces give off what the photo shows of them, windows what was fitted; furniture scatters it (Lambert and
//! GGX), so that a path ends where it meets the room. Windows are sampled by area and by the surface, weighted by the
//! balance heuristic (Veach 1995).
use std::f32::consts::PI;
use std::time::Duration;

use bvh_glam::Vec3A;
use glam::{Vec2, Vec3};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;

use crate::light::Shell;
use crate::material::{Look, Material};
use crate::mesh::Mesh;

/// Furniture ready to be traced.
pub struct Scene {
    mesh: Mesh,
    materials: Vec<Material>,
    bvh: Option<CwBvh>,
    triangles: Vec<Triangle>,
    ids: Vec<u32>,
    low: Vec3,
    high: Vec3,
    /// Mean radiance in the room: what lamps' glow is counted in.
    pub(crate) level: f32,
    /// Factor on the light that falls on furniture, from the fit of the light.
    pub gain: f32,
}

/// What a ray meets of the furniture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) distance: f32,
    pub(crate) place: Vec3,
    /// Of the triangle, towards the ray.
    pub(crate) flat: Vec3,
    /// Smoothed and with relief, towards the ray.
    pub(crate) normal: Vec3,
    pub(crate) look: Look,
    pub(crate) part: u32,
}

/// Numbers of 0 to 1 for one path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    state: u32,
    /// How many rays went against furniture.
    pub(crate) rays: u32,
}

impl Draw {
    pub(crate) fn new(pixel: u32, sample: u32) -> Self {
        Self {
            state: pixel.wrapping_mul(0x9E37_79B9) ^ sample.wrapping_mul(0x85EB_CA6B).wrapping_add(0x1656_67B1),
            rays: 0,
        }
    }

    /// PCG (O'Neill 2014), RXS-M-XS 32.
    pub(crate) fn next(&mut self) -> f32 {
        let old = self.state;
        self.state = old.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((old >> ((old >> 28) + 4)) ^ old).wrapping_mul(277_803_737);
        (((word >> 22) ^ word) >> 8) as f32 / (1_u32 << 24) as f32
    }

    pub(crate) fn two(&mut self) -> Vec2 {
        Vec2::new(self.next(), self.next())
    }
}

impl Scene {
    /// Of a mesh and the materials that its parts name.
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

    /// How many triangles it has.
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

    /// Whether something stands between a place and `most` meters along a ray.
    pub(crate) fn blocked(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        let Some(bvh) = &self.bvh else { return false };
        if self.misses(from, ray, most) {
            return false;
        }
        let ray = Ray::new(Vec3A::new(from.x, from.y, from.z), Vec3A::new(ray.x, ray.y, ray.z), 1e-4, most);
        let mut hit = RayHit::none();
        bvh.ray_traverse(ray, &mut hit, |ray, id| {
            // Any will do: the nearest possible distance ends the search.
            let t = self.triangles[id].intersect(ray);
            if t < ray.tmax { ray.tmin } else { t }
        })
    }

    /// Whether a ray meets furniture within `most` meters.
    pub(crate) fn sees(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        self.blocked(from, ray, most)
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

    /// The first thing that a ray meets within `most` meters; `spread` is the width of a pixel at one meter.
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
        let mut flat = across / square.sqrt();
        let mut normal = (a.normal * u + b.normal * v + c.normal * w).normalize_or(flat);
        let tex = a.tex * u + b.tex * v + c.tex * w;
        let at = self.mesh.parts[part as usize];
        let back = at.turn.transpose();
        let slant = ray.dot(normal).abs().max(0.25);
        let look = self.materials[at.material].look(tex, back * flat, spread * distance / slant.sqrt());
        if flat.dot(ray) > 0.0 {
            flat = -flat;
        }
        if normal.dot(flat) < 0.0 {
            normal = -normal;
        }
        if look.slope != Vec3::ZERO {
            let slope = at.turn * look.slope;
            normal = (normal - (slope - normal * slope.dot(normal))).normalize_or(normal);
        }
        // A smoothed normal that looks away from the ray would leak light.
        let facing = normal.dot(ray);
        if facing > -0.02 {
            normal = (normal - ray * (facing + 0.02)).normalize_or(flat);
        }
        Some(Hit { distance, place, flat, normal, look, part })
    }

    /// Light that comes to `from` along a ray. `bounces` more scatterings are followed; `seen` is the likelihood, by
    /// solid angle, with which the ray was drawn where windows were drawn apart, 0 where they were not.
    pub(crate) fn light(
        &self,
        shell: &Shell,
        from: Vec3,
        ray: Vec3,
        bounces: u32,
        drawn: f32,
        draw: &mut Draw,
    ) -> Vec3 {
        let (reach, surface) = shell.space.meet(from, ray);
        draw.rays += 1;
        let Some(hit) = self.hit(from, ray, reach, 0.02) else {
            return shell.light(from, ray, reach, surface, drawn);
        };
        let look = &hit.look;
        let glow = look.albedo * look.glow * self.level;
        if bounces == 0 {
            // What furniture hides from the room gets little of its light.
            return glow + look.albedo * shell.ambient() * 0.35;
        }
        let mirror = look.mirror.max_element();
        let metal = look.albedo == Vec3::ZERO;
        if metal || (mirror > 0.0 && look.roughness < 0.35 && draw.next() < 0.15) {
            let weight = if metal { look.mirror } else { fresnel(look.mirror, -hit.normal.dot(ray)) / 0.15 };
            let out = mirrored(&hit, ray, draw);
            if out.dot(hit.flat) <= 0.0 {
                return glow;
            }
            let from = hit.place + hit.flat * 2e-4;
            return glow + (weight.min(Vec3::ONE)) * self.light(shell, from, out, bounces - 1, 0.0, draw);
        }
        glow + look.albedo / PI * self.irradiance(shell, &hit, bounces - 1, draw)
    }

    /// One estimate of the light that falls on a place, as irradiance.
    pub(crate) fn irradiance(&self, shell: &Shell, hit: &Hit, bounces: u32, draw: &mut Draw) -> Vec3 {
        let from = hit.place + hit.flat * 2e-4;
        self.falling(shell, from, hit.flat, hit.normal, bounces, draw)
    }

    /// The same for a place with a face `flat` and a normal.
    pub(crate) fn falling(
        &self,
        shell: &Shell,
        from: Vec3,
        flat: Vec3,
        normal: Vec3,
        bounces: u32,
        draw: &mut Draw,
    ) -> Vec3 {
        let mut sum = Vec3::ZERO;
        let (pick, at) = (draw.next(), draw.two());
        if let Some(window) = shell.draw_window(from, normal, pick, at) {
            draw.rays += 1;
            let facing = normal.dot(window.ray);
            if facing > 0.0 && flat.dot(window.ray) > 0.0 && !self.blocked(from, window.ray, window.distance * 0.999) {
                let by_surface = facing / PI;
                sum += window.radiance * (facing / (window.likelihood + by_surface));
            }
        }
        let ray = cosine(normal, draw.two());
        if flat.dot(ray) > 0.0 {
            let drawn = normal.dot(ray).max(0.0) / PI;
            sum += PI * self.light(shell, from, ray, bounces, drawn, draw);
        }
        sum
    }
}

/// Schlick's Fresnel term.
pub(crate) fn fresnel(straight: Vec3, facing: f32) -> Vec3 {
    straight + (Vec3::ONE - straight) * (1.0 - facing.clamp(0.0, 1.0)).powi(5)
}

/// A direction about a normal, by the cosine.
pub(crate) fn cosine(normal: Vec3, at: Vec2) -> Vec3 {
    let (r, turn) = (at.x.sqrt(), 2.0 * PI * at.y);
    let [side, other] = normal.any_orthonormal_pair().into();
    (side * (r * turn.cos()) + other * (r * turn.sin()) + normal * (1.0 - at.x).max(0.0).sqrt()).normalize()
}

/// A mirrored direction about a GGX facet.
pub(crate) fn mirrored(hit: &Hit, ray: Vec3, draw: &mut Draw) -> Vec3 {
    let alpha = (hit.look.roughness * hit.look.roughness).max(1e-3);
    let at = draw.two();
    let tan = alpha * (at.x / (1.0 - at.x).max(1e-4)).sqrt();
    let turn = 2.0 * PI * at.y;
    let [side, other] = hit.normal.any_orthonormal_pair().into();
    let facet = (hit.normal + (side * turn.cos() + other * turn.sin()) * tan.min(2.0)).normalize();
    let out = ray - facet * (2.0 * ray.dot(facet));
    let low = out.dot(hit.flat);
    if low > 0.01 { out } else { (out + hit.flat * (0.02 - low)).normalize() }
}
