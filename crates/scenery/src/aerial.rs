//! Aerial imagery on the ground: color-balanced to the painted ground, without shadows, feathered at its edges, and the source of
//! roof colors.

mod faces;
mod image;
mod shadows;

use std::collections::BTreeSet;

use aerie_geodata::place::{AreaKind, Building, Place, Point};
use aerie_render::scene::Orthophoto;
use glam::{DVec2, Vec2, Vec3, vec3};

pub use self::image::AerialImage;

use self::image::blurred;
use crate::shape;

/// Median luminance that images are balanced to, as linear albedo, over lawns, meadows, roofs and roads.
const MIDDLE: f32 = 0.115;
/// Strength of the white balance, 0 to 1: haze tints aerial images blue.
const NEUTRALIZED: f32 = 0.85;
/// Tint of roads, sidewalks and flat roofs in neutral light.
const STONE: Vec3 = vec3(1.02, 1.0, 0.95);
/// Maximum saturation (range of the channels over the largest) of a color that counts as stone.
const PALE: f32 = 0.32;
/// Width of the feathered edge, meters.
const FADE: f32 = 14.0;
/// Minimum share of a roof that imagery must cover to give it its color.
const KNOWN: f64 = 0.8;

/// Windows to request imagery for: half the side in meters and pixels per side, finest first.
pub const WINDOWS: [(f32, u32); 3] = [(230.0, 2048), (720.0, 2048), (2400.0, 1024)];

/// Center of the imagery windows.
#[must_use]
pub fn center(place: &Place) -> Point {
    shape::centroid(&place.property.footprint.outer).to_array()
}

/// The color-balanced imagery of a place.
pub(crate) struct Aerial {
    center: Vec2,
    pub(crate) orthophotos: Vec<Orthophoto>,
    /// Buildings whose roofs have a color on the map.
    mapped: BTreeSet<usize>,
}

impl Aerial {
    /// No imagery.
    pub(crate) fn none() -> Self {
        Self { center: Vec2::ZERO, orthophotos: Vec::new(), mapped: BTreeSet::new() }
    }

    /// Whether imagery covers a point.
    pub(crate) fn covers(&self, p: DVec2) -> bool {
        self.at(p).is_some()
    }

    /// Color-balances images, finest first.
    pub(crate) fn new(place: &Place, images: Vec<AerialImage>) -> Self {
        let center = shape::centroid(&place.property.footprint.outer).as_vec2();
        let gain = balance(&images);
        let orthophotos = images
            .into_iter()
            .map(|image| {
                let opacity = feathered(&image);
                let code = |linear: f32| (linear.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8;
                let mut colors: Vec<Vec3> = image.rgba.chunks_exact(4).map(|p| linear(p) * gain).collect();
                shadows::remove(place, center, &image, &mut colors);
                let rgba = colors.iter().zip(&opacity).flat_map(|(color, opacity)| {
                    let c = toned(*color);
                    [code(c.x), code(c.y), code(c.z), *opacity]
                });
                Orthophoto { center, half_extent: image.half_extent, side: image.side, rgba: rgba.collect() }
            })
            .collect();
        let colored = place.buildings.iter().enumerate().filter(|(_, building)| building.roof_color.is_some());
        Self { center, orthophotos, mapped: colored.map(|(index, _)| index).collect() }
    }

    /// Linear albedo at a point, from the finest image that covers it.
    fn at(&self, p: DVec2) -> Option<Vec3> {
        self.orthophotos.iter().find_map(|orthophoto| {
            let on = (p.as_vec2() - self.center) / (2.0 * orthophoto.half_extent) + 0.5;
            let texel = Vec2::new(on.x, 1.0 - on.y) * orthophoto.side as f32;
            if texel.min_element() < 0.0 || texel.max_element() >= orthophoto.side as f32 {
                return None;
            }
            let i = (texel.y as usize * orthophoto.side as usize + texel.x as usize) * 4;
            let square = |v: u8| (f32::from(v) / 255.0).powi(2);
            let c = &orthophoto.rgba[i..i + 4];
            (c[3] > 127).then(|| vec3(square(c[0]), square(c[1]), square(c[2])))
        })
    }

    /// Colors roofs whose color the map does not have, and removes invented garden trees: the imagery shows what grows there.
    pub(crate) fn apply_to(&self, place: &mut Place) {
        for building in place.buildings.iter_mut().filter(|b| b.roof_color.is_none()) {
            if let Some(color) = self.roof(building) {
                building.roof_color = Some(color);
            }
        }
        let woods = |kind| matches!(kind, AreaKind::Forest | AreaKind::Scrub | AreaKind::Orchard);
        let Place { trees, areas, .. } = place;
        trees.retain(|tree| {
            let at = shape::vec(tree.at);
            tree.mapped || self.at(at).is_none() || areas.iter().any(|a| woods(a.kind) && shape::inside(at, &a.polygon))
        });
    }

    /// Typical color of a roof, sRGB; `None` where imagery covers too little of it.
    fn roof(&self, building: &Building) -> Option<[u8; 3]> {
        let ring = &building.footprint.outer;
        let low = ring.iter().map(|&p| shape::vec(p)).fold(DVec2::INFINITY, DVec2::min);
        let high = ring.iter().map(|&p| shape::vec(p)).fold(DVec2::NEG_INFINITY, DVec2::max);
        let step = ((high - low).max_element() / 24.0).max(0.25);
        let (mut seen, mut all) = (Vec::new(), 0);
        let mut y = low.y;
        while y < high.y {
            let mut x = low.x;
            while x < high.x {
                let p = DVec2::new(x, y);
                if shape::inside(p, &building.footprint) {
                    all += 1;
                    seen.extend(self.at(p));
                }
                x += step;
            }
            y += step;
        }
        if all < 6 || (seen.len() as f64) < KNOWN * f64::from(all) {
            return None;
        }
        // Average between the 45th and 90th percentile of luminance, which leaves out shadows and chimneys.
        let luma = |c: &Vec3| c.dot(vec3(0.2126, 0.7152, 0.0722));
        seen.sort_by(|a, b| luma(a).total_cmp(&luma(b)));
        let lit = &seen[seen.len() * 45 / 100..(seen.len() * 90 / 100).max(seen.len() * 45 / 100 + 1)];
        let mean = lit.iter().copied().sum::<Vec3>() / lit.len() as f32;
        Some(srgb(mean))
    }
}

/// A linear albedo as sRGB, within what roofs may have.
fn srgb(albedo: Vec3) -> [u8; 3] {
    let code = |v: f32| {
        let v = v.clamp(0.02, 0.62);
        ((1.055 * v.powf(1.0 / 2.4) - 0.055) * 255.0).round() as u8
    };
    [code(albedo.x), code(albedo.y), code(albedo.z)]
}

fn linear(srgb: &[u8]) -> Vec3 {
    let one = |v: u8| {
        let v = f32::from(v) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    vec3(one(srgb[0]), one(srgb[1]), one(srgb[2]))
}

/// Lifts the shadows in the image, since the renderer adds its own, and caps whites at a plausible albedo.
fn toned(c: Vec3) -> Vec3 {
    let gray = c.dot(vec3(0.2126, 0.7152, 0.0722)).max(1e-4);
    let lifted = MIDDLE * (gray / MIDDLE).powf(if gray < MIDDLE { 0.72 } else { 0.88 });
    (c * (lifted / gray)).min(Vec3::splat(0.7))
}

/// Gain per channel that sets the median luminance and neutralizes part of the tint.
fn balance(images: &[AerialImage]) -> Vec3 {
    let mut known: Vec<Vec3> = Vec::new();
    for image in images {
        known = image.rgba.chunks_exact(4).step_by(61).filter(|p| p[3] > 127).map(linear).collect();
        if known.len() > 2000 {
            break;
        }
    }
    if known.is_empty() {
        return Vec3::ONE;
    }
    let luma = |c: &Vec3| c.dot(vec3(0.2126, 0.7152, 0.0722)).max(0.004);
    known.sort_by(|a, b| luma(a).total_cmp(&luma(b)));
    let gain = (MIDDLE / luma(&known[known.len() / 2])).clamp(0.25, 4.0);
    let pale = |c: &&Vec3| c.max_element() - c.min_element() < PALE * c.max_element();
    let stone: Vec<Vec3> = known[known.len() * 2 / 5..].iter().filter(pale).map(|c| *c / luma(c)).collect();
    // Too little stone to estimate the tint from.
    if stone.len() * 30 < known.len() {
        return Vec3::splat(gain);
    }
    let mean = stone.iter().copied().sum::<Vec3>() / stone.len() as f32;
    let tint = (STONE / mean).clamp(Vec3::splat(0.75), Vec3::splat(1.3));
    (Vec3::ONE + (tint - 1.0) * NEUTRALIZED) * gain
}

/// Opacity of each pixel: full inside, fading toward the edge of the known area, zero beyond.
fn feathered(image: &AerialImage) -> Vec<u8> {
    let side = image.side as usize;
    let reach = ((FADE * image.side as f32 / (2.0 * image.half_extent)).round() as usize).clamp(1, side / 4);
    let known: Vec<f32> = image.rgba.chunks_exact(4).map(|p| f32::from(u8::from(p[3] > 127))).collect();
    let blurred = blurred(&known, side, reach);
    let byte = |share: f32| {
        let t = ((share - 0.5) * 2.0).clamp(0.0, 1.0);
        (t * t * (3.0 - 2.0 * t) * 255.0).round() as u8
    };
    // Unknown pixels stay transparent.
    blurred.iter().zip(&known).map(|(b, k)| byte(*b * k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_known(side: u32) -> AerialImage {
        let pixel = |i: u32| if i % side < side / 2 { [90, 110, 80, 255] } else { [0; 4] };
        AerialImage { half_extent: 64.0, side, rgba: (0..side * side).flat_map(pixel).collect() }
    }

    #[test]
    fn an_image_fades_out_before_the_edge_of_its_known_part_and_is_transparent_beyond() {
        let opacity = feathered(&half_known(128));
        let row = &opacity[64 * 128..65 * 128];
        assert!(row[0] == 255 && row[40] == 255);
        assert!(row[60] < 120 && row[64..].iter().all(|v| *v == 0));
        assert!(row.windows(2).all(|w| w[0] >= w[1]));
    }

    #[test]
    fn a_bluish_image_is_balanced_to_the_tone_of_the_painted_ground() {
        let bluish = |i: u32| [96 + (i % 9) as u8, 102, 112, 255];
        let image = AerialImage { half_extent: 64.0, side: 64, rgba: (0..64 * 64).flat_map(bluish).collect() };
        let c = linear(&image.rgba) * balance(&[image]);
        let gray = c.dot(vec3(0.2126, 0.7152, 0.0722));
        assert!((gray - MIDDLE).abs() < 0.02, "{gray}");
        assert!(c.z / c.x < 1.15, "{c}");
    }
}
