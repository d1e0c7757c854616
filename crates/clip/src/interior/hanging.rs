//! What hangs before the ceiling and cannot be cut out of it, such as lamps before cabinets and fans: the ceiling around it bends, so
//! that it stays upright.
//!
//! A ceiling recedes toward its lower edge in the picture, and what hangs before it would lean with it. Each thing that hangs gets the
//! depth of the ceiling at its lower end instead, from which the surroundings return to that of the ceiling smoothly: nothing is cut,
//! so nothing tears.

use aerie_photo::layers::Body;
use glam::DVec2;

use super::diffusion::Diffusion;
use super::grid::{Grid, likeness};
use super::mask::{grown, parts};
use super::pendants::Pendant;
use super::pieces::neighbors;
use super::settle::is_upright;

/// Number of the ceiling among the faces of a room.
const CEILING: u8 = 1;
/// Least share of a line that is before the ceiling.
const BEFORE: f64 = 0.7;
/// Distance to both sides of a line at which the ceiling is seen, pixels of the grid, and difference of its tones there.
const BESIDE: f64 = 4.0;
const SIDES: f32 = 9.0;
/// Half width of a line, and what hangs below a cord: its length and half width as shares of the cord's, and the least and greatest
/// half width, pixels of the grid.
const HALF_LINE: f64 = 1.5;
const BELOW: f64 = 0.6;
const HALF_BELOW: f64 = 0.3;
const HALF_WIDTHS: [f64; 2] = [5.0, 16.0];
/// Distance over which the median of tones is taken, pixels of the grid, and difference from it of what is not the ceiling's.
const AROUND: usize = 26;
const OTHER: f32 = 9.0;
/// Largest share of the width and of the grid that a thing takes, and least height, pixels of the grid: what is flat does not lean.
const WIDEST: f64 = 0.3;
const LARGEST: f64 = 0.03;
const LEAST_HEIGHT: usize = 8;
/// Share of the width of a thing over which it may go on before a wall.
const ON_WALL: f64 = 0.5;
/// Surroundings that move along with what hangs, pixels of the grid.
const ALONG: usize = 4;
/// Distance over which the ceiling bends, as a share of the longer side.
const BENDING: f64 = 0.06;
/// Least change of depth, of the nearest of the room, that is drawn.
const LEAST: f32 = 0.002;
const ROUNDS: usize = 200;

/// The part of the ceiling that bends around what hangs before it.
pub(super) struct BentCeiling {
    pub(super) body: Body,
    /// Whether each pixel of the grid shows what hangs.
    hanging: Vec<bool>,
}

impl BentCeiling {
    /// Whether a pixel of the available part of the photo shows what hangs.
    pub(super) fn hangs(&self, grid: &Grid, x: usize, y: usize) -> bool {
        self.hanging[cell(grid, grid.place(x, y))]
    }
}

/// Index of the pixel of a grid at a place.
fn cell(grid: &Grid, [x, y]: [f32; 2]) -> usize {
    (y + 0.5) as usize * grid.width + (x + 0.5) as usize
}

/// The part of the ceiling that bends; `None` if nothing hangs before it but `lamps`, which are cut out of it.
pub(super) fn bent_ceiling(
    grid: &Grid,
    lamps: &[Pendant],
    pixels: &[[f32; 3]],
    [width, height]: [usize; 2],
) -> Option<BentCeiling> {
    let things = things(grid, lamps);
    let change = change(grid, &things)?;
    let most = grid.behind.iter().copied().fold(0.0, f32::max);
    let is_bent = |i: usize| change[i].abs() > LEAST * most;
    let cells = || (0..change.len()).filter(|i| is_bent(*i)).map(|i| [i % grid.width, i / grid.width]);
    // Up to the cells from which depths are interpolated.
    let bound = |of: usize, step: f64, most: usize| {
        let (low, high) = cells().fold((usize::MAX, 0), |(low, high), at| (low.min(at[of]), high.max(at[of])));
        let low = (low as f64 - 1.0).max(0.0) * step;
        (low < high as f64 * step).then(|| (low as usize, (((high + 2) as f64 * step) as usize).min(most)))
    };
    let ((left, right), (top, bottom)) = (bound(0, grid.step.x, width)?, bound(1, grid.step.y, height)?);
    let (across, down) = (right - left, bottom - top);
    let near: Vec<bool> = (0..change.len())
        .map(|i| is_bent(i) || neighbors(i, grid.width, change.len()).into_iter().flatten().any(is_bent))
        .collect();
    let of = |i: usize| {
        let (x, y) = (left + i % across, top + i / across);
        let at = grid.place(x, y);
        let [r, g, b] = pixels[y * width + x].map(|v| v.round() as u8);
        let ahead = grid.between(&grid.behind, at) + grid.between(&change, at);
        ([r, g, b, if near[cell(grid, at)] { 255 } else { 0 }], ahead * grid.between(&grid.slant, at))
    };
    let (pixels, nearness) = (0..across * down).map(of).unzip();
    let mut hanging = vec![false; change.len()];
    things.into_iter().flatten().for_each(|i| hanging[i] = true);
    let body = Body { name: "ceiling".to_owned(), corner: [left, top], width: across, height: down, pixels, nearness };
    Some(BentCeiling { body, hanging })
}

/// Change of the nearness of the ceiling around what hangs before it; `None` if nothing does.
fn change(grid: &Grid, things: &[Vec<usize>]) -> Option<Vec<f32>> {
    let (width, count) = (grid.width, grid.behind.len());
    let mut change = vec![0.0; count];
    let mut system = Diffusion::new(width, count);
    for thing in things {
        // The lowest of its pixels in the middle.
        let mut columns: Vec<usize> = thing.iter().map(|i| i % width).collect();
        columns.sort_unstable();
        let middle = columns[columns.len() / 2];
        let level = grid.behind[thing.iter().copied().filter(|i| i % width == middle).max()?];
        for &i in thing {
            change[i] = level - grid.behind[i];
            system.is_fixed[i] = true;
        }
    }
    if !system.is_fixed.contains(&true) {
        return None;
    }
    let is_ceiling = |i: usize| grid.faces[i] == CEILING;
    let reach = (BENDING * width.max(grid.height) as f64) as f32;
    for i in 0..count {
        // Walls stay where they are.
        let link = |j: usize| if is_ceiling(i) || is_ceiling(j) { 1.0 } else { 0.0 };
        system.right[i] = if i % width + 1 < width { link(i + 1) } else { 0.0 };
        system.below[i] = if i + width < count { link(i + width) } else { 0.0 };
        system.pull[i] = 1.0 / (reach * reach);
    }
    let unknown: Vec<usize> = (0..count).filter(|i| is_ceiling(*i)).collect();
    system.solve(&mut change, &unknown, ROUNDS);
    Some(change)
}

/// The pixels of each thing that hangs before the ceiling.
fn things(grid: &Grid, lamps: &[Pendant]) -> Vec<Vec<usize>> {
    let is_ceiling = |i: usize| grid.faces[i] == CEILING;
    let is_cut_out = |i: usize| lamps.iter().any(|lamp| lamp.covers_cell(grid, i));
    let mut is_part: Vec<bool> = islands(grid);
    for line in grid.segments.iter().filter(|line| is_hanging(grid, **line)) {
        mark(grid, *line, &mut is_part);
    }
    let near = grown(&is_part, grid.width, ALONG);
    let is_part: Vec<bool> = (0..near.len()).map(|i| near[i] && is_ceiling(i) && !is_cut_out(i)).collect();
    parts(&is_part, |i| around(i, grid))
}

/// Pixels around one, across a gap of a pixel.
fn around(i: usize, grid: &Grid) -> impl Iterator<Item = usize> + use<> {
    let (x, y, width) = (i % grid.width, i / grid.width, grid.width);
    let columns = x.saturating_sub(2)..(x + 3).min(width);
    (y.saturating_sub(2)..(y + 3).min(grid.height)).flat_map(move |v| columns.clone().map(move |u| v * width + u))
}

/// Whether a line is a cord or a rod: upright, thin, and before the ceiling, which is seen on both sides of it. Edges of pillars and of
/// walls are none.
fn is_hanging(grid: &Grid, [a, b]: [DVec2; 2]) -> bool {
    let steps = ((b - a).length().ceil() as usize).max(2);
    let pixel = |at: DVec2| {
        let is_in = at.x >= 0.0 && at.y >= 0.0 && at.x < grid.width as f64 && at.y < grid.height as f64;
        is_in.then(|| at.y as usize * grid.width + at.x as usize).filter(|i| grid.faces[*i] == CEILING)
    };
    let is_before = |step: &usize| {
        let at = a.lerp(b, *step as f64 / steps as f64);
        let sides = [-BESIDE, BESIDE].map(|side| pixel(at + DVec2::X * side));
        let [Some(left), Some(right)] = sides else { return false };
        pixel(at).is_some() && likeness(grid.tones[left], grid.tones[right], SIDES) > 0.4
    };
    let before = (0..=steps).filter(is_before).count();
    is_upright([a, b], grid.vanishing_points) && before as f64 >= BEFORE * (steps + 1) as f64
}

/// Marks a line, and what hangs below it if it is a cord.
fn mark(grid: &Grid, [a, b]: [DVec2; 2], is_part: &mut [bool]) {
    let (top, low) = if a.y < b.y { (a, b) } else { (b, a) };
    let down = low - top;
    let below = (HALF_BELOW * down.length()).clamp(HALF_WIDTHS[0], HALF_WIDTHS[1]);
    let end = low + down * BELOW;
    for y in top.y.max(0.0) as usize..(end.y.max(0.0) as usize).min(grid.height) {
        let middle = top.x + down.x * (y as f64 - top.y) / down.y.max(1.0);
        let half = if y as f64 <= low.y { HALF_LINE } else { below };
        for x in (middle - half).max(0.0) as usize..((middle + half).max(0.0).ceil() as usize).min(grid.width) {
            is_part[y * grid.width + x] = true;
        }
    }
}

/// What differs from the ceiling around it and is small: lamps, fans.
fn islands(grid: &Grid) -> Vec<bool> {
    let (width, height) = (grid.width, grid.height);
    let is_ceiling = |i: usize| grid.faces[i] == CEILING;
    let is_other = |i: usize| is_ceiling(i) && likeness(grid.tones[i], usual(grid, i), OTHER) < 0.4;
    let other: Vec<bool> = (0..grid.faces.len()).map(is_other).collect();
    let mut islands = vec![false; other.len()];
    for part in parts(&other, |i| around(i, grid)) {
        let bounds = |of: &dyn Fn(usize) -> usize| {
            part.iter().map(|i| of(*i)).fold((usize::MAX, 0), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((left, right), (top, bottom)) = (bounds(&|i| i % width), bounds(&|i| i / width));
        let is_small = ((right - left) as f64) < WIDEST * width as f64
            && (part.len() as f64) < LARGEST * other.len() as f64
            && bottom - top >= LEAST_HEIGHT;
        let is_whole = left > 0 && right + 1 < width && bottom + 1 < height;
        // What goes on over a wall for most of its width belongs to it.
        let ends_on_wall = |i: &&usize| *i + width < other.len() && grid.faces[*i + width] != CEILING;
        let goes_on = part.iter().filter(ends_on_wall).count() as f64 > ON_WALL * (right - left) as f64;
        if is_small && is_whole && !goes_on {
            part.into_iter().for_each(|i| islands[i] = true);
        }
    }
    islands
}

/// The median tone of the ceiling around a pixel.
fn usual(grid: &Grid, i: usize) -> [f32; 3] {
    let (x, y) = (i % grid.width, i / grid.width);
    let rows = (y.saturating_sub(AROUND)..(y + AROUND + 1).min(grid.height)).step_by(4);
    let columns = || (x.saturating_sub(AROUND)..(x + AROUND + 1).min(grid.width)).step_by(4);
    let cells = rows.flat_map(|v| columns().map(move |u| v * grid.width + u));
    let mut near: Vec<usize> = cells.filter(|j| grid.faces[*j] == CEILING).collect();
    if near.is_empty() {
        near.push(i);
    }
    [0, 1, 2].map(|c| {
        let mut values: Vec<f32> = near.iter().map(|j| grid.tones[*j][c]).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interior::grid::blank::{self, HEIGHT, WIDTH};

    /// The row at which the ceiling meets the wall.
    const WALL: usize = 70;

    /// A white ceiling above a wall, with straight lines.
    fn grid(segments: Vec<[DVec2; 2]>) -> Grid {
        let behind = |i: usize| 0.2 + 0.008 * WALL.saturating_sub(i / WIDTH) as f32;
        Grid {
            segments,
            behind: (0..WIDTH * HEIGHT).map(behind).collect(),
            ..blank::grid(|row| if row < WALL { CEILING } else { 4 })
        }
    }

    fn cord() -> [DVec2; 2] {
        [DVec2::new(100.0, 12.0), DVec2::new(100.0, 40.0)]
    }

    /// Nearness of a pixel.
    fn ahead(grid: &Grid, change: &[f32], x: usize, y: usize) -> f32 {
        grid.behind[y * WIDTH + x] + change[y * WIDTH + x]
    }

    #[test]
    fn what_hangs_is_as_far_away_at_its_upper_end_as_at_its_lower_one_and_the_walls_stay() {
        let grid = grid(vec![cord()]);
        let change = change(&grid, &things(&grid, &[])).expect("something hangs");
        let ends = [14, 30, 50].map(|y| ahead(&grid, &change, 100, y));
        assert!(ends.iter().all(|end| (end - ends[2]).abs() < 0.01), "{ends:?}");
        assert!((0..WIDTH).all(|x| (WALL..HEIGHT).all(|y| change[y * WIDTH + x] == 0.0)));
        let far = [(4, 20), (196, 20), (4, 60)].map(|(x, y)| change[y * WIDTH + x].abs());
        assert!(far.iter().all(|change| *change < 0.01), "{far:?}");
    }

    #[test]
    fn the_ceiling_bends_smoothly() {
        let grid = grid(vec![cord()]);
        let change = change(&grid, &things(&grid, &[])).expect("something hangs");
        let steepest =
            (1..WIDTH).map(|x| (change[14 * WIDTH + x] - change[14 * WIDTH + x - 1]).abs()).fold(0.0, f32::max);
        let whole = change[14 * WIDTH + 100].abs();
        assert!(whole > 0.2 && steepest < 0.3 * whole, "{steepest} of {whole}");
    }

    #[test]
    fn a_fan_hangs_and_an_empty_ceiling_and_its_beams_do_not() {
        assert_eq!(things(&grid(Vec::new()), &[]), Vec::<Vec<usize>>::new());
        // A beam toward the back of the room.
        let beam = [DVec2::new(60.0, 10.0), DVec2::new(95.0, 50.0)];
        assert_eq!(things(&grid(vec![beam]), &[]), Vec::<Vec<usize>>::new());
        // The edge of a pillar: the ceiling is seen on one side of it only.
        let mut pillar = grid(vec![cord()]);
        for y in 0..WALL {
            (100..WIDTH).for_each(|x| pillar.tones[y * WIDTH + x] = [60.0, 10.0, 20.0]);
        }
        assert_eq!(things(&pillar, &[]), Vec::<Vec<usize>>::new());
        let mut fan = grid(Vec::new());
        for y in 20..34 {
            (80..120).for_each(|x| fan.tones[y * WIDTH + x] = [30.0, 5.0, 10.0]);
        }
        let change = change(&fan, &things(&fan, &[])).expect("something hangs");
        let [top, low] = [21, 33].map(|y| ahead(&fan, &change, 100, y));
        assert!((top - low).abs() < 0.012, "{top} {low}");
    }
}
