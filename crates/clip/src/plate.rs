//! The photo at the size of a frame, and at twice that for a camera that comes nearer.

use aerie_photo::Photo;
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U16x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeError, ResizeOptions, Resizer};
use rayon::prelude::*;

/// Margin of the photo that is kept beyond the frame, as a share of its sides, for the camera to turn into.
const MOST_BEYOND: f64 = 0.3;
/// Longest side of a texture that every device supports.
const MOST_TEXELS: f64 = 8192.0;

/// How a frame is cut from a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Pixels of the frame to one of the photo.
    pub scale: f64,
    /// Where the frame's corner lies in the photo, in pixels of the frame.
    pub offset: [f64; 2],
    /// Available part of the photo, in whole pixels of the frame: left, top, right, bottom.
    pub shown: [f64; 4],
}

impl Frame {
    /// The largest frame of a shape inside a photo, centered as close as possible to `middle`, in pixels of the photo.
    #[must_use]
    pub fn cut(photo: [usize; 2], size: [usize; 2], middle: [f64; 2]) -> Self {
        let [photo_width, photo_height] = photo.map(|side| side as f64);
        let [width, height] = size.map(|side| side as f64);
        let scale = (width / photo_width).max(height / photo_height);
        let place = |side: f64, whole: f64, middle: f64| {
            let most = (whole * scale - side).max(0.0);
            let offset = (middle * scale - side / 2.0).clamp(0.0, most);
            let most_beyond = ((MOST_TEXELS / 2.0 - side) / 2.0).clamp(0.0, side * MOST_BEYOND);
            let before = offset.min(most_beyond).floor();
            let after = (most - offset).min(most_beyond).floor();
            (offset, -before, side + after)
        };
        let (x, left, right) = place(width, photo_width, middle[0]);
        let (y, top, bottom) = place(height, photo_height, middle[1]);
        Self { width: size[0], height: size[1], scale, offset: [x, y], shown: [left, top, right, bottom] }
    }
}

/// The pixels of a frame's photo: red, green, blue and a byte of 255, row by row from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct Plate {
    /// The frame itself.
    pub fitted: Vec<u8>,
    /// The available part of the photo at four texels per pixel, whose mean is the pixel of [`Plate::fitted`].
    pub double: Vec<u8>,
    /// Texels of `double` across and down.
    pub double_size: [usize; 2],
}

/// The photo could not be brought to size.
#[derive(Debug, thiserror::Error)]
#[error("the photo cannot be brought to {width} x {height}: {why}")]
pub struct SizeError {
    width: usize,
    height: usize,
    why: String,
}

impl Plate {
    /// Brings a photo to a frame's size (Lanczos, three lobes).
    ///
    /// # Errors
    /// When a side is 0.
    pub fn of(photo: &Photo, frame: &Frame) -> Result<Self, SizeError> {
        let [left, top, right, bottom] = frame.shown;
        let (width, height) = ((right - left) as usize, (bottom - top) as usize);
        let cut = [
            (frame.offset[0] + left) / frame.scale,
            (frame.offset[1] + top) / frame.scale,
            width as f64 / frame.scale,
            height as f64 / frame.scale,
        ];
        let sized = |width: usize, height: usize| {
            resized(photo, cut, width, height).map_err(|e| SizeError { width, height, why: e.to_string() })
        };
        let whole = sized(width, height)?;
        let mut double = sized(2 * width, 2 * height)?;
        agree(&whole, &mut double, width);
        let (x, y) = (-left as usize, -top as usize);
        let fitted = (y..y + frame.height).flat_map(|row| &whole[row * width + x..][..frame.width]);
        Ok(Self { fitted: bytes(fitted), double: bytes(double.iter()), double_size: [2 * width, 2 * height] })
    }
}

fn resized(photo: &Photo, cut: [f64; 4], width: usize, height: usize) -> Result<Vec<[u16; 3]>, ResizeError> {
    let pixels: Vec<U16x3> = photo.pixels.iter().map(|p| U16x3::new(*p)).collect();
    let source = TypedImageRef::new(photo.width as u32, photo.height as u32, &pixels)
        .map_err(|_| ResizeError::PixelTypesAreDifferent)?;
    let mut target = TypedImage::<U16x3>::new(width as u32, height as u32);
    let [x, y, across, down] = cut;
    let across = across.min(photo.width as f64 - x);
    let down = down.min(photo.height as f64 - y);
    let options =
        ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).crop(x, y, across, down);
    // `resize` would compile the resampling of every pixel type: a minute and more of a release build.
    Resizer::new().resize_typed(&source, &mut target, &options)?;
    Ok(target.pixels().iter().map(|p| p.0).collect())
}

/// Makes the mean of each four texels that of their pixel, so that a camera which has not moved shows the photo.
fn agree(whole: &[[u16; 3]], double: &mut [[u16; 3]], width: usize) {
    double.par_chunks_mut(4 * width).zip(whole.par_chunks(width)).for_each(|(rows, pixels)| {
        for (x, pixel) in pixels.iter().enumerate() {
            let four = [2 * x, 2 * x + 1, 2 * width + 2 * x, 2 * width + 2 * x + 1];
            for channel in 0..3 {
                // What one texel cannot take the others are given, in a second round.
                for _ in 0..2 {
                    let mean = four.iter().map(|at| i32::from(rows[*at][channel])).sum::<i32>() / 4;
                    let off = i32::from(pixel[channel]) - mean;
                    for at in four {
                        rows[at][channel] = (i32::from(rows[at][channel]) + off).clamp(0, 65535) as u16;
                    }
                }
            }
        }
    });
}

fn bytes<'a>(pixels: impl Iterator<Item = &'a [u16; 3]>) -> Vec<u8> {
    let byte = |v: u16| ((u32::from(v) + 128) / 257) as u8;
    pixels.flat_map(|[r, g, b]| [byte(*r), byte(*g), byte(*b), 255]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn photo(width: usize, height: usize) -> Photo {
        let value = |x: usize, y: usize| {
            let wave = ((x as f64 * 0.7).sin() * (y as f64 * 0.45).cos() * 0.4 + 0.5) * 65535.0;
            [wave as u16, (x * 65535 / width) as u16, (y * 65535 / height) as u16]
        };
        Photo::new(width, height, (0..width * height).map(|i| value(i % width, i / width)).collect())
    }

    #[test]
    fn a_photo_of_the_frames_own_size_is_the_plate_to_the_pixel() {
        let photo = photo(64, 48);
        let frame = Frame::cut([64, 48], [64, 48], [32.0, 24.0]);
        let plate = Plate::of(&photo, &frame).unwrap();
        let expected = bytes(photo.pixels.iter());
        assert!(plate.fitted == expected);
    }

    #[test]
    fn four_texels_are_their_pixel() {
        for size in [[64, 48], [32, 24], [100, 75]] {
            let frame = Frame::cut([64, 48], size, [32.0, 24.0]);
            let plate = Plate::of(&photo(64, 48), &frame).unwrap();
            for y in 0..size[1] {
                for x in 0..size[0] {
                    for channel in 0..3 {
                        let texel = |i: usize, j: usize| {
                            u32::from(plate.double[((2 * y + j) * 2 * size[0] + 2 * x + i) * 4 + channel])
                        };
                        let mean = (texel(0, 0) + texel(1, 0) + texel(0, 1) + texel(1, 1)) as f64 / 4.0;
                        let pixel = f64::from(plate.fitted[(y * size[0] + x) * 4 + channel]);
                        assert!((mean - pixel).abs() <= 1.5, "{x} {y}: {mean} for {pixel}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_standing_frame_keeps_some_of_a_lying_photo_beyond_its_sides() {
        let frame = Frame::cut([3000, 2000], [1080, 1920], [1500.0, 1000.0]);
        assert_eq!(frame.shown[1..4], [0.0, 1404.0, 1920.0]);
        assert_eq!(frame.shown[0], -324.0);
        let plate = Plate::of(&photo(300, 200), &Frame::cut([300, 200], [108, 192], [20.0, 100.0])).unwrap();
        assert_eq!(plate.fitted.len(), 108 * 192 * 4);
        assert_eq!(plate.double.len(), plate.double_size[0] * plate.double_size[1] * 4);
    }
}
