//! Textures of operators' models, with mipmaps.

use std::sync::LazyLock;

use aerie_math::color::{encoded, linear};
use glam::{Vec2, Vec4};

/// What the channels of a texture mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channels {
    /// Red, green and blue are sRGB.
    Color,
    /// All are plain numbers.
    Data,
}

/// A decoded image file.
#[derive(Debug, Clone)]
pub struct Pixels {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue and alpha as stored, row by row.
    pub pixels: Vec<[u8; 4]>,
}

/// Decodes an image file of unknown origin; the error says what is wrong with it.
pub type DecodePixels = fn(&[u8]) -> Result<Pixels, String>;

/// A texture with mipmaps; it repeats.
#[derive(Debug)]
pub struct Texture {
    channels: Channels,
    /// Width, height and pixels of each level, the finest first.
    levels: Vec<(usize, usize, Vec<[u8; 4]>)>,
}

/// Linear values of sRGB bytes.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|v| linear([v as u16 * 257; 3])[0]));

impl Texture {
    /// Builds the mipmaps of pixels, none of them with a side longer than `most`.
    #[must_use]
    pub fn new(channels: Channels, width: usize, height: usize, pixels: Vec<[u8; 4]>, most: usize) -> Self {
        let mut levels = vec![(width, height, pixels)];
        while let Some((width, height, pixels)) = levels.last()
            && width.min(height) > &1
        {
            let (columns, rows) = (width / 2, height / 2);
            let half = |i: usize| {
                let (x, y) = (i % columns * 2, i / columns * 2);
                let at = |x: usize, y: usize| value(channels, pixels[y * width + x]);
                code(channels, (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4.0)
            };
            let next = (0..columns * rows).map(half).collect();
            levels.push((columns, rows, next));
        }
        let fine = levels.iter().take_while(|(width, height, _)| width.max(height) > &most).count();
        levels.drain(..fine.min(levels.len() - 1));
        Self { channels, levels }
    }

    /// Values at texture coordinates: of colors, linear. `spread` is the width of a pixel, in widths of the texture.
    #[must_use]
    pub fn at(&self, uv: Vec2, spread: f32) -> Vec4 {
        let (width, height, _) = self.levels[0];
        let level = (spread * ((width * height) as f32).sqrt()).max(1.0).log2().round() as usize;
        let (width, height, pixels) = &self.levels[level.min(self.levels.len() - 1)];
        let p = (uv - uv.floor()) * Vec2::new(*width as f32, *height as f32) - 0.5;
        let (low, t) = (p.floor(), p - p.floor());
        let texel = |dx: i64, dy: i64| {
            let x = (low.x as i64 + dx).rem_euclid(*width as i64) as usize;
            let y = (low.y as i64 + dy).rem_euclid(*height as i64) as usize;
            value(self.channels, pixels[y * width + x])
        };
        texel(0, 0).lerp(texel(1, 0), t.x).lerp(texel(0, 1).lerp(texel(1, 1), t.x), t.y)
    }
}

fn value(channels: Channels, pixel: [u8; 4]) -> Vec4 {
    let plain = |v: u8| f32::from(v) / 255.0;
    let [r, g, b, a] = pixel;
    let [r, g, b] = [r, g, b].map(|v| if channels == Channels::Color { LINEAR[usize::from(v)] } else { plain(v) });
    Vec4::new(r, g, b, plain(a))
}

fn code(channels: Channels, value: Vec4) -> [u8; 4] {
    let plain = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [r, g, b] = match channels {
        Channels::Color => encoded(value.truncate().to_array()).map(|v| ((u32::from(v) + 128) / 257) as u8),
        Channels::Data => value.truncate().to_array().map(plain),
    };
    [r, g, b, plain(value.w)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fine_pattern_seen_from_afar_is_the_mean_of_its_light() {
        let pixels: Vec<[u8; 4]> =
            (0..64 * 64).map(|i| if (i + i / 64) % 2 == 0 { [255, 255, 255, 255] } else { [0, 0, 0, 0] }).collect();
        let color = Texture::new(Channels::Color, 64, 64, pixels.clone(), 2048);
        let far = color.at(Vec2::splat(0.3), 1.0);
        assert!((far - Vec4::splat(0.5)).abs().max_element() < 0.01, "{far}");
        let near = color.at(Vec2::splat(0.5 / 64.0), 1e-4);
        assert!((near - Vec4::ONE).abs().max_element() < 1e-3, "{near}");
        // Numbers are averaged as they are.
        let gray = Texture::new(Channels::Data, 64, 64, pixels, 16);
        assert_eq!(gray.levels[0].0, 16);
        assert!((gray.at(Vec2::splat(0.4), 1e-4) - Vec4::splat(0.5)).abs().max_element() < 0.01);
    }
}
