//! The size of finished frames, and how they are sampled.

/// Size and sampling of the finished picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picture {
    /// Width, pixels, a multiple of 4.
    pub width: u32,
    /// Height, pixels, a multiple of 2.
    pub height: u32,
    /// Samples per pixel along each axis: 1 for none, 1.41 for two samples per pixel (three per two pixels across and four per
    /// three down, where the height is a multiple of 6), 2 for four.
    pub supersampling: f32,
    /// Darkening toward the corners, 0 for none.
    pub vignette: f32,
}

impl Picture {
    /// Bytes of one frame in NV12.
    #[must_use]
    pub fn frame_bytes(&self) -> usize {
        (self.width * self.height * 3 / 2) as usize
    }

    /// Whether downsampling reads each texel once, by `gather` in `nv12.wgsl`.
    pub(crate) fn is_gathered(&self) -> bool {
        self.supersampling > 1.2 && self.supersampling < 1.8 && self.height.is_multiple_of(6)
    }

    /// Size of the render target, texels: width, height.
    pub(crate) fn drawn_size(&self) -> [u32; 2] {
        if self.is_gathered() {
            return [self.width / 2 * 3, self.height / 3 * 4];
        }
        [self.width, self.height].map(|pixels| ((pixels as f32 * self.supersampling / 4.0).round() * 4.0) as u32)
    }
}
