//! Whoever waits for a picture, and may stop waiting.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Is told how far the work has come, and says when it is not wanted any more.
pub struct Watch<'a> {
    /// Told the share of the work that is done, 0 to 1; called from several threads.
    pub told: &'a (dyn Fn(f32) + Sync),
    /// Whether the work is to end early; asked often, from several threads.
    pub is_canceled: &'a (dyn Fn() -> bool + Sync),
}

impl Watch<'static> {
    /// Nobody: the work is done to its end.
    pub const NOBODY: Self = Self { told: &|_| (), is_canceled: &|| false };
}

impl Watch<'_> {
    /// Whether the work is to end early.
    pub(crate) fn is_over(&self) -> bool {
        (self.is_canceled)()
    }

    /// Counts one of `total` items done, and tells now and then; they are `range` of the whole work.
    pub(crate) fn count(&self, done: &AtomicUsize, total: usize, range: [f32; 2]) {
        let n = done.fetch_add(1, Ordering::Relaxed);
        if n.is_multiple_of(16_384) {
            (self.told)(range[0] + (range[1] - range[0]) * n as f32 / total.max(1) as f32);
        }
    }
}
