//! Surfaces of operators' models: the metallic-roughness model of glTF 2.0, with the extensions of Khronos for emission, index of
//! refraction, specular reflection, sheen, clear coat and transmission.

use std::sync::Arc;

use glam::{Mat2, Vec2, Vec3, Vec4};

use crate::look::Look;
use crate::texture::Texture;

/// A texture as one property of a surface uses it.
#[derive(Debug, Clone)]
pub struct Map {
    /// The texture.
    pub texture: Arc<Texture>,
    /// Scale and rotation of texture coordinates, and their shift (`KHR_texture_transform`).
    pub turn: Mat2,
    /// The shift.
    pub shift: Vec2,
    /// Widths of the texture per meter.
    pub density: f32,
}

impl Map {
    fn at(&self, uv: Vec2, spread: f32) -> Vec4 {
        self.texture.at(self.turn * uv + self.shift, spread * self.density)
    }
}

fn sample(map: Option<&Map>, uv: Vec2, spread: f32) -> Vec4 {
    map.map_or(Vec4::ONE, |map| map.at(uv, spread))
}

/// How alpha is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Alpha {
    /// Not at all.
    Opaque,
    /// Solid from a value on, else a hole.
    Mask(f32),
    /// As the share of the surface that is solid.
    Blend,
}

/// A surface. Colors are linear sRGB; each map multiplies what it belongs to.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Color and alpha.
    pub color: Vec4,
    /// Map of color and alpha.
    pub color_map: Option<Map>,
    /// How alpha is read.
    pub alpha: Alpha,
    /// 0 a dielectric, 1 a metal.
    pub metalness: f32,
    /// Roughness, 0 to 1 (GGX alpha is its square).
    pub roughness: f32,
    /// Map of roughness (green) and metalness (blue).
    pub finish_map: Option<Map>,
    /// Map of normals, and the factor on their slope.
    pub normal_map: Option<(Map, f32)>,
    /// Emitted light, as a share of the mean light in the room.
    pub emission: Vec3,
    /// Map of emitted light.
    pub emission_map: Option<Map>,
    /// Reflectance of a dielectric at normal incidence.
    pub specular: Vec3,
    /// Map of its color.
    pub specular_map: Option<Map>,
    /// Color of the sheen; black for none.
    pub sheen: Vec3,
    /// Its map.
    pub sheen_map: Option<Map>,
    /// Roughness of the sheen.
    pub sheen_roughness: f32,
    /// Strength of the clear coat.
    pub coat: f32,
    /// Its map (red).
    pub coat_map: Option<Map>,
    /// Its roughness.
    pub coat_roughness: f32,
    /// Share of the light that passes through, instead of being scattered.
    pub transmission: f32,
    /// Its map (red).
    pub transmission_map: Option<Map>,
    /// Tint of what passes through, besides the color.
    pub tint: Vec3,
}

/// No paint reflects more than this.
const WHITEST: f32 = 0.85;
/// Roughness from which what lies behind is blurred so much that it counts as scattered.
const FROSTED: f32 = 0.6;
/// Brightest emitted light, as a share of the mean light in the room.
const BRIGHTEST: f32 = 8.0;
/// Steepest slope of a normal map.
const STEEPEST: f32 = 2.0;

impl Surface {
    /// The surface with its values in their ranges.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn checked(self) -> Result<Self, String> {
        let numbers = [self.metalness, self.roughness, self.sheen_roughness, self.coat, self.coat_roughness];
        let scale = self.normal_map.as_ref().map_or(1.0, |(_, scale)| *scale);
        let colors = [self.color.truncate(), self.emission, self.specular, self.sheen, self.tint];
        let is_finite = numbers.into_iter().chain([scale, self.transmission, self.color.w]).all(f32::is_finite)
            && colors.into_iter().all(Vec3::is_finite);
        if !is_finite {
            return Err("a value of a material is not finite".to_owned());
        }
        let share = |v: f32| v.clamp(0.0, 1.0);
        let shares = |v: Vec3| v.clamp(Vec3::ZERO, Vec3::ONE);
        Ok(Self {
            color: self.color.clamp(Vec4::ZERO, Vec4::ONE),
            metalness: share(self.metalness),
            roughness: share(self.roughness),
            emission: self.emission.clamp(Vec3::ZERO, Vec3::splat(BRIGHTEST)),
            specular: shares(self.specular),
            sheen: shares(self.sheen),
            sheen_roughness: share(self.sheen_roughness),
            coat: share(self.coat),
            coat_roughness: share(self.coat_roughness),
            transmission: share(self.transmission),
            tint: shares(self.tint),
            ..self
        })
    }

    /// Share of the surface that is solid at texture coordinates.
    #[must_use]
    pub fn solid(&self, uv: Vec2) -> f32 {
        let alpha = || self.color.w * sample(self.color_map.as_ref(), uv, 0.0).w;
        match self.alpha {
            Alpha::Opaque => 1.0,
            Alpha::Mask(least) => f32::from(u8::from(alpha() >= least)),
            Alpha::Blend => alpha(),
        }
    }

    /// Share of the light that passes straight through, besides holes.
    #[must_use]
    pub fn clear(&self, uv: Vec2, spread: f32) -> f32 {
        let share = self.transmission * sample(self.transmission_map.as_ref(), uv, spread).x;
        share * (1.0 - self.roughness / FROSTED).clamp(0.0, 1.0).sqrt()
    }

    /// Whether rays may pass it.
    #[must_use]
    pub fn is_sheer(&self) -> bool {
        self.alpha != Alpha::Opaque || self.transmission > 0.0
    }

    /// Appearance at texture coordinates, for pixels `spread` meters wide; `along` is how the place moves with each of them.
    #[must_use]
    pub fn look(&self, uv: Vec2, along: [Vec3; 2], spread: f32) -> Look {
        let of = |map: &Option<Map>| sample(map.as_ref(), uv, spread);
        let color = (self.color * of(&self.color_map)).truncate().min(Vec3::splat(WHITEST));
        let finish = of(&self.finish_map);
        let metalness = (self.metalness * finish.z).clamp(0.0, 1.0);
        let roughness = (self.roughness * finish.y).clamp(0.04, 1.0);
        let specular = (self.specular * of(&self.specular_map).truncate()).min(Vec3::ONE);
        let clear = self.clear(uv, spread) * (1.0 - metalness);
        let sheen = self.sheen * of(&self.sheen_map).truncate();
        Look {
            albedo: color * (1.0 - metalness) * (1.0 - clear) * (1.0 - specular.max_element()),
            mirror: specular.lerp(color, metalness),
            roughness,
            slope: self.normal_map.as_ref().map_or(Vec3::ZERO, |(map, scale)| relief(map, *scale, uv, along, spread)),
            emitted: self.emission * of(&self.emission_map).truncate(),
            sheen,
            sheen_roughness: self.sheen_roughness.clamp(0.07, 1.0),
            coat: (self.coat * of(&self.coat_map).x).clamp(0.0, 1.0),
            coat_roughness: self.coat_roughness.clamp(0.02, 1.0),
            clear: color * self.tint * clear,
        }
    }
}

/// Slope of the relief that a normal map describes.
fn relief(map: &Map, scale: f32, uv: Vec2, along: [Vec3; 2], spread: f32) -> Vec3 {
    let normal = map.at(uv, spread).truncate() * 2.0 - 1.0;
    let slope = Vec2::new(normal.x, normal.y) * scale / normal.z.max(0.05);
    let slope = slope.clamp_length_max(STEEPEST);
    // How the place moves with the transformed coordinates. Green points up in the texture, which is against its second coordinate.
    let back = map.turn.inverse();
    let moved = |axis: Vec2| (along[0] * axis.x + along[1] * axis.y).normalize_or_zero();
    let (right, up) = (moved(back.x_axis), -moved(back.y_axis));
    -(right * slope.x + up * slope.y)
}

/// Share of the light that sheen of a roughness reflects toward `facing`, the cosine to the normal: a fit to the directional albedo of
/// the inverted Gaussian of Estevez and Kulla (2017).
#[must_use]
pub fn sheen_albedo(facing: f32, roughness: f32) -> f32 {
    let (r, square) = (roughness, roughness * roughness);
    let (slope, offset) = if r < 0.25 {
        (-339.2 * square + 161.4 * r - 25.9, 44.0 * square - 23.7 * r + 3.26)
    } else {
        (-8.48 * square + 14.3 * r - 9.95, 1.97 * square - 3.27 * r + 0.72)
    };
    let base = if r < 0.25 { 0.0 } else { 0.1 * (r - 0.25) };
    ((slope * facing.clamp(0.0, 1.0) + offset).exp() + base).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::Channels;

    /// A map of 2 by 1 pixels.
    fn map(pixels: [[u8; 4]; 2], turn: Mat2, shift: Vec2) -> Map {
        let texture = Arc::new(Texture::new(Channels::Data, 2, 1, pixels.to_vec(), 2048));
        Map { texture, turn, shift, density: 1.0 }
    }

    #[test]
    fn a_transformed_texture_is_shifted_and_turned_as_the_extension_defines() {
        let pixels = [[255, 0, 0, 255], [0, 0, 255, 255]];
        let left = Vec2::new(0.25, 0.5);
        assert!(map(pixels, Mat2::IDENTITY, Vec2::ZERO).at(left, 0.0).x > 0.99);
        assert!(map(pixels, Mat2::IDENTITY, Vec2::new(0.5, 0.0)).at(left, 0.0).z > 0.99);
        // A quarter turn: the texture's width runs along the second coordinate.
        let quarter = Mat2::from_cols(Vec2::new(0.0, -1.0), Vec2::new(1.0, 0.0));
        let turned = map(pixels, quarter, Vec2::ZERO);
        assert!(turned.at(Vec2::new(0.5, 0.25), 0.0).x > 0.99 && turned.at(Vec2::new(0.5, 0.75), 0.0).z > 0.99);
    }

    #[test]
    fn a_normal_map_tilts_toward_its_red_to_the_right_and_its_green_upward() {
        let along = [Vec3::X * 2.0, -Vec3::Z * 3.0];
        let tilted = |pixel: [u8; 4]| {
            let slope = relief(&map([pixel; 2], Mat2::IDENTITY, Vec2::ZERO), 1.0, Vec2::ZERO, along, 0.0);
            // As the tracer applies it to a normal toward -Y.
            (Vec3::NEG_Y - slope).normalize()
        };
        let (flat, right, up) =
            (tilted([128, 128, 255, 255]), tilted([200, 128, 220, 255]), tilted([128, 200, 220, 255]));
        assert!((flat - Vec3::NEG_Y).length() < 0.02, "{flat}");
        assert!(right.x > 0.4 && right.z.abs() < 0.02, "{right}");
        assert!(up.z > 0.4 && up.x.abs() < 0.02, "{up}");
    }

    #[test]
    fn sheen_reflects_most_at_grazing_angles_and_never_more_than_it_gets() {
        for roughness in [0.07, 0.2, 0.3, 0.6, 1.0] {
            let at = |facing: f32| sheen_albedo(facing, roughness);
            assert!(at(0.02) > at(0.9), "{roughness}");
            assert!((0..=20).all(|i| (0.0..=1.0).contains(&at(i as f32 / 20.0))), "{roughness}");
        }
    }
}
