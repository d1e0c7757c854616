//! Bounds what is kept of one object or feature.

use std::cell::Cell;

/// Numbers, lists and texts that are kept of an object, or of all objects of a feature.
const MAX_NODES: usize = 4_000_000;

/// What may still be kept.
pub(super) struct Budget(Cell<usize>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(MAX_NODES))
    }
}

impl Budget {
    /// Whether nothing more is kept.
    pub(super) fn exhausted(&self) -> bool {
        self.0.get() == 0
    }

    /// Counts one more, and says whether it may be kept.
    pub(super) fn spend(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        !self.exhausted()
    }
}
