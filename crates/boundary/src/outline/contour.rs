//! Contours of regions as closed lines.

use aerie_math::geometry::{distance, edges};

use crate::mask::Mask;

/// Distance between neighboring points on the contour, in pixels.
pub(crate) const SPACING: f64 = 1.5;
/// Neighbors farther apart than this many times the spacing have a gap between them.
const APART: f64 = 4.0;

/// Traces the outer contour of a connected region along pixel edges, clockwise on screen.
pub(super) fn trace(mask: &Mask) -> Option<Vec<[f64; 2]>> {
    let (width, height) = (mask.width as isize, mask.height as isize);
    let is_set = |x: isize, y: isize| x >= 0 && y >= 0 && x < width && y < height && mask.set[(y * width + x) as usize];
    let first = mask.set.iter().position(|s| *s)? as isize;
    let start = (first % width, first / width);
    // Start at the corner of the topmost pixel, heading right along its top edge.
    let (mut at, mut heading) = (start, (1, 0));
    let mut line = Vec::new();
    loop {
        line.push([at.0 as f64, at.1 as f64]);
        at = (at.0 + heading.0, at.1 + heading.1);
        // The two pixels ahead, left and right of the heading.
        let (left, right) = match heading {
            (1, 0) => ((at.0, at.1 - 1), (at.0, at.1)),
            (0, 1) => ((at.0, at.1), (at.0 - 1, at.1)),
            (-1, 0) => ((at.0 - 1, at.1), (at.0 - 1, at.1 - 1)),
            _ => ((at.0 - 1, at.1 - 1), (at.0, at.1 - 1)),
        };
        let (left, right) = (is_set(left.0, left.1), is_set(right.0, right.1));
        heading = match (left, right) {
            (true, _) => (heading.1, -heading.0),
            (false, true) => heading,
            (false, false) => (-heading.1, heading.0),
        };
        if at == start && heading == (1, 0) {
            return Some(line);
        }
    }
}

/// Resamples a closed line at equal distances.
pub(super) fn resampled(line: &[[f64; 2]], spacing: f64) -> Vec<[f64; 2]> {
    resampled_with_gaps(line, spacing).0
}

/// Resamples a closed line at equal distances. Also returns which of the points lie between neighbors that are close to each
/// other, not in a gap.
pub(super) fn resampled_with_gaps(line: &[[f64; 2]], spacing: f64) -> (Vec<[f64; 2]>, Vec<bool>) {
    let length: f64 = edges(line).map(|(a, b)| distance(a, b)).sum();
    let count = (length / spacing).round().max(3.0);
    let step = length / count;
    let mut out = Vec::with_capacity(count as usize);
    let mut close = Vec::with_capacity(count as usize);
    let mut ahead = 0.0;
    for (a, b) in edges(line) {
        let edge = distance(a, b);
        while ahead < edge && out.len() < count as usize {
            let t = ahead / edge;
            out.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
            close.push(edge < APART * spacing || ahead < step);
            ahead += step;
        }
        ahead -= edge;
    }
    (out, close)
}

/// Smooths a closed line by a moving average over `reach` points to each side.
pub(super) fn smoothed(line: &[[f64; 2]], reach: usize) -> Vec<[f64; 2]> {
    let n = line.len();
    let window = (2 * reach + 1) as f64;
    (0..n)
        .map(|i| {
            let sum = (0..=2 * reach).map(|d| line[(i + n + d - reach.min(n)) % n]);
            let [x, y] = sum.fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
            [x / window, y / window]
        })
        .collect()
}

/// Outward unit normals of a clockwise line, from the chord between the points `reach` to each side.
pub(super) fn normals(line: &[[f64; 2]], reach: usize) -> Vec<[f64; 2]> {
    let n = line.len();
    let reach = reach.min(n / 4).max(1);
    (0..n)
        .map(|i| {
            let (a, b) = (line[(i + n - reach) % n], line[(i + reach) % n]);
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = dx.hypot(dy).max(1e-9);
            [dy / length, -dx / length]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contour_runs_clockwise_around_its_region_with_outward_normals() {
        let set = ["......", ".##...", ".####.", ".##...", "......"];
        let mask = Mask::new(6, 5, set.iter().flat_map(|r| r.bytes().map(|b| b == b'#')).collect());
        let line = trace(&mask).expect("a region");
        let twice: f64 = edges(&line).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
        assert!((twice - 16.0).abs() < 1e-9, "clockwise around 8 pixels, found {twice}");
        let square = resampled(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]], 1.0);
        assert_eq!(square.len(), 40);
        let normal = normals(&square, 2)[5];
        assert!((normal[0]).abs() < 1e-9 && (normal[1] + 1.0).abs() < 1e-9, "{normal:?}");
    }
}
