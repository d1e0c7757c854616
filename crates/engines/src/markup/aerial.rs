//! Top-down pictures from aerial imagery.

use aerie_engine_api::{EngineContext, EngineError};
use aerie_geodata::place::Place;
use aerie_geodata::{GeodataError, Grid, Orthophoto};

use super::framing::{Frame, SIDE};
use crate::location;

/// Share of the picture that imagery must cover, so that no hole shows.
const WHOLE: f64 = 0.999;
/// Coarsest imagery to use, meters per pixel. A rendered map shows more than coarser imagery.
const COARSEST: f64 = 0.8;
/// Minimum number of imagery pixels in half a picture. With fewer, the frame is widened.
const PIXELS: f64 = 110.0;

/// A view of a property in imagery, with the street front at the bottom.
pub(super) struct Aerial {
    /// RGBA rows.
    pub(super) rgba: Vec<u8>,
    /// Tone curve for grading.
    pub(super) tones: Vec<u8>,
}

/// The view, if imagery covers all of it. Coarse imagery widens the frame; its credits are added to the place's.
pub(super) fn view(
    context: &EngineContext<'_>,
    place: &mut Place,
    frame: &mut Frame,
) -> Result<Option<Aerial>, EngineError> {
    let retry = |e: GeodataError| EngineError::Retry(e.to_string());
    let pack = location::map(context)?;
    let look = |half: f64, frame: &Frame| {
        let to_local = frame.of_half(half).to_local(SIDE, 0);
        let side = SIDE as usize;
        let grid = Grid { origin: place.origin, to_local, width: side, height: side };
        let photo = pack.imagery(&grid, context.sources).map_err(retry)?;
        Ok::<_, EngineError>(photo.filter(|p| p.known() >= WHOLE && p.resolution <= COARSEST))
    };
    let Some(mut photo) = look(frame.half, frame)? else { return Ok(None) };
    let wide = PIXELS * photo.resolution;
    if wide > frame.half
        && let Some(wider) = look(wide, frame)?
    {
        (photo, frame.half) = (wider, wide);
    }
    let tones = tones(&photo);
    place.attributions.splice(0..0, photo.attributions);
    Ok(Some(Aerial { rgba: photo.rgba, tones }))
}

/// Tone curve over 256 values that stretches a dull picture to the full range and lifts a dark one; a well-exposed one hardly
/// changes.
fn tones(photo: &Orthophoto) -> Vec<u8> {
    let mut counts = [0_u32; 256];
    for p in photo.rgba.chunks_exact(4) {
        let luma = (54 * u32::from(p[0]) + 183 * u32::from(p[1]) + 19 * u32::from(p[2])) >> 8;
        counts[luma as usize] += 1;
    }
    let all: u32 = counts.iter().sum();
    let at = |share: f64| {
        let mut sum = 0;
        let reached = counts.iter().position(|n| {
            sum += n;
            f64::from(sum) > f64::from(all) * share
        });
        reached.unwrap_or(255) as f64
    };
    // At most 50 % more contrast, so that noise and JPEG blocks do not show.
    let (low, high) = (at(0.002).min(16.0), at(0.998).max(190.0));
    let middle = ((at(0.5) - low) / (high - low)).clamp(0.05, 0.95);
    let gamma = (0.42_f64.ln() / middle.ln()).clamp(0.72, 1.0);
    let tone = |v: f64| 3.0 + 248.0 * ((v - low) / (high - low)).clamp(0.0, 1.0).powf(gamma);
    (0..256).map(|v| tone(f64::from(v)).round() as u8).collect()
}

#[cfg(test)]
mod tests {

    use super::*;

    fn gray(values: impl Iterator<Item = u8>) -> Orthophoto {
        let rgba: Vec<u8> = values.flat_map(|v| [v, v, v, 255]).collect();
        Orthophoto { width: rgba.len() / 4, height: 1, rgba, attributions: vec![], resolution: 0.1 }
    }

    #[test]
    fn a_dark_dull_picture_is_lifted_and_a_well_exposed_one_stays() {
        let dark = tones(&gray((0..1000).map(|i| 20 + (i % 90) as u8)));
        assert!(dark[65] > 80 && dark[109] > 120, "{} {}", dark[65], dark[109]);
        let well = tones(&gray((0..1024).map(|i| (i % 256) as u8)));
        assert!((20..236).all(|v| well[v].abs_diff(v as u8) < 24), "{well:?}");
        assert!(dark.windows(2).all(|w| w[0] <= w[1]) && well.windows(2).all(|w| w[0] <= w[1]));
    }
}
