//! Durations and dates as a database counts them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A duration in milliseconds.
#[must_use]
pub fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

/// The UTC month of a time, such as `2026-03`.
#[must_use]
pub fn utc_month(time: Timestamp) -> String {
    let date = time.to_zoned(TimeZone::UTC).date();
    format!("{:04}-{:02}", date.year(), date.month())
}

/// The UTC day of a time, such as `2026-03-09`.
#[must_use]
pub fn utc_day(time: Timestamp) -> String {
    let date = time.to_zoned(TimeZone::UTC).date();
    format!("{}-{:02}", utc_month(time), date.day())
}
