//! Quality measures of an enhanced photo.

use serde::Serialize;

/// Measures of the result, compared with the original.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Pixels that reached the maximum in a channel, or lost all light, percent.
    pub newly_clipped: f32,
    /// Edges whose contrast was reversed, as by halos, percent.
    pub reversed_edges: f32,
    /// Lightness contrast preserved in highlights (L* over 80 in the original), as a share of the original's.
    pub highlight_detail: f32,
    /// Mean chroma of the grayest quarter of the original (L* over 15), scaled to L* 50 as chroma grows with lightness.
    pub gray_chroma_before: f32,
    /// The same for the grayest quarter of the result.
    pub gray_chroma_after: f32,
    /// Noise of the original on flat patches: standard deviation of L*.
    pub noise_before: f32,
    /// Noise of the pixels that were written.
    pub noise_after: f32,
    /// Worst lean of verticals at the sides of the original, degrees; absent where too few upright lines were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lean_before: Option<f32>,
    /// The same of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lean_after: Option<f32>,
}
