//! Alters pictures as drawing tools do: crop, scale, color shift, encode.

use std::fmt;

use aerie_boundary::Picture;
use image::RgbImage;
use image::imageops::FilterType;

use crate::backgrounds::picture;
use aerie_math::Rng;

pub(crate) struct Tool {
    scale: f64,
    filter: FilterType,
    /// Shares cropped: left, top, right, bottom.
    crop: [f64; 4],
    /// Gain and offset per channel, and gamma.
    color: Option<([f64; 3], [f64; 3], f64)>,
    quality: u8,
    subsampled: bool,
    /// Degrees clockwise; white shows at the corners.
    rotation: f64,
    /// Within a phone's screen, with bars above and below.
    is_screenshot: bool,
}

impl Tool {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let crop = if rng.below(2) == 0 { [0.0; 4] } else { [(); 4].map(|()| rng.range_f64(0.0, 0.04)) };
        let color = (rng.below(3) == 0).then(|| {
            let gain = [(); 3].map(|()| rng.range_f64(0.88, 1.1));
            let offset = [(); 3].map(|()| rng.range_f64(-10.0, 10.0));
            (gain, offset, rng.range_f64(0.88, 1.14))
        });
        Self {
            scale: if rng.below(3) == 0 { 1.0 } else { rng.range_f64(0.5, 1.5) },
            filter: [FilterType::Triangle, FilterType::CatmullRom, FilterType::Lanczos3][rng.below(3)],
            crop,
            color,
            quality: rng.range_f64(60.0, 95.9) as u8,
            subsampled: rng.below(2) == 0,
            rotation: 0.0,
            is_screenshot: false,
        }
    }

    /// A screenshot of a phone that shows the picture across its screen.
    pub(crate) fn screenshot(rng: &mut Rng) -> Self {
        Self { is_screenshot: true, ..Self::rehost(rng, false) }
    }

    /// A site that stores its own copy of a picture: smaller and compressed again, `rotated` by up to 3 degrees.
    pub(crate) fn rehost(rng: &mut Rng, rotated: bool) -> Self {
        let rotation = if rotated { rng.range_f64(0.4, 3.0) * rng.pick(&[-1.0, 1.0]) } else { 0.0 };
        let scale = rng.range_f64(0.45, 1.0);
        let quality = rng.range_f64(55.0, 92.0) as u8;
        let crop = if rotated { [(); 4].map(|()| rng.range_f64(0.0, 0.02)) } else { [0.0; 4] };
        Self { scale, crop, color: None, quality, subsampled: true, rotation, ..Self::random(rng) }
    }

    pub(crate) fn alter(&self, drawn: &Picture) -> Picture {
        let mut image = RgbImage::from_fn(drawn.width as u32, drawn.height as u32, |x, y| {
            image::Rgb(drawn.pixels[y as usize * drawn.width + x as usize])
        });
        if self.rotation != 0.0 {
            image = rotated(&image, self.rotation);
        }
        let (w, h) = (f64::from(image.width()), f64::from(image.height()));
        let [left, top, right, bottom] = self.crop;
        if left + top + right + bottom > 0.0 {
            let (x, y) = ((left * w) as u32, (top * h) as u32);
            let (cw, ch) = (image.width() - x - (right * w) as u32, image.height() - y - (bottom * h) as u32);
            image = image::imageops::crop_imm(&image, x, y, cw, ch).to_image();
        }
        if self.scale != 1.0 {
            let side = |s: u32| (f64::from(s) * self.scale).round() as u32;
            image = image::imageops::resize(&image, side(image.width()), side(image.height()), self.filter);
        }
        if self.is_screenshot {
            image = on_screen(&image);
        }
        if let Some((gain, offset, gamma)) = self.color {
            for p in image.pixels_mut() {
                for c in 0..3 {
                    let v = 255.0 * (f64::from(p.0[c]) / 255.0).powf(gamma) * gain[c] + offset[c];
                    p.0[c] = v.clamp(0.0, 255.0).round() as u8;
                }
            }
        }
        picture(&through_jpeg(&image, self.quality, self.subsampled))
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cropped = self.crop.iter().sum::<f64>() > 0.0;
        write!(
            f,
            "x{:.2}{}{}, q{}{}{}{}",
            self.scale,
            if cropped { " cropped" } else { "" },
            if self.color.is_some() { " recolored" } else { "" },
            self.quality,
            if self.subsampled { " 4:2:0" } else { "" },
            if self.is_screenshot { " screenshot" } else { "" },
            if self.rotation == 0.0 { String::new() } else { format!(", {:.1}°", self.rotation) }
        )
    }
}

/// A dark screen with a clock, buttons and the picture, 19 by 9.
fn on_screen(image: &RgbImage) -> RgbImage {
    let (width, height) = (image.width(), image.width() * 19 / 9);
    let top = (height - image.height().min(height)) / 2;
    RgbImage::from_fn(width, height, |x, y| {
        if (top..top + image.height()).contains(&y) {
            return *image.get_pixel(x, y - top);
        }
        let (u, v) = (x * 24 / width, y * 50 / height);
        let lit = matches!(v, 1 | 3 | 47) && (u * 7 + v * 3) % 4 == 0;
        image::Rgb(if lit { [235; 3] } else { [18, 18, 20] })
    })
}

/// Turns a picture about its center, by bilinear interpolation.
fn rotated(image: &RgbImage, degrees: f64) -> RgbImage {
    let (width, height) = image.dimensions();
    let (sin, cos) = degrees.to_radians().sin_cos();
    let middle = [0.5 * f64::from(width), 0.5 * f64::from(height)];
    RgbImage::from_fn(width, height, |x, y| {
        let (dx, dy) = (f64::from(x) + 0.5 - middle[0], f64::from(y) + 0.5 - middle[1]);
        let (u, v) = (middle[0] + dx * cos + dy * sin - 0.5, middle[1] - dx * sin + dy * cos - 0.5);
        if u < 0.0 || v < 0.0 || u > f64::from(width - 1) || v > f64::from(height - 1) {
            return image::Rgb([255; 3]);
        }
        let (i, j) = (u as u32, v as u32);
        let (fu, fv) = (u - f64::from(i), v - f64::from(j));
        let at = |dx: u32, dy: u32, c: usize| {
            f64::from(image.get_pixel((i + dx).min(width - 1), (j + dy).min(height - 1)).0[c])
        };
        let mix = |c: usize| {
            let (top, bottom) =
                (at(0, 0, c) * (1.0 - fu) + at(1, 0, c) * fu, at(0, 1, c) * (1.0 - fu) + at(1, 1, c) * fu);
            (top * (1.0 - fv) + bottom * fv).round() as u8
        };
        image::Rgb([mix(0), mix(1), mix(2)])
    })
}

pub(crate) fn through_jpeg(image: &RgbImage, quality: u8, subsampled: bool) -> RgbImage {
    use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_sampling_factor(if subsampled { SamplingFactor::R_4_2_0 } else { SamplingFactor::R_4_4_4 });
    encoder
        .encode(image.as_raw(), image.width() as u16, image.height() as u16, ColorType::Rgb)
        .expect("an encoded picture");
    image::load_from_memory_with_format(&bytes, image::ImageFormat::Jpeg).expect("a decoded picture").into_rgb8()
}
