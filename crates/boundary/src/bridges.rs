//! Lines that connect the open ends of strokes.

use std::collections::VecDeque;

use aerie_math::geometry::{Point, distance};

use crate::mask::Mask;

/// Maximum number of bridges.
const MOST: usize = 12;
/// Minimum size of a stroke relative to the largest; smaller ones are marks.
const SMALLEST: f64 = 0.12;
/// Maximum length of a bridge relative to the picture's longer side.
const LONGEST: f64 = 0.5;

/// A connected stroke: the two pixels farthest from each other along it, and their distance along it in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) ends: [Point; 2],
    pub(crate) length: f64,
}

impl Stroke {
    /// The ends of a connected part of a mask. `None` for an empty one.
    pub(crate) fn of(mask: &Mask, component: &[usize]) -> Option<Self> {
        let (first, _) = farthest(mask, *component.first()?);
        let (second, length) = farthest(mask, first);
        let at = |i: usize| [(i % mask.width) as f64 + 0.5, (i / mask.width) as f64 + 0.5];
        Some(Self { ends: [at(first), at(second)], length })
    }
}

/// Connects the ends of strokes, nearest first. Every end is connected once.
pub(crate) fn between(mask: &Mask) -> Vec<[Point; 2]> {
    let strokes: Vec<Stroke> = mask.components().iter().filter_map(|component| Stroke::of(mask, component)).collect();
    let longest = strokes.iter().map(|s| s.length).fold(0.0, f64::max);
    let strokes: Vec<Stroke> = strokes.into_iter().filter(|s| s.length >= SMALLEST * longest).collect();
    let ends: Vec<Point> = strokes.iter().flat_map(|s| s.ends).collect();
    let most = LONGEST * mask.width.max(mask.height) as f64;
    let mut pairs = Vec::new();
    for i in 0..ends.len() {
        for j in i + 1..ends.len() {
            let apart = distance(ends[i], ends[j]);
            // The ends of one stroke are apart by less than half of it where it surrounds something.
            let surrounds = i / 2 != j / 2 || apart < 0.5 * strokes[i / 2].length;
            if apart <= most && surrounds {
                pairs.push((apart, i, j));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = vec![true; ends.len()];
    let mut bridges = Vec::new();
    for (_, i, j) in pairs {
        if free[i] && free[j] && bridges.len() < MOST {
            (free[i], free[j]) = (false, false);
            bridges.push([ends[i], ends[j]]);
        }
    }
    bridges
}

/// The pixel farthest from a start through a connected part, and its distance.
fn farthest(mask: &Mask, start: usize) -> (usize, f64) {
    let (width, height) = (mask.width, mask.height);
    // Distances in units of a fifth of a pixel: 5 to a neighbor, 7 along a diagonal.
    let mut near: Vec<u32> = vec![u32::MAX; mask.set.len()];
    let mut queue = VecDeque::from([start]);
    near[start] = 0;
    while let Some(i) = queue.pop_front() {
        let (x, y) = (i % width, i / width);
        for v in y.saturating_sub(1)..(y + 2).min(height) {
            for u in x.saturating_sub(1)..(x + 2).min(width) {
                let j = v * width + u;
                let step = if u == x || v == y { 5 } else { 7 };
                if mask.set[j] && near[i] + step < near[j] {
                    near[j] = near[i] + step;
                    queue.push_back(j);
                }
            }
        }
    }
    let end = near.iter().enumerate().filter(|(_, d)| **d != u32::MAX).max_by_key(|(_, d)| **d);
    end.map_or((start, 0.0), |(i, d)| (i, f64::from(*d) / 5.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_connected_at_their_nearest_ends() {
        // Three sides of a square, with a gap between the first and the second.
        let mut mask = Mask::new(100, 100, vec![false; 100 * 100]);
        for line in [[[10.5, 10.5], [49.5, 10.5]], [[10.5, 15.5], [10.5, 50.5]], [[10.5, 50.5], [49.5, 50.5]]] {
            mask = mask.with_segment(line, 0.5);
        }
        let found = between(&mask);
        let near = |p: Point, q: Point| distance(p, q) < 2.0;
        assert_eq!(found.len(), 2);
        assert!(near(found[0][0], [10.5, 10.5]) && near(found[0][1], [10.5, 15.5]), "{found:?}");
        assert!(near(found[1][0], [49.5, 10.5]) && near(found[1][1], [49.5, 50.5]), "{found:?}");
    }
}
