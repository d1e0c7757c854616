//! Previews clips of interiors without a renderer: `interiors FOLDER PROMPTS PHOTO...`, prompts separated by semicolons. Writes for
//! each photo and prompt the frames at 0, 25, 50, 75 and 100 % side by side, and the depths; prints what was measured.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]

use std::path::Path;

use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Frame, Level, Plate, Pose, Proxy, SceneModel, compose,
};
use glam::DVec2;
use rayon::prelude::*;

/// Longer side of a preview, pixels.
const SIDE: usize = 640;
const FRAMES: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("a folder")?;
    let prompts = arguments.next().ok_or("prompts")?;
    for path in arguments {
        let photo = aerie_photo::decode_file(Path::new(&path))?;
        let name = Path::new(&path).file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let whole = [photo.width, photo.height];
        let long = photo.width.max(photo.height);
        let size = whole.map(|side| (side * SIDE / long).next_multiple_of(2));
        let frame = Frame::cut(whole, size, compose::focus(&photo));
        let plate = Plate::of(&photo, &frame)?;
        let clock = std::time::Instant::now();
        let mut model = SceneModel::of(&photo, &frame, &plate);
        let understood = clock.elapsed().as_secs_f64();
        let bodies = model.furniture((&frame, &plate), whole);
        model.proxy.marks = bodies.as_ref().map(Bodies::marks).unwrap_or_default();
        let seconds = clock.elapsed().as_secs_f64();
        println!("{name}: {:?} {:?}, {understood:.1} and {:.1} s", model.kind(), model.room, seconds - understood);
        write(&format!("{folder}/{name}-depth.ppm"), size, 2, &depths(&model.proxy, bodies.as_ref(), &plate, &frame))?;
        for (number, prompt) in prompts.split(';').map(str::trim).enumerate() {
            let (prompt, ends_in_photo) = prompt.strip_prefix("last ").map_or((prompt, false), |rest| (rest, true));
            let wanted = CameraRequest {
                prompt: CameraPrompt::parse(Some(prompt).filter(|prompt| !prompt.is_empty())),
                level: Level::Medium,
                ends_in_photo,
                seconds: 5.0,
                something_ahead: compose::something_ahead(&photo),
            };
            let course = CameraPath::plan(&model.proxy, bodies.as_ref(), &wanted);
            let motion = course.motion(&model.proxy, bodies.as_ref());
            let filled = aerie_clip::synthesized_share(&model.proxy, &course, bodies.as_ref(), None);
            println!(
                "  {prompt:?} share {:.2} closing {:.2} moves {:.3} parallax {:.3} mean {:+.3} {:+.3} filled {filled:.3} {:?}",
                course.share,
                course.closing,
                motion.displacement,
                motion.parallax,
                motion.mean[0],
                motion.mean[1],
                course.verbs
            );
            let mut strip = vec![[0; 3]; size[0] * size[1] * FRAMES];
            for at in 0..FRAMES {
                let pose = course.at(&model.proxy, at as f64 / (FRAMES - 1) as f64);
                let drawn = drawn(&model.proxy, bodies.as_ref(), &plate, &pose, size);
                for y in 0..size[1] {
                    strip[(y * FRAMES + at) * size[0]..][..size[0]].copy_from_slice(&drawn[y * size[0]..][..size[0]]);
                }
            }
            write(&format!("{folder}/{name}-{number}.ppm"), size, FRAMES, &strip)?;
        }
    }
    Ok(())
}

fn write(path: &str, [width, height]: [usize; 2], columns: usize, pixels: &[[u8; 3]]) -> std::io::Result<()> {
    let mut data = format!("P6\n{} {height}\n255\n", width * columns).into_bytes();
    data.extend(pixels.iter().flatten());
    std::fs::write(path, data)
}

/// Interpolated color of texels.
fn texel(pixels: &[u8], [width, height]: [usize; 2], at: DVec2) -> [f64; 4] {
    let at = (at - 0.5).clamp(DVec2::ZERO, DVec2::new(width as f64 - 1.001, height as f64 - 1.001));
    let (x, y, u, v) = (at.x as usize, at.y as usize, at.x.fract(), at.y.fract());
    let value = |x: usize, y: usize, c: usize| f64::from(pixels[(y * width + x) * 4 + c]);
    [0, 1, 2, 3].map(|c| {
        let row = |y: usize| value(x, y, c) * (1.0 - u) + value(x + 1, y, c) * u;
        row(y) * (1.0 - v) + row(y + 1) * v
    })
}

fn drawn(proxy: &Proxy, bodies: Option<&Bodies>, plate: &Plate, pose: &Pose, size: [usize; 2]) -> Vec<[u8; 3]> {
    let corner = DVec2::new(proxy.shown[0], proxy.shown[1]);
    let pixel = |i: usize| {
        let pixel = DVec2::new((i % size[0]) as f64 + 0.5, (i / size[0]) as f64 + 0.5);
        let behind = bodies.map_or(&plate.double, |bodies| &bodies.behind);
        let back =
            proxy.photo_pixel(pose, pixel).map_or([0.0; 4], |at| texel(behind, plate.double_size, (at - corner) * 2.0));
        let mut color = [back[0], back[1], back[2]];
        if let Some(bodies) = bodies
            && let Some((number, place)) = bodies.met(proxy, pose, pixel)
        {
            let held = &bodies.each[number];
            let at = (place - DVec2::new(held.rect[0], held.rect[1])
                + DVec2::new(held.at[0] as f64, held.at[1] as f64))
                * 2.0;
            let front = texel(&bodies.colors, bodies.size.map(|side| 2 * side), at);
            (0..3).for_each(|c| color[c] = front[c] + color[c] * (1.0 - front[3] / 255.0));
        }
        color.map(|v| v.round() as u8)
    };
    (0..size[0] * size[1]).into_par_iter().map(pixel).collect()
}

/// Depths, and the room behind what stands in it.
fn depths(proxy: &Proxy, bodies: Option<&Bodies>, plate: &Plate, frame: &Frame) -> Vec<[u8; 3]> {
    let (width, height) = (frame.width, frame.height);
    let all = proxy.depths();
    let most = all[all.len() * 97 / 100];
    let start = proxy.ray_matrix(&proxy.start());
    let mut out = vec![[0; 3]; width * height * 2];
    for y in 0..height {
        for x in 0..width {
            let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let own = bodies.and_then(|bodies| bodies.nearness_at(pixel));
            let nearness = own.unwrap_or_else(|| proxy.main().nearness(start * pixel.extend(1.0)));
            let value = (nearness / most).clamp(0.0, 1.0) * 255.0;
            out[y * 2 * width + x] =
                if own.is_some() { [value as u8, (value * 0.6) as u8, 40] } else { [value as u8; 3] };
            let at = (pixel - DVec2::new(proxy.shown[0], proxy.shown[1])) * 2.0;
            let behind = texel(bodies.map_or(&plate.double, |bodies| &bodies.behind), plate.double_size, at);
            out[(y * 2 + 1) * width + x] = [behind[0] as u8, behind[1] as u8, behind[2] as u8];
        }
    }
    out
}
