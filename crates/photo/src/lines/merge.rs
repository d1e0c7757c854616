//! Merging of collinear segments, and filtering by length.

use super::Segment;

/// Segments of at least `length` pixels, in the same order.
#[must_use]
pub fn longer(segments: &[Segment], length: f64) -> Vec<Segment> {
    segments.iter().copied().filter(|s| s.length() >= length).collect()
}

/// Merges collinear segments with a gap of at most `gap` pixels or a quarter of the longer one; longest first. Segments of
/// opposite polarity are never merged: they are the two edges of a thin object.
///
/// `off` is the greatest distance of an endpoint from the other segment's line, pixels.
#[must_use]
pub fn merged(segments: &[Segment], off: f64, gap: f64) -> Vec<Segment> {
    let mut pieces = segments.to_vec();
    pieces.sort_by(|s, t| t.length().total_cmp(&s.length()));
    let mut whole: Vec<Segment> = Vec::with_capacity(pieces.len());
    // Longest first; each absorbs its continuations until none is left.
    let mut taken = vec![false; pieces.len()];
    for i in 0..pieces.len() {
        if taken[i] {
            continue;
        }
        let mut current = pieces[i];
        loop {
            let mut grew = false;
            for (j, piece) in pieces.iter().enumerate().skip(i + 1) {
                if !taken[j]
                    && let Some(joined) = join(&current, piece, off, gap)
                {
                    current = joined;
                    taken[j] = true;
                    grew = true;
                }
            }
            if !grew {
                break;
            }
        }
        whole.push(current);
    }
    whole.sort_by(|s, t| t.length().total_cmp(&s.length()));
    whole
}

/// Both as one segment, if they are parts of one edge.
fn join(long: &Segment, short: &Segment, off: f64, gap: f64) -> Option<Segment> {
    let [dx, dy] = long.direction();
    let [ex, ey] = short.direction();
    // Directions of short segments are inaccurate, so the test is loose: the endpoints decide.
    if dx * ex + dy * ey < 0.985 {
        return None;
    }
    let along = |p: [f64; 2]| (p[0] - long.a[0]) * dx + (p[1] - long.a[1]) * dy;
    let across = |p: [f64; 2]| (p[1] - long.a[1]) * dx - (p[0] - long.a[0]) * dy;
    let (side_a, side_b) = (across(short.a), across(short.b));
    if side_a.abs() > off || side_b.abs() > off {
        return None;
    }
    let (from, to) = (along(short.a), along(short.b));
    let length = long.length();
    let apart = from.max(0.0) - to.min(length);
    if apart > gap.min(length / 4.0) {
        return None;
    }
    // A line through both, weighted by length.
    let share = short.length() / (short.length() + length);
    let slope = (side_b - side_a) / (to - from).max(1.0) * share;
    let base = (side_a + side_b) / 2.0 * share;
    let middle = (from + to) / 2.0 * share + length / 2.0 * (1.0 - share);
    let at = |t: f64| {
        let s = base + slope * (t - middle);
        [long.a[0] + dx * t - dy * s, long.a[1] + dy * t + dx * s]
    };
    Some(Segment::new(at(from.min(0.0)), at(to.max(length))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_edge_are_merged_and_others_stay() {
        let pieces = [
            Segment::new([0.0, 0.0], [100.0, 0.0]),
            Segment::new([108.0, 0.5], [160.0, 0.6]),
            Segment::new([170.0, 0.4], [200.0, 0.9]),
            Segment::new([0.0, 8.0], [90.0, 8.0]),
            Segment::new([210.0, 0.5], [290.0, 30.0]),
        ];
        let joined = merged(&pieces, 1.5, 15.0);
        assert_eq!(joined.len(), 3, "{joined:?}");
        assert!((joined[0].length() - 200.0).abs() < 1.0, "{:?}", joined[0]);
    }

    #[test]
    fn the_two_edges_of_a_thin_object_stay_apart() {
        let edges = [Segment::new([0.0, 0.0], [100.0, 0.0]), Segment::new([100.0, 1.0], [0.0, 1.0])];
        assert_eq!(merged(&edges, 2.0, 10.0).len(), 2);
    }

    #[test]
    fn a_wide_gap_is_not_bridged() {
        let pieces = [Segment::new([0.0, 0.0], [100.0, 0.0]), Segment::new([150.0, 0.0], [220.0, 0.0])];
        assert_eq!(merged(&pieces, 2.0, 20.0).len(), 2);
    }
}
