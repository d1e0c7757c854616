//! Composites furniture into the photo: its own pixels are traced, and pixels of the room are multiplied by the share of their light
//! that furniture leaves.
//!
//! Pixels outside the influence mask keep their value to the bit.

mod denoise;
mod influence;

use aerie_math::color::{encoded, linear, luminance};
use aerie_photo::Photo;
use glam::{DVec2, Vec3};
use rayon::prelude::*;

use crate::effort::Effort;
use crate::grid::Grid;
use crate::light::Shell;
use crate::monitor::Monitor;
use crate::sampling::{Sampler, cosine_direction};
use crate::trace::{Hit, Scene, fresnel, reflect_ggx};
use denoise::{Film, Layers};

/// The furnished picture.
#[derive(Debug, Clone)]
pub struct Composite {
    /// Pixels, encoded as in the photo.
    pub pixels: Vec<[u16; 3]>,
    /// The empty room in the light that furniture leaves.
    pub behind: Vec<[u16; 3]>,
    /// Influence of the furniture: 255 where only furniture is seen, 1 and up where light changes, 0 elsewhere.
    pub mask: Vec<u8>,
    /// Rays traced for the pixels of furniture.
    pub rays: u64,
}

/// Composites a scene into a photo; `None` if canceled.
#[must_use]
pub fn composite(
    photo: &Photo,
    shell: &mut Shell,
    scene: &mut Scene,
    effort: &Effort,
    seed: u32,
    monitor: &Monitor<'_>,
) -> Option<Composite> {
    let (width, height) = (photo.width, photo.height);
    if scene.is_empty() {
        let [pixels, behind] = [photo.pixels.clone(), photo.pixels.clone()];
        return Some(Composite { pixels, behind, mask: vec![0; width * height], rays: 0 });
    }
    scene.level = luminance(shell.ambient().to_array());
    shell.occlusion = influence::occlusion(shell, scene);
    let report = |share: f32| {
        (monitor.report)(share);
        if monitor.is_canceled() { None } else { Some(()) }
    };
    report(0.05)?;
    let influence = influence::Influence::of(shell, scene, effort, seed, monitor);
    report(0.35)?;
    let covered = covered(shell, scene, width, height);
    let mut film = traced(shell, scene, &covered, effort, seed, monitor);
    report(0.90)?;
    film.denoise(monitor);
    film.relight(scene.gain * std::f32::consts::PI * luminance(shell.ambient().to_array()));
    report(0.95)?;
    let (tone, grain) = (Tone::of(photo), Grain::of(photo));
    let mut pixels = photo.pixels.clone();
    let mut behind = pixels.clone();
    let mut mask = vec![0_u8; width * height];
    let rows = pixels.par_chunks_mut(width).zip(behind.par_chunks_mut(width)).zip(mask.par_chunks_mut(width));
    rows.enumerate().for_each(|(y, ((row, behind), mask))| {
        for (x, ((pixel, behind), mask)) in row.iter_mut().zip(behind).zip(mask).enumerate() {
            let slot = film.slots[y * width + x];
            let (cover, clear) = film.cover(slot);
            let (ratio, shine) = influence.at(shell, DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
            let change = (ratio - 1.0).abs().max_element().max(shine.abs().max_element() * 4.0);
            if cover == 0.0 && clear.share == 0.0 && ratio == Vec3::ONE && shine == Vec3::ZERO {
                continue;
            }
            let before = Vec3::from_array(linear(*pixel));
            let room = (before * ratio + shine).max(before * influence::REMAINING);
            *behind = encoded(room.to_array());
            let mut after = room * (1.0 - cover - clear.share) + room * clear.tint;
            if cover > 0.0 {
                after += grain.on(tone.exposed(film.color(slot as usize)), (y * width + x) as u32, seed) * cover;
            }
            *pixel = encoded(after.to_array());
            *mask = (((cover + clear.share).max(change.min(0.6)) * 255.0).round() as u8).max(1);
        }
    });
    report(1.0)?;
    Some(Composite { pixels, behind, mask, rays: film.rays() })
}

/// Tone curve of a photo: blacks, contrast and highlights.
struct Tone {
    black: Vec3,
    contrast: f32,
}

/// Added contrast of photos with deep blacks; photos with lifted blacks get none.
const CONTRAST: f32 = 0.18;

/// Lightest black: more looks like a veil over furniture.
const BLACK: f32 = 0.003;
/// Luminance that the contrast curve leaves unchanged.
const PIVOT: f32 = 0.36;

impl Tone {
    /// Estimated from the darkest pixels.
    fn of(photo: &Photo) -> Self {
        let small = photo.reduced(400);
        let mut lights: Vec<f32> = small.pixels.iter().map(|p| luminance(*p)).collect();
        lights.sort_by(f32::total_cmp);
        let darkest = lights[lights.len() / 500];
        let crushed = ((0.016 - darkest) / 0.014).clamp(0.0, 1.0);
        Self { black: Vec3::splat((darkest * 0.5).min(BLACK)), contrast: 1.0 + CONTRAST * crushed }
    }

    /// Applies the tone curve to linear light.
    fn exposed(&self, light: Vec3) -> Vec3 {
        let roll = |v: f32| if v < 0.7 { v } else { 0.7 + 0.3 * (1.0 - (-(v - 0.7) / 0.3).exp()) };
        // Half by luminance, which keeps hues, and half by channel, which deepens colors a little as film does.
        let level = luminance(light.to_array()).max(1e-5);
        let turned = |v: f32| PIVOT * (v / PIVOT).powf(self.contrast);
        let whole = light * (turned(level) / level);
        let light = (whole + light.max(Vec3::splat(1e-5)).map(turned)) / 2.0;
        self.black + light.map(roll) * (Vec3::ONE - self.black)
    }
}

/// Noise of a photo, added to furniture so that it does not look pasted in.
struct Grain {
    /// Standard deviation of CIE lightness, 0 to 100.
    sigma: f32,
}

impl Grain {
    /// Noise below the first is invisible; above the second it is texture mistaken for noise.
    const RANGE: [f32; 2] = [0.25, 4.0];

    fn of(photo: &Photo) -> Self {
        let sigma = aerie_photo::noise(photo);
        Self { sigma: if sigma < Self::RANGE[0] { 0.0 } else { sigma.min(Self::RANGE[1]) } }
    }

    fn on(&self, light: Vec3, pixel: u32, seed: u32) -> Vec3 {
        let level = luminance(light.to_array());
        if self.sigma == 0.0 || level < 1e-4 {
            return light;
        }
        // The sum of four uniform numbers is nearly normal; the factor gives it deviation 1.
        let mut sampler = Sampler::new(pixel, seed ^ 0x6A09);
        let normal = (sampler.next() + sampler.next() + sampler.next() + sampler.next() - 2.0) * 3.0_f32.sqrt();
        let lightness = (116.0 * level.cbrt() - 16.0 + self.sigma * normal).max(0.0);
        light * (((lightness + 16.0) / 116.0).powi(3) / level)
    }
}

/// The golden ratio less 1.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Pixels that may show furniture: those in which a ray meets it, and their neighbors.
fn covered(shell: &Shell, scene: &Scene, width: usize, height: usize) -> Vec<bool> {
    let space = &shell.space;
    let mut hit = vec![false; width * height];
    hit.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, hit) in row.iter_mut().enumerate() {
            // By the golden ratio, five rows or columns try a pixel at places less than a quarter of it apart: no line slips through.
            let off = DVec2::new(y as f64 + 0.5, x as f64 + 0.5) * GOLDEN;
            let ray = space.ray(DVec2::new(x as f64, y as f64) + off.fract());
            let (reach, _) = space.intersect(space.eye, ray);
            *hit = scene.is_seen(space.eye, ray, reach - 1e-4);
        }
    });
    let mut wide = hit.clone();
    wide.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let rows = y.saturating_sub(2)..(y + 3).min(height);
            *out = rows.into_iter().any(|v| (x.saturating_sub(2)..(x + 3).min(width)).any(|u| hit[v * width + u]));
        }
    });
    wide
}

fn traced(shell: &Shell, scene: &Scene, covered: &[bool], effort: &Effort, seed: u32, monitor: &Monitor<'_>) -> Film {
    let space = &shell.space;
    let width = space.camera.width;
    // Samples of a pixel lie a part of it apart.
    let spread = 0.5 / space.camera.focal as f32;
    let mut film = Film::new(width, covered);
    let pixels = film.pixels.clone();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let sun = shell.sunlight();
    // Pixels at the edge of a surface get more samples: what they show, and the light on each part of it.
    let edge = effort.samples * EDGE;
    let traced: Vec<Layers> = pixels
        .par_iter()
        .map(|at| {
            let mut layers = Layers::default();
            if monitor.is_canceled() {
                return layers;
            }
            let (x, y) = (*at as usize % width, *at as usize / width);
            let mut sampler = Sampler::new(at.wrapping_mul(0x2545_F491), seed);
            let mut count = effort.samples;
            let mut k = 0;
            while k < count {
                let is_lit = k % effort.lit == 0;
                // Slightly wider than a pixel, like lens blur and demosaicing.
                let off = (spread_evenly(k) - 0.5) * 1.25 + 0.5;
                let ray = space.ray(DVec2::new(x as f64, y as f64) + off);
                let (reach, _) = space.intersect(space.eye, ray);
                sampler.rays += 1;
                k += 1;
                // Share of the sample that the surfaces before let through, and how far it came.
                let (mut passed, mut way) = (Vec3::ONE, 0.0);
                for pane in 0..PANES {
                    let from = space.eye + ray * way;
                    let Some(mut hit) = scene.hit(from, ray, reach - way - 1e-4, spread) else {
                        if pane == 0 {
                            count = edge;
                        } else {
                            layers.pass(passed);
                        }
                        break;
                    };
                    way += hit.distance;
                    hit.distance = way;
                    let clear = hit.look.clear * (1.0 - fresnel(hit.look.mirror, -hit.normal.dot(ray)).max_element());
                    // The share of the sample that is this surface's own.
                    let own = passed.max_element() * (1.0 - clear.max_element());
                    if own > FAINT {
                        let layer = layers.of(hit.part, hit.normal);
                        layer.cover += own;
                        layer.albedo += hit.look.albedo * passed;
                        layer.normal += hit.normal * own;
                        layer.depth += hit.distance * own;
                        layer.flat += if is_flat(&hit) { own } else { 0.0 };
                        layer.shine += hit.look.emitted * scene.level * passed;
                        let is_first = layer.lit == 0.0;
                        if is_lit || is_first {
                            let [light, gloss] = lit(shell, scene, &sun, &hit, ray, &mut sampler);
                            let layer = layers.of(hit.part, hit.normal);
                            layer.lit += 1.0;
                            layer.light += light;
                            layer.gloss += gloss * passed / own;
                        }
                    }
                    if layers.is_edge() {
                        count = edge;
                    }
                    passed *= clear;
                    if passed.max_element() < FAINT {
                        break;
                    }
                    way += 1e-4;
                    if pane + 1 == PANES {
                        layers.pass(passed);
                    }
                }
            }
            layers.finish(count, sampler.rays);
            monitor.count(&done, pixels.len(), [0.35, 0.9]);
            layers
        })
        .collect();
    film.take(traced);
    film
}

/// Whether a place is on top of a rug.
fn is_flat(hit: &Hit) -> bool {
    hit.place.z < 0.05 && hit.face_normal.z > 0.9
}

/// Irradiance of a surface, and the light that it reflects toward the camera.
fn lit(shell: &Shell, scene: &Scene, sun: &Grid, hit: &Hit, ray: Vec3, sampler: &mut Sampler) -> [Vec3; 2] {
    let look = &hit.look;
    // Sunlight on the floor falls on a rug there, too.
    let is_flat = is_flat(hit);
    let sun = if is_flat { sun.at(hit.place.truncate()) } else { Vec3::ONE };
    // So do the shadows that furniture casts on it, which are deepened as those on the floor beside it.
    let open = if is_flat { open(scene, hit.place, sampler) } else { 1.0 };
    let light = sun * scene.gain * open * scene.irradiance(shell, hit, 2, sampler);
    let facing = -hit.normal.dot(ray);
    let mut gloss = Vec3::ZERO;
    let mut reflected = |weight: Vec3, roughness: f32| {
        let out = reflect_ggx(hit, ray, roughness, sampler);
        if out.dot(hit.face_normal) > 0.0 {
            let from = hit.place + hit.face_normal * 2e-4;
            gloss += weight * scene.gain * scene.light(shell, from, out, 2, 0.0, sampler).min(Vec3::splat(4.0));
        }
    };
    if look.mirror != Vec3::ZERO {
        let mut weight = fresnel(look.mirror, facing);
        if look.albedo != Vec3::ZERO {
            // Rough dielectrics reflect less at grazing angles.
            weight = look.mirror.lerp(weight, (1.0 - look.roughness).powi(2));
        }
        reflected(weight, look.roughness);
    }
    if look.coat == 0.0 {
        return [light, gloss];
    }
    // The coat takes from what lies below it what it reflects.
    let coat = look.coat * fresnel(Vec3::splat(COAT), facing).x;
    reflected(Vec3::splat(coat / (1.0 - coat).max(0.05)), look.coat_roughness);
    [light, gloss].map(|part| part * (1.0 - coat))
}

/// Factor on the light of a place on a rug, whose mean over many samples deepens the shadow of furniture above it.
fn open(scene: &Scene, place: Vec3, sampler: &mut Sampler) -> f32 {
    let up = cosine_direction(Vec3::Z, sampler.next_2d());
    if scene.is_blocked(place + Vec3::Z * PILE, up, CASTS) { 1.0 - DEEPENED } else { 1.0 }
}

/// Share of its light that a place on a rug loses in addition where furniture is above it.
const DEEPENED: f32 = 0.37;
/// Height of what belongs to a rug, and distance within which furniture takes its light, meters.
const PILE: f32 = 0.02;
const CASTS: f32 = 2.0;
/// Most surfaces behind one another that a pixel shows, and the share below which nothing of one is seen.
const PANES: usize = 8;
const FAINT: f32 = 0.004;
/// Reflectance of a clear coat at normal incidence.
const COAT: f32 = 0.04;
/// How many times the usual samples a pixel at the edge of a surface gets.
const EDGE: u32 = 3;

/// The point `k` of a sequence that covers the unit square evenly, however many points are taken (the R2 sequence of Roberts 2018).
fn spread_evenly(k: u32) -> DVec2 {
    const STEP: DVec2 = DVec2::new(0.754_877_666_246_692_8, 0.569_840_290_998_053_2);
    (0.5 + STEP * f64::from(k)).fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn furniture_in_a_grainy_photo_has_its_grain_and_in_a_clean_one_none() {
        let photo = |sigma: f32| {
            let made = Grain { sigma };
            let pixel = |i: u32| encoded(made.on(Vec3::splat(0.3), i, 7).to_array());
            Photo::new(320, 240, (0..320 * 240).map(pixel).collect())
        };
        assert_eq!(Grain::of(&photo(0.0)).sigma, 0.0);
        let grain = Grain::of(&photo(1.5));
        assert!((grain.sigma - 1.5).abs() < 0.25, "{}", grain.sigma);
        let seen = Photo::new(
            320,
            240,
            (0..320 * 240).map(|i| encoded(grain.on(Vec3::splat(0.5), i, 3).to_array())).collect(),
        );
        assert!((aerie_photo::noise(&seen) - 1.5).abs() < 0.4, "{}", aerie_photo::noise(&seen));
    }

    #[test]
    fn samples_cover_all_rows_and_columns_of_a_pixel_for_any_count() {
        for count in [4_u32, 6, 12, 16] {
            for axis in 0..2 {
                let mut at: Vec<f64> = (0..count).map(|k| spread_evenly(k)[axis]).collect();
                at.sort_by(f64::total_cmp);
                at.push(at[0] + 1.0);
                let widest = at.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
                assert!(widest < 3.5 / f64::from(count), "{count} samples leave {widest}");
            }
        }
    }

    #[test]
    fn furniture_has_the_contrast_of_a_photo_with_true_blacks_and_none_in_one_without() {
        let photo = |darkest: f32| {
            let pixel = |i: usize| encoded([if i < 100 { darkest } else { 0.5 }; 3]);
            Tone::of(&Photo::new(100, 100, (0..10_000).map(pixel).collect()))
        };
        let (hazy, deep) = (photo(0.05), photo(0.0));
        let dark = Vec3::splat(0.05);
        assert!((hazy.exposed(dark).x - (BLACK + 0.05 * (1.0 - BLACK))).abs() < 1e-3, "{}", hazy.exposed(dark));
        assert!(deep.exposed(dark).x < 0.04 && deep.exposed(Vec3::ZERO).x < 1e-3);
        let middle = Vec3::splat(PIVOT);
        assert!((deep.exposed(middle) - middle).abs().max_element() < 1e-3);
    }
}
