//! Progress reports and cancellation of long work.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Receives progress and decides whether the work goes on.
pub struct Monitor<'a> {
    /// Receives the share of the work that is done, 0 to 1. Called from several threads.
    pub report: &'a (dyn Fn(f32) + Sync),
    /// Whether the work is canceled. Called often, from several threads.
    pub is_canceled: &'a (dyn Fn() -> bool + Sync),
}

impl Monitor<'static> {
    /// Ignores progress and never cancels.
    pub const NONE: Self = Self { report: &|_| (), is_canceled: &|| false };
}

impl Monitor<'_> {
    pub(crate) fn is_canceled(&self) -> bool {
        (self.is_canceled)()
    }

    /// Counts one of `total` items as done and reports progress now and then; the items are `range` of the whole work.
    pub(crate) fn count(&self, done: &AtomicUsize, total: usize, range: [f32; 2]) {
        let n = done.fetch_add(1, Ordering::Relaxed);
        if n.is_multiple_of(16_384) {
            (self.report)(range[0] + (range[1] - range[0]) * n as f32 / total.max(1) as f32);
        }
    }
}
