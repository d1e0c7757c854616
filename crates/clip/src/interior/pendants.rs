//! Lamps that hang from the ceiling by a cord or a rod: as far away as their mount, from which they hang upright.
//!
//! The cord is a thin bar that runs toward the zenith, with the same background on both sides, and begins at the ceiling. The lamp is
//! what is connected to it and differs from the background; where that is not plain, nothing is cut out.

use std::ops::Range;

use aerie_photo::layers::Body;
use glam::DVec2;

use super::grid::{Grid, likeness, tone};
use super::mask::grown;
use super::pieces::STANDING;
use super::settle::is_toward_zenith;
use crate::cutout::rimmed;

/// Longer side of the copy on which lamps are looked for, pixels; distances below are in pixels of it.
const SIDE: usize = 960;
/// Shortest cord, and distance from the upper edge of the photo within which one is cut off by it.
const SHORTEST: usize = 12;
const CUT_OFF: usize = 8;
/// Distances to both sides of a cord within which a lamp may end, columns at the ends of these rows that show its background,
/// difference of tone from that, and least number of pixels.
const AROUND: [usize; 3] = [60, 100, 150];
const MARGIN: usize = 8;
const APART: f32 = 9.0;
const LEAST_AREA: usize = 120;
/// Largest share of that width that a lamp may take.
const WIDEST: f64 = 0.42;
/// Least share of what is on one side of the cord that is on the other, and largest share of a lamp that the network takes for what
/// stands on the floor.
const BALANCE: f64 = 0.5;
const MOST_STANDING: f64 = 0.15;
/// Pixels of its edge, which are of mixed tones.
const EDGE: usize = 2;
/// Border around a lamp, and largest share of its surroundings up to there that differs from the background.
const BORDER: usize = 12;
const MOST_OTHER: f64 = 0.06;
/// Share of the nearness of what a lamp hides that it may be short of: the box is not exact.
const NOT_BEHIND: f32 = 0.98;
/// How far from its line a cord may be, how far from it its background begins, and largest gap in it.
const OFF: i32 = 4;
const BESIDE: f64 = 7.0;
const GAP: usize = 5;
/// Least difference of tone between a cord and its background, and difference between both sides of it.
const BAR: f32 = 7.0;
const SIDES: f32 = 9.0;
/// Share of the rows of a line in which it has to look like a cord.
const CORD: f64 = 0.7;
/// How far a lamp may reach below its cord.
const TALLEST: usize = 220;
/// Half width of a cord.
const THIN: f64 = 2.5;
/// Rim and fade of lamps, as shares of the longer side.
const RIM: f64 = 0.001;
const FADE: f64 = 0.002;
const MOST: usize = 24;

/// A hanging lamp.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pendant {
    /// Column of the cord in row 0, and its change from row to row.
    axis: [f64; 2],
    /// Part of the copy that it takes: left, top, columns and rows; and which of its pixels show it.
    rect: [usize; 4],
    mask: Vec<bool>,
    /// Pixels of the frame to one of the copy.
    scale: f64,
    /// One over its distance ahead.
    ahead: f32,
}

/// A reduced copy of the photo.
struct Copy {
    width: usize,
    height: usize,
    scale: f64,
    tones: Vec<[f32; 3]>,
}

impl Copy {
    fn of(pixels: &[[f32; 3]], [width, height]: [usize; 2]) -> Self {
        let scale = (width.max(height) as f64 / SIDE as f64).max(1.0);
        let (across, down) = ((width as f64 / scale) as usize, (height as f64 / scale) as usize);
        let mean = |i: usize| {
            let range = |at: usize, of: usize| {
                let (from, until) = ((at as f64 * scale) as usize, ((at + 1) as f64 * scale).ceil() as usize);
                from..until.min(of)
            };
            let (mut sum, mut count) = ([0.0_f32; 3], 0.0);
            for y in range(i / across, height) {
                for x in range(i % across, width) {
                    (0..3).for_each(|c| sum[c] += pixels[y * width + x][c]);
                    count += 1.0;
                }
            }
            tone(sum.map(|s| s / count))
        };
        Self { width: across, height: down, scale, tones: (0..across * down).map(mean).collect() }
    }

    /// The tone at a column of a row; beyond an edge that of the edge.
    fn at(&self, x: f64, y: usize) -> [f32; 3] {
        let x = x.clamp(0.0, self.width as f64 - 1.001);
        let (left, share) = (x as usize, x.fract() as f32);
        let row = y.min(self.height - 1) * self.width;
        let (a, b) = (self.tones[row + left], self.tones[row + (left + 1).min(self.width - 1)]);
        [0, 1, 2].map(|c| a[c] * (1.0 - share) + b[c] * share)
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt()
}

/// The lamps that hang from the ceiling. `pixels` are those of the available part of the photo.
pub(super) fn pendants(grid: &Grid, pixels: &[[f32; 3]], size: [usize; 2]) -> Vec<Pendant> {
    let copy = Copy::of(pixels, size);
    let of_grid = copy.width as f64 / grid.width as f64;
    let downward =
        |[a, b]: &[DVec2; 2]| if a.y < b.y { [*a * of_grid, *b * of_grid] } else { [*b * of_grid, *a * of_grid] };
    let upright = grid.segments.iter().filter(|line| is_toward_zenith(**line, grid.vanishing_points[0]));
    let mut lines: Vec<[DVec2; 2]> = upright.map(downward).collect();
    lines.sort_by(|a, b| (b[1].y - b[0].y).total_cmp(&(a[1].y - a[0].y)));
    let mut found: Vec<Pendant> = Vec::new();
    for line in lines {
        let middle = line[0].midpoint(line[1]);
        if found.len() < MOST && !found.iter().any(|lamp| lamp.shows(middle) || lamp.is_beside(middle)) {
            found.extend(pendant(grid, &copy, line, of_grid));
        }
    }
    found
}

fn pendant(grid: &Grid, copy: &Copy, [top, low]: [DVec2; 2], of_grid: f64) -> Option<Pendant> {
    let slope = (low.x - top.x) / (low.y - top.y).max(1.0);
    let column = |y: f64| top.x + slope * (y - top.y);
    let rows = top.y.max(0.0) as usize..(low.y as usize).min(copy.height);
    let offsets: Vec<Option<i32>> = rows.clone().map(|y| cord(copy, column(y as f64), y)).collect();
    let mut sure: Vec<i32> = offsets.iter().flatten().copied().collect();
    if (sure.len() as f64) < CORD * offsets.len() as f64 || sure.is_empty() {
        return None;
    }
    sure.sort_unstable();
    let axis = [column(0.0) + f64::from(sure[sure.len() / 2]), slope];
    let column = |y: usize| axis[0] + axis[1] * y as f64;
    let is_cord = |y: usize| cord(copy, column(y), y).is_some_and(|offset| offset.abs() <= 2);
    // The cord goes on beyond its line, across small gaps.
    let follow = |from: usize, next: &dyn Fn(usize) -> Option<usize>| {
        let (mut end, mut at, mut gap) = (from, from, 0);
        while let Some(y) = next(at).filter(|y| *y < copy.height && gap <= GAP) {
            (at, gap) = (y, gap + 1);
            if is_cord(y) {
                (end, gap) = (y, 0);
            }
        }
        end
    };
    let middle = rows.start.midpoint(rows.end);
    let (first, last) = (follow(middle, &|y| y.checked_sub(1)), follow(middle, &|y| Some(y + 1)));
    let place = |x: f64, y: usize| {
        let (x, y) = ((x.max(0.0) / of_grid) as usize, (y as f64 / of_grid) as usize);
        y.min(grid.height - 1) * grid.width + x.min(grid.width - 1)
    };
    let mount = first.saturating_sub(2);
    let mount = place(column(mount), mount);
    if last < first + SHORTEST || (grid.faces[mount] != 1 && first > CUT_OFF) {
        return None;
    }
    let (rect, mask) = apart(copy, &column, first..last)?;
    let ahead = grid.behind[mount];
    let cells: Vec<usize> = (0..mask.len())
        .filter(|i| mask[*i])
        .map(|i| place((rect[0] + i % rect[2]) as f64, rect[1] + i / rect[2]))
        .collect();
    // It hangs in front of what it hides.
    let is_before = cells.iter().all(|i| ahead >= NOT_BEHIND * grid.behind[*i]);
    let standing = cells.iter().filter(|i| grid.standing[**i] > STANDING).count();
    let hangs = (standing as f64) < MOST_STANDING * cells.len() as f64;
    (is_before && hangs).then_some(Pendant { axis, rect, mask, scale: copy.scale, ahead })
}

/// What hangs by a cord before a plain background: the pixels connected to it that differ from what is around it; `None` if they do
/// not end within reach, as before a background that is not plain.
fn apart(copy: &Copy, column: &dyn Fn(usize) -> f64, cord: Range<usize>) -> Option<([usize; 4], Vec<bool>)> {
    AROUND.into_iter().find_map(|reach| apart_within(copy, column, cord.clone(), reach))
}

fn apart_within(
    copy: &Copy,
    column: &dyn Fn(usize) -> f64,
    cord: Range<usize>,
    reach: usize,
) -> Option<([usize; 4], Vec<bool>)> {
    let middle = column(cord.end) as usize;
    let (left, right) = (middle.saturating_sub(reach), (middle + reach).min(copy.width));
    let (top, bottom) = (cord.start, (cord.end + TALLEST).min(copy.height));
    let (across, down) = (right - left, bottom - top);
    if across < 4 * MARGIN {
        return None;
    }
    let is_apart: Vec<bool> =
        (top..bottom).flat_map(|y| differing(&copy.tones[y * copy.width + left..][..across])).collect();
    let off = |i: usize| ((left + i % across) as f64 - column(top + i / across)).abs();
    let mut mask = vec![false; is_apart.len()];
    let is_cord = |i: usize| top + i / across < cord.end && off(i) <= THIN;
    let mut queue: Vec<usize> = (0..is_apart.len()).filter(|i| is_apart[*i] && is_cord(*i)).collect();
    queue.iter().for_each(|i| mask[*i] = true);
    while let Some(i) = queue.pop() {
        let (x, y) = (i % across, i / across);
        if x < MARGIN || x + MARGIN >= across || (y + 3 > down && bottom < copy.height) {
            return None;
        }
        for v in y.saturating_sub(2)..(y + 3).min(down) {
            for u in x - 2..x + 3 {
                let j = v * across + u;
                if is_apart[j] && !mask[j] {
                    mask[j] = true;
                    queue.push(j);
                }
            }
        }
    }
    // In a row that is mostly lamp, the median is none of the background.
    let widest = mask.chunks(across).map(|row| row.iter().filter(|is_set| **is_set).count()).max()?;
    if widest as f64 > WIDEST * across as f64 {
        return None;
    }
    // Lamps hang in balance: what reaches to one side is connected to something else.
    let [one, other] = [-1.0, 1.0].map(|side| {
        let is_there = |i: usize| side * ((left + i % across) as f64 - column(top + i / across)) > 2.0 * THIN;
        (0..mask.len()).filter(|i| mask[*i] && is_there(*i)).count()
    });
    let is_balanced = one.min(other) as f64 >= BALANCE * one.max(other) as f64;
    let mask = grown(&mask, across, EDGE);
    let is_lamp = one + other >= LEAST_AREA && is_balanced && is_plain(&is_apart, &mask, across);
    is_lamp.then_some(([left, top, across, down], mask))
}

/// Which pixels of a row differ from its background: from its median, and from what lies between its ends.
fn differing(row: &[[f32; 3]]) -> impl Iterator<Item = bool> + use<'_> {
    let median = [0, 1, 2].map(|c| {
        let mut values: Vec<f32> = row.iter().map(|tone| tone[c]).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    });
    let mean = |ends: &[[f32; 3]]| [0, 1, 2].map(|c| ends.iter().map(|tone| tone[c]).sum::<f32>() / ends.len() as f32);
    let (first, last) = (mean(&row[..MARGIN]), mean(&row[row.len() - MARGIN..]));
    row.iter().enumerate().map(move |(x, tone)| {
        let share = x as f32 / row.len() as f32;
        let between = [0, 1, 2].map(|c| first[c] * (1.0 - share) + last[c] * share);
        distance(*tone, median).min(distance(*tone, between)) > APART
    })
}

/// Whether little around a lamp differs from the background.
fn is_plain(is_apart: &[bool], mask: &[bool], across: usize) -> bool {
    let places = || (0..mask.len()).filter(|i| mask[*i]).map(|i| [i % across, i / across]);
    let bounds = |of: usize| {
        let (low, high) = places().fold((usize::MAX, 0), |(low, high), at| (low.min(at[of]), high.max(at[of])));
        low.saturating_sub(BORDER)..high + BORDER + 1
    };
    let (columns, rows) = (bounds(0), bounds(1));
    let around =
        (0..mask.len()).filter(|i| columns.contains(&(i % across)) && rows.contains(&(i / across)) && !mask[*i]);
    let (count, other) = around.fold((0, 0), |(count, other), i| (count + 1, other + usize::from(is_apart[i])));
    (other as f64) <= MOST_OTHER * f64::from(count)
}

/// Offset of a cord from a column of a row; `None` if there is none.
fn cord(copy: &Copy, x: f64, y: usize) -> Option<i32> {
    let beside = |side: f64, offset: i32| copy.at(x + f64::from(offset) + side * BESIDE, y);
    let strength = |offset: i32| {
        let (left, right) = (beside(-1.0, offset), beside(1.0, offset));
        if likeness(left, right, SIDES) < 0.4 {
            return 0.0;
        }
        let middle = copy.at(x + f64::from(offset), y);
        distance(middle, left).min(distance(middle, right))
    };
    let best = (-OFF..=OFF).max_by(|a, b| strength(*a).total_cmp(&strength(*b)))?;
    (strength(best) > BAR).then_some(best)
}

impl Pendant {
    /// Whether a point of the copy shows the lamp.
    fn shows(&self, at: DVec2) -> bool {
        let [left, top, across, down] = self.rect;
        let (x, y) = (at.x.round() as usize, at.y.round() as usize);
        (left..left + across).contains(&x)
            && (top..top + down).contains(&y)
            && at.x >= 0.0
            && self.mask[(y - top) * across + x - left]
    }

    /// Whether a point of the copy is near the cord, or above or below it.
    fn is_beside(&self, at: DVec2) -> bool {
        (self.axis[0] + self.axis[1] * at.y - at.x).abs() < 2.0 * BESIDE
    }

    /// Whether a pixel of the frame shows it.
    fn covers(&self, x: usize, y: usize) -> bool {
        self.shows(DVec2::new(x as f64 + 0.5, y as f64 + 0.5) / self.scale - 0.5)
    }

    /// Whether a pixel of the grid shows it.
    pub(super) fn covers_cell(&self, grid: &Grid, i: usize) -> bool {
        let at = DVec2::new((i % grid.width) as f64 + 0.5, (i / grid.width) as f64 + 0.5) * grid.step;
        self.covers(at.x as usize, at.y as usize)
    }

    /// Whether a line of the grid is one of the lamp's.
    pub(super) fn has_line(&self, grid: &Grid, [a, b]: [DVec2; 2]) -> bool {
        let is_on = |share: f64| {
            let at = a.lerp(b, share) * grid.step;
            self.covers(at.x.max(0.0) as usize, at.y.max(0.0) as usize)
        };
        [0.1, 0.3, 0.5, 0.7, 0.9].into_iter().filter(|share| is_on(*share)).count() >= 4
    }

    /// The lamp as a body.
    pub(super) fn body(&self, grid: &Grid, pixels: &[[f32; 3]], [width, height]: [usize; 2]) -> Body {
        let side = width.max(height) as f64;
        let [rim, fade] = [RIM, FADE].map(|share| (side * share).ceil().max(2.0) as usize);
        let margin = (rim + fade + 1) as f64;
        let bound = |at: f64, of: usize| (at.max(0.0) as usize).min(of);
        let low = |at: usize, of: usize| bound(at as f64 * self.scale - margin, of);
        let high = |at: usize, of: usize| bound(at as f64 * self.scale + margin, of);
        let (left, top) = (low(self.rect[0], width), low(self.rect[1], height));
        let (right, bottom) = (high(self.rect[0] + self.rect[2], width), high(self.rect[1] + self.rect[3], height));
        let (across, down) = (right - left, bottom - top);
        let place = |i: usize| (left + i % across, top + i / across);
        let inside: Vec<f32> = (0..across * down)
            .map(|i| {
                let (x, y) = place(i);
                f32::from(u8::from(self.covers(x, y)))
            })
            .collect();
        let alpha = rimmed(&inside, across, down, rim, fade);
        let of = |i: usize| {
            let (x, y) = place(i);
            let [r, g, b] = pixels[y * width + x].map(|v| v.round() as u8);
            ([r, g, b, alpha[i]], self.ahead * grid.between(&grid.slant, grid.place(x, y)))
        };
        let (pixels, nearness) = (0..across * down).map(of).unzip();
        Body { name: "lamp".to_owned(), corner: [left, top], width: across, height: down, pixels, nearness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 480;
    const HEIGHT: usize = 360;

    /// A wall with a cabinet of another tone from column 200 to 260, and a dark lamp: a cord in column 300 down to row 120, and a
    /// shade from there to row 160, 10 to 30 pixels to either side.
    fn copy(has_shade: bool) -> Copy {
        let pixel = |i: usize| {
            let (x, y) = ((i % WIDTH) as f32, i / WIDTH);
            let half = match y {
                0..120 => 1.5,
                120..160 if has_shade => 10.0 + (y - 120) as f32 / 2.0,
                _ => -1.0,
            };
            let is_cabinet = (200.0..260.0).contains(&x);
            if (x - 300.0).abs() <= half {
                [40.0; 3]
            } else if is_cabinet {
                [120.0, 90.0, 60.0]
            } else {
                [200.0; 3]
            }
        };
        let pixels: Vec<[f32; 3]> = (0..WIDTH * HEIGHT).map(pixel).collect();
        Copy::of(&pixels, [WIDTH, HEIGHT])
    }

    #[test]
    fn a_cord_is_a_bar_and_the_edge_of_a_cabinet_is_none() {
        let copy = copy(true);
        assert!(cord(&copy, 298.0, 60).is_some_and(|offset| (1..=3).contains(&offset)));
        for x in [200.0, 260.0, 230.0, 400.0] {
            assert_eq!(cord(&copy, x, 60), None, "{x}");
        }
    }

    #[test]
    fn what_hangs_before_a_plain_background_is_set_apart_from_it_and_from_what_stands_there() {
        let ([left, top, across, _], mask) = apart(&copy(true), &|_| 300.0, 5..119).unwrap();
        for (i, is_lamp) in mask.into_iter().enumerate() {
            let (off, y) = ((left + i % across).abs_diff(300), top + i / across);
            let is_shade = (118..162).contains(&y);
            let half = if is_shade { 10 + (y.clamp(120, 159) - 120) / 2 } else { usize::from(y < 120) };
            let is_edge = is_shade && !(120..160).contains(&y);
            assert!(if is_lamp { off <= half + 4 } else { is_edge || off > half || y >= 160 }, "{off} {y}");
        }
    }

    #[test]
    fn a_cord_without_a_shade_is_no_lamp() {
        assert_eq!(apart(&copy(false), &|_| 300.0, 5..119), None);
    }
}
