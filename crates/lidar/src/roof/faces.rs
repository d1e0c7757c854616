//! Straightens the borders of the cells, and gives their corners heights.

use aerie_math::geometry::{distance, distance_to_segment, signed_area};

use super::mosaic::Mosaic;
use super::plane::Plane;
use super::zones::{BEYOND, BORDER, WRONG, Zones};

/// Planes that are this near at a corner meet there, meters.
const MEET: f64 = 0.3;
/// Farthest that a corner is moved to where planes meet, meters.
const MOVE: f64 = 0.5;
/// Largest bend of a border that is straightened, meters.
const STRAIGHT: f64 = 0.6;
/// What a corner of a border costs, square meters of wrong roof.
const CORNER: f64 = 0.05;
/// Corners nearer to each other than this become one, meters.
const CLOSE: f64 = 0.2;
/// Heights at a corner that differ less than this become one, meters.
const SAME: f64 = 0.06;

/// The faces: rings with heights.
pub(super) fn faces(zones: &mut Zones) -> Vec<(Vec<[f64; 3]>, Plane)> {
    straighten(&mut zones.mosaic, &zones.labels, &zones.planes);
    adjust(&mut zones.mosaic, &zones.labels, &zones.planes, &zones.ranges);
    collapse(&mut zones.mosaic);
    straighten(&mut zones.mosaic, &zones.labels, &zones.planes);
    heights(zones)
}

/// Cells around each corner.
fn around(mosaic: &Mosaic) -> Vec<Vec<usize>> {
    let mut around = vec![Vec::new(); mosaic.corners.len()];
    for (cell, ring) in mosaic.cells.iter().enumerate() {
        for &corner in ring {
            around[corner].push(cell);
        }
    }
    around
}

/// Corners before and after a corner in the ring of a cell.
fn beside(mosaic: &Mosaic, cell: usize, corner: usize) -> Option<(usize, usize)> {
    let ring = &mosaic.cells[cell];
    let at = ring.iter().position(|&other| other == corner)?;
    Some((ring[(at + ring.len() - 1) % ring.len()], ring[(at + 1) % ring.len()]))
}

/// Removes corners at which no border begins, where the border becomes simpler at a small cost. Those of the outline stay.
fn straighten(mosaic: &mut Mosaic, labels: &[usize], planes: &[Plane]) {
    for _ in 0..4 {
        let around = around(mosaic);
        let mut bends: Vec<(f64, usize)> = (mosaic.fixed..mosaic.corners.len())
            .filter_map(|corner| Some((bend(mosaic, &around[corner], corner, labels, planes)?, corner)))
            .collect();
        bends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut removed = false;
        for (_, corner) in bends {
            if bend(mosaic, &around[corner], corner, labels, planes).is_some() {
                mosaic.remove(corner, &around[corner]);
                removed = true;
            }
        }
        if !removed {
            break;
        }
    }
}

/// Cost of removing a corner, where it can be removed.
fn bend(mosaic: &Mosaic, cells: &[usize], corner: usize, labels: &[usize], planes: &[Plane]) -> Option<f64> {
    let (&first, rest) = cells.split_first()?;
    let (before, after) = beside(mosaic, first, corner)?;
    let [p, a, b] = [corner, before, after].map(|corner| mosaic.corners[corner]);
    // Two cells that share both ends of the new edge already would fold onto each other.
    let folds = mosaic.owner(before, after).is_some() || mosaic.owner(after, before).is_some();
    if folds || cells.iter().any(|&cell| mosaic.cells[cell].len() < 4) {
        return None;
    }
    let deviation = distance_to_segment(p, a, b);
    if deviation < 0.002 && (rest.is_empty() || rest.len() == 1) {
        let passes = rest.iter().all(|&other| beside(mosaic, other, corner) == Some((after, before)));
        return passes.then_some(deviation);
    }
    let &[second] = rest else { return None };
    if beside(mosaic, second, corner) != Some((after, before)) || deviation > STRAIGHT {
        return None;
    }
    let center = [(p[0] + a[0] + b[0]) / 3.0, (p[1] + a[1] + b[1]) / 3.0];
    let apart = (planes[labels[first]].at(center) - planes[labels[second]].at(center)).abs();
    let wrong = signed_area(&[p, a, b]).abs() * (apart / WRONG).min(1.0);
    let shorter = distance(a, p) + distance(p, b) - distance(a, b);
    let fits = cells.iter().all(|&cell| mosaic.fits(cell, corner, middle(a, b)));
    (fits && wrong < BORDER * shorter + CORNER).then_some(wrong)
}

/// Unites corners that are very near to each other.
fn collapse(mosaic: &mut Mosaic) {
    let around = around(mosaic);
    for (corner, cells) in around.iter().enumerate().skip(mosaic.fixed) {
        let near = cells.iter().filter_map(|&cell| {
            let (before, after) = beside(mosaic, cell, corner)?;
            Some([before, after])
        });
        let at = mosaic.corners[corner];
        let nearest = near
            .flatten()
            .map(|other| (distance(at, mosaic.corners[other]), other))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let outer = |cell: usize| {
            beside(mosaic, cell, corner).is_none_or(|(before, after)| {
                mosaic.owner(corner, before).is_none() || mosaic.owner(after, corner).is_none()
            })
        };
        if cells.iter().any(|&cell| outer(cell)) {
            continue;
        }
        if let Some((_, to)) = nearest.filter(|(away, _)| *away < CLOSE) {
            mosaic.replace(corner, to);
        }
    }
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
}

/// Moves corners inside the outline to where the planes around them meet, and those on its edges along the edge.
fn adjust(mosaic: &mut Mosaic, labels: &[usize], planes: &[Plane], ranges: &[[f64; 2]]) {
    let around = around(mosaic);
    for (corner, cells) in around.iter().enumerate().skip(mosaic.fixed) {
        let mut own: Vec<usize> = cells.iter().map(|&cell| labels[cell]).collect();
        own.sort_unstable();
        own.dedup();
        if own.len() < 2 {
            continue;
        }
        let at = mosaic.corners[corner];
        let on_edge = cells.iter().find_map(|&cell| {
            let (before, after) = beside(mosaic, cell, corner)?;
            let outer = |from: usize, to: usize| mosaic.owner(to, from).is_none();
            if outer(corner, after) {
                Some(mosaic.corners[after])
            } else {
                outer(before, corner).then(|| mosaic.corners[before])
            }
        });
        // Normal equations of the squared distances from the lines where planes meet, with a slight pull to the present position.
        let mut sums = [0.002, 0.0, 0.002, 0.0, 0.0];
        for (index, &a) in own.iter().enumerate() {
            for &b in &own[index + 1..] {
                let apart = (planes[a].at(at) - planes[b].at(at)).abs();
                if let Some(line) = planes[a].meet(&planes[b]).filter(|_| apart < MEET) {
                    let ([nx, ny], side) = (line.normal, line.side(at));
                    sums[0] += nx * nx;
                    sums[1] += nx * ny;
                    sums[2] += ny * ny;
                    sums[3] -= nx * side;
                    sums[4] -= ny * side;
                }
            }
        }
        let [xx, xy, yy, x, y] = sums;
        let by = match on_edge {
            Some(end) => {
                let (dx, dy) = (end[0] - at[0], end[1] - at[1]);
                let length = dx.hypot(dy).max(1e-9);
                let (dx, dy) = (dx / length, dy / length);
                let step = (dx * x + dy * y) / (dx * dx * xx + 2.0 * dx * dy * xy + dy * dy * yy);
                [dx * step, dy * step]
            }
            None => {
                let determinant = xx * yy - xy * xy;
                [(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant]
            }
        };
        let to = [at[0] + by[0], at[1] + by[1]];
        let beyond = |label: usize, at: [f64; 2]| {
            let ([low, high], z) = (ranges[label], planes[label].at(at));
            (z - high).max(low - z).max(BEYOND)
        };
        let within = own.iter().all(|&label| beyond(label, to) <= beyond(label, at));
        if within && by[0].hypot(by[1]) < MOVE && cells.iter().all(|&cell| mosaic.fits(cell, corner, to)) {
            mosaic.corners[corner] = to;
        }
    }
}

/// Rings with the heights of their planes; heights at a corner that hardly differ become one.
fn heights(zones: &Zones) -> Vec<(Vec<[f64; 3]>, Plane)> {
    let mosaic = &zones.mosaic;
    let mut known: Vec<Vec<f64>> = vec![Vec::new(); mosaic.corners.len()];
    for (cell, ring) in mosaic.cells.iter().enumerate() {
        for &corner in ring {
            known[corner].push(zones.planes[zones.labels[cell]].at(mosaic.corners[corner]));
        }
    }
    for heights in &mut known {
        heights.sort_by(f64::total_cmp);
    }
    let common = |corner: usize, z: f64| {
        let heights = &known[corner];
        let mut start = 0;
        for at in 0..heights.len() {
            if at > 0 && heights[at] - heights[at - 1] > SAME {
                start = at;
            }
            let ends = heights.get(at + 1).is_none_or(|next| next - heights[at] > SAME);
            if ends && z <= heights[at] {
                return heights[start..=at].iter().sum::<f64>() / (at + 1 - start) as f64;
            }
        }
        z
    };
    let full = mosaic.cells.iter().enumerate().filter(|(_, ring)| ring.len() >= 3);
    full.map(|(cell, ring)| {
        let plane = zones.planes[zones.labels[cell]];
        let corner = |&corner: &usize| {
            let at = mosaic.corners[corner];
            [at[0], at[1], common(corner, plane.at(at))]
        };
        (ring.iter().map(corner).collect(), plane)
    })
    .collect()
}
