//! Pictures to draw on: a real orthophoto if available, rendered frames and a synthetic picture.

use std::path::{Path, PathBuf};

use aerie_boundary::Picture;

use aerie_math::Rng;

pub(crate) struct Backgrounds {
    pictures: Vec<(String, image::RgbImage)>,
    /// Meters per pixel of the operator's pictures that have a ground transform beside them.
    scales: Vec<(String, f64)>,
}

impl Backgrounds {
    pub(crate) fn load() -> Self {
        let (mut pictures, mut scales) = (Vec::new(), Vec::new());
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in ["original", "topdown"] {
            pictures.push(open(&here.join(format!("../scenery/tests/golden/{name}.jpg"))));
        }
        match std::env::var_os("AERIE_TEST_DATA") {
            Some(folder) => {
                let path = PathBuf::from(folder).join("imagery/zurich_swissimage50cm_1091-322_00.tif");
                // Twice, so that half of the cases use the real picture.
                (0..2).for_each(|_| pictures.push(open(&path)));
            }
            None => eprintln!("skipping the orthophoto: AERIE_TEST_DATA is not set"),
        }
        if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_PICTURES") {
            let listed = std::fs::read_dir(folder).expect("a readable folder of pictures");
            let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("a directory entry").path()).collect();
            paths.sort();
            for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "jpg")) {
                pictures.push(open(path));
                let Ok(text) = std::fs::read(path.with_extension("ground.json")) else { continue };
                let ground: aerie_boundary::GroundTransform =
                    serde_json::from_slice(&text).expect("a ground transform");
                scales.push((pictures[pictures.len() - 1].0.clone(), ground.scale()));
            }
        }
        pictures.push(("synthetic".into(), synthetic()));
        Self { pictures, scales }
    }

    /// A whole picture and its meters per pixel: one with a ground transform if there is any, else a square that is taken to
    /// show 60 meters.
    pub(crate) fn whole(&self, case: usize) -> (String, Picture, f64) {
        if let Some((name, scale)) = self.scales.get(case / 6 % self.scales.len().max(1)) {
            let image = &self.pictures.iter().find(|p| p.0 == *name).expect("a picture").1;
            return (name.clone(), picture(image), *scale);
        }
        let (name, image) = &self.pictures[case / 6 % self.pictures.len()];
        let side = image.width().min(image.height());
        let square = image::imageops::crop_imm(image, 0, 0, side, side).to_image();
        let sized = image::imageops::resize(&square, 1400, 1400, image::imageops::FilterType::CatmullRom);
        (name.clone(), picture(&crate::tool::through_jpeg(&sized, 90, false)), 60.0 / 1400.0)
    }

    pub(crate) fn random(&self, rng: &mut Rng) -> (String, Picture) {
        let index = rng.below(self.pictures.len());
        self.window(index, rng)
    }

    /// Windows of two pictures of different places.
    pub(crate) fn pair(&self, case: usize, rng: &mut Rng) -> (Picture, Picture) {
        let (name, first) = self.window(case, rng);
        let other = (1..self.pictures.len()).map(|d| case + d);
        let other = other.map(|i| i % self.pictures.len()).find(|i| self.pictures[*i].0 != name);
        (first, self.window(other.expect("pictures of two places"), rng).1)
    }

    /// A random window of one of the pictures, resized and served as a JPEG.
    pub(crate) fn window(&self, index: usize, rng: &mut Rng) -> (String, Picture) {
        let (name, whole) = &self.pictures[index % self.pictures.len()];
        let share = rng.range_f64(0.6, 1.0);
        let (w, h) = (f64::from(whole.width()) * share, f64::from(whole.height()) * share);
        let x = rng.range_f64(0.0, f64::from(whole.width()) - w) as u32;
        let y = rng.range_f64(0.0, f64::from(whole.height()) - h) as u32;
        let window = image::imageops::crop_imm(whole, x, y, w as u32, h as u32).to_image();
        let long = [1024.0, 1024.0, 1400.0, 2048.0][rng.below(4)];
        let scale = long / w.max(h);
        let sized = image::imageops::resize(
            &window,
            (w * scale) as u32,
            (h * scale) as u32,
            image::imageops::FilterType::CatmullRom,
        );
        let served = crate::tool::through_jpeg(&sized, 90, false);
        (name.clone(), picture(&served))
    }
}

pub(crate) fn picture(image: &image::RgbImage) -> Picture {
    let pixels = image.pixels().map(|p| p.0).collect();
    Picture::new(image.width() as usize, image.height() as usize, pixels)
}

fn open(path: &Path) -> (String, image::RgbImage) {
    if path.extension().is_some_and(|e| e == "tif") {
        return (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), orthophoto(path));
    }
    let image = image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), image.into_rgb8())
}

/// Lawns, roofs and streets as patches of color with noise at several scales.
fn synthetic() -> image::RgbImage {
    let (width, height) = (900_u32, 640_u32);
    let hash = |x: i64, y: i64, seed: i64| {
        let mut h =
            (x.wrapping_mul(374_761_393) ^ y.wrapping_mul(668_265_263) ^ seed.wrapping_mul(2_147_483_647)) as u64;
        h = (h ^ (h >> 13)).wrapping_mul(1_274_126_177);
        ((h ^ (h >> 16)) & 0xFFFF) as f64 / 65_535.0
    };
    let noise = |x: f64, y: f64, size: f64, seed: i64| {
        let (u, v) = (x / size, y / size);
        let (i, j) = (u.floor() as i64, v.floor() as i64);
        let (fu, fv) = (u - u.floor(), v - v.floor());
        let (fu, fv) = (fu * fu * (3.0 - 2.0 * fu), fv * fv * (3.0 - 2.0 * fv));
        let top = hash(i, j, seed) * (1.0 - fu) + hash(i + 1, j, seed) * fu;
        let bottom = hash(i, j + 1, seed) * (1.0 - fu) + hash(i + 1, j + 1, seed) * fu;
        top * (1.0 - fv) + bottom * fv - 0.5
    };
    image::RgbImage::from_fn(width, height, |px, py| {
        let (x, y) = (f64::from(px), f64::from(py));
        let (i, j) = ((x / 120.0).floor() as i64, (y / 100.0).floor() as i64);
        let (u, v) = (x - i as f64 * 120.0, y - j as f64 * 100.0);
        let roof = u > 30.0 + 20.0 * hash(i, j, 4) && u < 95.0 && v > 25.0 && v < 60.0 + 25.0 * hash(i, j, 5);
        let street = v < 14.0 || (u < 10.0 && i % 3 == 0);
        let base = if street {
            [128.0, 127.0, 125.0]
        } else if roof {
            let side = if v < 45.0 { 1.12 } else { 0.86 };
            [150.0 + 60.0 * hash(i, j, 6), 96.0 + 50.0 * hash(i, j, 7), 80.0].map(|c| c * side)
        } else {
            [96.0 + 30.0 * hash(i, j, 8), 124.0, 72.0]
        };
        let grain = 14.0 * noise(x, y, 3.0, 1) + 22.0 * noise(x, y, 11.0, 2) + 26.0 * noise(x, y, 40.0, 3);
        image::Rgb(base.map(|c| (c + grain).clamp(0.0, 255.0) as u8))
    })
}

/// Decodes a TIFF of JPEG tiles; `image` does not support its color space.
fn orthophoto(path: &Path) -> image::RgbImage {
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut decoder = tiff::decoder::Decoder::new(std::io::BufReader::new(file)).expect("a TIFF");
    let (width, height) = decoder.dimensions().expect("a size");
    match decoder.read_image().expect("pixels") {
        tiff::decoder::DecodingResult::U8(bytes) => {
            let mut image = image::RgbImage::from_raw(width, height, bytes).expect("three bytes per pixel");
            // The decoder returns YCbCr (ITU-T T.871).
            for p in image.pixels_mut() {
                let [y, cb, cr] = p.0.map(f32::from);
                let (cb, cr) = (cb - 128.0, cr - 128.0);
                p.0 = [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb].map(|v| v.round() as u8);
            }
            image
        }
        _ => panic!("{} does not have 8 bits per channel", path.display()),
    }
}
