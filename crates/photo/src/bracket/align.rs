//! Alignment of two exposures: an affine map by features, refined to a homography. Both are found on pictures whose contrast is normalized
//! locally, which look alike at every exposure.

use aerie_math::color::{encoded, luminance};
use aerie_register::{Frame, Homography, Level, Plane, Sensitivity, Warp, affine_between, correlation, features};
use rayon::prelude::*;

use crate::Photo;

/// Longer side of the pictures that are aligned, pixels.
const SIDE: usize = 2048;
/// Longer side of the coarsest level, in pixels.
const COARSEST: usize = 100;
/// Level whose features are compared, and that starts are compared on.
const COMPARED: usize = 1;
/// Features that are compared. The contrast is normalized: -3 to 3.
const FEATURES: Sensitivity = Sensitivity { min_contrast: 0.1, max_features: 1000 };
/// Maximum distance of a match from the map, in pixels of the compared level.
const TOLERANCE: f64 = 1.5;
/// Encoded values within which a pixel is not near clipping.
const USABLE: std::ops::Range<f32> = 3.0..252.0;
/// Cells of a grid across and down, which have texture or not.
const CELLS: usize = 5;
/// Minimum number of cells with texture for a homography.
const CELLS_OF_A_HOMOGRAPHY: usize = 13;
/// Minimum number of cells with texture for a rotation.
const CELLS_OF_A_TURN: usize = 4;
/// Maximum move of a corner, as a share of the longer side; what is more is no bracket.
const MAX_MOVE: f64 = 0.18;
/// Move of a corner below which an exposure is left as it is, in pixels.
const STILL: f64 = 0.25;
/// Maximum loss of correlation if an exposure is left as it is.
const MAX_LOSS: f32 = 0.004;

/// Luma of an exposure, reduced, on levels from fine to coarse.
pub(super) struct Levels {
    frame: Frame,
    levels: Vec<Level>,
}

/// How an exposure is aligned with another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alignment {
    /// From the reference to the exposure.
    pub(super) map: Homography,
    /// Correlation of the normalized pictures, -1 to 1.
    pub(super) correlation: f32,
    /// Share of the picture in which both have texture.
    pub(super) texture: f32,
}

impl Levels {
    pub(super) fn of(photo: &Photo) -> Self {
        let reduced = photo.reduced(SIDE);
        let luma = |p: &[f32; 3]| f32::from(encoded([luminance(*p); 3])[1]) / 257.0;
        let luma = Plane::new(reduced.width, reduced.height, reduced.pixels.par_iter().map(luma).collect());
        Self { frame: Frame::of(luma.size()), levels: Level::pyramid(luma, COARSEST, &USABLE) }
    }

    /// Mean luma, 0 to 255.
    pub(super) fn brightness(&self) -> f32 {
        let luma = &self.levels[self.levels.len() - 1].luma.values;
        luma.iter().sum::<f32>() / luma.len() as f32
    }
}

/// Aligns an exposure with another one.
pub(super) fn align(reference: &Levels, other: &Levels) -> Alignment {
    let frame = &reference.frame;
    let (levels, others) = (&reference.levels, &other.levels);
    let texture = texture(reference, other);
    let coarse = if texture.cells >= CELLS_OF_A_TURN { Warp::Similarity } else { Warp::Shift };
    let warp = if texture.cells >= CELLS_OF_A_HOMOGRAPHY { Warp::Homography } else { coarse };
    let compared = COMPARED.min(levels.len() - 1);
    let refine = |from: usize, to: usize, map: Homography, warp: Warp| {
        (to..=from).rev().fold(map, |map, level| levels[level].refined(&others[level], map, warp))
    };
    let is_plausible = |map: &Homography| map.reach(frame) < MAX_MOVE * 2.0 * frame.unit[0];
    let best = |level: usize, maps: &[Option<Homography>]| {
        let judged = maps.iter().flatten().map(|map| (correlation(&levels[level], &others[level], map), *map));
        judged
            .filter(|(_, map)| is_plausible(map))
            .fold((-1.0, Homography::IDENTITY), |a, b| if b.0 > a.0 { b } else { a })
    };
    let still = Some(Homography::IDENTITY);
    let nearby = refine(levels.len() - 1, compared, Homography::IDENTITY, coarse);
    let (_, start) = best(compared, &[still, Some(nearby), by_features(reference, other, compared)]);
    let fine = |warp: Warp| Some(refine(compared, 0, start, warp));
    let found = best(0, &[Some(start), fine(coarse), fine(warp)]);
    let still = best(0, &[still]);
    let is_still = found.1.reach(frame) < STILL || still.0 > found.0 - MAX_LOSS;
    let (correlation, map) = if is_still { still } else { found };
    Alignment { map, correlation, texture: texture.share }
}

/// Estimates the similarity from the features of a level: shear would stay in a map that is refined as a similarity.
fn by_features(reference: &Levels, other: &Levels, level: usize) -> Option<Homography> {
    let [own, others] = [reference, other].map(|levels| features(&levels.levels[level].normal, FEATURES));
    let frame = reference.frame.copy([0.0; 2], [(1_usize << level) as f64; 2]);
    let [[a, b, x], [c, d, y], _] = affine_between(&own, &others, TOLERANCE)?.of_points([&frame, &frame]).0;
    let (cos, sin) = ((a + d) / 2.0, (c - b) / 2.0);
    Some(Homography::affine([cos, -sin, x, sin, cos, y]))
}

struct Texture {
    share: f32,
    cells: usize,
}

/// Where both exposures have texture, at about the same place.
fn texture(reference: &Levels, other: &Levels) -> Texture {
    let level = (reference.levels.len() - 1).min(2);
    let (a, b) = (&reference.levels[level], &other.levels[level]);
    let [width, height] = a.luma.size();
    let mut cells = [0_usize; CELLS * CELLS];
    for (i, _) in a.textured.iter().zip(&b.textured).enumerate().filter(|(_, (a, b))| **a && **b) {
        cells[(i / width) * CELLS / height * CELLS + (i % width) * CELLS / width] += 1;
    }
    let all = width * height;
    let least = all / (CELLS * CELLS * 30);
    Texture {
        share: cells.iter().sum::<usize>() as f32 / all as f32,
        cells: cells.iter().filter(|count| **count > least).count(),
    }
}
