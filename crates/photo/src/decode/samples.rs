//! Decoded samples, as they are stored.

use image::{ColorType, DynamicImage};

/// Decoded samples.
pub(super) enum Samples {
    /// Gray or RGB, with or without transparency.
    Image(DynamicImage),
    /// Cyan, magenta, yellow and black: 0 is no ink, 65535 full ink.
    Cmyk { width: u32, height: u32, inks: Vec<[u16; 4]> },
}

/// Channels of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channels {
    Gray,
    Rgb,
    Cmyk,
}

impl Samples {
    pub(super) fn size(&self) -> (u32, u32) {
        match self {
            Self::Image(image) => (image.width(), image.height()),
            Self::Cmyk { width, height, .. } => (*width, *height),
        }
    }

    pub(super) fn has_alpha(&self) -> bool {
        matches!(self, Self::Image(image) if image.color().has_alpha())
    }

    pub(super) fn channels(&self) -> Channels {
        match self {
            Self::Cmyk { .. } => Channels::Cmyk,
            Self::Image(image) => match image.color() {
                ColorType::L8 | ColorType::L16 | ColorType::La8 | ColorType::La16 => Channels::Gray,
                _ => Channels::Rgb,
            },
        }
    }
}
