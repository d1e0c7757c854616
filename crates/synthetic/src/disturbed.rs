//! The same photo as it reaches a service: resized, cropped, exposed otherwise, compressed.

use aerie_math::color::{encoded, linear};
use aerie_photo::{Photo, decode};
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

/// Longer sides, pixels.
const SIDES: [usize; 4] = [700, 1000, 1400, 1800];
/// What a crop keeps, percent.
const KEPT: usize = 95;
/// Exposures, stops.
const STOPS: [f32; 2] = [-0.5, 0.5];
const QUALITIES: [u8; 2] = [50, 80];

/// Variants of a photo, each with its name: at other sizes, cropped on each side, darker and brighter, compressed.
///
/// # Panics
/// If JPEG compression fails.
#[must_use]
pub fn disturbed(photo: &Photo) -> Vec<(String, Photo)> {
    let (width, height) = (photo.width, photo.height);
    let like = |width: usize, height: usize, pixels: Vec<[u16; 3]>| Photo {
        focal_35mm: photo.focal_35mm,
        ..Photo::new(width, height, pixels)
    };
    let mut all = Vec::new();
    for side in SIDES {
        let scale = side as f64 / width.max(height) as f64;
        let (w, h) = ((width as f64 * scale) as usize, (height as f64 * scale) as usize);
        let pixels = photo.scaled(w, h).pixels.into_iter().map(encoded).collect();
        all.push((format!("{side} px"), like(w, h, pixels)));
    }
    let (w, h) = (width * KEPT / 100, height * KEPT / 100);
    let (right, low) = (width - w, height - h);
    for (name, x, y) in
        [("left", 0, low / 2), ("right", right, low / 2), ("top", right / 2, 0), ("bottom", right / 2, low)]
    {
        let pixels = (0..w * h).map(|i| photo.pixels[(y + i / w) * width + x + i % w]).collect();
        all.push((format!("the {name} part"), like(w, h, pixels)));
    }
    for stops in STOPS {
        let exposed = |p: &[u16; 3]| encoded(linear(*p).map(|v| (v * stops.exp2()).min(1.0)));
        all.push((format!("{stops:+} EV"), like(width, height, photo.pixels.iter().map(exposed).collect())));
    }
    for quality in QUALITIES {
        let bytes: Vec<u8> = photo.pixels.iter().flat_map(|p| p.map(|v| (v / 257) as u8)).collect();
        let mut file = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut file, quality);
        encoder.write_image(&bytes, width as u32, height as u32, ExtendedColorType::Rgb8).expect("a JPEG file");
        all.push((format!("JPEG quality {quality}"), decode(&file).expect("a photo")));
    }
    all
}
