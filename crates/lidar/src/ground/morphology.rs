//! Opening of a grid of heights with a square.

use std::collections::VecDeque;

/// The surface that a square of `2 * radius + 1` cells touches from below. NaN cells count for nothing, and stay NaN.
pub(super) fn open(heights: &[f32], columns: usize, rows: usize, radius: usize) -> Vec<f32> {
    let is_known: Vec<bool> = heights.iter().map(|height| !height.is_nan()).collect();
    let mut grid: Vec<f32> =
        heights.iter().map(|&height| if height.is_nan() { f32::INFINITY } else { height }).collect();
    slide(&mut grid, columns, rows, radius);
    for cell in &mut grid {
        *cell = -*cell;
    }
    slide(&mut grid, columns, rows, radius);
    grid.iter().zip(is_known).map(|(&height, is_known)| if is_known { -height } else { f32::NAN }).collect()
}

/// Replaces each cell by the minimum of the square around it.
fn slide(grid: &mut [f32], columns: usize, rows: usize, radius: usize) {
    let mut line = Vec::new();
    for row in 0..rows {
        line.clear();
        line.extend_from_slice(&grid[row * columns..(row + 1) * columns]);
        minimum(&line, radius, |column, height| grid[row * columns + column] = height);
    }
    for column in 0..columns {
        line.clear();
        line.extend((0..rows).map(|row| grid[row * columns + column]));
        minimum(&line, radius, |row, height| grid[row * columns + column] = height);
    }
}

/// Minimum of each window of a line, with a queue of candidates.
fn minimum(line: &[f32], radius: usize, mut set: impl FnMut(usize, f32)) {
    let mut queue: VecDeque<usize> = VecDeque::with_capacity(2 * radius + 2);
    for next in 0..line.len() + radius {
        if next < line.len() {
            while queue.back().is_some_and(|&last| line[last] >= line[next]) {
                queue.pop_back();
            }
            queue.push_back(next);
        }
        let Some(center) = next.checked_sub(radius) else { continue };
        while queue.front().is_some_and(|&first| first + radius < center) {
            queue.pop_front();
        }
        if let Some(&first) = queue.front() {
            set(center, line[first]);
        }
    }
}
