//! What was read and what was left out.

use std::collections::BTreeMap;

use crate::building::Header;

/// What was read of a city model, and what was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// What the file says about itself; of an archive, the first file that names a coordinate system.
    pub header: Header,
    /// Buildings passed on.
    pub read: u64,
    /// Buildings left out, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// Buildings passed on that have parts without LoD2, which their roof lacks.
    pub incomplete: u64,
    /// Elements of application domain extensions skipped.
    pub ade_elements: u64,
    /// Surfaces that carry a texture; the textures are not read.
    pub textured_surfaces: u64,
}

impl Summary {
    /// Number of buildings left out, for any reason.
    #[must_use]
    pub fn left_out_total(&self) -> u64 {
        self.left_out.values().sum()
    }
}
