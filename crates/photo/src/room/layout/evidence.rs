//! Evidence for a room layout.

/// How well a layout explains the image.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// Mean support of the visible edges of the box by segments, 0 to 1.
    pub edges: f64,
    /// The same for the lower edge of the walls.
    pub foot: f64,
    /// Share of the length of segments along the normal of the face they lie on, which is impossible.
    pub violations: f64,
    /// Share of the color variance explained by the faces, 0 to 1.
    pub colors: f64,
    /// Overlap (intersection over union) of the layout's floor with the segmented floor, 0 to 1.
    pub segmentation: f64,
    /// Agreement of the floors of all layouts that explain the image about as well, 0 to 1.
    pub agreement: f64,
}
