//! Bloom: very bright areas bleed slightly into their surroundings.
//!
//! Energy is conserved: a bright pixel gives up a share of its luma above [`BRIGHT`], which is spread around it. So a uniform
//! bright surface keeps its tone, and nothing clips.

use crate::picture::Picture;

/// Luma (limited range) above which light bleeds.
const BRIGHT: u8 = 185;
/// Share of the excess that bleeds.
const SHARE: f32 = 0.22;
/// Number of cells, in which light is summed, along the shorter side of the picture.
const CELLS: usize = 135;

/// Applies bloom to an NV12 frame.
pub fn bloom(picture: Picture, nv12: &mut [u8]) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let luma = &mut nv12[..width * height];
    let cell = (width.min(height) / CELLS).max(2) & !1;
    let columns = width.div_ceil(cell);
    let rows = height.div_ceil(cell);
    let mut cells = summed(luma, width, cell);
    // Two passes of a box blur of five cells on each axis, so that no corners show.
    for _ in 0..2 {
        cells = cells.chunks(columns).flat_map(softened).collect();
        let down: Vec<f32> = transposed(&cells, columns).chunks(rows).flat_map(softened).collect();
        cells = transposed(&down, rows);
    }
    let (mut line, mut light) = (vec![0.0_f32; columns], vec![0.0_f32; width]);
    for (y, row) in luma.chunks_exact_mut(width).enumerate() {
        let at = ((y as f32 + 0.5) / cell as f32 - 0.5).clamp(0.0, (rows - 1) as f32);
        let (upper, share) = (at as usize, at.fract());
        let lower = (upper + 1).min(rows - 1);
        let of = |row: usize| &cells[row * columns..][..columns];
        for ((to, a), b) in line.iter_mut().zip(of(upper)).zip(of(lower)) {
            *to = a + (b - a) * share;
        }
        if line.iter().all(|light| *light < 0.05) {
            continue;
        }
        interpolate(&line, cell, &mut light);
        for (pixel, light) in row.iter_mut().zip(&light) {
            let over = f32::from(pixel.saturating_sub(BRIGHT));
            *pixel = (f32::from(*pixel) + SHARE * (light - over) + 0.5) as u8;
        }
    }
}

/// Mean excess over [`BRIGHT`] of each cell.
fn summed(luma: &[u8], width: usize, cell: usize) -> Vec<f32> {
    let mean = |rows: &[u8]| {
        let mut sums = vec![0_u32; width.div_ceil(cell)];
        for row in rows.chunks_exact(width) {
            for (sum, pixels) in sums.iter_mut().zip(row.chunks(cell)) {
                *sum += pixels.iter().map(|pixel| u32::from(pixel.saturating_sub(BRIGHT))).sum::<u32>();
            }
        }
        let down = rows.len() / width;
        let across = move |i: usize| cell.min(width - i * cell);
        sums.into_iter().enumerate().map(move |(i, sum)| sum as f32 / (down * across(i)) as f32)
    };
    luma.chunks(width * cell).flat_map(mean).collect()
}

/// Box blur over five cells, with clamped ends.
fn softened(line: &[f32]) -> Vec<f32> {
    let last = line.len() - 1;
    let mean = |i: usize| (0..5).map(|k| line[(i + k).saturating_sub(2).min(last)]).sum::<f32>() / 5.0;
    (0..line.len()).map(mean).collect()
}

/// Transposes a grid.
fn transposed(cells: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|x| cells[x..].iter().step_by(columns).copied()).collect()
}

/// Interpolates a line of cells to pixels.
fn interpolate(line: &[f32], cell: usize, light: &mut [f32]) {
    let half = cell / 2;
    let inner = (line.len() - 1) * cell;
    light[..half].fill(line[0]);
    for (pixels, pair) in light[half..].chunks_mut(cell).zip(line.windows(2)) {
        let step = (pair[1] - pair[0]) / cell as f32;
        for (k, pixel) in pixels.iter_mut().enumerate() {
            *pixel = pair[0] + step * (k as f32 + 0.5);
        }
    }
    if half + inner < light.len() {
        light[half + inner..].fill(line[line.len() - 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Picture = Picture { width: 480, height: 270, supersampling: 1.0, vignette: 0.0 };

    fn bloomed(luma: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        let mut frame: Vec<u8> = (0..480 * 270).map(|i| luma(i % 480, i / 480)).collect();
        frame.resize(PICTURE.frame_bytes(), 128);
        bloom(PICTURE, &mut frame);
        frame
    }

    #[test]
    fn a_uniform_picture_is_unchanged_however_bright() {
        for tone in [16, 120, BRIGHT, 210, 235] {
            assert!(bloomed(|_, _| tone)[..480 * 270].iter().all(|v| *v == tone), "{tone}");
        }
    }

    #[test]
    fn a_bright_wall_bleeds_a_little_and_energy_is_conserved() {
        let is_wall = |x: usize, y: usize| (200..280).contains(&x) && (100..170).contains(&y);
        let before = |x, y| if is_wall(x, y) { 230 } else { 60 };
        let after = bloomed(before);
        let at = |x: usize, y: usize| after[y * 480 + x];
        assert!((61..=70).contains(&at(197, 135)), "beside the wall: {}", at(197, 135));
        assert!((220..230).contains(&at(202, 135)), "at its edge: {}", at(202, 135));
        assert_eq!([at(240, 135), at(60, 135), at(240, 20)], [230, 60, 60]);
        let sum =
            |of: &dyn Fn(usize, usize) -> u8| (0..480 * 270).map(|i| u64::from(of(i % 480, i / 480))).sum::<u64>();
        let (was, is) = (sum(&before) as f64, sum(&at) as f64);
        assert!((is / was - 1.0).abs() < 0.002, "{was} {is}");
        assert!(after[480 * 270..].iter().all(|v| *v == 128), "colors stay");
    }

    #[test]
    fn pictures_of_every_size_are_accepted() {
        for (width, height) in [(4, 2), (12, 30), (1284, 722), (500, 1000)] {
            let picture = Picture { width, height, ..PICTURE };
            let mut frame = vec![200; picture.frame_bytes()];
            bloom(picture, &mut frame);
            assert!(frame.iter().all(|v| *v == 200), "{width} x {height}");
        }
    }
}
