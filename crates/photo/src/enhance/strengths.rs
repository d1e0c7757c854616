//! How strongly each change is applied.

use super::backlight::Backlight;

/// Strengths of all changes of light.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Strengths {
    /// White balance gains of linear red, green and blue.
    pub(crate) gains: [f32; 3],
    /// Size of the cast that the gains remove, in a*, b*.
    pub(crate) shift: f32,
    /// Exposure, stops.
    pub(crate) exposure: f32,
    /// The dark part of the photo that the exposure is for; `None` if it is for the whole.
    pub(crate) backlight: Option<Backlight>,
    /// Compression of what is lighter and darker than the middle tone.
    pub(crate) highlights: f32,
    pub(crate) shadows: f32,
    /// Share of the exposure that is reverted in areas that were bright before, such as windows.
    pub(crate) windows: f32,
    /// Factor on local contrast; 1 changes nothing.
    pub(crate) detail: f32,
    /// Gain of saturation, as a share.
    pub(crate) vibrance: f32,
    /// Share of tint removed from light, nearly white areas.
    pub(crate) whites: f32,
    /// Amount of unsharp masking.
    pub(crate) sharpening: f32,
    /// Standard deviation of noise to remove, L*; 0 for none.
    pub(crate) noise: f32,
    /// How strongly it is removed: 1 for what was measured.
    pub(crate) noise_factor: f32,
}

impl Strengths {
    /// Changes nothing.
    pub(crate) const UNCHANGED: Self = Self {
        gains: [1.0; 3],
        shift: 0.0,
        exposure: 0.0,
        backlight: None,
        highlights: 0.0,
        shadows: 0.0,
        windows: 0.0,
        detail: 1.0,
        vibrance: 0.0,
        whites: 0.0,
        sharpening: 0.0,
        noise: 0.0,
        noise_factor: 0.0,
    };
}
