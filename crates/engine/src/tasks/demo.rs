//! Pictures that a client would bring: a photo of an imagined room, and a boundary drawn on a picture.

use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use anyhow::Context;
use jpeg_encoder::{ColorType, Encoder};

/// Seed of the room.
const SEED: u64 = 4;

/// Width of the drawn line and its color.
const LINE: f64 = 9.0;
const RED: [u8; 3] = [235, 40, 40];

/// Renders a photo of an empty room, 1500 x 1000, underexposed by more than a stop.
pub(super) fn dark_room() -> Vec<u8> {
    let imagined = imagine(SEED, &Style { width: 1500, height: 1000, casual: 0.0, ..Style::default() });
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
    view.jpeg(&Developing { exposure: -1.3, noise: 1.0, seed: SEED, ..Developing::default() }, 92)
}

/// Draws a closed red line on a picture; `corners` are shares of its width and height. Returns a JPEG.
pub(super) fn with_boundary(picture: &[u8], corners: &[[f64; 2]]) -> anyhow::Result<Vec<u8>> {
    let photo = aerie_photo::decode(picture).context("cannot read the picture to draw on")?;
    let mut pixels: Vec<u8> = photo.pixels.iter().flatten().map(|value| (value / 257) as u8).collect();
    let corners: Vec<[f64; 2]> =
        corners.iter().map(|[x, y]| [x * photo.width as f64, y * photo.height as f64]).collect();
    for (start, end) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        for (index, pixel) in pixels.chunks_exact_mut(3).enumerate() {
            let at = [(index % photo.width) as f64, (index / photo.width) as f64];
            if distance_to_segment(at, *start, *end) < LINE / 2.0 {
                pixel.copy_from_slice(&RED);
            }
        }
    }
    let mut file = Vec::new();
    let (width, height) = (u16::try_from(photo.width)?, u16::try_from(photo.height)?);
    Encoder::new(&mut file, 92).encode(&pixels, width, height, ColorType::Rgb)?;
    Ok(file)
}

fn distance_to_segment([x, y]: [f64; 2], [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> f64 {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let along = (((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (x - x1 - along * dx).hypot(y - y1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_drawn_along_its_edges_and_nowhere_else() {
        let mut picture = Vec::new();
        Encoder::new(&mut picture, 95).encode(&[200; 100 * 100 * 3], 100, 100, ColorType::Rgb).unwrap();
        let drawn = with_boundary(&picture, &[[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]).unwrap();
        let photo = aerie_photo::decode(&drawn).unwrap();
        let is_red = |x: usize, y: usize| {
            let [red, green, _] = photo.pixels[y * 100 + x];
            red / 2 > green
        };
        assert!(is_red(20, 50) && is_red(50, 20) && is_red(80, 50) && is_red(50, 80));
        assert!(!is_red(50, 50) && !is_red(5, 50) && !is_red(95, 95));
    }
}
