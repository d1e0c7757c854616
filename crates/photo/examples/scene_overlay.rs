//! Draws what a photo shows: regions tinted, horizon and vertical direction. `scene_overlay OUT SIDE PHOTO...` writes one PNG per photo
//! to the folder OUT, with a longer side of SIDE pixels, and prints what was estimated.

use std::path::Path;

use aerie_photo::scene::{Region, Regions, View};
use aerie_photo::{Photo, PhotoScene, Picture, color, decode_file, room};

/// Tints in the order of [`Region::ALL`].
const TINTS: [[f32; 3]; 15] = [
    [90.0, 170.0, 255.0],
    [130.0, 230.0, 60.0],
    [190.0, 190.0, 190.0],
    [0.0, 80.0, 200.0],
    [0.0, 110.0, 40.0],
    [255.0, 150.0, 40.0],
    [200.0, 30.0, 30.0],
    [230.0, 190.0, 120.0],
    [255.0, 255.0, 150.0],
    [255.0, 255.0, 255.0],
    [0.0, 220.0, 220.0],
    [150.0, 90.0, 40.0],
    [255.0, 0.0, 255.0],
    [140.0, 60.0, 220.0],
    [0.0, 0.0, 0.0],
];
const HORIZON: [f32; 3] = [255.0, 0.0, 90.0];

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, side, photos @ ..] = args.as_slice() else { return Err("usage: scene_overlay OUT SIDE PHOTO...".into()) };
    let side: usize = side.parse()?;
    std::fs::create_dir_all(out)?;
    for (number, file) in photos.iter().enumerate() {
        let photo = decode_file(file.as_ref())?;
        let scene = PhotoScene::of(&photo);
        println!("{file}: {}", summary(&scene));
        let name = Path::new(file).file_stem().and_then(|s| s.to_str()).unwrap_or("photo");
        std::fs::write(format!("{out}/{number:03}_{name}.png"), room::png(&drawn(&photo, &scene, side))?)?;
    }
    Ok(())
}

fn summary(scene: &PhotoScene) -> String {
    let View { camera, basis, confidence, focal_confidence } = scene.view;
    let horizon = scene.view.horizon_at(camera.center.x) / camera.height as f64;
    let roll = camera.roll().to_degrees();
    let focal = camera.focal / camera.width.max(camera.height) as f64;
    let shares: Vec<String> = Region::ALL
        .into_iter()
        .filter(|r| scene.regions.share(&[*r]) > 0.02)
        .map(|r| format!("{} {:.2}", r.name(), scene.regions.share(&[r])))
        .collect();
    format!(
        "{:?} {:.2} (outdoors {:.2}); horizon {horizon:.2} roll {roll:.1} by {basis:?} {confidence:.2}; focal {focal:.2} \
         ({focal_confidence:.2}); layout {:.2}; {}",
        scene.setting.setting,
        scene.setting.confidence,
        scene.setting.outdoors,
        scene.layout.as_ref().map_or(0.0, |l| l.confidence),
        shares.join(", ")
    )
}

fn drawn(photo: &Photo, scene: &PhotoScene, side: usize) -> Picture {
    let small = photo.reduced(side);
    let (width, height) = (small.width, small.height);
    let mut pixels: Vec<[f32; 3]> =
        small.pixels.iter().map(|p| color::encoded(*p).map(|v| f32::from(v) / 257.0)).collect();
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let at = [(i % width) as f64 + 0.5, (i / width) as f64 + 0.5];
        let tint = tint(&scene.regions, [at[0] / width as f64, at[1] / height as f64]);
        (0..3).for_each(|c| pixel[c] = 0.5 * pixel[c] + 0.5 * tint[c]);
    }
    let scale = width as f64 / photo.width as f64;
    let solid = scene.view.confidence > 0.5;
    for x in 0..width {
        let y = scene.view.horizon_at((x as f64 + 0.5) / scale) * scale;
        if (solid || x % 16 < 8) && y >= 1.0 && y < height as f64 - 1.0 {
            pixels[y as usize * width + x] = HORIZON;
            pixels[(y as usize - 1) * width + x] = HORIZON;
        }
    }
    let pixels = pixels.iter().flatten().map(|v| v.round().clamp(0.0, 255.0) as u8).collect();
    Picture { width, height, pixels }
}

/// Mean of the tints, weighted by probability.
fn tint(regions: &Regions, at: [f64; 2]) -> [f32; 3] {
    let mut tint = [0.0; 3];
    for (region, color) in Region::ALL.into_iter().zip(TINTS) {
        let probability = regions.probability(region, at);
        (0..3).for_each(|c| tint[c] += probability * color[c]);
    }
    tint
}
