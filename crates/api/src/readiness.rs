//! What the service needs to do its work, as it was found last.

use std::sync::atomic::{AtomicBool, Ordering};

/// Something that the service needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The database can be read and written.
    Database,
    /// There is room on the disk.
    Disk,
    /// The encoder encodes.
    Encoder,
    /// There is a device to draw on.
    Renderer,
}

impl Check {
    /// Each of them.
    pub const ALL: [Check; 4] = [Check::Database, Check::Disk, Check::Encoder, Check::Renderer];

    /// The name in `/readyz` and in figures.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Check::Database => "database",
            Check::Disk => "disk",
            Check::Encoder => "encoder",
            Check::Renderer => "renderer",
        }
    }
}

/// What was found lacking. Nothing is, until someone has looked.
#[derive(Debug, Default)]
pub struct Readiness {
    lacking: [AtomicBool; Check::ALL.len()],
}

impl Readiness {
    /// Notes how a check came out; whether that is another outcome than before.
    pub fn found(&self, check: Check, is_there: bool) -> bool {
        self.lacking[check as usize].swap(!is_there, Ordering::Relaxed) == is_there
    }

    /// Whether the last look found this lacking.
    #[must_use]
    pub fn is_lacking(&self, check: Check) -> bool {
        self.lacking[check as usize].load(Ordering::Relaxed)
    }
}
