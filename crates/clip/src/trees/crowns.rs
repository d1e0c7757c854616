//! Detects crowns of trees by color and texture, and where they stand.

use aerie_photo::box_mean;
use aerie_photo::lines::Segment;
use aerie_photo::sky::Matte;
use glam::DVec2;

use super::site::Place;

/// Share of leaves among the pixels round one from which it is part of a crown.
const DENSE: f32 = 0.4;
/// Minimum share of the picture that a crown covers, and maximum share of its width.
const LEAST_AREA: f64 = 0.0015;
const MOST_WIDTH: f64 = 0.4;
/// Least texture of leaves on the ground, where lawns are green too: standard deviation of L*. Half of it on walls.
const RAGGED: f32 = 6.0;
/// Largest share of the house that may be as green as leaves without their texture.
const MOST_PAINTED: f64 = 0.12;

/// Least share of the bounds of a compact crown that it fills.
const SOLID: f64 = 0.55;
/// Minimum difference between the color of a trunk and its surroundings, in CIELAB.
const UNLIKE: f32 = 7.0;

/// A crown or shrub, in available pixels.
pub(super) struct Crown {
    pub(super) pixels: Vec<usize>,
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
    /// How many of its pixels lie under the house's foot.
    pub(super) low: usize,
}

/// Where a crown stands.
pub(super) struct Foot {
    /// In available pixels.
    pub(super) at: DVec2,
    /// Distance of its center behind that, in half widths.
    pub(super) beyond: f64,
    /// Pixels of its trunk.
    pub(super) trunk: Vec<usize>,
}

impl Place<'_> {
    /// Pixels of leaves; `None` if the house itself is green.
    pub(super) fn leaves(&self, sky: &Matte) -> Option<Vec<bool>> {
        let (width, height) = (self.width, self.height);
        let side = width.max(height);
        let values = &self.tones;
        let light: Vec<f32> = values.iter().map(|v| v[0]).collect();
        let squares: Vec<f32> = light.iter().map(|v| v * v).collect();
        let radius = (side / 320).max(1);
        let (mean, square) = (box_mean(&light, width, height, radius), box_mean(&squares, width, height, radius));
        let ragged = |i: usize| (square[i] - mean[i] * mean[i]).max(0.0).sqrt();
        let green: Vec<f32> = (0..values.len())
            .map(|i| {
                let [l, a, b] = values[i];
                let is_green = a < -3.0 && b > 4.0 && a < -0.18 * b && (3.0..88.0).contains(&l);
                f32::from(u8::from(is_green))
            })
            .collect();
        let dense = box_mean(&green, width, height, (side / 240).max(2));
        let rough: Vec<f32> = (0..values.len()).map(ragged).collect();
        let rough = box_mean(&rough, width, height, (side / 120).max(2));
        let is_rough = |i: usize| rough[i] > if self.ground[i] { RAGGED } else { RAGGED / 2.0 };
        let house: Vec<usize> = (0..values.len()).filter(|i| !self.ground[*i] && self.sky(*i, sky) < 0.5).collect();
        let painted = house.iter().filter(|i| dense[**i] > DENSE && !is_rough(**i)).count();
        let is_distinct = (painted as f64) < MOST_PAINTED * house.len() as f64;
        is_distinct.then(|| (0..values.len()).map(|i| dense[i] > DENSE && is_rough(i)).collect())
    }

    /// Closes gaps between leaves, so that the background seen through them moves with the tree.
    pub(super) fn close(&self, inside: &mut [f32]) {
        let (width, height) = (self.width, self.height);
        let radius = width.max(height) / 100;
        let spread = box_mean(inside, width, height, radius);
        let mut grown: Vec<f32> = spread.iter().map(|v| f32::from(u8::from(*v > 1e-4))).collect();
        // What cannot be reached from outside is inside.
        let mut is_outside = vec![false; grown.len()];
        let mut open: Vec<usize> = (0..grown.len())
            .filter(|i| {
                let (x, y) = (i % width, i / width);
                (x == 0 || y == 0 || x + 1 == width || y + 1 == height) && grown[*i] == 0.0
            })
            .collect();
        open.iter().for_each(|i| is_outside[*i] = true);
        while let Some(i) = open.pop() {
            for j in self.beside(i) {
                if !is_outside[j] && grown[j] == 0.0 {
                    is_outside[j] = true;
                    open.push(j);
                }
            }
        }
        grown.iter_mut().zip(&is_outside).for_each(|(v, outside)| *v = f32::from(u8::from(!outside)));
        let shrunk = box_mean(&grown, width, height, radius);
        inside.iter_mut().zip(&shrunk).for_each(|(v, s)| *v = v.max(f32::from(u8::from(*s > 1.0 - 1e-4))));
    }

    /// Connected components of the leaves, the largest first.
    pub(super) fn crowns(&self, leaves: &[bool]) -> Vec<Crown> {
        let width = self.width;
        let mut is_open = leaves.to_vec();
        let mut crowns = Vec::new();
        for start in 0..leaves.len() {
            if !is_open[start] {
                continue;
            }
            is_open[start] = false;
            let mut crown = Crown { pixels: vec![start], left: width, right: 0, bottom: 0, low: 0 };
            let mut next = 0;
            while next < crown.pixels.len() {
                let i = crown.pixels[next];
                next += 1;
                let (x, y) = (i % width, i / width);
                (crown.left, crown.right) = (crown.left.min(x), crown.right.max(x));
                crown.bottom = crown.bottom.max(y);
                crown.low += usize::from(self.ground[i]);
                for j in self.beside(i) {
                    if is_open[j] {
                        is_open[j] = false;
                        crown.pixels.push(j);
                    }
                }
            }
            let high = crown.pixels.len() - crown.low;
            let is_large = high as f64 >= LEAST_AREA * leaves.len() as f64;
            if is_large && (crown.right - crown.left) as f64 <= MOST_WIDTH * width as f64 {
                crowns.push(crown);
            }
        }
        crowns.sort_by_key(|crown| std::cmp::Reverse(crown.pixels.len()));
        crowns
    }

    /// A line that may be the edge of a trunk, from its upper to its lower end, in available pixels.
    pub(super) fn upright(&self, segment: &Segment) -> Option<[DVec2; 2]> {
        let corner = DVec2::new(self.frame.shown[0], self.frame.shown[1]);
        let offset = DVec2::from_array(self.frame.offset);
        let of = |end: [f64; 2]| DVec2::from_array(end) * self.frame.scale - offset - corner;
        let [a, b] = [of(segment.a), of(segment.b)];
        let [high, low] = if a.y < b.y { [a, b] } else { [b, a] };
        ((high.x - low.x).abs() < 0.25 * (low.y - high.y)).then_some([high, low])
    }

    fn is_on_ground(&self, at: DVec2) -> bool {
        let is_in = at.x >= 0.0 && at.y >= 0.0 && at.x < self.width as f64 && at.y < self.height as f64;
        is_in && self.ground[at.y as usize * self.width + at.x as usize]
    }

    /// Whether a crown fills its bounds and lies within the picture: a shrub, not a part of a hedge or of woods.
    pub(super) fn is_compact(&self, crown: &Crown) -> bool {
        let top = crown.pixels.iter().map(|i| i / self.width).min().unwrap_or(0);
        let area = (crown.right + 1 - crown.left) * (crown.bottom + 1 - top);
        let is_within = crown.left > 1 && crown.right + 2 < self.width && crown.bottom + 2 < self.height;
        is_within && crown.pixels.len() as f64 > SOLID * area as f64
    }

    /// The foot of a crown: leaves that reach the ground, or a trunk.
    pub(super) fn foot(&self, crown: &Crown, lines: &[[DVec2; 2]]) -> Option<Foot> {
        let across = (crown.right - crown.left) as f64;
        if crown.bottom + 2 >= self.height {
            return None;
        }
        // Leaves down to the ground: a shrub. Where they go on as wide as all of it, it may be a bed or a hedge.
        let low: Vec<usize> = crown.pixels.iter().copied().filter(|i| self.ground[*i]).collect();
        if crown.low as f64 > 0.04 * crown.pixels.len() as f64 {
            if crown.low * 2 > crown.pixels.len() {
                return None;
            }
            let mut rows = vec![0_usize; self.height];
            low.iter().for_each(|i| rows[i / self.width] += 1);
            let foot = (0..self.height).rev().find(|y| rows[*y] as f64 > 0.12 * across)?;
            let (sum, count) = low
                .iter()
                .filter(|i| *i / self.width + 3 > foot)
                .fold((0.0, 0.0), |(s, n), i| (s + (i % self.width) as f64, n + 1.0));
            let at = DVec2::new(sum / f64::max(count, 1.0) + 0.5, foot as f64 + 1.0);
            return Some(Foot { at, beyond: 0.7, trunk: Vec::new() });
        }
        self.trunk(crown, lines).map(|(at, trunk)| Foot { at, beyond: 0.0, trunk })
    }

    /// A trunk: two edges that end on the ground and lead up into a crown.
    fn trunk(&self, crown: &Crown, lines: &[[DVec2; 2]]) -> Option<(DVec2, Vec<usize>)> {
        let across = (crown.right - crown.left) as f64;
        let (left, right) = (crown.left as f64 + 0.25 * across, crown.right as f64 - 0.25 * across);
        let bottom = crown.bottom as f64;
        let is_edge = |line: &&[DVec2; 2]| {
            let at = at_row(line, bottom);
            line[1].y > bottom + 0.02 * self.height as f64 && at > left && at < right && self.is_on_ground(line[1])
        };
        // Share of the edge along which lines run; they are interrupted where the house behind has lines of its own.
        let seen = |edge: &[DVec2; 2], end: f64| {
            let on_it = lines.iter().filter(|line| {
                let middle = (line[0] + line[1]) / 2.0;
                (at_row(edge, middle.y) - middle.x).abs() < 3.0
            });
            on_it.map(|line| (line[1].y.min(end) - line[0].y.max(bottom)).max(0.0)).sum::<f64>() / (end - bottom)
        };
        let edges: Vec<&[DVec2; 2]> = lines.iter().filter(is_edge).filter(|edge| seen(edge, edge[1].y) > 0.2).collect();
        let mut best: Option<(f64, [&[DVec2; 2]; 2])> = None;
        for (n, a) in edges.iter().enumerate() {
            for b in &edges[n + 1..] {
                let end = (a[1].y + b[1].y) / 2.0;
                let apart = [bottom, end].map(|y| (at_row(a, y) - at_row(b, y)).abs());
                let [thin, thick] = [apart[0].min(apart[1]), apart[0].max(apart[1])];
                let is_trunk = (a[1].y - b[1].y).abs() < 0.2 * (end - bottom)
                    && thin > 1.5
                    && thick < 2.5 * thin
                    && thick < 0.25 * across
                    && seen(a, end) + seen(b, end) > 0.6
                    && self.differs(a, b, [(bottom + end) / 2.0, end]);
                if is_trunk && best.is_none_or(|(most, _)| end > most) {
                    best = Some((end, [a, b]));
                }
            }
        }
        let (end, [a, b]) = best?;
        let mut pixels = Vec::new();
        for y in crown.bottom..=(end as usize).min(self.height - 1) {
            let (u, v) = (at_row(a, y as f64), at_row(b, y as f64));
            let (low, high) = (u.min(v).max(0.0) as usize, (u.max(v).max(0.0) as usize).min(self.width - 1));
            pixels.extend((low..=high).map(|x| y * self.width + x));
        }
        Some((DVec2::new((at_row(a, end) + at_row(b, end)) / 2.0, end), pixels))
    }

    /// Whether the color between two lines differs from both sides; joints of paving have edges too.
    fn differs(&self, a: &[DVec2; 2], b: &[DVec2; 2], [from, until]: [f64; 2]) -> bool {
        let rows = (from.max(0.0) as usize)..(until as usize).min(self.height);
        let tone = |x: f64, y: usize| self.tones[y * self.width + x.clamp(0.0, self.width as f64 - 1.0) as usize];
        let apart = |a: [f32; 3], b: [f32; 3]| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt();
        let count = rows.len();
        let different = rows.filter(|y| {
            let [u, v] = [a, b].map(|line| at_row(line, *y as f64));
            let (left, right) = (u.min(v), u.max(v));
            let beside = 0.6 * (right - left) + 1.5;
            let inside = tone((left + right) / 2.0, *y);
            apart(inside, tone(left - beside, *y)) > UNLIKE && apart(inside, tone(right + beside, *y)) > UNLIKE
        });
        different.count() as f64 > 0.6 * count as f64
    }

    fn beside(&self, i: usize) -> impl Iterator<Item = usize> {
        let (x, y, width) = (i % self.width, i / self.width, self.width);
        let left = (x > 0).then(|| i - 1);
        let right = (x + 1 < width).then_some(i + 1);
        let up = (y > 0).then(|| i - width);
        let down = (y + 1 < self.height).then_some(i + width);
        [left, right, up, down].into_iter().flatten()
    }
}

/// Where a line crosses a row.
fn at_row([high, low]: &[DVec2; 2], y: f64) -> f64 {
    high.x + (low.x - high.x) * (y - high.y) / (low.y - high.y).max(1e-6)
}
