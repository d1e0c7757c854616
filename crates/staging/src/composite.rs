//! Furniture into the photo: its own pixels traced, the room's pixels times what furniture leaves of their light.
//!
//! Everything outside the influence mask keeps its value to the bit.
mod denoise;
mod influence;

use aerie_photo::Photo;
use aerie_photo::color::{encoded, linear, luminance};
use glam::{DVec2, Vec3};
use rayon::prelude::*;

use crate::light::Shell;
use crate::space::Surface;
use crate::trace::{Draw, Scene, fresnel, mirrored};
use crate::watch::Watch;
use denoise::Film;

/// How much work a picture is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Places in each pixel of furniture that are looked at.
    pub places: u32,
    /// Of so many, one is lit.
    pub lit: u32,
    /// Longer side at which the room's change of light is worked out, pixels.
    pub side: usize,
    /// Rays from each place of the room.
    pub rays: u32,
}

impl Effort {
    /// Fit to look at.
    pub const DRAFT: Self = Self { places: 4, lit: 2, side: 320, rays: 25 };

    /// Fit to publish, for a picture of so many pixels: fewer places a pixel where there are many.
    #[must_use]
    pub fn last(pixels: usize) -> Self {
        let places = (24.0e6 / pixels.max(1) as f64).clamp(6.0, 12.0) as u32;
        Self { places, lit: 2, side: 960, rays: 36 }
    }
}

/// The furnished picture.
#[derive(Debug, Clone)]
pub struct Composite {
    /// Pixels, as the photo's.
    pub pixels: Vec<[u16; 3]>,
    /// The photo in the light that furniture leaves, without the furniture.
    pub behind: Vec<[u16; 3]>,
    /// Influence of the furniture: 255 where furniture alone is seen, from 1 where light is changed, 0 where nothing is.
    pub mask: Vec<u8>,
    /// How many rays went against furniture for the furniture's own pixels.
    pub rays: u64,
}

/// Puts a scene into a photo; none where the work was to end early.
#[must_use]
pub fn composite(
    photo: &Photo,
    shell: &mut Shell,
    scene: &mut Scene,
    effort: &Effort,
    seed: u32,
    watch: &Watch<'_>,
) -> Option<Composite> {
    let (width, height) = (photo.width, photo.height);
    if scene.is_empty() {
        let [pixels, behind] = [photo.pixels.clone(), photo.pixels.clone()];
        return Some(Composite { pixels, behind, mask: vec![0; width * height], rays: 0 });
    }
    scene.level = luminance(shell.ambient().to_array());
    shell.shades = influence::shades(shell, scene);
    let told = |share: f32| {
        (watch.told)(share);
        if watch.is_over() { None } else { Some(()) }
    };
    told(0.05)?;
    let influence = influence::Influence::of(shell, scene, effort, seed, watch);
    told(0.35)?;
    let covered = covered(shell, scene, width, height);
    let mut film = traced(shell, scene, &covered, effort, seed, watch);
    told(0.90)?;
    film.denoise(watch);
    told(0.95)?;
    let (tone, grain) = (Tone::of(photo), Grain::of(photo));
    let mut pixels = photo.pixels.clone();
    let mut behind = pixels.clone();
    let mut mask = vec![0_u8; width * height];
    let rows = pixels.par_chunks_mut(width).zip(behind.par_chunks_mut(width)).zip(mask.par_chunks_mut(width));
    rows.enumerate().for_each(|(y, ((row, behind), mask))| {
        for (x, ((pixel, behind), mask)) in row.iter_mut().zip(behind).zip(mask).enumerate() {
            let slot = film.slots[y * width + x];
            let cover = if slot == u32::MAX { 0.0 } else { film.cover[slot as usize] };
            let (ratio, shine) = influence.at(shell, DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
            let change = (ratio - 1.0).abs().max_element().max(shine.abs().max_element() * 4.0);
            if cover == 0.0 && ratio == Vec3::ONE && shine == Vec3::ZERO {
                continue;
            }
            let before = Vec3::from_array(linear(*pixel));
            let room = (before * ratio + shine).max(Vec3::ZERO);
            *behind = encoded(room.to_array());
            let mut after = room;
            if cover > 0.0 {
                let own = grain.on(tone.exposed(film.color(slot as usize)), (y * width + x) as u32, seed);
                after = room * (1.0 - cover) + own * cover;
            }
            *pixel = encoded(after.to_array());
            *mask = ((cover.max(change.min(0.6)) * 255.0).round() as u8).max(1);
        }
    });
    told(1.0)?;
    Some(Composite { pixels, behind, mask, rays: film.rays() })
}

/// How a photo renders light: what it makes of blacks, middle tones and whites.
struct Tone {
    black: Vec3,
    contrast: f32,
}

/// Contrast of photos whose blacks are black; those whose darkest places stay gray have none.
const CONTRAST: f32 = 0.18;
/// Light that contrast leaves as it is: what photos are exposed for.
const PIVOT: f32 = 0.36;

impl Tone {
    /// From what the photo's darkest places have.
    fn of(photo: &Photo) -> Self {
        let small = photo.reduced(400);
        let mut lights: Vec<f32> = small.pixels.iter().map(|p| luminance(*p)).collect();
        lights.sort_by(f32::total_cmp);
        let darkest = lights[lights.len() / 500];
        let crushed = ((0.016 - darkest) / 0.014).clamp(0.0, 1.0);
        Self { black: Vec3::splat((darkest * 0.5).min(0.012)), contrast: 1.0 + CONTRAST * crushed }
    }

    /// Light as the photo would show it.
    fn exposed(&self, light: Vec3) -> Vec3 {
        let roll = |v: f32| if v < 0.7 { v } else { 0.7 + 0.3 * (1.0 - (-(v - 0.7) / 0.3).exp()) };
        // By brightness, so that hues stay; half of it by channel, as films do, which deepens colors a little.
        let level = luminance(light.to_array()).max(1e-5);
        let turned = |v: f32| PIVOT * (v / PIVOT).powf(self.contrast);
        let whole = light * (turned(level) / level);
        let light = (whole + light.max(Vec3::splat(1e-5)).map(turned)) / 2.0;
        self.black + light.map(roll) * (Vec3::ONE - self.black)
    }
}

/// A photo's noise, which furniture in it has too: without, it looks cut out.
struct Grain {
    /// Deviation of lightness, 0 to 100.
    sigma: f32,
}

impl Grain {
    /// Below the first no eye sees it; more than the second is texture that was taken for noise.
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
        // Four even draws make nearly a normal one, of deviation 1.
        let mut draw = Draw::new(pixel, seed ^ 0x6A09);
        let normal = (draw.next() + draw.next() + draw.next() + draw.next() - 2.0) * 3.0_f32.sqrt();
        let lightness = (116.0 * level.cbrt() - 16.0 + self.sigma * normal).max(0.0);
        light * (((lightness + 16.0) / 116.0).powi(3) / level)
    }
}

/// Pixels that furniture may be seen in: those whose middle meets it, and their neighbors.
fn covered(shell: &Shell, scene: &Scene, width: usize, height: usize) -> Vec<bool> {
    let space = &shell.space;
    let mut hit = vec![false; width * height];
    hit.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, hit) in row.iter_mut().enumerate() {
            // A place that moves from pixel to pixel finds thin things sooner.
            let wander = [(0.25, 0.25), (0.75, 0.4), (0.4, 0.75), (0.8, 0.8)][(x % 2) + 2 * (y % 2)];
            let ray = space.ray(DVec2::new(x as f64 + wander.0, y as f64 + wander.1));
            let (reach, _) = space.meet(space.eye, ray);
            *hit = scene.sees(space.eye, ray, reach - 1e-4);
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

fn traced(shell: &Shell, scene: &Scene, covered: &[bool], effort: &Effort, seed: u32, watch: &Watch<'_>) -> Film {
    let space = &shell.space;
    let width = space.camera.width;
    let spread = (1.0 / space.camera.focal) as f32;
    let mut film = Film::new(width, covered);
    let side = (effort.places as f32).sqrt().ceil() as u32;
    let places = film.places.clone();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let sun = shell.sun();
    let samples: Vec<denoise::Sample> = places
        .par_iter()
        .map(|at| {
            if watch.is_over() {
                return denoise::Sample::default();
            }
            let (x, y) = (*at as usize % width, *at as usize / width);
            let mut draw = Draw::new(at.wrapping_mul(0x2545_F491), seed);
            let mut sample = denoise::Sample::default();
            let mut lit = 0.0_f32;
            for k in 0..effort.places {
                let cell = DVec2::new(f64::from(k % side), f64::from(k / side % side)) + draw.two().as_dvec2();
                // A little wider than a pixel, as lenses and demosaicing are.
                let off = (cell / f64::from(side) - 0.5) * 1.25 + 0.5;
                let ray = space.ray(DVec2::new(x as f64, y as f64) + off);
                let (reach, _) = space.meet(space.eye, ray);
                draw.rays += 1;
                let Some(hit) = scene.hit(space.eye, ray, reach - 1e-4, spread / (side as f32).sqrt()) else {
                    continue;
                };
                let look = &hit.look;
                sample.cover += 1.0;
                sample.albedo += look.albedo;
                sample.normal += hit.normal;
                sample.depth += hit.distance;
                sample.shine += look.albedo * look.glow * scene.level;
                if k % effort.lit == 0 || sample.cover == 1.0 {
                    lit += 1.0;
                    // The sun that the photo shows on the floor falls on a rug there.
                    let is_flat = hit.place.z < 0.05 && hit.flat.z > 0.9;
                    let sun = if is_flat { sun.at(hit.place.truncate()) } else { Vec3::ONE };
                    sample.light += sun * scene.gain * scene.irradiance(shell, &hit, 2, &mut draw);
                    if look.mirror != Vec3::ZERO {
                        let out = mirrored(&hit, ray, &mut draw);
                        let mut weight = fresnel(look.mirror, -hit.normal.dot(ray));
                        if look.albedo != Vec3::ZERO {
                            // Rough dielectrics keep less of their grazing shine.
                            weight = look.mirror.lerp(weight, (1.0 - look.roughness).powi(2));
                        }
                        if out.dot(hit.flat) > 0.0 {
                            let from = hit.place + hit.flat * 2e-4;
                            sample.gloss += weight
                                * scene.gain
                                * scene.light(shell, from, out, 2, 0.0, &mut draw).min(Vec3::splat(4.0));
                        }
                    }
                }
                sample.part = hit.part;
            }
            if sample.cover > 0.0 {
                let count = sample.cover;
                sample.albedo /= count;
                sample.normal = sample.normal.normalize_or(Vec3::Z);
                sample.depth /= count;
                sample.shine /= count;
                sample.light /= lit.max(1.0);
                sample.gloss /= lit.max(1.0);
                sample.cover = count / effort.places as f32;
            }
            sample.rays = draw.rays;
            watch.count(&done, places.len(), [0.35, 0.9]);
            sample
        })
        .collect();
    film.take(samples);
    film
}

/// Share of the room's floor that mirrors, from the photo: none where bright things above it leave no trace.
pub(crate) fn gloss(shell: &Shell) -> f32 {
    let space = &shell.space;
    let mut rows: Vec<(f32, f32, f32)> = Vec::new();
    let (width, height) = (space.camera.width as f64, space.camera.height as f64);
    for j in 0..70 {
        for i in 0..90 {
            let pixel = DVec2::new((f64::from(i) + 0.5) / 90.0 * width, (f64::from(j) + 0.5) / 70.0 * height);
            let ray = space.ray(pixel);
            let (reach, surface) = space.meet(space.eye, ray);
            if surface != Surface::Floor {
                continue;
            }
            let place = space.eye + ray * reach;
            let up = Vec3::new(ray.x, ray.y, -ray.z);
            let from = place + Vec3::Z * 1e-3;
            let (reach, met) = space.meet(from, up);
            let mirrored = luminance(shell.light(from, up, reach, met, 0.0).to_array()).min(4.0);
            let share = fresnel(Vec3::splat(0.04), -ray.z).x;
            let light = luminance(shell.radiance(Surface::Floor, place.truncate()).to_array());
            rows.push((mirrored * share, light, place.y));
        }
    }
    if rows.len() < 200 {
        return 0.3;
    }
    // Among neighbors in a row of the picture (the rows are in order), does light follow what is mirrored?
    let (mut both, mut own) = (0.0_f32, 0.0_f32);
    for pair in rows.windows(6) {
        let (a, b) = (&pair[0], &pair[5]);
        if (a.2 - b.2).abs() < 0.5 && (a.1 - b.1).abs() < 0.25 {
            both += (a.0 - b.0) * (a.1 - b.1);
            own += (a.0 - b.0).powi(2);
        }
    }
    if own < 1e-6 { 0.3 } else { (both / own).clamp(0.0, 1.0) }
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
    fn furniture_has_the_contrast_of_a_photo_with_true_blacks_and_none_in_one_without() {
        let photo = |darkest: f32| {
            let pixel = |i: usize| encoded([if i < 100 { darkest } else { 0.5 }; 3]);
            Tone::of(&Photo::new(100, 100, (0..10_000).map(pixel).collect()))
        };
        let (hazy, deep) = (photo(0.05), photo(0.0));
        let dark = Vec3::splat(0.05);
        assert!((hazy.exposed(dark).x - (0.012 + 0.05 * 0.988)).abs() < 1e-3, "{}", hazy.exposed(dark));
        assert!(deep.exposed(dark).x < 0.04 && deep.exposed(Vec3::ZERO).x < 1e-3);
        let middle = Vec3::splat(PIVOT);
        assert!((deep.exposed(middle) - middle).abs().max_element() < 1e-3);
    }
}
