//! Detects the regions that are enclosed by strokes or covered by a fill.

use aerie_register::Plane;

use crate::bridges::{self, Stroke};
use crate::difference::Difference;
use crate::ink::Ink;
use crate::mask::{Mask, squared_distances};
use crate::picture::quantile;

/// Minimum share of the picture enclosed by an outline.
const MIN_ENCLOSED: f64 = 0.0015;
/// Minimum share of the picture covered by a fill; pins and text boxes are smaller.
const MIN_FILLED: f64 = 0.006;
/// Minimum number of pixels in a mark.
const MIN_MARK: usize = 60;
/// Minimum size of a region relative to the largest one.
const MIN_OF_LARGEST: f64 = 0.04;

/// Radii by which lines are dilated to bridge small gaps, such as those between dashes, and then wider ones: up to 3% of the
/// longer side.
const NEAR: [f32; 5] = [0.0, 1.5, 3.0, 5.0, 8.0];
const FAR: [f32; 2] = [12.0, 17.0];

/// How a region is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line around it.
    Outline,
    /// A color over it, with or without a line around it.
    Fill,
}

/// A rough region in pixels of the annotated picture.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) mask: Mask,
    pub(crate) kind: Kind,
    /// Line width in pixels; a guess for fills.
    pub(crate) stroke: f32,
}

/// The detected regions and marks.
pub(crate) struct Detections {
    pub(crate) regions: Vec<Region>,
    /// Number of pixels that are certainly drawn on.
    pub(crate) marked: usize,
    /// The largest extent of a connected mark, in pixels.
    pub(crate) longest: usize,
    /// That mark as a stroke.
    pub(crate) stroke: Option<Stroke>,
}

/// Finds regions, from bold differences to faint ones.
pub(crate) fn find(difference: &Difference) -> Detections {
    let (width, height) = (difference.size.width, difference.size.height);
    let threshold = |floor: f32, times: f32| {
        let pairs = difference.size.values.iter().zip(&difference.noise.values);
        Mask::new(width, height, pairs.map(|(size, noise)| *size > floor.max(times * noise)).collect())
    };
    let certain = without_specks(&threshold(14.0, 5.0), 12);
    let mut sizes: Vec<f32> =
        (0..certain.set.len()).filter(|i| certain.set[*i]).map(|i| difference.size.values[i]).collect();
    let peak = quantile(&mut sizes, 0.85);
    let bold = [0.45, 0.25].map(|share: f32| threshold((share * peak).max(14.0), 4.0));
    let mut regions: Vec<Region> = Vec::new();
    for mask in &bold {
        let mut mask = without_specks(mask, 8);
        for region in &regions {
            mask = mask.without(&region.mask.dilated(region.stroke + 3.0));
        }
        regions.extend(enclosed_regions(&mask, &NEAR));
    }
    // A fainter line is complete where a bolder one needs wide bridges.
    let faint = without_specks(&threshold(10.0, 3.0), 8);
    let later: [&dyn Fn() -> Vec<Region>; 5] = [
        &|| first(&bold, |mask| enclosed_regions(&without_specks(mask, 8), &FAR)),
        &|| filled_regions(difference),
        &|| enclosed_regions(&faint, &[NEAR.as_slice(), &FAR].concat()),
        &|| first(&bold, bridged_regions),
        &|| bridged_regions(&faint),
    ];
    for find in later {
        if regions.is_empty() {
            regions = find();
        }
    }
    keep_large(&mut regions);
    let mask = threshold(20.0, 6.0);
    let mut marks = mask.components();
    marks.retain(|component| component.len() >= MIN_MARK);
    let marked = marks.iter().map(Vec::len).sum();
    let longest = marks.iter().max_by_key(|component| extent(component, width));
    let stroke = longest.and_then(|component| Stroke::of(&mask, component));
    let longest = longest.map_or(0, |component| extent(component, width));
    Detections { regions, marked, longest, stroke }
}

/// The regions of the first mask that has any.
fn first(masks: &[Mask], find: impl Fn(&Mask) -> Vec<Region>) -> Vec<Region> {
    masks.iter().map(find).find(|found| !found.is_empty()).unwrap_or_default()
}

fn extent(component: &[usize], width: usize) -> usize {
    let bounds = component.iter().fold([usize::MAX, 0, usize::MAX, 0], |b, i| {
        let (x, y) = (i % width, i / width);
        [b[0].min(x), b[1].max(x), b[2].min(y), b[3].max(y)]
    });
    (bounds[1] - bounds[0]).max(bounds[3] - bounds[2])
}

/// Removes components of fewer than `min` pixels.
fn without_specks(mask: &Mask, min: usize) -> Mask {
    let kept: Vec<usize> = mask.components().into_iter().filter(|p| p.len() >= min).flatten().collect();
    mask.subset(&kept)
}

/// Finds regions enclosed by lines, bridging ever wider gaps. The radii are for a picture of 1024 pixels.
fn enclosed_regions(mask: &Mask, radii: &[f32]) -> Vec<Region> {
    let unit = unit(mask);
    let mut left = mask.clone();
    radii.iter().flat_map(|radius| enclosed(&mut left, radius * unit, &[])).collect()
}

/// Finds regions enclosed by lines whose open ends are connected.
fn bridged_regions(mask: &Mask) -> Vec<Region> {
    for radius in [1.5, 5.0] {
        let radius = radius * unit(mask);
        let strokes = mask.dilated(radius);
        let bridges = bridges::between(&strokes);
        for count in 1..=bridges.len() {
            let mut found = enclosed(&mut mask.clone(), radius, &bridges[..count]);
            // Between the strokes of an arrow or of letters there is less.
            found.retain(|region| region.mask.count() as f64 >= MIN_FILLED * mask.set.len() as f64);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// Size of a pixel of a picture of 1024 pixels.
fn unit(mask: &Mask) -> f32 {
    (mask.width.max(mask.height) as f32 / 1024.0).max(0.5)
}

/// Finds regions enclosed by lines that are dilated by a radius in pixels and connected by bridges, and removes their strokes.
fn enclosed(left: &mut Mask, radius: f32, bridges: &[[[f64; 2]; 2]]) -> Vec<Region> {
    let mut regions = Vec::new();
    if left.count() == 0 {
        return regions;
    }
    let mut closed = left.dilated(radius);
    for bridge in bridges {
        closed = closed.with_segment(*bridge, f64::from(radius) + 1.5);
    }
    let filled = closed.filled();
    let holes = filled.without(&closed);
    for component in filled.components() {
        let inside = component.iter().filter(|i| holes.set[**i]).count();
        if (inside as f64) < MIN_ENCLOSED * left.set.len() as f64 {
            continue;
        }
        let body = filled.subset(&component);
        let strokes = left.intersection(&body);
        let stroke = strokes.stroke_width();
        // Removes dangling lines: the disc is slightly wider than a stroke.
        let mask = body.eroded(radius).opened(0.5 * stroke + 1.5);
        let Some(mask) = largest(&mask) else { continue };
        // Merged letters enclose little compared to their ink.
        if (inside as f64) < 0.25 * mask.count() as f64 {
            continue;
        }
        *left = left.without(&body);
        regions.push(Region { mask, kind: Kind::Outline, stroke });
    }
    regions
}

/// Finds regions covered by a fill: faint at each pixel, clear when averaged.
fn filled_regions(difference: &Difference) -> Vec<Region> {
    let (width, height) = (difference.size.width, difference.size.height);
    let side = width.max(height) as f32;
    let radius = ((side / 400.0).round() as usize).max(2);
    let mut squared = vec![0.0_f32; width * height];
    for channel in 0..3 {
        let pairs = difference.annotated.values.iter().zip(&difference.predicted.values).zip(&difference.outside);
        let values = pairs.map(|((a, p), out)| if *out { 0.0 } else { a[channel] - p[channel] }).collect();
        for (sum, mean) in squared.iter_mut().zip(&Plane::new(width, height, values).box_mean(radius).values) {
            *sum += mean * mean;
        }
    }
    let noise = difference.noise.box_mean(radius);
    let set = squared.iter().zip(&noise.values).map(|(s, u)| s.sqrt() > (0.9 * u).max(4.0)).collect();
    // Holes appear where the ground has the color of the fill.
    let mask = Mask::new(width, height, set).dilated(2.0).filled().eroded(2.0).opened(0.009 * side);
    let mut regions = Vec::new();
    for component in mask.components() {
        if (component.len() as f64) < MIN_FILLED * (width * height) as f64 {
            continue;
        }
        let region = mask.subset(&component);
        // Exclude thick lines.
        if compactness(&region) < 1.45 || !is_ink(difference, &region) {
            continue;
        }
        regions.push(Region { mask: region, kind: Kind::Fill, stroke: 3.0 });
    }
    regions
}

/// Radius of the largest inscribed disc times perimeter over area: 1 for a line of any width or shape, 2 for a disc, a
/// square or a triangle.
fn compactness(region: &Mask) -> f32 {
    let perimeter = region.without(&region.eroded(1.0)).count() as f32;
    let inside = squared_distances(region, false).into_iter().fold(0.0, f32::max).sqrt();
    inside * perimeter / (region.count() as f32)
}

/// Whether a region shows uniform ink, and the same colors elsewhere do not change alike, as a tool's color shift would
/// make them.
fn is_ink(difference: &Difference, region: &Mask) -> bool {
    let side = region.width.max(region.height) as f32;
    let core = region.eroded(0.008 * side);
    let far = region.dilated(0.02 * side);
    let change = |i: usize| [0, 1, 2].map(|c| difference.annotated.values[i][c] - difference.predicted.values[i][c]);
    let inside: Vec<usize> = (0..core.set.len()).filter(|i| core.set[*i]).step_by(3).collect();
    if inside.len() < 50 {
        return false;
    }
    let pairs = inside.iter().map(|i| (difference.annotated.values[*i], difference.predicted.values[*i]));
    let pairs: Vec<_> = pairs.collect();
    let Some(ink) = Ink::fit(&pairs) else { return false };
    let mut left: Vec<f32> = pairs.iter().map(|(a, p)| ink.misfit(*a, *p)).collect();
    let mut sizes: Vec<f32> = inside.iter().map(|i| difference.size.values[*i]).collect();
    let strength = quantile(&mut sizes, 0.5);
    let mut noise: Vec<f32> = inside.iter().map(|i| difference.noise.values[*i]).collect();
    if ink.keep > 0.93
        || quantile(&mut left, 0.7) > 0.7 * strength
        || strength < (2.0 * quantile(&mut noise, 0.5)).max(8.0)
    {
        return false;
    }
    // Mean change inside and far outside, binned by color in cells of 32 levels.
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
    mask.components().into_iter().max_by_key(Vec::len).map(|component| mask.subset(&component))
}

fn keep_large(regions: &mut Vec<Region>) {
    let largest = regions.iter().map(|r| r.mask.count()).max().unwrap_or(0) as f64;
    regions.retain(|r| r.mask.count() as f64 >= MIN_OF_LARGEST * largest);
}
