//! How much work goes into a picture.

/// How much work goes into a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Samples per pixel of furniture.
    pub samples: u32,
    /// One in this many samples is lit.
    pub lit: u32,
    /// Longer side of the map of the change of light in the room, pixels.
    pub side: usize,
    /// Rays per cell of that map.
    pub rays: u32,
}

impl Effort {
    /// For a preview.
    pub const DRAFT: Self = Self { samples: 4, lit: 2, side: 320, rays: 25 };

    /// For publication. Large pictures get fewer samples per pixel.
    #[must_use]
    pub fn publication(pixels: usize) -> Self {
        let samples = (24.0e6 / pixels.max(1) as f64).clamp(6.0, 12.0) as u32;
        Self { samples, lit: 2, side: 960, rays: 36 }
    }
}
