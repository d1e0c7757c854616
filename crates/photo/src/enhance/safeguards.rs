//! Safeguards: changes are measured on a reduced copy before they are made, and weakened where they do harm.

use rayon::prelude::*;

use crate::Photo;
use crate::guided_filter::Coefficients;
use crate::measures::Measures;
use crate::photo::Linear;
use crate::report::rounded;
use aerie_math::color::{encoded, lab, lightness, linear, luminance};

use super::analysis::Analysis;
use super::strengths::Strengths;
use super::tone::{BASE_EPSILON, BASE_RADIUS, Tone};

const MOST_CLIPPED: f32 = 0.5;
const MOST_REVERSED: f32 = 0.3;
const LEAST_HIGHLIGHT_DETAIL: f32 = 0.55;
const MOST_GRAY_CHROMA: f32 = 1.5;
/// How often changes are weakened before they are dropped. Steps are small so that no change ends weaker than necessary.
const ROUNDS: usize = 16;

/// Finds strengths that pass every measure; returns them with their tone mapping, their measures and notes on what was weakened.
pub(crate) fn never_worse(
    photo: &Photo,
    reduced: &Linear,
    analysis: &Analysis,
) -> (Strengths, (Tone, Coefficients), Measures, Vec<String>) {
    let mut strengths = analysis.strengths.clone();
    let mut notes: Vec<String> = Vec::new();
    let mut note = |what: &str| {
        if !notes.iter().any(|n| n == what) {
            notes.push(what.to_owned());
        }
    };
    let before: Vec<[f32; 3]> = reduced.pixels.par_iter().map(|p| lab(*p)).collect();
    for round in 0..=ROUNDS {
        if round == ROUNDS {
            note("all changes skipped");
            strengths = Strengths::UNCHANGED;
        }
        let rendering = tone(reduced, &strengths);
        let measures = measure(photo, reduced, &before, analysis, &rendering);
        let mut weaken = |strengths: &mut Strengths, what: Weaken, why: &str| {
            note(why);
            what.apply(strengths);
        };
        let mut worse = false;
        if measures.newly_clipped > MOST_CLIPPED || measures.highlight_detail < LEAST_HIGHLIGHT_DETAIL {
            weaken(
                &mut strengths,
                Weaken::Exposure,
                "exposure and highlight compression reduced to preserve highlights",
            );
            worse = true;
        }
        if measures.reversed_edges > MOST_REVERSED {
            weaken(&mut strengths, Weaken::Local, "local tone mapping reduced to avoid halos");
            worse = true;
        }
        let has_color = strengths.shift >= 0.3 || strengths.vibrance >= 0.01;
        if has_color && measures.gray_chroma_after > measures.gray_chroma_before + MOST_GRAY_CHROMA {
            weaken(&mut strengths, Weaken::Color, "white balance and vibrance reduced to keep grays neutral");
            worse = true;
        }
        let noise = analysis.noise * strengths.exposure.max(0.0).exp2().powf(0.6) * strengths.detail;
        if strengths.noise == 0.0 && noise > 2.0 && noise > 1.5 * analysis.noise {
            weaken(&mut strengths, Weaken::Exposure, "exposure and sharpening reduced to limit noise");
            strengths.sharpening *= 0.7;
            worse = true;
        }
        if !worse || round == ROUNDS {
            return (strengths, rendering, measures, notes);
        }
    }
    unreachable!("the last round returns")
}

enum Weaken {
    Exposure,
    Local,
    Color,
}

impl Weaken {
    fn apply(self, strengths: &mut Strengths) {
        match self {
            // Only what compresses highlights; shadows may stay lifted.
            Self::Exposure => {
                strengths.exposure *= 0.93;
                strengths.highlights *= 0.6;
            }
            Self::Local => {
                strengths.highlights *= 0.82;
                strengths.shadows *= 0.82;
                strengths.detail = 1.0 + (strengths.detail - 1.0) * 0.82;
            }
            Self::Color => {
                strengths.gains = strengths.gains.map(|g| g.powf(0.8));
                strengths.shift *= 0.8;
                strengths.vibrance *= 0.8;
            }
        }
    }
}

fn tone(reduced: &Linear, strengths: &Strengths) -> (Tone, Coefficients) {
    let balanced = |p: &[f32; 3]| luminance([0, 1, 2].map(|c| p[c] * strengths.gains[c]));
    let plane: Vec<f32> = reduced.pixels.iter().map(|p| lightness(balanced(p))).collect();
    let mut sorted = plane.clone();
    sorted.sort_unstable_by(f32::total_cmp);
    let radius = (reduced.width.min(reduced.height) / BASE_RADIUS).max(1);
    let base = Coefficients::of(&plane, reduced.width, reduced.height, radius, BASE_EPSILON);
    (Tone::new(strengths, sorted[sorted.len() / 2]), base)
}

fn measure(
    photo: &Photo,
    reduced: &Linear,
    before_lab: &[[f32; 3]],
    analysis: &Analysis,
    (tone, base): &(Tone, Coefficients),
) -> Measures {
    let mut after = reduced.pixels.clone();
    let rows = after.par_chunks_mut(reduced.width).zip(base.values.par_chunks(reduced.width));
    rows.for_each(|(pixels, coefficients)| tone.apply(pixels, coefficients));
    let after_lab: Vec<[f32; 3]> = after.par_iter().map(|p| lab(*p)).collect();

    let reach = (reduced.width / 160).max(2);
    let (mut edges, mut reversed) = (0_usize, 0_usize);
    let (mut light_before, mut light_after) = (0.0_f64, 0.0_f64);
    for y in 0..reduced.height {
        for x in reach..reduced.width {
            let (i, j) = (y * reduced.width + x, y * reduced.width + x - reach);
            let before = before_lab[i][0] - before_lab[j][0];
            let after = after_lab[i][0] - after_lab[j][0];
            edges += 1;
            reversed += usize::from(before.abs() > 3.0 && after * before.signum() < -0.75);
            if before_lab[i][0] > 80.0 && before_lab[j][0] > 80.0 {
                light_before += f64::from(before.abs());
                light_after += f64::from(after.abs());
            }
        }
    }
    // The grayest quarter of each image by itself: under a cast, what looks gray is not.
    let grayest = |values: &[[f32; 3]]| {
        let chroma = |v: &[f32; 3]| v[1].hypot(v[2]) * 50.0 / v[0].max(15.0);
        let mut chromas: Vec<f32> = values.iter().filter(|v| v[0] > 15.0).map(chroma).collect();
        if chromas.is_empty() {
            return 0.0;
        }
        let quarter = chromas.len().div_ceil(4);
        chromas.select_nth_unstable_by(quarter - 1, f32::total_cmp);
        chromas[..quarter].iter().map(|v| f64::from(*v)).sum::<f64>() as f32 / quarter as f32
    };
    Measures {
        newly_clipped: rounded(newly_clipped(photo, tone, base)),
        reversed_edges: rounded(100.0 * reversed as f32 / edges.max(1) as f32),
        highlight_detail: if light_before > 0.0 { rounded((light_after / light_before) as f32) } else { 1.0 },
        gray_chroma_before: rounded(grayest(before_lab)),
        gray_chroma_after: rounded(grayest(&after_lab)),
        noise_before: rounded(analysis.noise),
        noise_after: rounded(analysis.noise),
        lean_before: None,
        lean_after: None,
    }
}

/// Sampled from about 200,000 full-size pixels, because a reduced copy hides clipping.
fn newly_clipped(photo: &Photo, tone: &Tone, base: &Coefficients) -> f32 {
    let step = (((photo.width * photo.height) as f32 / 200_000.0).sqrt() as usize).max(1);
    let is_clipped = |p: [u16; 3]| p.iter().any(|v| *v >= 65_407) || p.iter().all(|v| *v < 128);
    let base = base.resampled(photo.width, photo.height);
    let clipped: usize = (0..photo.height.div_ceil(step))
        .into_par_iter()
        .map(|y| {
            let row = &photo.pixels[y * step * photo.width..(y * step + 1) * photo.width];
            let (was, base): (Vec<[u16; 3]>, Vec<[f32; 2]>) =
                row.iter().step_by(step).copied().zip(base.every(y * step, step)).unzip();
            let mut made: Vec<[f32; 3]> = was.iter().map(|p| linear(*p)).collect();
            tone.apply(&mut made, &base);
            was.iter().zip(made).filter(|(was, made)| !is_clipped(**was) && is_clipped(encoded(*made))).count()
        })
        .sum();
    let count = photo.height.div_ceil(step) * photo.width.div_ceil(step);
    100.0 * clipped as f32 / count.max(1) as f32
}
