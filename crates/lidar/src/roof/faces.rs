//! Straightens the borders of the cells, and gives their corners heights.

use aerie_math::geometry::distance_to_segment;

use super::mosaic::Mosaic;
use super::plane::Plane;
use super::zones::Zones;

/// Planes that are this near at a corner meet there, meters.
const MEET: f64 = 0.3;
/// Farthest that a corner is moved to where planes meet, meters.
const MOVE: f64 = 0.5;
/// Largest bend of a border that is straightened, where planes meet and where there is a step, meters.
const STRAIGHT: [f64; 2] = [0.1, 0.22];
/// Heights at a corner that differ less than this become one, meters.
const SAME: f64 = 0.06;

/// The faces: rings with heights.
pub(super) fn faces(zones: &mut Zones) -> Vec<(Vec<[f64; 3]>, Plane)> {
    straighten(&mut zones.mosaic, &zones.labels, &zones.planes);
    adjust(&mut zones.mosaic, &zones.labels, &zones.planes);
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

/// Removes corners at which no border begins and that hardly bend one. Those of the outline stay.
fn straighten(mosaic: &mut Mosaic, labels: &[usize], planes: &[Plane]) {
    let around = around(mosaic);
    let mut candidates: Vec<(f64, usize)> = Vec::new();
    for corner in mosaic.fixed..mosaic.corners.len() {
        let Some(&cell) = around[corner].first() else { continue };
        let Some((before, after)) = beside(mosaic, cell, corner) else { continue };
        let [p, a, b] = [corner, before, after].map(|corner| mosaic.corners[corner]);
        candidates.push((distance_to_segment(p, a, b), corner));
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, corner) in candidates {
        let cells = &around[corner];
        let Some((before, after)) = beside(mosaic, cells[0], corner) else { continue };
        let inner = cells.len() == 2 && beside(mosaic, cells[1], corner) == Some((after, before));
        let [p, a, b] = [corner, before, after].map(|corner| mosaic.corners[corner]);
        let bend = distance_to_segment(p, a, b);
        let limit = if inner {
            let [one, other] = [cells[0], cells[1]].map(|cell| planes[labels[cell]].at(p));
            STRAIGHT[usize::from((one - other).abs() > MEET)]
        } else {
            0.002
        };
        if !(cells.len() == 1 || inner) || bend > limit || cells.iter().any(|&cell| mosaic.cells[cell].len() < 4) {
            continue;
        }
        // Two cells that share both ends of the new edge already would fold onto each other.
        if mosaic.owner(before, after).is_some() || mosaic.owner(after, before).is_some() {
            continue;
        }
        let tight = |cell: usize| !mosaic.fits(cell, corner, middle(a, b));
        if bend > 0.002 && cells.iter().any(|&cell| tight(cell)) {
            continue;
        }
        mosaic.remove(corner);
    }
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
}

/// Moves corners inside the outline to where the planes around them meet, and those on its edges along the edge.
fn adjust(mosaic: &mut Mosaic, labels: &[usize], planes: &[Plane]) {
    let around = around(mosaic);
    for corner in mosaic.fixed..mosaic.corners.len() {
        let cells = &around[corner];
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
        if by[0].hypot(by[1]) < MOVE && cells.iter().all(|&cell| mosaic.fits(cell, corner, to)) {
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
