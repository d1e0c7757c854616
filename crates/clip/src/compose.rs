//! Composition: which part of a photo is worth looking at.

use aerie_photo::Photo;

/// Longer side of the copy that is looked at.
const SIDE: usize = 160;
/// Minimum detail ahead, relative to that of the whole picture; with less, a blank wall is ahead.
const BLANK: f32 = 0.45;

/// Where the detail of a photo lies, in its pixels, half way back to the middle: what a frame of another shape keeps.
#[must_use]
pub fn focus(photo: &Photo) -> [f64; 2] {
    let detail = Detail::of(photo);
    let (mut sum, mut total) = ([0.0, 0.0], 1e-9);
    for (i, d) in detail.values.iter().enumerate() {
        let at = [(i % detail.width) as f64 + 0.5, (i / detail.width) as f64 + 0.5];
        sum = [sum[0] + at[0] * f64::from(*d), sum[1] + at[1] * f64::from(*d)];
        total += f64::from(*d);
    }
    let place = |sum: f64, side: usize, whole: usize| {
        let centroid = sum / total / side as f64 * whole as f64;
        (centroid + whole as f64 / 2.0) / 2.0
    };
    [place(sum[0], detail.width, photo.width), place(sum[1], detail.height, photo.height)]
}

/// Whether the middle of a photo shows more than a blank wall.
#[must_use]
pub fn something_ahead(photo: &Photo) -> bool {
    let detail = Detail::of(photo);
    let mean = |inside: &dyn Fn(usize, usize) -> bool| {
        let values = (0..detail.values.len()).filter(|i| inside(i % detail.width, i / detail.width));
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), i| (sum + detail.values[i], count + 1.0));
        sum / f32::max(count, 1.0)
    };
    let third = |at: usize, side: usize| at > side / 3 && at < side * 2 / 3;
    mean(&|x, y| third(x, detail.width) && third(y, detail.height)) >= BLANK * mean(&|_, _| true)
}

/// How much lightness changes from pixel to pixel of a reduced photo.
struct Detail {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Detail {
    fn of(photo: &Photo) -> Self {
        let reduced = photo.reduced(SIDE);
        let (width, height) = (reduced.width, reduced.height);
        let light: Vec<f32> = reduced.pixels.iter().map(|[r, g, b]| (0.21 * r + 0.72 * g + 0.07 * b).sqrt()).collect();
        let at = |x: usize, y: usize| light[y.min(height - 1) * width + x.min(width - 1)];
        let change = |i: usize| {
            let (x, y) = (i % width, i / width);
            (at(x + 1, y) - at(x, y)).abs() + (at(x, y + 1) - at(x, y)).abs()
        };
        Self { width, height, values: (0..width * height).map(change).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn photo(busy: impl Fn(usize, usize) -> bool) -> Photo {
        let pixel = |i: usize| {
            let (x, y) = (i % 150, i / 150);
            if busy(x, y) && (x / 2 + y / 2) % 2 == 0 { [60000; 3] } else { [30000; 3] }
        };
        Photo::new(150, 100, (0..15000).map(pixel).collect())
    }

    #[test]
    fn a_frame_keeps_what_there_is_to_see() {
        let [x, y] = focus(&photo(|x, _| x > 110));
        assert!(x > 90.0 && (y - 50.0).abs() < 3.0, "{x} {y}");
        let [x, _] = focus(&photo(|_, _| false));
        assert!((0.0..150.0).contains(&x));
    }

    #[test]
    fn a_blank_wall_is_not_worth_coming_nearer_to() {
        assert!(!something_ahead(&photo(|x, _| !(40..110).contains(&x))));
        assert!(something_ahead(&photo(|_, _| true)));
    }
}
