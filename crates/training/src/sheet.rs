//! Contact sheets of samples, to look at: picture, classes, depth, normals.

use std::io;

use aerie_training::TINTS;
use aerie_training::dress::{NO_DEPTH, NONE, Sample};

/// Writes a sheet of samples as a JPEG.
pub(crate) fn write(samples: &[Sample], side: usize, columns: usize, file: &str) -> io::Result<()> {
    let rows = samples.len().div_ceil(columns);
    let half = side / 2;
    let (width, height) = (columns * (side + half), rows * side);
    let mut pixels = vec![0_u8; width * height * 3];
    for (k, s) in samples.iter().enumerate() {
        let (x0, y0) = (k % columns * (side + half), k / columns * side);
        let mut put = |x: usize, y: usize, color: [u8; 3]| {
            pixels[((y0 + y) * width + x0 + x) * 3..][..3].copy_from_slice(&color);
        };
        for (i, color) in s.picture.as_chunks::<3>().0.iter().enumerate() {
            put(i % side, i / side, *color);
        }
        for i in 0..half * half {
            let (x, y) = (side + i % half, i / half);
            put(x, y, if s.labels[i] == NONE { [0; 3] } else { TINTS[s.labels[i] as usize] });
            // The lower square shows depth in its left half and normals in its right one.
            let gray = (128.0 - f32::from(s.depths[i]) / 4096.0 * 28.0).clamp(0.0, 255.0) as u8;
            let normal = s.normals[i].map(|v| (i16::from(v) + 128) as u8);
            let left = i % half < half / 2;
            let color = if s.depths[i] == NO_DEPTH {
                [0; 3]
            } else if left {
                [gray; 3]
            } else {
                normal
            };
            put(x, half + y, color);
        }
    }
    image::save_buffer(file, &pixels, width as u32, height as u32, image::ExtendedColorType::Rgb8)
        .map_err(io::Error::other)
}
