//! What a camera does.

use serde::Serialize;

/// What the camera does between the photo and the other end, at that end.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Moves {
    /// Along the optical axis.
    pub forward: f64,
    /// To the right of the picture.
    pub right: f64,
    /// Up.
    pub up: f64,
    /// Turn to the right.
    pub pan: f64,
    /// Turn up.
    pub tilt: f64,
    /// Angle around a point ahead, positive where the camera moves to the right.
    pub orbit: f64,
    /// Focal length at the end over that of the photo, less 1.
    pub zoom: f64,
    /// Light at the end over that of the photo, less 1.
    pub light: f64,
}

impl Moves {
    /// A share of all moves.
    pub(crate) fn times(self, share: f64) -> Self {
        Self {
            forward: self.forward * share,
            right: self.right * share,
            up: self.up * share,
            pan: self.pan * share,
            tilt: self.tilt * share,
            orbit: self.orbit * share,
            zoom: self.zoom * share,
            light: self.light * share,
        }
    }
}
