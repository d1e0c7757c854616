//! Rough regions of what was drawn: what strokes enclose, or what a fill covers.

use crate::difference::Difference;
use crate::ink::Ink;
use crate::mask::{Mask, squared_distances};
use crate::picture::{Plane, quantile};

/// Least share of the picture that a boundary encloses, drawn as a line.
const LEAST_ENCLOSED: f64 = 0.0015;
/// Least share of the picture that a fill covers; pins and boxes of text are smaller.
const LEAST_FILLED: f64 = 0.006;
/// Fewest pixels of a mark.
const LEAST_MARK: usize = 60;
/// Least share of the largest region that another one has.
const LEAST_OF_LARGEST: f64 = 0.04;

/// How a region shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By a line round it.
    Outline,
    /// By a color over it, with a line round it or without.
    Fill,
}

/// A rough region in the annotated picture's pixels.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) mask: Mask,
    pub(crate) kind: Kind,
    /// Width of the line, pixels; a guess for fills.
    pub(crate) stroke: f32,
}

/// What was found before anything was measured.
pub(crate) struct Drawn {
    pub(crate) regions: Vec<Region>,
    /// Pixels that were drawn on, by a cautious count.
    pub(crate) marked: usize,
    /// The largest extent of one connected mark, pixels.
    pub(crate) longest: usize,
}

/// Finds regions, by bold differences first and by ever fainter ones after.
pub(crate) fn find(difference: &Difference) -> Drawn {
    let (width, height) = (difference.size.width, difference.size.height);
    let bold = |floor: f32, times: f32| {
        let pairs = difference.size.values.iter().zip(&difference.usual.values);
        Mask::new(width, height, pairs.map(|(size, usual)| *size > floor.max(times * usual)).collect())
    };
    let certain = without_specks(&bold(14.0, 5.0), 12);
    let mut sizes: Vec<f32> =
        (0..certain.set.len()).filter(|i| certain.set[*i]).map(|i| difference.size.values[i]).collect();
    let peak = quantile(&mut sizes, 0.85);
    let mut regions: Vec<Region> = Vec::new();
    let mut add = |floor: f32, times: f32| {
        let mut mask = without_specks(&bold(floor, times), 8);
        for region in &regions {
            mask = mask.without(&region.mask.grown(region.stroke + 3.0));
        }
        regions.extend(enclosed(&mask));
    };
    add((0.45 * peak).max(14.0), 4.0);
    add((0.25 * peak).max(14.0), 4.0);
    if regions.is_empty() {
        regions = covered(difference);
    }
    if regions.is_empty() {
        regions = enclosed(&without_specks(&bold(10.0, 3.0), 8));
    }
    keep_large(&mut regions);
    let marks = bold(20.0, 6.0).parts();
    let marks = marks.iter().filter(|part| part.len() >= LEAST_MARK);
    let (marked, longest) = marks.fold((0, 0), |(n, e), part| (n + part.len(), e.max(extent(part, width))));
    Drawn { regions, marked, longest }
}

fn extent(part: &[usize], width: usize) -> usize {
    let bounds = part.iter().fold([usize::MAX, 0, usize::MAX, 0], |b, i| {
        let (x, y) = (i % width, i / width);
        [b[0].min(x), b[1].max(x), b[2].min(y), b[3].max(y)]
    });
    (bounds[1] - bounds[0]).max(bounds[3] - bounds[2])
}

/// Without parts of fewer than `least` pixels.
fn without_specks(mask: &Mask, least: usize) -> Mask {
    let kept: Vec<usize> = mask.parts().into_iter().filter(|p| p.len() >= least).flatten().collect();
    mask.of(&kept)
}

/// What lines enclose, as drawn or with gaps bridged, the narrowest gaps first.
fn enclosed(mask: &Mask) -> Vec<Region> {
    let pixels = mask.set.len() as f64;
    let side = mask.width.max(mask.height) as f32;
    let mut left = mask.clone();
    let mut regions: Vec<Region> = Vec::new();
    for radius in [0.0, 1.5, 3.0, 5.0, 8.0, 12.0, 17.0, 24.0, 32.0] {
        // Gaps of up to four hundredths of the picture are bridged.
        let bridged: f32 = radius * (side / 1024.0).max(0.5);
        if bridged > 0.022 * side {
            break;
        }
        if left.count() == 0 {
            break;
        }
        let closed = left.grown(bridged);
        let filled = closed.filled();
        let holes = filled.without(&closed);
        for part in filled.parts() {
            let inside = part.iter().filter(|i| holes.set[**i]).count();
            if (inside as f64) < LEAST_ENCLOSED * pixels {
                continue;
            }
            let body = filled.of(&part);
            let strokes = left.and(&body);
            let stroke = strokes.stroke_width();
            // Lines that end free are taken off; the disc is just too large for them.
            let mask = body.shrunk(bridged).opened(0.5 * stroke + 1.5);
            let Some(mask) = largest(&mask) else { continue };
            // Letters run together are more ink than ground.
            if (inside as f64) < 0.25 * mask.count() as f64 {
                continue;
            }
            left = left.without(&body);
            regions.push(Region { mask, kind: Kind::Outline, stroke });
        }
    }
    regions
}

/// What a fill covers: faint over each pixel, plain over many.
fn covered(difference: &Difference) -> Vec<Region> {
    let (width, height) = (difference.size.width, difference.size.height);
    let side = width.max(height) as f32;
    let radius = ((side / 400.0).round() as usize).max(2);
    let mut squared = vec![0.0_f32; width * height];
    for channel in 0..3 {
        let pairs = difference.annotated.values.iter().zip(&difference.predicted.values).zip(&difference.outside);
        let values = pairs.map(|((a, p), out)| if *out { 0.0 } else { a[channel] - p[channel] }).collect();
        for (sum, mean) in squared.iter_mut().zip(&Plane::new(width, height, values).boxed(radius).values) {
            *sum += mean * mean;
        }
    }
    let usual = difference.usual.boxed(radius);
    let set = squared.iter().zip(&usual.values).map(|(s, u)| s.sqrt() > (0.9 * u).max(4.0)).collect();
    // Holes are where the fill has the color of the ground.
    let mask = Mask::new(width, height, set).grown(2.0).filled().shrunk(2.0).opened(0.009 * side);
    let mut regions = Vec::new();
    for part in mask.parts() {
        if (part.len() as f64) < LEAST_FILLED * (width * height) as f64 {
            continue;
        }
        let region = mask.of(&part);
        // A thick line is no area.
        if compactness(&region) < 1.45 || !is_ink(difference, &region) {
            continue;
        }
        regions.push(Region { mask: region, kind: Kind::Fill, stroke: 3.0 });
    }
    regions
}

/// Radius of the largest disc inside, by perimeter and area: 1 for a line however thick and bent, 2 for a disc, a square
/// and every triangle.
fn compactness(region: &Mask) -> f32 {
    let rim = region.without(&region.shrunk(1.0)).count() as f32;
    let inside = squared_distances(region, false).into_iter().fold(0.0, f32::max).sqrt();
    inside * rim / (region.count() as f32)
}

/// Whether a region shows one ink of one strength all over, and ground of its colors shows no such change elsewhere:
/// colors that a tool moved in its own way do that.
fn is_ink(difference: &Difference, region: &Mask) -> bool {
    let side = region.width.max(region.height) as f32;
    let core = region.shrunk(0.008 * side);
    let far = region.grown(0.02 * side);
    let change = |i: usize| [0, 1, 2].map(|c| difference.annotated.values[i][c] - difference.predicted.values[i][c]);
    let inside: Vec<usize> = (0..core.set.len()).filter(|i| core.set[*i]).step_by(3).collect();
    if inside.len() < 50 {
        return false;
    }
    let pairs = inside.iter().map(|i| (difference.annotated.values[*i], difference.predicted.values[*i]));
    let pairs: Vec<_> = pairs.collect();
    let Some(ink) = Ink::of(&pairs) else { return false };
    let mut left: Vec<f32> = pairs.iter().map(|(a, p)| ink.misfit(*a, *p)).collect();
    let mut sizes: Vec<f32> = inside.iter().map(|i| difference.size.values[*i]).collect();
    let strength = quantile(&mut sizes, 0.5);
    let mut usual: Vec<f32> = inside.iter().map(|i| difference.usual.values[*i]).collect();
    if ink.keep > 0.93
        || quantile(&mut left, 0.7) > 0.7 * strength
        || strength < (2.0 * quantile(&mut usual, 0.5)).max(8.0)
    {
        return false;
    }
    // By cells of color of 32 levels: what changes inside, and what changes far from it.
    let cell = |i: usize| {
        let [r, g, b] = difference.predicted.values[i].map(|v| (v.clamp(0.0, 255.0) / 32.0) as usize);
        (r * 8 + g) * 8 + b
    };
    let mut cells = vec![([0.0_f32; 3], 0.0_f32, [0.0_f32; 3], 0.0_f32); 512];
    for i in (0..core.set.len()).step_by(3) {
        let (sums, d) = (&mut cells[cell(i)], change(i));
        if core.set[i] {
            (0..3).for_each(|c| sums.0[c] += d[c]);
            sums.1 += 1.0;
        } else if !far.set[i] && !difference.outside[i] {
            (0..3).for_each(|c| sums.2[c] += d[c]);
            sums.3 += 1.0;
        }
    }
    let (mut along, mut own, mut matched) = (0.0, 0.0, 0.0);
    for (inner, n, outer, m) in &cells {
        if *n > 0.0 && *m > 20.0 {
            let (inner, outer) = (inner.map(|v| v / n), outer.map(|v| v / m));
            along += n * (0..3).map(|c| inner[c] * outer[c]).sum::<f32>();
            matched += n;
            own += n * (0..3).map(|c| inner[c] * inner[c]).sum::<f32>();
        }
    }
    along < 0.5 * own && (matched > 0.1 * inside.len() as f32 || strength > 15.0)
}

fn largest(mask: &Mask) -> Option<Mask> {
    mask.parts().into_iter().max_by_key(Vec::len).map(|part| mask.of(&part))
}

fn keep_large(regions: &mut Vec<Region>) {
    let largest = regions.iter().map(|r| r.mask.count()).max().unwrap_or(0) as f64;
    regions.retain(|r| r.mask.count() as f64 >= LEAST_OF_LARGEST * largest);
}
