//! Makes straight lines of pieces straight in space: along each, nearness becomes linear in the picture, and along upright ones depth
//! becomes constant; the depths between them follow.
//!
//! Lines that cross constrain each other, so all are fitted in several rounds (projections onto convex sets).

use glam::{DVec2, DVec3};

use super::diffusion::Diffusion;
use super::grid::Grid;

/// Rounds, and steps of diffusion in each.
const ROUNDS: usize = 7;
const STEPS: usize = 36;
/// Distance over which the surroundings follow a line, as a share of the longer side.
const FOLLOWING: f64 = 0.05;
/// Sine of the largest angle to the zenith of an upright line, and of the least to where level lines of the room run: those that run
/// away from the camera look upright too.
const UPRIGHT: f64 = 0.03;
const RECEDING: f64 = 0.08;
/// Distance from its lower end within which a line stands on a foot, pixels of the grid.
const STANDS: usize = 4;
/// Share of a line that is held from which the rest follows that part: it goes on behind the piece.
const FOLLOWS: f32 = 0.12;

/// A straight line within a piece.
pub(super) struct InnerLine {
    /// Pixels of the grid on it or beside it, and position along it.
    pub(super) samples: Vec<(usize, f32)>,
    /// Whether it runs toward the zenith.
    pub(super) is_upright: bool,
}

/// Whether a line runs toward the zenith and not away from the camera, by the vanishing points of the zenith and of the level axes.
pub(super) fn is_upright(line: [DVec2; 2], [zenith, level @ ..]: [DVec3; 3]) -> bool {
    is_toward_zenith(line, zenith) && level.into_iter().all(|point| off(line, point) >= RECEDING)
}

/// Whether a line runs toward the zenith in the picture.
pub(super) fn is_toward_zenith(line: [DVec2; 2], zenith: DVec3) -> bool {
    off(line, zenith) <= UPRIGHT
}

/// Sine of the angle between a line and the direction to a vanishing point.
pub(super) fn off([a, b]: [DVec2; 2], point: DVec3) -> f64 {
    let toward = (point.truncate() - a.midpoint(b) * point.z).normalize_or_zero();
    (b - a).normalize_or_zero().perp_dot(toward).abs()
}

/// Makes lines straight; feet and the pixels of `held` stay where they are.
pub(super) fn settle(
    grid: &Grid,
    lines: &[InnerLine],
    (labels, feet): (&[u8], &[bool]),
    held: &[usize],
    ahead: &mut [f32],
) {
    let mut is_behind = vec![false; feet.len()];
    held.iter().for_each(|i| is_behind[*i] = true);
    let is_held: Vec<bool> = feet.iter().zip(&is_behind).map(|(foot, behind)| *foot || *behind).collect();
    let (width, count) = (grid.width, labels.len());
    let unknown: Vec<usize> = (0..count).filter(|i| labels[*i] > 0).collect();
    let reach = (FOLLOWING * width.max(grid.height) as f64) as f32;
    let mut system = Diffusion::new(width, count);
    for &i in &unknown {
        system.right[i] = if i % width + 1 < width && labels[i + 1] == labels[i] { 1.0 } else { 0.0 };
        system.below[i] = if i + width < count && labels[i + width] == labels[i] { 1.0 } else { 0.0 };
        system.pull[i] = 1.0 / (reach * reach);
    }
    for _ in 0..ROUNDS {
        let (mut sums, mut counts) = (vec![0.0_f32; count], vec![0.0_f32; count]);
        for line in lines {
            for (i, wanted) in fitted(grid, line, (feet, &is_behind), ahead) {
                sums[i] += wanted - ahead[i];
                counts[i] += 1.0;
            }
        }
        let mut change = vec![0.0; count];
        for &i in &unknown {
            system.is_fixed[i] = is_held[i] || counts[i] > 0.0;
            change[i] = if counts[i] > 0.0 && !is_held[i] { sums[i] / counts[i] } else { 0.0 };
        }
        system.solve(&mut change, &unknown, STEPS);
        unknown.iter().for_each(|i| ahead[*i] += change[*i]);
    }
}

/// What depth the pixels of a line would have if it were straight in space.
fn fitted<'a>(
    grid: &'a Grid,
    line: &'a InnerLine,
    (feet, is_behind): (&[bool], &[bool]),
    ahead: &[f32],
) -> impl Iterator<Item = (usize, f32)> + use<'a> {
    let of_line = |i: usize| if line.is_upright { ahead[i] } else { ahead[i] * grid.slant[i] };
    let behind: Vec<(usize, f32)> = line.samples.iter().copied().filter(|(i, _)| is_behind[*i]).collect();
    let goes_on = behind.len() as f32 > FOLLOWS * line.samples.len() as f32;
    let known = if goes_on { &behind } else { &line.samples };
    let count = known.len().max(1) as f32;
    let mean = |value: &dyn Fn(usize, f32) -> f32| known.iter().map(|(i, t)| value(*i, *t)).sum::<f32>() / count;
    let (middle, mut level) = (mean(&|_, t| t), mean(&|i, _| of_line(i)));
    let spread = mean(&|_, t| (t - middle) * (t - middle)).max(1e-4);
    let mut slope = mean(&|i, t| (t - middle) * (of_line(i) - level)) / spread;
    if line.is_upright {
        slope = 0.0;
        // It stands where its foot is.
        let foot = known.iter().filter_map(|(i, _)| foot_under(*i, feet, grid.width)).max();
        level = foot.filter(|_| !goes_on).map_or(level, |i| ahead[i]);
    }
    line.samples.iter().map(move |(i, t)| {
        let value = level + slope * (t - middle);
        (*i, if line.is_upright { value } else { value / grid.slant[*i] })
    })
}

fn foot_under(i: usize, feet: &[bool], width: usize) -> Option<usize> {
    (0..=STANDS).map(|down| i + down * width).find(|i| feet.get(*i).copied().unwrap_or(false))
}
