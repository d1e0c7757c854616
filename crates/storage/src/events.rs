//! What happens to jobs and listings, for clients that follow it.
//!
//! The database itself adds an event whenever the status of a job changes or a viewer of a share link says something, in the same
//! transaction.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use aerie_domain::{JobId, JobStatus, JobType, OrgId, ReviewIds};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::{Lease, StoreError};

/// Keeps events and the progress of running jobs. No method shows another organization's.
#[async_trait]
pub trait EventStore: Send + Sync {
    /// The position after the events that are there now. No event appears before it later.
    async fn event_position(&self) -> Result<EventPosition, StoreError>;

    /// The next events of an organization after a position, oldest first, at most `limit`.
    async fn event_list(&self, org_id: OrgId, after: EventPosition, limit: u32) -> Result<Vec<Event>, StoreError>;

    /// Removes events older than `keep`, `limit` at most, and returns how many.
    async fn event_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError>;

    /// Records how far the holder of the lease is. Nothing happens when the lease is lost.
    async fn progress_report(&self, held: &Lease, stage: &str, percent: u8) -> Result<(), StoreError>;

    /// How far the running jobs of an organization are, at most `limit` of them, those that have progressed last first.
    async fn progress_list(&self, org_id: OrgId, limit: u32) -> Result<Vec<JobProgress>, StoreError>;
}

/// A place in the sequence of events, and its time.
///
/// Text: `MILLISECONDS-TRANSACTION-NUMBER`. Clients send it back, and may not rely on its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventPosition {
    /// When the event happened, milliseconds since 1970: tells whether events after it may have been removed.
    pub at: i64,
    /// The transaction; 0 where the database has one writer.
    pub transaction: i64,
    /// The number of the event.
    pub number: i64,
}

/// Something has happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place.
    pub position: EventPosition,
    /// What it was.
    pub subject: EventSubject,
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSubject {
    /// A job has a new status.
    Job(JobId, JobType, JobStatus),
    /// A viewer of a share link has approved, rejected or commented.
    Review(ReviewIds),
}

impl Event {
    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        Timestamp::from_millisecond(self.position.at).unwrap_or_default()
    }
}

/// How far a running job is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobProgress {
    /// The job.
    pub job_id: JobId,
    /// Its kind.
    pub job_type: JobType,
    /// The stage of its engine.
    pub stage: String,
    /// How much of the stage is done, 0 to 100.
    pub percent: u8,
    /// When that was.
    pub at: Timestamp,
}

impl fmt::Display for EventPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.at, self.transaction, self.number)
    }
}

/// The text is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the id of an event")]
pub struct NotAPosition;

impl FromStr for EventPosition {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Self, NotAPosition> {
        let number = |part: Option<&str>| {
            let digits = part.filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|part| part.parse().ok()).ok_or(NotAPosition)
        };
        let mut parts = text.split('-');
        let found =
            Self { at: number(parts.next())?, transaction: number(parts.next())?, number: number(parts.next())? };
        if parts.next().is_some() { Err(NotAPosition) } else { Ok(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_nothing_else_is() {
        let position = EventPosition { at: 1_750_000_000_000, transaction: 0, number: i64::MAX };
        assert_eq!(position.to_string().parse(), Ok(position));
        for wrong in
            ["", "1", "1-2", "1-2-3-4", "-1-2-3", "1-2-+3", "1-2-9223372036854775808", "a-b-c", "1--3", "1-2-3 "]
        {
            assert_eq!(wrong.parse::<EventPosition>(), Err(NotAPosition), "{wrong}");
        }
    }
}
