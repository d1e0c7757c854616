//! A decoded photograph.

use image::metadata::Orientation;
use rayon::prelude::*;

use crate::panorama::Panorama;
use aerie_math::color;

/// Pixels of a photograph, upright, in sRGB.
#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Row by row from the top left: red, green, blue, sRGB-encoded, 0 to 65535.
    pub pixels: Vec<[u16; 3]>,
    /// Conversions made while decoding, for the report ("rotated according to EXIF orientation").
    pub readings: Vec<String>,
    /// EXIF block with the fields that are preserved (no position, no serial numbers), ready for an APP1 segment.
    pub exif: Option<Vec<u8>>,
    /// Light value at ISO 100 from EXIF: below about 8 is indoors, above 11 daylight.
    pub light_value: Option<f32>,
    /// 35 mm equivalent focal length from EXIF, millimeters.
    pub focal_35mm: Option<f32>,
    /// Number of exposures that it was merged from: 1 for a photo as it was taken.
    pub exposures: usize,
    /// True for developed camera raw: linear light of the scene up to where the sensor clips, without a tone curve.
    pub is_raw: bool,
    /// What is known of it if it is a panorama.
    pub panorama: Option<Panorama>,
    /// How the file stores it.
    pub stored: StoredFrame,
}

/// How a file stores a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFrame {
    /// Width and height before it was turned, pixels.
    pub size: [usize; 2],
    /// How it was turned, and how the file says that it is to be turned.
    pub(crate) orientation: Orientation,
    pub(crate) flag: Orientation,
}

impl StoredFrame {
    /// A picture that is stored upright.
    fn upright(width: usize, height: usize) -> Self {
        Self { size: [width, height], orientation: Orientation::NoTransforms, flag: Orientation::NoTransforms }
    }

    /// Returns whether it was turned like another photo, against its own flag.
    #[must_use]
    pub fn is_turned_like_another(&self) -> bool {
        self.orientation != self.flag
    }
}

impl Photo {
    /// Photo without metadata.
    ///
    /// # Panics
    /// If there are not `width * height` pixels.
    #[must_use]
    pub fn new(width: usize, height: usize, pixels: Vec<[u16; 3]>) -> Self {
        assert_eq!(pixels.len(), width * height, "pixels for the size");
        Self {
            width,
            height,
            pixels,
            readings: Vec::new(),
            exif: None,
            light_value: None,
            focal_35mm: None,
            exposures: 1,
            is_raw: false,
            panorama: None,
            stored: StoredFrame::upright(width, height),
        }
    }

    /// Focal length in pixels from EXIF; correct for photos that were not cropped.
    #[must_use]
    pub fn focal(&self) -> Option<f64> {
        const DIAGONAL: f64 = 43.267;
        let film = self.focal_35mm.filter(|f| (8.0..400.0).contains(f))?;
        Some(f64::from(film) / DIAGONAL * (self.width as f64).hypot(self.height as f64))
    }

    /// Reduced copy in linear light by area averaging, with a longer side of at most `side` pixels.
    #[must_use]
    pub fn reduced(&self, side: usize) -> Linear {
        let scale = (self.width.max(self.height) as f32 / side as f32).max(1.0);
        let width = ((self.width as f32 / scale).round() as usize).max(1);
        let height = ((self.height as f32 / scale).round() as usize).max(1);
        self.scaled(width, height)
    }

    /// Copy of a given size in linear light, each pixel the mean of the area that it covers.
    #[must_use]
    pub fn scaled(&self, width: usize, height: usize) -> Linear {
        let mut pixels = vec![[0.0; 3]; width * height];
        pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let rows = span(y, height, self.height);
            for (x, out) in row.iter_mut().enumerate() {
                let columns = span(x, width, self.width);
                let mut sum = [0.0_f32; 3];
                for v in rows.clone() {
                    for pixel in &self.pixels[v * self.width + columns.start..v * self.width + columns.end] {
                        let linear = color::linear(*pixel);
                        (0..3).for_each(|c| sum[c] += linear[c]);
                    }
                }
                let count = (rows.len() * columns.len()) as f32;
                *out = sum.map(|s| s / count);
            }
        });
        Linear { width, height, pixels }
    }
}

/// Source pixels covered by pixel `at` of `of`; at least one.
fn span(at: usize, of: usize, source: usize) -> std::ops::Range<usize> {
    let from = at * source / of;
    from..((at + 1) * source / of).max(from + 1)
}

/// Image in linear light.
#[derive(Debug, Clone)]
pub struct Linear {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Linear sRGB, 0 to 1.
    pub pixels: Vec<[f32; 3]>,
}

impl Linear {
    /// Crop.
    pub(crate) fn crop(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Self {
        let (width, height) = (columns.len(), rows.len());
        let row = |y: usize| &self.pixels[y * self.width + columns.start..y * self.width + columns.end];
        Self { width, height, pixels: rows.flat_map(row).copied().collect() }
    }

    /// Copy of a given size, each pixel the mean of the area that it covers.
    pub(crate) fn scaled(&self, width: usize, height: usize) -> Self {
        let pixels = (0..width * height).map(|i| {
            let (columns, rows) = (span(i % width, width, self.width), span(i / width, height, self.height));
            let count = (rows.len() * columns.len()) as f32;
            let covered = rows.flat_map(|y| &self.pixels[y * self.width + columns.start..y * self.width + columns.end]);
            covered.fold([0.0; 3], |sum: [f32; 3], p| [0, 1, 2].map(|c| sum[c] + p[c])).map(|sum| sum / count)
        });
        Self { width, height, pixels: pixels.collect() }
    }

    /// Half-size copy, each pixel the mean of four; an odd last row or column is dropped.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let pixels = (0..width * height).map(|i| {
            let (x, y) = (2 * (i % width), 2 * (i / width));
            let (right, down) = ((x + 1).min(self.width - 1), (y + 1).min(self.height - 1));
            let four = [(x, y), (right, y), (x, down), (right, down)].map(|(u, v)| self.pixels[v * self.width + u]);
            [0, 1, 2].map(|c| four.iter().map(|p| p[c]).sum::<f32>() / 4.0)
        });
        Self { width, height, pixels: pixels.collect() }
    }
}
