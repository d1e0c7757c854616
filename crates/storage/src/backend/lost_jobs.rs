//! Jobs whose lease has expired.

use std::time::Duration;

use aerie_domain::{Failure, FailureCode, MAX_RUNS};

/// No lease lasts an hour: one that ends later was granted before the clock was set back, and its holder, if alive, renews it
/// within seconds.
pub const MAX_LEASE: Duration = Duration::from_secs(3600);

/// Jobs with an expired lease that a claim compares; there are seldom more than workers.
pub const MAX_LOST: u32 = 256;

/// Why a job fails whose lease expired in its last run.
#[must_use]
pub fn lost_failure() -> Failure {
    let message =
        format!("The job was started {MAX_RUNS} times and lost each time; it is not billed. Submit it again.");
    Failure::new(FailureCode::AttemptsExhausted, message)
}
