//! What database backends have in common, so that they cannot differ in it.
mod damage;
mod leftovers;
mod lost_jobs;
mod markup_steps;
mod new_rows;
mod time;
pub mod transfer;
pub mod turns;

pub use damage::Damage;
pub use leftovers::LEFTOVERS_WAIT;
pub use lost_jobs::{MAX_LEASE, MAX_LOST, lost_failure};
pub use markup_steps::{markup_annotated, markup_selected};
pub use new_rows::{new_organization, queued_job};
pub use time::{milliseconds, utc_day, utc_month};
