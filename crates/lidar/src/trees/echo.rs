//! The points that crowns are made of, and what is made of them.

/// A tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Center of the crown, near the trunk, in the file's coordinates.
    pub at: [f64; 2],
    /// Height above the ground, meters.
    pub height: f64,
    /// Diameter of the crown, meters.
    pub crown: f64,
    /// Whether it is a conifer, where its profile tells: a cone or a dome.
    pub is_conifer: Option<bool>,
}

/// Size of a cell of the canopy, meters.
pub(super) const CELL: f64 = 0.5;
/// Lowest tree.
pub(super) const LEAST_HEIGHT: f64 = 2.5;
/// Meters per step of a kept coordinate and of a kept height.
pub(super) const STEP: f64 = 0.02;

/// A point above the ground, packed: an area in a forest has ten million.
#[derive(Debug, Clone, Copy)]
pub(super) struct Echo {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) height: u16,
    pub(super) is_multiple: bool,
    pub(super) is_vegetation: bool,
}

impl Echo {
    pub(super) fn position(self) -> [f64; 2] {
        [f64::from(self.x) * STEP, f64::from(self.y) * STEP]
    }

    pub(super) fn height(self) -> f64 {
        f64::from(self.height) * STEP
    }
}
