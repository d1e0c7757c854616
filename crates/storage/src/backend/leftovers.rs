//! Media that may be left over.

use std::time::Duration;

/// How long after a job ends its media are looked at: the worker deletes what it can itself, and another that has lost its
/// lease may still be storing files.
pub const LEFTOVERS_WAIT: Duration = Duration::from_secs(3600);
