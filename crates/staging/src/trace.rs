//! Path tracing of furniture in the light of its room.
//!
//! The surfaces of the room emit what the photo shows of them, windows what was fitted; furniture scatters it (Lambert and GGX).
//! A path ends where it meets the room. Windows are sampled by area and by the surface, combined by the balance heuristic (Veach
//! 1995).

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
use crate::sampling::{Sampler, cosine_direction};
use aerie_furniture::look::Look;
use aerie_furniture::material::Material;
use aerie_furniture::mesh::Mesh;
use aerie_furniture::noise::at_cell;
use aerie_furniture::surface::sheen_albedo;

/// Most light that a path brings from furniture to furniture, in mean radiances of the room: rare paths that meet a lamp in a mirror would
/// leave bright dots.
const SCATTERED: f32 = 6.0;
/// Reflectance from which a surface that also scatters light is a metal in part.
const MIXED: f32 = 0.12;

/// Furniture ready to be traced.
pub struct Scene {
    mesh: Mesh,
    materials: Vec<Material>,
    bvh: Option<CwBvh>,
    triangles: Vec<Triangle>,
    ids: Vec<u32>,
    /// Of each triangle, whether rays may pass it; empty where none lets them.
    sheer: Vec<bool>,
    low: Vec3,
    high: Vec3,
    /// Mean radiance in the room: the unit of lampshade glow.
    pub(crate) level: f32,
    /// Factor on the light that falls on furniture, from the fit.
    pub gain: f32,
}

/// What a ray passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passes {
    /// Holes.
    Holes,
    /// What light passes: holes and glass.
    Light,
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
        let is_sheer: Vec<bool> = mesh.parts.iter().map(|part| materials[part.material].is_sheer()).collect();
        let sheer = if is_sheer.contains(&true) {
            ids.iter().map(|id| is_sheer[mesh.triangles[*id as usize].1 as usize]).collect()
        } else {
            Vec::new()
        };
        let [low, high] = mesh.bounds();
        Self { mesh, materials, bvh, triangles, ids, sheer, low: low - 1e-3, high: high + 1e-3, level: 0.5, gain: 1.0 }
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

    /// Distance at which a ray meets a triangle, infinite where it does not or passes it.
    fn meets(&self, ray: &Ray, id: usize, passes: Passes) -> f32 {
        let t = self.triangles[id].intersect(ray);
        if t == f32::INFINITY || !self.sheer.get(id).is_some_and(|sheer| *sheer) {
            return t;
        }
        let (corners, part) = self.mesh.triangles[self.ids[id] as usize];
        let material = &self.materials[self.mesh.parts[part as usize].material];
        let Some(surface) = &material.surface else {
            let passes = passes == Passes::Light && chance(ray_end(ray, t)) < material.clear();
            return if passes { f32::INFINITY } else { t };
        };
        let place = ray_end(ray, t);
        let [a, b, c] = corners.map(|i| self.mesh.vertices[i as usize]);
        let [u, v, w] = shares([a.place, b.place, c.place], place);
        let uv = (a.tex * u + b.tex * v + c.tex * w).truncate();
        let mut solid = surface.solid(uv);
        if passes == Passes::Light {
            solid *= 1.0 - surface.clear(uv, 0.0);
        }
        // By chance, but the same at the same place: what is half solid stops every second ray.
        if solid < 1.0 && chance(place) >= solid { f32::INFINITY } else { t }
    }

    /// Whether furniture is in the way of light within `most` meters along a ray.
    pub(crate) fn is_blocked(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        self.is_stopped(from, ray, most, Passes::Light)
    }

    /// Whether a ray meets furniture within `most` meters, glass included.
    pub(crate) fn is_seen(&self, from: Vec3, ray: Vec3, most: f32) -> bool {
        self.is_stopped(from, ray, most, Passes::Holes)
    }

    fn is_stopped(&self, from: Vec3, ray: Vec3, most: f32, passes: Passes) -> bool {
        let Some(bvh) = &self.bvh else { return false };
        if self.misses(from, ray, most) {
            return false;
        }
        let ray = Ray::new(Vec3A::new(from.x, from.y, from.z), Vec3A::new(ray.x, ray.y, ray.z), 1e-4, most);
        let mut hit = RayHit::none();
        bvh.ray_traverse(ray, &mut hit, |ray, id| {
            // Any hit will do: the shortest possible distance ends the search.
            let t = self.meets(ray, id, passes);
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
        bvh.ray_traverse(ray, &mut hit, |ray, id| self.meets(ray, id, Passes::Holes))
            .then_some((hit.primitive_id as usize, hit.t))
    }

    /// The first hit of a ray within `most` meters. `spread` is the width of a pixel at one meter.
    pub(crate) fn hit(&self, from: Vec3, ray: Vec3, most: f32, spread: f32) -> Option<Hit> {
        let (id, distance) = self.nearest(from, ray, most)?;
        let (corners, part) = self.mesh.triangles[self.ids[id] as usize];
        let [a, b, c] = corners.map(|i| self.mesh.vertices[i as usize]);
        let place = from + ray * distance;
        let (e1, e2) = (b.place - a.place, c.place - a.place);
        let across = e1.cross(e2);
        let [u, v, w] = shares([a.place, b.place, c.place], place);
        let mut face_normal = across / across.length_squared().max(1e-20).sqrt();
        let mut normal = (a.normal * u + b.normal * v + c.normal * w).normalize_or(face_normal);
        let tex = a.tex * u + b.tex * v + c.tex * w;
        let at = self.mesh.parts[part as usize];
        let back = at.turn.transpose();
        let slant = ray.dot(normal).abs().max(0.25);
        let spread = spread * distance / slant.sqrt();
        let material = &self.materials[at.material];
        let mut look = match &material.surface {
            Some(surface) => {
                let along = moved([e1, e2], [(b.tex - a.tex).truncate(), (c.tex - a.tex).truncate()]);
                surface.look(tex.truncate(), along.map(|v| back * v), spread)
            }
            None => material.look(tex, back * face_normal, spread),
        };
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
        if look.sheen != Vec3::ZERO {
            // What the sheen reflects does not reach the cloth below.
            let share = sheen_albedo(-normal.dot(ray), look.sheen_roughness);
            look.albedo = look.albedo * (1.0 - look.sheen.max_element() * share) + look.sheen * share;
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
        let glow = look.emitted * self.level;
        if bounces == 0 {
            // Deep among furniture little of the light of the room arrives.
            return glow + (look.albedo + look.clear) * shell.ambient() * 0.35;
        }
        let mut kept = 1.0;
        if look.clear != Vec3::ZERO {
            let through = look.clear.max_element() * (1.0 - fresnel(look.mirror, -hit.normal.dot(ray)).max_element());
            if sampler.next() < through {
                let beyond = hit.place - hit.face_normal * 2e-4;
                return look.clear / look.clear.max_element()
                    * self.light(shell, beyond, ray, bounces - 1, pdf, sampler);
            }
            kept = 1.0 - through;
        }
        let mirror = look.mirror.max_element();
        let metal = look.albedo == Vec3::ZERO;
        // Metals in part choose by brightness; on others only polish shows.
        let is_mixed = !metal && mirror > MIXED;
        let share = if metal {
            1.0
        } else if is_mixed {
            mirror / (mirror + look.albedo.max_element())
        } else if mirror > 0.0 && look.roughness < 0.35 {
            0.15
        } else {
            0.0
        };
        if metal || (share > 0.0 && sampler.next() < share) {
            let weight = if metal && look.clear == Vec3::ZERO {
                look.mirror
            } else {
                fresnel(look.mirror, -hit.normal.dot(ray)) / (share * kept)
            };
            let out = reflect_ggx(&hit, ray, look.roughness, sampler);
            if out.dot(hit.face_normal) <= 0.0 {
                return glow;
            }
            let from = hit.place + hit.face_normal * 2e-4;
            let mirrored = weight.min(Vec3::ONE) * self.light(shell, from, out, bounces - 1, 0.0, sampler);
            return glow + mirrored.min(Vec3::splat(SCATTERED * self.level));
        }
        let rest = if is_mixed { 1.0 - share } else { 1.0 };
        let scattered = look.albedo / (PI * rest * kept) * self.irradiance(shell, &hit, bounces - 1, sampler);
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

/// The place that a ray reaches after a distance.
fn ray_end(ray: &Ray, distance: f32) -> Vec3 {
    let place = ray.origin + ray.direction * distance;
    Vec3::new(place.x, place.y, place.z)
}

/// Schlick's Fresnel term.
pub(crate) fn fresnel(straight: Vec3, facing: f32) -> Vec3 {
    straight + (Vec3::ONE - straight) * (1.0 - facing.clamp(0.0, 1.0)).powi(5)
}

/// Shares of the corners of a triangle in a place on it.
fn shares([a, b, c]: [Vec3; 3], place: Vec3) -> [f32; 3] {
    let (e1, e2, p) = (b - a, c - a, place - a);
    let across = e1.cross(e2);
    let square = across.length_squared().max(1e-20);
    let v = p.cross(e2).dot(across) / square;
    let w = e1.cross(p).dot(across) / square;
    [1.0 - v - w, v, w]
}

/// How a place moves with each texture coordinate, from two edges of a triangle and their texture coordinates.
fn moved([e1, e2]: [Vec3; 2], [t1, t2]: [Vec2; 2]) -> [Vec3; 2] {
    let area = t1.perp_dot(t2);
    if area.abs() < 1e-12 {
        return [Vec3::ZERO; 2];
    }
    [(e1 * t2.y - e2 * t1.y) / area, (e2 * t1.x - e1 * t2.x) / area]
}

/// A number from 0 to 1 for a place, the same within hundredths of a millimeter.
fn chance(place: Vec3) -> f32 {
    let [x, y, z] = (place * 1e5).round().as_ivec3().to_array();
    at_cell(x, y, z, 0x9E37)
}

/// Reflects a ray at a sampled GGX facet.
pub(crate) fn reflect_ggx(hit: &Hit, ray: Vec3, roughness: f32, sampler: &mut Sampler) -> Vec3 {
    let alpha = (roughness * roughness).max(1e-3);
    let at = sampler.next_2d();
    let tan = alpha * (at.x / (1.0 - at.x).max(1e-4)).sqrt();
    let turn = 2.0 * PI * at.y;
    let [side, other] = hit.normal.any_orthonormal_pair().into();
    let facet = (hit.normal + (side * turn.cos() + other * turn.sin()) * tan.min(2.0)).normalize();
    let out = ray - facet * (2.0 * ray.dot(facet));
    let low = out.dot(hit.face_normal);
    if low > 0.01 { out } else { (out + hit.face_normal * (0.02 - low)).normalize() }
}
