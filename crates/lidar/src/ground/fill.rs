//! Outliers and gaps of a grid of heights.

/// Gaps are filled up to this distance from their edge, cells.
const REACH: u16 = 25;
/// Chamfer distances count straight steps as 5 and diagonal ones as 7.
const STRAIGHT: u16 = 5;
const DIAGONAL: u16 = 7;
/// A cell is no spike if this many of its neighbors are as high within a meter.
const COMPANY: usize = 2;
const SPIKE: f32 = 1.0;
/// Sweeps that smooth a filled gap.
const SWEEPS: usize = 40;

/// Removes cells that stand alone above or below all others around them.
pub(super) fn remove_spikes(heights: &mut [f32], columns: usize) {
    let original = heights.to_vec();
    let rows = original.len() / columns;
    for row in 0..rows {
        for column in 0..columns {
            let height = original[row * columns + column];
            if height.is_nan() {
                continue;
            }
            let around = (row.saturating_sub(2)..(row + 3).min(rows))
                .flat_map(|row| original[row * columns..][column.saturating_sub(2)..(column + 3).min(columns)].iter())
                .filter(|other| !other.is_nan());
            let (close, all) = around
                .fold((0, 0), |(close, all), other| (close + usize::from((other - height).abs() < SPIKE), all + 1));
            // The cell itself is counted, too.
            if all > 5 && close <= COMPANY {
                heights[row * columns + column] = f32::NAN;
            }
        }
    }
}

/// Fills gaps of up to twice [`REACH`] cells. Nothing is added beyond the measured area.
pub(super) fn fill(heights: &mut [f32], columns: usize, rows: usize) {
    if heights.iter().all(|height| height.is_nan()) {
        return;
    }
    let mut distance: Vec<u16> = heights.iter().map(|height| if height.is_nan() { u16::MAX } else { 0 }).collect();
    spread(&mut distance, columns, rows);
    // A closing: what a disk of the reach cannot enter from outside is a gap.
    for cell in &mut distance {
        *cell = if *cell > REACH * STRAIGHT { 0 } else { u16::MAX };
    }
    spread(&mut distance, columns, rows);
    let is_gap: Vec<bool> =
        heights.iter().zip(&distance).map(|(height, &cell)| height.is_nan() && cell > REACH * STRAIGHT).collect();
    drop(distance);
    let full = interpolate(heights, columns, rows);
    for (index, _) in is_gap.iter().enumerate().filter(|(_, is_gap)| **is_gap) {
        heights[index] = full[index];
    }
    drop(full);
    smooth(heights, &is_gap, columns, rows);
}

/// Chamfer distances to the cells that are zero.
fn spread(distance: &mut [u16], columns: usize, rows: usize) {
    let mut relax = |row: usize, column: usize, before: isize| {
        let mut best = distance[row * columns + column];
        for (dx, dy, step) in [(-1, 0, STRAIGHT), (0, -1, STRAIGHT), (-1, -1, DIAGONAL), (1, -1, DIAGONAL)] {
            let (x, y) = (column as isize + dx * before, row as isize + dy * before);
            if x >= 0 && y >= 0 && (x as usize) < columns && (y as usize) < rows {
                best = best.min(distance[y as usize * columns + x as usize].saturating_add(step));
            }
        }
        distance[row * columns + column] = best;
    };
    for row in 0..rows {
        (0..columns).for_each(|column| relax(row, column, 1));
    }
    for row in (0..rows).rev() {
        (0..columns).rev().for_each(|column| relax(row, column, -1));
    }
}

/// Fills every gap from averages of ever larger blocks.
fn interpolate(heights: &[f32], columns: usize, rows: usize) -> Vec<f32> {
    if columns == 1 && rows == 1 || !heights.iter().any(|height| height.is_nan()) {
        return heights.to_vec();
    }
    let (half_columns, half_rows) = (columns.div_ceil(2), rows.div_ceil(2));
    let mut coarse = vec![f32::NAN; half_columns * half_rows];
    for (index, cell) in coarse.iter_mut().enumerate() {
        let (column, row) = (index % half_columns * 2, index / half_columns * 2);
        let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (column + dx, row + dy));
        let known = block.iter().filter(|&&(x, y)| x < columns && y < rows).map(|&(x, y)| heights[y * columns + x]);
        let (sum, count) = known
            .filter(|height| !height.is_nan())
            .fold((0.0, 0.0), |(sum, count), height| (sum + height, count + 1.0));
        if count > 0.0 {
            *cell = sum / count;
        }
    }
    let coarse = interpolate(&coarse, half_columns, half_rows);
    let at = |x: isize, y: isize| {
        let (x, y) = (x.clamp(0, half_columns as isize - 1), y.clamp(0, half_rows as isize - 1));
        coarse[y as usize * half_columns + x as usize]
    };
    let mut fine = heights.to_vec();
    for (index, cell) in fine.iter_mut().enumerate().filter(|(_, cell)| cell.is_nan()) {
        let (column, row) = ((index % columns) as isize, (index / columns) as isize);
        // The nearest coarse cell, and its neighbors on this cell's side.
        let (x, y) = (column / 2, row / 2);
        let (beside, above) = (x + (column % 2) * 2 - 1, y + (row % 2) * 2 - 1);
        *cell = (9.0 * at(x, y) + 3.0 * at(beside, y) + 3.0 * at(x, above) + at(beside, above)) / 16.0;
    }
    fine
}

/// Relaxes the gaps towards a membrane between their edges.
fn smooth(heights: &mut [f32], is_gap: &[bool], columns: usize, rows: usize) {
    for _ in 0..SWEEPS {
        for (index, _) in is_gap.iter().enumerate().filter(|(_, is_gap)| **is_gap) {
            let (column, row) = (index % columns, index / columns);
            let neighbors = [
                (column > 0).then(|| index - 1),
                (column + 1 < columns).then_some(index + 1),
                (row > 0).then(|| index - columns),
                (row + 1 < rows).then_some(index + columns),
            ];
            let known = neighbors.into_iter().flatten().map(|other| heights[other]).filter(|height| !height.is_nan());
            let (sum, count) = known.fold((0.0, 0.0), |(sum, count), height| (sum + height, count + 1.0));
            if count > 0.0 {
                heights[index] = sum / count;
            }
        }
    }
}
