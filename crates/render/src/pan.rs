//! Pans and zooms over a still image. Each frame is resampled with subpixel precision, so that slow moves neither step nor
//! shimmer.

/// The image to move over: sRGB-encoded, 0 to 255.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
    /// Row by row from the top left.
    pub pixels: Vec<[f32; 3]>,
}

/// The part of a sheet that a frame shows, in the sheet's pixels; the first pixel covers 0 to 1. It has the frame's aspect ratio
/// and may extend beyond the sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Center.
    pub center: [f64; 2],
    /// Width.
    pub width: f64,
}

impl Window {
    /// Maps a point of the sheet to a frame of `width` by `height` pixels.
    #[must_use]
    pub fn place(&self, p: [f64; 2], width: u32, height: u32) -> [f64; 2] {
        let scale = f64::from(width) / self.width;
        [
            (p[0] - self.center[0]) * scale + 0.5 * f64::from(width),
            (p[1] - self.center[1]) * scale + 0.5 * f64::from(height),
        ]
    }
}

impl Sheet {
    /// Renders a frame of `width` by `height` pixels; `behind` shows where the window extends beyond the sheet.
    #[must_use]
    pub fn frame(&self, window: Window, width: u32, height: u32, behind: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let step = window.width / f64::from(width);
        let from = |c: usize, count: u32| window.center[c] - 0.5 * step * f64::from(count);
        let columns = taps(from(0, width), step, width, self.width);
        let rows = taps(from(1, height), step, height, self.height);
        // Horizontal pass first, over the rows needed.
        let first = rows.iter().map(|t| t.first).min().unwrap_or(0);
        let last = rows.iter().map(|t| t.first + t.weights.len()).max().unwrap_or(0);
        let across: Vec<[f32; 3]> = (first..last)
            .flat_map(|y| {
                let row = &self.pixels[y * self.width..(y + 1) * self.width];
                columns.iter().map(move |tap| weighted(&tap.weights, row[tap.first..].iter()))
            })
            .collect();
        let wide = width as usize;
        let mut out = Vec::with_capacity(wide * height as usize);
        for (y, tap) in rows.iter().enumerate() {
            let top = tap.first - first;
            for (x, column) in columns.iter().enumerate() {
                let seen = weighted(&tap.weights, across[top * wide + x..].iter().step_by(wide));
                let cover = tap.cover * column.cover;
                if cover >= 1.0 {
                    out.push(seen);
                } else {
                    let back = behind[y * wide + x];
                    out.push([0, 1, 2].map(|c| back[c] * (1.0 - cover) + seen[c] * cover));
                }
            }
        }
        out
    }
}

fn weighted<'a>(weights: &[f32], pixels: impl Iterator<Item = &'a [f32; 3]>) -> [f32; 3] {
    let mut sum = [0.0_f32; 3];
    for (weight, pixel) in weights.iter().zip(pixels) {
        sum[0] += weight * pixel[0];
        sum[1] += weight * pixel[1];
        sum[2] += weight * pixel[2];
    }
    sum
}

/// The source pixels of a frame's pixel along one axis.
struct Tap {
    first: usize,
    weights: Vec<f32>,
    /// Share of the pixel that lies on the sheet.
    cover: f32,
}

/// Catmull-Rom filter, widened for minification.
fn taps(from: f64, step: f64, count: u32, size: usize) -> Vec<Tap> {
    let stretch = step.max(1.0);
    (0..count)
        .map(|i| {
            let at = from + (f64::from(i) + 0.5) * step;
            let low = ((at - 2.0 * stretch - 0.5).ceil() as isize).clamp(0, size as isize - 1) as usize;
            let high = ((at + 2.0 * stretch - 0.5).floor() as isize).clamp(0, size as isize - 1) as usize;
            let mut weights: Vec<f32> = (low..=high).map(|k| cubic((k as f64 + 0.5 - at) / stretch) as f32).collect();
            let sum: f32 = weights.iter().sum();
            if sum.abs() > 1e-3 {
                weights.iter_mut().for_each(|w| *w /= sum);
            } else {
                // Beyond the sheet, where the coverage is zero.
                let even = 1.0 / weights.len() as f32;
                weights.fill(even);
            }
            let inside = (at + 0.5 * step).min(size as f64) - (at - 0.5 * step).max(0.0);
            Tap { first: low, weights, cover: (inside / step).clamp(0.0, 1.0) as f32 }
        })
        .collect()
}

fn cubic(x: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        (1.5 * x - 2.5) * x * x + 1.0
    } else if x < 2.0 {
        ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A soft bright spot at a position.
    fn sheet(at: [f64; 2]) -> Sheet {
        let pixel = |x: usize, y: usize| {
            let d = (x as f64 + 0.5 - at[0]).hypot(y as f64 + 0.5 - at[1]);
            [20.0 + 200.0 * (-d * d / 18.0).exp() as f32; 3]
        };
        let pixels = (0..100).flat_map(|y| (0..160).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
        Sheet { width: 160, height: 100, pixels }
    }

    fn middle(frame: &[[f32; 3]], width: usize) -> [f64; 2] {
        let mut sum = [0.0; 3];
        for (i, pixel) in frame.iter().enumerate() {
            let weight = f64::from(pixel[0] - 20.0).max(0.0);
            sum[0] += weight;
            sum[1] += weight * ((i % width) as f64 + 0.5);
            sum[2] += weight * ((i / width) as f64 + 0.5);
        }
        [sum[1] / sum[0], sum[2] / sum[0]]
    }

    #[test]
    fn frames_show_the_sheet_where_the_window_maps_it_to_a_fiftieth_of_a_pixel() {
        let sheet = sheet([70.0, 46.0]);
        let behind = vec![[0.0; 3]; 128 * 72];
        for i in 0..20 {
            let shift = f64::from(i) * 0.37;
            let window = Window { center: [74.0 + shift, 48.0 - 0.2 * shift], width: 110.0 - shift };
            let seen = middle(&sheet.frame(window, 128, 72, &behind), 128);
            let wanted = window.place([70.0, 46.0], 128, 72);
            assert!((seen[0] - wanted[0]).hypot(seen[1] - wanted[1]) < 0.02, "{seen:?}, not {wanted:?}");
        }
    }

    #[test]
    fn beyond_the_sheet_the_background_shows_and_flat_stays_flat() {
        let flat = Sheet { width: 40, height: 40, pixels: vec![[77.0; 3]; 1600] };
        let behind = vec![[9.0; 3]; 64 * 32];
        let frame = flat.frame(Window { center: [20.0, 20.0], width: 80.0 }, 64, 32, &behind);
        assert_eq!(frame[10 * 64 + 2], [9.0; 3]);
        assert!(frame[10 * 64 + 32].iter().all(|v| (v - 77.0).abs() < 1e-3));
    }
}
