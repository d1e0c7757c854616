//! Aerial images.

/// A square aerial image, north up.
#[derive(Debug, Clone)]
pub struct AerialImage {
    /// Half its side, meters; it is centered on [`center`](super::center).
    pub half_extent: f32,
    /// Pixels per side.
    pub side: u32,
    /// sRGB, and 255 where the pixel is known or 0 where not; row by row from the north.
    pub rgba: Vec<u8>,
}

/// The mean of the square within `reach` pixels of each pixel. Pixels beyond the border repeat it.
pub(super) fn blurred(values: &[f32], side: usize, reach: usize) -> Vec<f32> {
    let blur = |values: &[f32], step: usize, line: usize| {
        let mut out = vec![0.0_f32; values.len()];
        for l in 0..side {
            let at = |k: isize| values[l * line + k.clamp(0, side as isize - 1) as usize * step];
            let mut sum: f32 = (-(reach as isize)..=reach as isize).map(at).sum();
            for k in 0..side {
                out[l * line + k * step] = sum / (2 * reach + 1) as f32;
                sum += at(k as isize + reach as isize + 1) - at(k as isize - reach as isize);
            }
        }
        out
    };
    blur(&blur(values, 1, side), side, 1)
}
