//! Cuts an outline into cells of one plane each: like a decision tree, each cell is cut along the line that separates its planes best.

use aerie_math::geometry::{distance, edges, ring_contains};

use super::mosaic::Mosaic;
use super::plane::{Line, Plane};
use super::segments::NONE;

/// Planes that are told apart in one cell; the rest count as one.
const TOLD_APART: usize = 10;

/// A place in the outline, and the plane there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    /// Position in plan.
    pub(super) at: [f64; 2],
    /// Index of the plane, or [`NONE`].
    pub(super) label: u16,
}

/// Sites on a square grid.
pub(super) struct Sites {
    /// Distance between neighboring sites, meters.
    pub(super) step: f64,
    /// The sites.
    pub(super) sites: Vec<Site>,
}

/// A line, and how much purer the planes of the pieces would be, in square meters.
#[derive(Clone, Copy)]
struct Cut {
    line: Line,
    gain: f64,
}

/// Cuts the cells of a mosaic. Returns the sites of each cell.
pub(super) fn subdivide(
    mosaic: &mut Mosaic,
    sites: &Sites,
    planes: &[Plane],
    directions: &[[f64; 2]],
) -> Vec<Vec<Site>> {
    let most = 400 + sites.sites.len() / 20;
    let mut members: Vec<Vec<Site>> = vec![Vec::new(); mosaic.cells.len()];
    distribute(mosaic, &(0..mosaic.cells.len()).collect::<Vec<_>>(), sites.sites.clone(), &mut members);
    let mut queue: Vec<usize> = (0..mosaic.cells.len()).rev().collect();
    while let Some(cell) = queue.pop() {
        if mosaic.cells.len() >= most {
            break;
        }
        let cuts = cuts(mosaic, cell, &members[cell], sites.step, planes, directions);
        for cut in cuts.into_iter().take(4) {
            let mut pieces = mosaic.split(cell, cut.line);
            if !pieces.is_empty() {
                pieces.push(cell);
                members.resize(mosaic.cells.len(), Vec::new());
                let all = std::mem::take(&mut members[cell]);
                distribute(mosaic, &pieces, all, &mut members);
                queue.extend(pieces);
                break;
            }
        }
    }
    members
}

/// Gives each site to the cell that contains it.
pub(super) fn distribute(mosaic: &Mosaic, cells: &[usize], sites: Vec<Site>, members: &mut [Vec<Site>]) {
    let rings: Vec<Vec<[f64; 2]>> = cells.iter().map(|&cell| mosaic.ring(cell)).collect();
    for site in sites {
        if let Some(at) = rings.iter().position(|ring| ring_contains(ring, site.at)) {
            members[cells[at]].push(site);
        }
    }
}

/// The best cuts of a cell, best first; none where it has one plane.
fn cuts(
    mosaic: &Mosaic,
    cell: usize,
    sites: &[Site],
    step: f64,
    planes: &[Plane],
    directions: &[[f64; 2]],
) -> Vec<Cut> {
    let mut counts = vec![0_u32; planes.len()];
    for site in sites.iter().filter(|site| site.label != NONE) {
        counts[usize::from(site.label)] += 1;
    }
    let mut common: Vec<u16> = (0..planes.len() as u16).filter(|&label| counts[usize::from(label)] > 0).collect();
    common.sort_by_key(|&label| (std::cmp::Reverse(counts[usize::from(label)]), label));
    let total: u32 = counts.iter().sum();
    let Some(&top) = common.first() else { return Vec::new() };
    let ring = mosaic.ring(cell);
    let round: f64 = edges(&ring).map(|(a, b)| distance(a, b)).sum();
    let unit = step * step;
    if f64::from(total - counts[usize::from(top)]) * unit < (0.04 * round).max(0.3) {
        return Vec::new();
    }
    common.truncate(TOLD_APART);
    let mut slots = vec![common.len() as u8; planes.len()];
    for (slot, &label) in common.iter().enumerate() {
        slots[usize::from(label)] = slot as u8;
    }
    let known: Vec<([f64; 2], usize)> = sites
        .iter()
        .filter(|site| site.label != NONE)
        .map(|site| (site.at, usize::from(slots[usize::from(site.label)])))
        .collect();
    let mut found = Vec::new();
    for (at, &a) in common.iter().enumerate() {
        for &b in &common[at + 1..] {
            if let Some(line) = planes[usize::from(a)].meet(&planes[usize::from(b)]) {
                let mut left = [0_u32; TOLD_APART + 1];
                let mut right = [0_u32; TOLD_APART + 1];
                for &(at, slot) in &known {
                    if line.side(at) > 0.0 { left[slot] += 1 } else { right[slot] += 1 }
                }
                // Where two planes meet, roofs bend; a line that only fits the sites must fit clearly better.
                found.push(Cut { line, gain: gain(&left, &right) * unit * 1.15 });
            }
        }
    }
    for &normal in directions {
        found.extend(sweep(&known, &ring, normal, step));
    }
    for label in common.iter().take(4) {
        let plane = planes[usize::from(*label)];
        let steepness = plane.steepness();
        if steepness > 0.08 {
            let fall = plane.slope.map(|part| part / steepness);
            for normal in [fall, [-fall[1], fall[0]]] {
                if directions.iter().all(|other| (other[0] * normal[0] + other[1] * normal[1]).abs() < 0.995) {
                    found.extend(sweep(&known, &ring, normal, step));
                }
            }
        }
    }
    found.retain(|cut| cut.gain > 0.03);
    found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    found
}

/// Gain in purity (Gini), in sites.
fn gain(left: &[u32; TOLD_APART + 1], right: &[u32; TOLD_APART + 1]) -> f64 {
    let (mut squares, mut sums) = ([0.0; 3], [0.0; 2]);
    for (&left, &right) in left.iter().zip(right) {
        let (left, right) = (f64::from(left), f64::from(right));
        squares = [squares[0] + left * left, squares[1] + right * right, squares[2] + (left + right) * (left + right)];
        sums = [sums[0] + left, sums[1] + right];
    }
    if sums[0] == 0.0 || sums[1] == 0.0 {
        return 0.0;
    }
    squares[0] / sums[0] + squares[1] / sums[1] - squares[2] / (sums[0] + sums[1])
}

/// The best line of a given direction, moved to a corner of the cell that is near.
fn sweep(known: &[([f64; 2], usize)], ring: &[[f64; 2]], normal: [f64; 2], step: f64) -> Option<Cut> {
    let position = |at: [f64; 2]| at[0] * normal[0] + at[1] * normal[1];
    let low = known.iter().map(|(at, _)| position(*at)).fold(f64::INFINITY, f64::min);
    let high = known.iter().map(|(at, _)| position(*at)).fold(f64::NEG_INFINITY, f64::max);
    let width = step / 2.0;
    let bins = ((high - low) / width) as usize + 1;
    if !(high - low).is_finite() || bins < 4 {
        return None;
    }
    let mut counts = vec![[0_u32; TOLD_APART + 1]; bins];
    let mut right = [0_u32; TOLD_APART + 1];
    for &(at, slot) in known {
        counts[(((position(at) - low) / width) as usize).min(bins - 1)][slot] += 1;
        right[slot] += 1;
    }
    let mut left = [0_u32; TOLD_APART + 1];
    let mut gains = vec![0.0; bins];
    for (bin, counts) in counts.iter().enumerate() {
        for (slot, &count) in counts.iter().enumerate() {
            left[slot] += count;
            right[slot] -= count;
        }
        gains[bin] = gain(&left, &right);
    }
    let best = (0..bins).max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a)))?;
    let offset = low + (best as f64 + 1.0) * width;
    let near = ring.iter().map(|&corner| position(corner)).filter(|corner| (corner - offset).abs() < 0.2);
    let corner = near.min_by(|a, b| (a - offset).abs().total_cmp(&(b - offset).abs()));
    Some(Cut { line: Line { normal, offset: corner.unwrap_or(offset) }, gain: gains[best] * step * step })
}
