//! Box filter with running sums: its cost does not depend on the radius.

use rayon::prelude::*;

/// Mean over a square window, which is clipped at the edges of the image.
#[must_use]
pub fn box_mean(plane: &[f32], width: usize, height: usize, radius: usize) -> Vec<f32> {
    let mut across = vec![0.0; plane.len()];
    across.par_chunks_mut(width).zip(plane.par_chunks(width)).for_each(|(out, row)| {
        running(width, radius, |i| row[i], |i, mean| out[i] = mean);
    });
    let mut down = vec![0.0; plane.len()];
    // Sums of all columns advance together, so that memory is read in order.
    let mut sums = vec![0.0_f64; width];
    let add = |sums: &mut [f64], y: usize, sign: f64| {
        sums.iter_mut().zip(&across[y * width..(y + 1) * width]).for_each(|(s, v)| *s += sign * f64::from(*v));
    };
    (0..radius.min(height)).for_each(|y| add(&mut sums, y, 1.0));
    for y in 0..height {
        if y + radius < height {
            add(&mut sums, y + radius, 1.0);
        }
        if y > radius {
            add(&mut sums, y - radius - 1, -1.0);
        }
        let count = ((y + radius + 1).min(height) - y.saturating_sub(radius)) as f64;
        let row = &mut down[y * width..(y + 1) * width];
        row.iter_mut().zip(&sums).for_each(|(out, s)| *out = (s / count) as f32);
    }
    down
}

fn running(length: usize, radius: usize, value: impl Fn(usize) -> f32, mut put: impl FnMut(usize, f32)) {
    let mut sum: f64 = (0..radius.min(length)).map(|i| f64::from(value(i))).sum();
    for i in 0..length {
        if i + radius < length {
            sum += f64::from(value(i + radius));
        }
        if i > radius {
            sum -= f64::from(value(i - radius - 1));
        }
        let count = (i + radius + 1).min(length) - i.saturating_sub(radius);
        put(i, (sum / count as f64) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_sums_agree_with_the_mean_of_each_window() {
        let (width, height, radius) = (7, 5, 2);
        let plane: Vec<f32> = (0..width * height).map(|i| ((i * 37) % 11) as f32).collect();
        let means = box_mean(&plane, width, height, radius);
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut count) = (0.0, 0.0);
                for v in y.saturating_sub(radius)..(y + radius + 1).min(height) {
                    for u in x.saturating_sub(radius)..(x + radius + 1).min(width) {
                        sum += plane[v * width + u];
                        count += 1.0;
                    }
                }
                assert!((means[y * width + x] - sum / count).abs() < 1e-4, "at {x}, {y}");
            }
        }
    }
}
