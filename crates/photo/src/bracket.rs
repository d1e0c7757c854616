//! Merges bracketed exposures of one view into one photo: alignment (Lowe 2004; Baker and Matthews 2004), removal of what moved,
//! and exposure fusion (Mertens, Kautz and Van Reeth 2007). Camera raw is added up in linear light before, and what is fused are exposures
//! of the sum.
//!
//! The first exposure is the reference: it frames the result, and what moved between the shots is taken from it. Exposures are
//! read one after the other, each three times (camera raw twice), so that memory hardly grows with their number: at its peak about
//! 32 bytes per pixel of one exposure (40 of camera raw), and 50 MB for each exposure.
mod align;
mod fusion;
mod motion;
mod placed;
mod pyramid;
mod radiance;
mod report;
mod small;
mod tones;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::Photo;
use crate::photo::StoredFrame;
pub use aerie_register::{Frame, Homography};
use align::{Alignment, Levels};
use fusion::Fusion;
use motion::Latent;
use placed::{Placed, Placement};
use radiance::{Radiance, exposed};
pub use report::{ExposureReport, MergeReport};
use small::{Gains, Small};

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
    /// An exposure shows another scene than the reference.
    #[error(
        "exposure {0} does not show the view of the reference; all exposures must be taken from the same place in the same \
         direction, as by exposure bracketing"
    )]
    OtherScene(usize),
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
    is_raw: bool,
    /// From EXIF.
    light_value: Option<f32>,
}

impl Copies {
    fn of(photo: &Photo) -> Self {
        let (levels, small) = (Levels::of(photo), Small::of(photo));
        Self { levels, small, is_raw: photo.is_raw, light_value: photo.light_value }
    }

    /// How much lighter another exposure is, by EXIF.
    fn stated_gains(&self, other: &Self) -> Option<Gains> {
        Some([(self.light_value? - other.light_value?).exp2(); 3])
    }
}

/// Merges exposures 0 to `count - 1`, which `read` decodes, into the frame of exposure 0. `read` also receives how the reference is stored, to
/// turn the others like it ([`decode_file_like`](crate::decode_file_like)). `step` receives the number of steps done and of all steps, and may
/// stop the merge. An exposure of another size is left out. The same exposures give the same pixels.
///
/// # Errors
/// [`MergeError`].
pub fn merge<E>(
    count: usize,
    read: impl Fn(usize, Option<StoredFrame>) -> Result<Photo, E>,
    step: impl Fn(usize, usize) -> Result<(), E>,
) -> Result<Merged, MergeError<E>> {
    let mut reference = read(0, None)?;
    let steps = count * if reference.is_raw { 4 } else { 3 };
    let stored = Some(reference.stored);
    let size = [reference.width, reference.height];
    let mut copies = BTreeMap::from([(0, Copies::of(&reference))]);
    let mut unfit = Vec::new();
    for number in 1..count {
        step(number, steps)?;
        let photo = read(number, stored)?;
        if photo.stored.is_turned_like_another() {
            reference.readings.push(format!(
                "exposure {number} turned like the photo: their EXIF orientations differ, their stored pixels fit"
            ));
        }
        let found = [photo.width, photo.height];
        if found == size {
            copies.insert(number, Copies::of(&photo));
        } else {
            unfit.push((number, found));
        }
    }
    let (placements, report) = place(count, &copies, size, &unfit)?;
    drop(copies);
    if report.merged == 1 {
        return Ok(Merged { photo: reference, report });
    }
    let used: Vec<usize> = (0..count).filter(|number| *number == 0 || placements[*number].is_some()).collect();
    let placed = |number: usize, reference: &Photo| -> Result<Placed, MergeError<E>> {
        Ok(match &placements[number] {
            Some(placement) => placement.apply(read(number, stored)?, &reference.pixels),
            None => Placed { pixels: reference.pixels.clone(), usable: vec![u8::MAX; reference.pixels.len()] },
        })
    };
    let gains = |number: usize| placements[number].as_ref().map_or([1.0; 3], |placement| placement.gains);
    let light = if report.linear {
        let mut radiance = Radiance::new(reference.pixels.len());
        for number in &used {
            step(count + number, steps)?;
            radiance.add(&placed(*number, &reference)?, gains(*number));
        }
        // What follows needs only the sum.
        reference.pixels = Vec::new();
        Some(radiance.mean())
    } else {
        None
    };
    let done = steps - 2 * count;
    let exposure = |number: usize, reference: &Photo| match &light {
        Some(light) => Ok(exposed(light, gains(number)[1])),
        None => placed(number, reference),
    };
    let width = size[0];
    let mut sums = vec![0.0_f32; size[0] * size[1]];
    for number in &used {
        step(done + number, steps)?;
        let placed = exposure(*number, &reference)?;
        sums.par_chunks_mut(width).enumerate().for_each(|(y, sums)| {
            let mut weights = vec![0.0; width];
            fusion::weigh(&placed, size, y, &mut weights);
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        });
    }
    let mut fused = Fusion::new(size);
    for number in &used {
        step(done + count + number, steps)?;
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
    drop((sums, light));
    reference.pixels.resize(size[0] * size[1], [0; 3]);
    fused.finish(&mut reference.pixels);
    reference.exposures = report.merged;
    step(steps, steps)?;
    Ok(Merged { photo: reference, report })
}

/// Aligns the exposures and finds what moved: from the reference to ever darker ones, and to ever lighter ones, each with the one
/// before it, which differs least. `unfit` are those of another size, without copies.
fn place<E>(
    count: usize,
    copies: &BTreeMap<usize, Copies>,
    size: [usize; 2],
    unfit: &[(usize, [usize; 2])],
) -> Result<(Vec<Option<Placement>>, MergeReport), MergeError<E>> {
    let mut order: Vec<(usize, f32)> =
        copies.iter().map(|(number, copies)| (*number, copies.levels.brightness())).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let order: Vec<usize> = order.into_iter().map(|(number, _)| number).collect();
    let at = order.iter().position(|number| *number == 0).unwrap_or(0);
    let sides = [(true, order[..at].iter().rev().copied().collect::<Vec<_>>()), (false, order[at + 1..].to_vec())];
    let mut placements: Vec<Option<Placement>> = (0..count).map(|_| None).collect();
    let mut reports: Vec<Option<ExposureReport>> = vec![None; count];
    for (number, found) in unfit {
        reports[*number] = Some(ExposureReport::of_other_size(*found, size));
    }
    for (darker, side) in sides {
        let mut latent = Latent::new(&copies[&0].small, darker);
        let (mut before, mut map, mut gains, mut is_lit) = (0, Homography::IDENTITY, [1.0; 3], true);
        for number in side {
            let (alignment, found) = aligned(copies, before, map, number);
            if alignment.texture < ALIGNED || alignment.correlation < SAME_SCENE {
                if alignment.texture >= JUDGED && alignment.correlation < OTHER_SCENE {
                    return Err(MergeError::OtherScene(number));
                }
                reports[number] = Some(ExposureReport::left_out(alignment.texture < ALIGNED, darker));
                continue;
            }
            let small = copies[&number].small.clone().framed(&found);
            let lighter = latent.gains_to(&small).or_else(|| copies[&before].stated_gains(&copies[&number]));
            is_lit &= lighter.is_some();
            gains = lighter.map_or(gains, |lighter| [0, 1, 2].map(|c| gains[c] * lighter[c]));
            (before, map) = (number, found);
            let motion = latent.add(small);
            reports[number] = Some(ExposureReport::merged(&map, size, gains[1].log2(), &motion));
            placements[number] = Some(Placement { map, motion, darker, gains, is_lit });
        }
    }
    let motions: Vec<_> = placements.iter().flatten().map(|placement| &placement.motion).collect();
    let from_reference = motions.first().map_or(0.0, |first| {
        let all = (0..first.mask.len()).filter(|i| motions.iter().all(|motion| motion.is_at(*i))).count();
        all as f32 / first.mask.len() as f32
    });
    // Shots can be added up only if their relative exposures are known.
    let mut others = placements.iter().enumerate().filter_map(|(number, placed)| Some((number, placed.as_ref()?)));
    let linear = copies[&0].is_raw && others.all(|(number, placed)| placed.is_lit && copies[&number].is_raw);
    let report = MergeReport::new(reports.into_iter().flatten().collect(), from_reference, linear);
    Ok((placements, report))
}

/// Aligns an exposure with the one before it, or with the reference if that does better. Returns its map from the reference.
fn aligned(copies: &BTreeMap<usize, Copies>, before: usize, map: Homography, number: usize) -> (Alignment, Homography) {
    let to = |from: usize| align::align(&copies[&from].levels, &copies[&number].levels);
    let chained = to(before);
    if before == 0 || chained.correlation >= SAME_SCENE {
        return (chained, chained.map.after(&map));
    }
    let direct = to(0);
    if direct.correlation > chained.correlation { (direct, direct.map) } else { (chained, chained.map.after(&map)) }
}
