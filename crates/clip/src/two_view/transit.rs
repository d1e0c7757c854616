//! From one picture to another of the same place: a camera moves along the geometry that both share, and each picture is drawn on
//! its own depths while the one fades into the other.

use glam::{DMat3, DQuat, DVec2, DVec3};
use rayon::prelude::*;

use super::field::Grid;
use super::{Lens, RelativePose, TwoView};

/// Moments at which the way is checked.
const CHECKED: [f64; 7] = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
/// Pixels across a frame in which the way is checked.
const CHECK_WIDTH: usize = 96;
/// Greatest closing of the lens on the way, which keeps what neither picture shows out of view, and its steps.
const MOST_CLOSING: f64 = 0.4;
const CLOSING_STEPS: usize = 16;
/// Minimum share of the frame that both pictures show in the middle of the way.
const LEAST_SHARED: f64 = 0.3;
/// Minimum share that at least one shows; slivers at the edge are continued.
const LEAST_SHOWN: f64 = 0.998;
/// The same, and the greatest closing, where the camera is on its way already.
const LEAST_SHOWN_UNDER_WAY: f64 = 0.99;
const MOST_CLOSING_UNDER_WAY: f64 = 0.5;
/// Maximum share of cells that fold over or are enlarged more than this, of those that the other picture shows.
const MOST_TORN: f64 = 0.12;
const MOST_ENLARGED: f64 = 6.0;
/// Width of the border over which a picture fades out, as a share of its width, and the share of the way over which it grows.
const FEATHER: f64 = 0.1;
const FEATHER_GROWS: f64 = 0.15;
/// Share of the way at which the second picture begins to appear, and at which the first has gone.
const FADE: [f64; 2] = [0.2, 0.8];
/// Rows that are drawn together.
const BAND: usize = 24;

/// A way from one picture to another.
#[derive(Debug, Clone)]
pub struct Transit {
    views: [View; 2],
    size: [usize; 2],
    closing: f64,
    /// How far things move in the picture on the way, in the median, as a share of the width.
    pub displacement: f64,
    /// Greatest share of a frame that no picture shows, and that is continued from what stands beside it.
    pub continued: f64,
}

/// A picture with its depths.
#[derive(Debug, Clone)]
struct View {
    grid: Grid,
    /// One over the depth of each vertex.
    nearness: Vec<f64>,
    /// What geometry leaves over, at the other picture, pixels.
    rest: Vec<DVec2>,
    lens: Lens,
    other: Lens,
    /// The other camera relative to this one.
    pose: RelativePose,
}

/// A vertex as a camera on the way sees it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at: DVec2,
    nearness: f64,
    source: DVec2,
}

impl Transit {
    /// Plans a way between pictures of one size; `None` where it would show what neither picture holds, or where depths do not fit.
    #[must_use]
    pub fn plan(two: &TwoView, size: [usize; 2]) -> Option<Self> {
        Self::within(two, size, (MOST_CLOSING, LEAST_SHOWN))
    }

    /// The same between frames of which the photos have a way: they lie a little further apart, and slivers may be wider.
    #[must_use]
    pub fn under_way(two: &TwoView, size: [usize; 2]) -> Option<Self> {
        Self::within(two, size, (MOST_CLOSING_UNDER_WAY, LEAST_SHOWN_UNDER_WAY))
    }

    fn within(two: &TwoView, size: [usize; 2], (most_closing, least_shown): (f64, f64)) -> Option<Self> {
        let back: Vec<[DVec2; 2]> = two.matches.iter().map(|[a, b]| [*b, *a]).collect();
        let [first, second] = two.lenses;
        let views = [
            View::of(&two.matches, [first, second], two.pose, size),
            View::of(&back, [second, first], two.pose.inverse(), size),
        ];
        let mut moves: Vec<f64> = two.matches.iter().map(|[a, b]| (*b - *a).length() / size[0] as f64).collect();
        moves.sort_by(f64::total_cmp);
        let displacement = moves.get(moves.len() / 2).copied().unwrap_or(0.0);
        let mut way = Self { views, size, closing: 0.0, displacement, continued: 0.0 };
        if way.views.iter().any(|view| view.torn() > MOST_TORN) {
            return None;
        }
        let closings = (0..=CLOSING_STEPS).map(|step| most_closing * step as f64 / CLOSING_STEPS as f64);
        for closing in closings {
            way.closing = closing;
            let shown = CHECKED.iter().map(|moment| way.coverage(*moment).1).fold(1.0, f64::min);
            if shown >= least_shown {
                way.continued = 1.0 - shown;
                return (way.coverage(0.5).0 >= LEAST_SHARED).then_some(way);
            }
        }
        None
    }

    /// Shares of a frame that both pictures show, and that any shows.
    fn coverage(&self, moment: f64) -> (f64, f64) {
        let scale = CHECK_WIDTH as f64 / self.size[0] as f64;
        let size = [CHECK_WIDTH, (self.size[1] as f64 * scale).round() as usize];
        let mut counts = vec![0u8; size[0] * size[1]];
        for (number, view) in self.views.iter().enumerate() {
            let seen: Vec<Option<Seen>> = self.seen(number, moment);
            let seen: Vec<Option<Seen>> =
                seen.into_iter().map(|seen| seen.map(|seen| Seen { at: seen.at * scale, ..seen })).collect();
            view.triangles(&seen, size[0], 0..size[1], |at, _, _| counts[at] |= 1 << number);
        }
        let share = |is: &dyn Fn(u8) -> bool| counts.iter().filter(|c| is(**c)).count() as f64 / counts.len() as f64;
        (share(&|count| count == 3), share(&|count| count != 0))
    }

    fn seen(&self, number: usize, moment: f64) -> Vec<Option<Seen>> {
        let gone = if number == 0 { moment } else { 1.0 - moment };
        let zoom = 1.0 + self.closing * 4.0 * moment * (1.0 - moment);
        self.views[number].seen(gone, zoom)
    }

    /// The frame at a moment, 0 at the first picture and 1 at the second. Pictures and frame are NV12.
    #[must_use]
    pub fn frame(&self, moment: f64, pictures: [&[u8]; 2]) -> Vec<u8> {
        let [width, height] = self.size;
        let seen = [self.seen(0, moment), self.seen(1, moment)];
        let second = smooth((moment - FADE[0]) / (FADE[1] - FADE[0]));
        let border = |number: usize| {
            let gone = if number == 0 { moment } else { 1.0 - moment };
            1.0 + FEATHER * width as f64 * (gone / FEATHER_GROWS).min(1.0)
        };
        let borders = [border(0), border(1)];
        let mut nv12 = vec![0u8; width * height * 3 / 2];
        let (luma, chroma) = nv12.split_at_mut(width * height);
        let bands = luma.par_chunks_mut(BAND * width).zip(chroma.par_chunks_mut(BAND / 2 * width)).enumerate();
        bands.for_each(|(number, (luma, chroma))| {
            let top = number * BAND;
            let rows = luma.len() / width;
            let drawn: [Drawn; 2] = std::array::from_fn(|number| {
                let mut drawn = Drawn::new(luma.len());
                self.views[number].triangles(&seen[number], width, top..top + rows, |at, source, nearness| {
                    drawn.put(at, source, nearness);
                });
                drawn
            });
            let mut last = [None, None];
            for (at, value) in luma.iter_mut().enumerate() {
                let mut sources = [drawn[0].source[at], drawn[1].source[at]];
                if sources == [None, None] {
                    sources = if at % width == 0 { first_in_row(&drawn, at, width) } else { last };
                }
                last = sources;
                let inside = [0, 1].map(|i| sources[i].map_or(0.0, |source| self.inside(source, borders[i])));
                let shares = [(1.0 - second + 1.0 - inside[1]) * inside[0], (second + 1.0 - inside[0]) * inside[1]];
                let sum = shares[0] + shares[1];
                let share = if sum > 0.0 { shares[1] / sum } else { f64::from(u8::from(sources[0].is_none())) };
                *value =
                    mixed(sources, share, |i, source| sample(&pictures[i][..width * height], [width, height], source));
                let (x, y) = (at % width, at / width);
                if x % 2 == 0 && y % 2 == 0 {
                    for channel in 0..2 {
                        chroma[y / 2 * width + x + channel] = mixed(sources, share, |i, source| {
                            sample_chroma(&pictures[i][width * height..], [width, height], channel, source)
                        });
                    }
                }
            }
        });
        nv12
    }

    /// How far inside its picture a place is, 0 at the edge to 1.
    fn inside(&self, source: DVec2, border: f64) -> f64 {
        let size = DVec2::new(self.size[0] as f64, self.size[1] as f64);
        let edge = source.min_element().min((size - source).min_element());
        (edge / border).clamp(1e-3, 1.0)
    }
}

/// What is shown first in the row that begins at a pixel.
fn first_in_row(drawn: &[Drawn; 2], row: usize, width: usize) -> [Option<DVec2>; 2] {
    let mut all = (row..row + width).map(|at| [drawn[0].source[at], drawn[1].source[at]]);
    all.find(|sources| *sources != [None, None]).unwrap_or_default()
}

/// What a picture shows in a band of a frame.
struct Drawn {
    source: Vec<Option<DVec2>>,
    nearness: Vec<f64>,
}

impl Drawn {
    fn new(count: usize) -> Self {
        Self { source: vec![None; count], nearness: vec![f64::NEG_INFINITY; count] }
    }

    fn put(&mut self, at: usize, source: DVec2, nearness: f64) {
        if nearness > self.nearness[at] {
            self.source[at] = Some(source);
            self.nearness[at] = nearness;
        }
    }
}

impl View {
    fn of(matches: &[[DVec2; 2]], [lens, other]: [Lens; 2], pose: RelativePose, size: [usize; 2]) -> Self {
        let grid = Grid::over(DVec2::new(size[0] as f64, size[1] as f64));
        let depths: Vec<(DVec2, f64)> =
            matches.iter().map(|[a, b]| (*a, pose.nearness([lens.ray(*a), other.ray(*b)]).max(0.0))).collect();
        let nearness: Vec<f64> = grid.fitted(&depths).into_iter().map(|nearness| nearness.max(0.0)).collect();
        let mut view = Self { grid, nearness, rest: vec![DVec2::ZERO; grid.count()], lens, other, pose };
        let rest = |axis: usize| {
            let values: Vec<(DVec2, f64)> = matches
                .iter()
                .filter_map(|[a, b]| {
                    let nearness = grid.at(&view.nearness, *a);
                    Some((*a, (*b - view.projected(*a, nearness, 1.0)?.0)[axis]))
                })
                .collect();
            grid.fitted(&values)
        };
        let (across, down) = (rest(0), rest(1));
        view.rest = across.into_iter().zip(down).map(|(x, y)| DVec2::new(x, y)).collect();
        view
    }

    /// Where a pixel with a depth is seen at a share of the way, and its nearness there.
    fn projected(&self, pixel: DVec2, nearness: f64, gone: f64) -> Option<(DVec2, f64)> {
        let turn = DQuat::IDENTITY.slerp(DQuat::from_mat3(&self.pose.rotation), gone);
        let center: DVec3 = -(self.pose.rotation.transpose() * self.pose.shift);
        let ray = self.lens.ray(pixel);
        let sight = DMat3::from_quat(turn) * (ray - center * (nearness * gone));
        let lens = Lens {
            focal: self.lens.focal + (self.other.focal - self.lens.focal) * gone,
            center: self.lens.center.lerp(self.other.center, gone),
        };
        // Closer than a tenth of what it was, it fills the picture.
        (sight.z > 0.1).then(|| Some((lens.pixel(sight)?, nearness / sight.z))).flatten()
    }

    fn seen(&self, gone: f64, zoom: f64) -> Vec<Option<Seen>> {
        let center = self.lens.center.lerp(self.other.center, gone);
        let vertex = |number: usize| {
            let source = self.grid.vertex(number);
            let (at, nearness) = self.projected(source, self.nearness[number], gone)?;
            let at = at + self.rest[number] * gone;
            Some(Seen { at: center + (at - center) * zoom, nearness, source })
        };
        (0..self.grid.count()).map(vertex).collect()
    }

    /// Share of the cells that fold over or are enlarged too much at the other picture, of those that it shows.
    fn torn(&self) -> f64 {
        let seen = self.seen(1.0, 1.0);
        let across = self.grid.cells[0] + 1;
        let own = self.grid.size.x / self.grid.cells[0] as f64 * self.grid.size.y / self.grid.cells[1] as f64;
        let is_torn = |i: usize| {
            let corner = i / self.grid.cells[0] * across + i % self.grid.cells[0];
            let [a, b, c] = [seen[corner]?, seen[corner + 1]?, seen[corner + across]?];
            let is_shown = a.at.cmpge(DVec2::ZERO).all() && a.at.cmple(self.grid.size).all();
            let area = (b.at - a.at).perp_dot(c.at - a.at) / own;
            is_shown.then_some(!(0.0..=MOST_ENLARGED).contains(&area))
        };
        let cells: Vec<bool> = (0..self.grid.cells[0] * self.grid.cells[1]).filter_map(is_torn).collect();
        cells.iter().filter(|torn| **torn).count() as f64 / cells.len().max(1) as f64
    }

    /// Calls `put` for each pixel of some rows of a frame: its number from the first row on, where it lies in the picture, and its
    /// nearness.
    fn triangles(
        &self,
        seen: &[Option<Seen>],
        width: usize,
        rows: std::ops::Range<usize>,
        mut put: impl FnMut(usize, DVec2, f64),
    ) {
        let across = self.grid.cells[0] + 1;
        for row in 0..self.grid.cells[1] {
            for column in 0..self.grid.cells[0] {
                let corner = row * across + column;
                let [a, b, c, d] = [corner, corner + 1, corner + across, corner + across + 1].map(|i| seen[i]);
                for triangle in [[a, b, c], [b, d, c]] {
                    if let [Some(a), Some(b), Some(c)] = triangle {
                        fill([a, b, c], width, rows.clone(), &mut put);
                    }
                }
            }
        }
    }
}

/// The pixels of a triangle.
fn fill([a, b, c]: [Seen; 3], width: usize, rows: std::ops::Range<usize>, put: &mut impl FnMut(usize, DVec2, f64)) {
    let area = (b.at - a.at).perp_dot(c.at - a.at);
    // Turned away.
    if area <= 1e-9 {
        return;
    }
    let (low, high) = (a.at.min(b.at).min(c.at), a.at.max(b.at).max(c.at));
    let first = |edge: f64, least: usize| ((edge - 0.5).ceil().max(least as f64)) as usize;
    let last = |edge: f64, most: usize| (((edge - 0.5).floor() + 1.0).clamp(0.0, most as f64)) as usize;
    for y in first(low.y, rows.start)..last(high.y, rows.end) {
        for x in first(low.x, 0)..last(high.x, width) {
            let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let second = (at - a.at).perp_dot(c.at - a.at) / area;
            let third = (b.at - a.at).perp_dot(at - a.at) / area;
            let one = 1.0 - second - third;
            if second < -1e-9 || third < -1e-9 || one < -1e-9 {
                continue;
            }
            let source = a.source * one + b.source * second + c.source * third;
            let nearness = a.nearness * one + b.nearness * second + c.nearness * third;
            put((y - rows.start) * width + x, source, nearness);
        }
    }
}

fn mixed(sources: [Option<DVec2>; 2], share: f64, value: impl Fn(usize, DVec2) -> f64) -> u8 {
    let value = |i: usize| sources[i].map_or(0.0, |source| value(i, source));
    let mixed = match share {
        share if share <= 0.0 => value(0),
        share if share >= 1.0 => value(1),
        share => value(0) * (1.0 - share) + value(1) * share,
    };
    mixed.round().clamp(0.0, 255.0) as u8
}

/// The value at a place, between pixels.
fn sample(plane: &[u8], [width, height]: [usize; 2], at: DVec2) -> f64 {
    let at = (at - 0.5).clamp(DVec2::ZERO, DVec2::new(width as f64 - 1.0, height as f64 - 1.0));
    let (x, y) = (at.x as usize, at.y as usize);
    let (right, below) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
    let (u, v) = (at.x - x as f64, at.y - y as f64);
    let value = |x: usize, y: usize| f64::from(plane[y * width + x]);
    (value(x, y) * (1.0 - u) + value(right, y) * u) * (1.0 - v)
        + (value(x, below) * (1.0 - u) + value(right, below) * u) * v
}

fn sample_chroma(plane: &[u8], [width, height]: [usize; 2], channel: usize, at: DVec2) -> f64 {
    let most = DVec2::new(width as f64 / 2.0 - 1.0, height as f64 / 2.0 - 1.0);
    let at = (at / 2.0 - 0.5).clamp(DVec2::ZERO, most);
    let (x, y) = (at.x as usize, at.y as usize);
    let (right, below) = ((x + 1).min(width / 2 - 1), (y + 1).min(height / 2 - 1));
    let (u, v) = (at.x - x as f64, at.y - y as f64);
    let value = |x: usize, y: usize| f64::from(plane[y * width + 2 * x + channel]);
    (value(x, y) * (1.0 - u) + value(right, y) * u) * (1.0 - v)
        + (value(x, below) * (1.0 - u) + value(right, below) * u) * v
}

fn smooth(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
