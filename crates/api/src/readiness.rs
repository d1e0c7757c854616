//! Results of the readiness checks.

use std::sync::atomic::{AtomicBool, Ordering};
use strum::VariantArray;

/// A readiness check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Check {
    /// The database is readable, writable and not known to be corrupt.
    Database,
    /// The disk has enough free space and can be written.
    Disk,
    /// The media store on another machine is readable and writable.
    Media,
    /// The encoder works.
    Encoder,
    /// A graphics device is available.
    Renderer,
}

impl Check {
    /// Every check.
    pub const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// The name in `/readyz` and in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Check::Database => "database",
            Check::Disk => "disk",
            Check::Media => "media",
            Check::Encoder => "encoder",
            Check::Renderer => "renderer",
        }
    }
}

/// The checks that failed last. None until they have run.
#[derive(Debug, Default)]
pub struct Readiness {
    lacking: [AtomicBool; Check::ALL.len()],
}

impl Readiness {
    /// Records the result of a check. Returns whether it changed.
    pub fn found(&self, check: Check, is_there: bool) -> bool {
        self.lacking[check as usize].swap(!is_there, Ordering::Relaxed) == is_there
    }

    /// Whether the check failed last.
    #[must_use]
    pub fn is_lacking(&self, check: Check) -> bool {
        self.lacking[check as usize].load(Ordering::Relaxed)
    }
}
