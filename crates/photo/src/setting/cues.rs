//! Cues to where a photo was taken.
//!
//! Several are measured along the upper and the lateral border of the photo: what is seen through a window lies within, an exterior
//! reaches the border.

use crate::box_mean;
use crate::photo::Linear;
use crate::segmentation::{Class, Edge, FineClass, SIDE, Segmentation};
use crate::sky::Matte;
use aerie_math::color::{encoded, lab};

/// Number of cues.
pub const CUES: usize = 17;

/// Cues of a photo, in the order of [`NAMES`].
pub type Cues = [f32; CUES];

/// Names of the cues.
pub const NAMES: [&str; CUES] = [
    // Light value at ISO 100 less 9.5, in 2.5 steps; 0 if unknown.
    "light_value",
    // Mean probability of an exterior by the network: of the photo, and along the border.
    "outdoors",
    "outdoors_border",
    // Mean probability of furniture by the network.
    "furniture",
    // Most certain edges between wall and ceiling, and wall and floor, by the network.
    "ceiling_edges",
    "floor_edges",
    // Share of a sky that is certain; 1 from an eighth of the photo.
    "sky",
    // Mean probability of sky by the network in the upper fifth.
    "sky_above",
    // Shares along the border: rough and green as leaves, green, blue.
    "leaves_border",
    "green_border",
    "blue_border",
    // Shares of the photo: smooth, and warm in color.
    "smooth",
    "warm",
    // Mean lightness and yellowness.
    "lightness",
    "yellowness",
    // Share of the photo without any noise, and mean doubt of the network.
    "uniform",
    "doubt",
];

/// Width of the border, as a share of the width or height: one over this.
const BORDER: usize = 5;
/// Variance of L* below which the surroundings of a pixel are smooth, and without noise.
const SMOOTH: f32 = 6.25;
const UNIFORM: f32 = 0.05;
/// Excess green of vegetation.
const GREEN: f32 = 0.05;
/// Number of places at which the network's edges are looked for, across and down, and of the most certain that count.
const PLACES: usize = 64;
const MOST_CERTAIN: usize = 80;

/// Measures the cues of a photo that was reduced to a longer side of [`super::SIDE`] pixels.
#[must_use]
pub fn cues(light_value: Option<f32>, reduced: &Linear, network: &Segmentation, sky: Option<&Matte>) -> Cues {
    let (width, height) = (reduced.width, reduced.height);
    let values: Vec<[f32; 3]> = reduced.pixels.iter().map(|p| lab(*p)).collect();
    let variance = variance(&values, width, height);
    let count = values.len() as f32;
    let share = |test: &dyn Fn(usize) -> bool| (0..values.len()).filter(|i| test(*i)).count() as f32 / count;
    let border: Vec<usize> = (0..values.len()).filter(|i| is_border(i % width, i / width, [width, height])).collect();
    let at_border =
        |test: &dyn Fn(usize) -> bool| border.iter().filter(|i| test(**i)).count() as f32 / border.len().max(1) as f32;
    let is_green = |i: usize| {
        let [r, g, b] = encoded(reduced.pixels[i]).map(f32::from);
        2.0 * g - r - b > GREEN * (r + g + b)
    };
    let mean = |channel: usize| values.iter().map(|v| v[channel]).sum::<f32>() / count;
    let doubt = |c: &[f32]| 1.0 - c.iter().copied().fold(0.0, f32::max);
    [
        light_value.map_or(0.0, |v| ((v - 9.5) / 2.5).clamp(-1.5, 1.5)),
        class(network, Class::Outdoors, |_, _| true),
        class(network, Class::Outdoors, |x, y| is_border(x, y, [SIDE; 2])),
        class(network, Class::Furniture, |_, _| true),
        certain_edges(network, Edge::CeilingWall),
        certain_edges(network, Edge::FloorWall),
        sky.map_or(0.0, |sky| ((sky.confidence - 0.8) / 0.2).max(0.0) * (8.0 * sky.share).min(1.0)),
        sky_above(network),
        at_border(&|i| variance[i] >= SMOOTH && is_green(i)),
        at_border(&is_green),
        at_border(&|i| values[i][2] < -4.0 && values[i][1] < 3.0),
        share(&|i| variance[i] < SMOOTH),
        share(&|i| values[i][1] > 0.0 && values[i][2] > 12.0),
        mean(0) / 100.0,
        mean(2) / 20.0,
        share(&|i| variance[i] < UNIFORM),
        network.classes().iter().map(|c| doubt(c)).sum::<f32>() / network.classes().len() as f32,
    ]
}

/// Local variance of L*.
fn variance(values: &[[f32; 3]], width: usize, height: usize) -> Vec<f32> {
    let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
    let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
    let radius = (width.min(height) / 100).max(1);
    let (mean, square) = (box_mean(&plane, width, height, radius), box_mean(&squares, width, height, radius));
    mean.iter().zip(&square).map(|(m, s)| (s - m * m).max(0.0)).collect()
}

/// Whether a pixel lies along the upper or a lateral border.
fn is_border(x: usize, y: usize, [width, height]: [usize; 2]) -> bool {
    BORDER * y < height
        || (BORDER * y < (BORDER - 1) * height && (BORDER * x < width || BORDER * x >= (BORDER - 1) * width))
}

/// Mean probability of a class over some of the cells.
fn class(network: &Segmentation, class: Class, is_counted: impl Fn(usize, usize) -> bool) -> f32 {
    let cells = network.classes().iter().enumerate().filter(|(i, _)| is_counted(i % SIDE, i / SIDE));
    let (sum, count) =
        cells.fold((0.0, 0.0), |(sum, count): (f32, f32), (_, c)| (sum + c[class as usize], count + 1.0));
    sum / count.max(1.0)
}

/// Mean probability of sky in the upper fifth of the photo.
fn sky_above(network: &Segmentation) -> f32 {
    let upper = &network.fine_classes()[..SIDE / BORDER * SIDE];
    upper.iter().map(|c| c[FineClass::Sky as usize]).sum::<f32>() / upper.len() as f32
}

/// Mean probability of the most certain places of an edge.
fn certain_edges(network: &Segmentation, edge: Edge) -> f32 {
    let at = |i: usize| (i as f64 + 0.5) / PLACES as f64;
    let mut all: Vec<f32> =
        (0..PLACES * PLACES).map(|i| network.edge(edge, [at(i % PLACES), at(i / PLACES)])).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all[..MOST_CERTAIN].iter().sum::<f32>() / MOST_CERTAIN as f32
}
