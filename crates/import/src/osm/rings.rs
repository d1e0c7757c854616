//! Assembles the member ways of a multipolygon into closed rings, and rings into polygons.

/// A position in 1e-7 degrees: longitude, latitude.
pub(crate) type Spot = (i32, i32);

/// What is wrong with a multipolygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Ways that do not form a closed ring.
    Open,
    /// A ring of fewer than three points or without area.
    Degenerate,
    /// A hole outside every outer ring.
    LooseHole,
}

/// Joins ways end to end into rings (without the repeated last point). Leftover ways yield [`Broken::Open`].
pub(crate) fn join(ways: Vec<Vec<Spot>>) -> (Vec<Vec<Spot>>, Option<Broken>) {
    use std::collections::{BTreeMap, VecDeque};
    let mut rings = Vec::new();
    let mut broken = None;
    // Ends of unused ways, in a sorted map so that the same file yields the same rings.
    let mut ends: BTreeMap<Spot, VecDeque<usize>> = BTreeMap::new();
    let mut pending: Vec<Option<Vec<Spot>>> = Vec::new();
    for way in ways {
        match (way.first(), way.last()) {
            (Some(first), Some(last)) if first == last && way.len() >= 4 => rings.push(way[..way.len() - 1].to_vec()),
            (Some(first), Some(last)) if first != last => {
                ends.entry(*first).or_default().push_back(pending.len());
                ends.entry(*last).or_default().push_back(pending.len());
                pending.push(Some(way));
            }
            _ => broken = Some(Broken::Degenerate),
        }
    }
    for start in 0..pending.len() {
        let Some(mut chain) = pending[start].take() else { continue };
        while chain.first() != chain.last() {
            let Some(end) = chain.last().copied() else { break };
            // Used ways are dropped from the front, so that many ways with the same end are each looked at once.
            let waiting = ends.get_mut(&end);
            let next = waiting.and_then(|at| std::iter::from_fn(|| at.pop_front()).find(|i| pending[*i].is_some()));
            let Some(mut way) = next.and_then(|i| pending[i].take()) else { break };
            if way.first() != Some(&end) {
                way.reverse();
            }
            chain.extend_from_slice(&way[1..]);
        }
        if chain.len() >= 4 && chain.first() == chain.last() {
            chain.pop();
            rings.push(chain);
        } else {
            broken = Some(Broken::Open);
        }
    }
    (rings, broken)
}

/// Removes consecutive duplicates; `None` where fewer than three points or no area remain.
pub(crate) fn tidy(mut ring: Vec<Spot>) -> Option<Vec<Spot>> {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    (ring.len() >= 3 && area2(&ring) != 0).then_some(ring)
}

/// Twice the signed area, positive if counter-clockwise.
pub(crate) fn area2(ring: &[Spot]) -> i128 {
    let Some(&(x0, y0)) = ring.first() else { return 0 };
    let wide = |v: i32, zero: i32| i128::from(v) - i128::from(zero);
    (0..ring.len())
        .map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            wide(a.0, x0) * wide(b.1, y0) - wide(b.0, x0) * wide(a.1, y0)
        })
        .sum()
}

fn contains(ring: &[Spot], (x, y): Spot) -> bool {
    let (x, y) = (f64::from(x), f64::from(y));
    let mut inside = false;
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let (ax, ay, bx, by) = (f64::from(a.0), f64::from(a.1), f64::from(b.0), f64::from(b.1));
        if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            inside = !inside;
        }
    }
    inside
}

/// Assembles polygons, each an outer ring (counter-clockwise) followed by its holes (clockwise).
pub(crate) fn polygons(outers: Vec<Vec<Spot>>, inners: Vec<Vec<Spot>>) -> (Vec<Vec<Vec<Spot>>>, Option<Broken>) {
    let mut broken = None;
    let mut oriented = |ring: Vec<Spot>, left: bool| {
        let tidy = tidy(ring);
        if tidy.is_none() {
            broken = Some(Broken::Degenerate);
        }
        tidy.map(|mut ring| {
            if (area2(&ring) > 0) != left {
                ring.reverse();
            }
            ring
        })
    };
    let mut polygons: Vec<Vec<Vec<Spot>>> =
        outers.into_iter().filter_map(|ring| oriented(ring, true)).map(|ring| vec![ring]).collect();
    let holes: Vec<Vec<Spot>> = inners.into_iter().filter_map(|ring| oriented(ring, false)).collect();
    for hole in holes {
        // Corners of a hole may touch the outer ring, so the majority of its points decides.
        let within = |outer: &[Spot]| hole.iter().filter(|p| contains(outer, **p)).count() * 2 > hole.len();
        let home = polygons.iter_mut().filter(|p| within(&p[0])).min_by_key(|p| area2(&p[0]));
        match home {
            Some(polygon) => polygon.push(hole),
            None => broken = Some(Broken::LooseHole),
        }
    }
    (polygons, broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_in_any_direction_and_order_join_to_one_ring_with_its_hole() {
        let outer = vec![vec![(0, 0), (10, 0)], vec![(0, 10), (0, 0)], vec![(0, 10), (10, 10), (10, 0)]];
        let (rings, broken) = join(outer);
        assert_eq!((rings.len(), broken), (1, None));
        let hole = vec![(2, 2), (4, 2), (4, 4), (2, 4)];
        let (polygons, broken) = polygons(rings, vec![hole]);
        assert_eq!(broken, None);
        assert_eq!(polygons.len(), 1);
        assert!(area2(&polygons[0][0]) == 200 && area2(&polygons[0][1]) == -8);
    }

    #[test]
    fn a_ring_with_a_missing_way_is_reported_open() {
        let (rings, broken) = join(vec![vec![(0, 0), (10, 0), (10, 10)]]);
        assert!(rings.is_empty());
        assert_eq!(broken, Some(Broken::Open));
    }

    #[test]
    fn a_hole_outside_of_every_outer_ring_is_reported_and_left_out() {
        let square = |x: i32| vec![(x, 0), (x + 10, 0), (x + 10, 10), (x, 10)];
        let (polygons, broken) = polygons(vec![square(0)], vec![square(100)]);
        assert_eq!(polygons, vec![vec![square(0)]]);
        assert_eq!(broken, Some(Broken::LooseHole));
    }
}
