//! How much a film shimmers: `flicker DATA_DIR ADDRESS DIRECTION FIRST COUNT`.
//!
//! Frames as a processor draws them (1.41 samples along each side of a pixel) are held against frames of the same cameras with
//! nine samples a pixel, which hardly shimmer. What they differ in is the error; what of the error changes from one frame to the
//! next is shimmer. Prints, of luma in code values: the mean change from frame to frame of both, their ratio, the mean change of
//! the error, and the likeness of the frames in decibels.

use aerie_render::Gpu;
use aerie_render::film::{Picture, Studio};
use aerie_scenery::{Flight, Take};

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data_dir, address, direction, first, count] = args.as_slice() else {
        return Err("usage: flicker DATA_DIR ADDRESS DIRECTION FIRST COUNT".into());
    };
    let (first, count): (usize, u32) = (first.parse()?, count.parse()?);
    let pack = aerie_world::Pack::open(data_dir.as_ref())?;
    let mut place = pack.place(&pack.geocode(address)?, 1200.0)?;
    let direction = serde_json::from_value(serde_json::json!(direction))?;
    let flight = Flight::plan(&place, aerie_engines::drone_footage::path_of(direction), Take::default());
    let online = aerie_world::Sources::default();
    let scene = aerie_engines::overlaid::scene(&mut place, &flight, data_dir.as_ref(), &online)?.scene;
    let gpu = Gpu::open()?;
    let filmed = |supersampling: f32| -> Result<Vec<Vec<u8>>, aerie_render::RenderError> {
        let picture = Picture { width: 1920, height: 1080, supersampling, vignette: 0.0 };
        let studio = Studio::new(&gpu, &scene, picture)?;
        let mut frames = Vec::new();
        let camera = |i: u32| flight.cameras[(first + i as usize).min(flight.cameras.len() - 1)];
        studio.film(count, camera, |_, nv12| {
            frames.push(nv12[..1920 * 1080].to_vec());
            Ok(())
        })?;
        Ok(frames)
    };
    let (ours, fine) = (filmed(1.414)?, filmed(3.0)?);
    let mean = |sum: f64, frames: usize| sum / (frames.max(1) * 1920 * 1080) as f64;
    let change = |frames: &[Vec<u8>]| -> f64 {
        let sum: u64 = frames
            .windows(2)
            .flat_map(|pair| pair[0].iter().zip(&pair[1]))
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        mean(sum as f64, frames.len() - 1)
    };
    let errors = |i: usize| ours[i].iter().zip(&fine[i]).map(|(a, b)| f64::from(*a) - f64::from(*b));
    let square: f64 = (0..ours.len()).flat_map(errors).map(|e| e * e).sum();
    let shimmer: f64 = (1..ours.len()).flat_map(|i| errors(i).zip(errors(i - 1))).map(|(a, b)| (a - b).abs()).sum();
    let (moved, moved_fine) = (change(&ours), change(&fine));
    println!(
        "change a frame {moved:.3}, with nine samples {moved_fine:.3}, ratio {:.3}; shimmer {:.3} code values; {:.2} dB",
        moved / moved_fine,
        mean(shimmer, ours.len() - 1),
        10.0 * (255.0 * 255.0 / mean(square, ours.len())).log10()
    );
    Ok(())
}
