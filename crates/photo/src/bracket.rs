//! Merges bracketed exposures of one view into one photo: alignment (Ward 2003; Baker and Matthews 2004), removal of what moved,
//! and exposure fusion (Mertens, Kautz and Van Reeth 2007).
//!
//! The first exposure is the reference: it frames the result, and what moved between the shots is taken from it. Exposures are
//! read one after the other, each three times, so that memory hardly grows with their number: at its peak about 32 bytes per
//! pixel of one exposure, and 50 MB for each exposure.
mod align;
mod fusion;
mod homography;
mod motion;
mod placed;
mod pyramid;
mod report;
mod small;
mod threshold_bitmap;
mod tones;

use rayon::prelude::*;

use crate::Photo;
use align::{Alignment, Levels};
use fusion::Fusion;
pub use homography::Homography;
use motion::Latent;
use placed::{Placed, Placement};
pub use report::{ExposureReport, MergeReport, Mismatch};
use small::Small;

/// A photo merged from several exposures.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The photo, in the frame of the reference and with its metadata.
    pub photo: Photo,
    /// What was merged.
    pub report: MergeReport,
}

/// Why exposures were not merged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MergeError<E> {
    /// An exposure could not be read, or the caller stopped the merge.
    #[error("{0}")]
    Stopped(E),
    /// An exposure does not fit to the reference.
    #[error("exposure {number} {why}")]
    Mismatch {
        /// Its number; that of the reference is 0.
        number: usize,
        /// What does not fit.
        why: Mismatch,
    },
}

impl<E> From<E> for MergeError<E> {
    fn from(error: E) -> Self {
        Self::Stopped(error)
    }
}

/// Texture that both pictures must have for a judgment whether they show the same scene, and for an alignment, as shares of the
/// picture.
const JUDGED: f32 = 0.03;
const ALIGNED: f32 = 0.0015;
/// Correlation of the same scene, and of another one.
const SAME_SCENE: f32 = 0.3;
const OTHER_SCENE: f32 = 0.15;

/// A copy for the alignment of an exposure.
struct Copies {
    levels: Levels,
    small: Small,
}

/// Merges exposures 0 to `count - 1`, which `read` decodes, into the frame of exposure 0. `step` receives the number of steps done
/// and of all steps, and may stop the merge. The same exposures give the same pixels.
///
/// # Errors
/// [`MergeError`].
pub fn merge<E>(
    count: usize,
    read: impl Fn(usize) -> Result<Photo, E>,
    step: impl Fn(usize, usize) -> Result<(), E>,
) -> Result<Merged, MergeError<E>> {
    let steps = 3 * count;
    let mut reference = read(0)?;
    let size = [reference.width, reference.height];
    let copies_of = |photo: &Photo| Copies { levels: Levels::of(photo), small: Small::of(photo) };
    let mut copies = vec![copies_of(&reference)];
    for number in 1..count {
        step(number, steps)?;
        let photo = read(number)?;
        let found = [photo.width, photo.height];
        if found != size {
            return Err(MergeError::Mismatch { number, why: Mismatch::Size { found, reference: size } });
        }
        copies.push(copies_of(&photo));
    }
    let (placements, report) = place(copies, size)?;
    if report.merged == 1 {
        return Ok(Merged { photo: reference, report });
    }
    let used: Vec<usize> = (0..count).filter(|number| *number == 0 || placements[*number].is_some()).collect();
    let exposure = |number: usize, reference: &Photo| -> Result<Placed, MergeError<E>> {
        Ok(match &placements[number] {
            Some(placement) => placement.apply(read(number)?, &reference.pixels),
            None => Placed { pixels: reference.pixels.clone(), usable: vec![u8::MAX; reference.pixels.len()] },
        })
    };
    let width = size[0];
    let mut sums = vec![0.0_f32; reference.pixels.len()];
    for number in &used {
        step(count + number, steps)?;
        let placed = exposure(*number, &reference)?;
        sums.par_chunks_mut(width).enumerate().for_each(|(y, sums)| {
            let mut weights = vec![0.0; width];
            fusion::weigh(&placed, size, y, &mut weights);
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        });
    }
    let mut fused = Fusion::new(size);
    for number in &used {
        step(2 * count + number, steps)?;
        let placed = exposure(*number, &reference)?;
        let mut shares = vec![0_u16; sums.len()];
        shares.par_chunks_mut(width).zip(sums.par_chunks(width)).enumerate().for_each(|(y, (shares, sums))| {
            let mut weights = vec![0.0; width];
            fusion::weigh(&placed, size, y, &mut weights);
            for ((share, sum), weight) in shares.iter_mut().zip(sums).zip(weights) {
                *share = (weight / sum * 65_535.0).round() as u16;
            }
        });
        fused.add(&placed.pixels, &shares);
    }
    drop(sums);
    fused.finish(&mut reference.pixels);
    reference.exposures = report.merged;
    step(steps, steps)?;
    Ok(Merged { photo: reference, report })
}

/// Aligns the exposures and finds what moved: from the reference to ever darker ones, and to ever lighter ones, each with the one
/// before it, which differs least.
fn place<E>(copies: Vec<Copies>, size: [usize; 2]) -> Result<(Vec<Option<Placement>>, MergeReport), MergeError<E>> {
    let count = copies.len();
    let brightness: Vec<f32> = copies.iter().map(|copies| copies.levels.brightness()).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| brightness[*a].total_cmp(&brightness[*b]));
    let at = order.iter().position(|number| *number == 0).unwrap_or(0);
    let sides = [(true, order[..at].iter().rev().copied().collect::<Vec<_>>()), (false, order[at + 1..].to_vec())];
    let mut placements: Vec<Option<Placement>> = (0..count).map(|_| None).collect();
    let mut reports: Vec<Option<ExposureReport>> = vec![None; count];
    for (darker, side) in sides {
        let mut latent = Latent::new(&copies[0].small, darker);
        let (mut before, mut map, mut light) = (0, Homography::IDENTITY, 0.0);
        for number in side {
            let (alignment, found) = aligned(&copies, before, map, number);
            if alignment.texture < ALIGNED || alignment.correlation < SAME_SCENE {
                if alignment.texture >= JUDGED && alignment.correlation < OTHER_SCENE {
                    return Err(MergeError::Mismatch { number, why: Mismatch::Scene });
                }
                reports[number] = Some(ExposureReport::left_out(alignment.texture < ALIGNED, darker));
                continue;
            }
            (before, map) = (number, found);
            let small = copies[number].small.clone().framed(&map);
            light += latent.stops_to(&small);
            let motion = latent.add(small);
            reports[number] = Some(ExposureReport::merged(&map, size, light, &motion));
            placements[number] = Some(Placement { map, motion, darker });
        }
    }
    let motions: Vec<_> = placements.iter().flatten().map(|placement| &placement.motion).collect();
    let from_reference = motions.first().map_or(0.0, |first| {
        let all = (0..first.mask.len()).filter(|i| motions.iter().all(|motion| motion.is_at(*i))).count();
        all as f32 / first.mask.len() as f32
    });
    let report = MergeReport::new(reports.into_iter().flatten().collect(), from_reference);
    Ok((placements, report))
}

/// Aligns an exposure with the one before it, or with the reference if that does better. Returns its map from the reference.
fn aligned(copies: &[Copies], before: usize, map: Homography, number: usize) -> (Alignment, Homography) {
    let to = |from: usize| align::align(&copies[from].levels, &copies[number].levels);
    let chained = to(before);
    if before == 0 || chained.correlation >= SAME_SCENE {
        return (chained, chained.map.after(&map));
    }
    let direct = to(0);
    if direct.correlation > chained.correlation { (direct, direct.map) } else { (chained, chained.map.after(&map)) }
}
