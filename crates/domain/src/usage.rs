//! Usage: billed jobs.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::{EventId, JobId, ValidationError};

/// One billed job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageEvent {
    /// Identity.
    pub id: EventId,
    /// The job that was billed.
    pub job_id: JobId,
    /// `<kind>.<action>`.
    pub event_type: String,
    /// Price in cents, frozen at submit.
    pub unit_price_cents: i64,
    /// When the job was completed.
    pub created_at: Timestamp,
}

/// A range of UTC days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageRange {
    /// First day.
    pub from: Date,
    /// Last day.
    pub to: Date,
}

impl UsageRange {
    /// Parses a range of two dates `YYYY-MM-DD`, which default to the first day of the current month and today.
    ///
    /// # Errors
    /// When a date has another format or does not exist, or when the range ends before it begins.
    pub fn parse(from: Option<&str>, to: Option<&str>, now: Timestamp) -> Result<Self, ValidationError> {
        let today = now.to_zoned(TimeZone::UTC).date();
        let from = from.map_or(Ok(today.first_of_month()), |text| parse_date("from", text))?;
        let to = to.map_or(Ok(today), |text| parse_date("to", text))?;
        if from > to {
            return Err(ValidationError::new("from", format!("must not be after `to`: {from} is after {to}")));
        }
        Ok(Self { from, to })
    }

    /// The days of a month `YYYY-MM`, which defaults to the current one.
    ///
    /// # Errors
    /// When the month has another format or does not exist.
    pub fn of_month(month: Option<&str>, now: Timestamp) -> Result<Self, ValidationError> {
        let first = match month {
            None => now.to_zoned(TimeZone::UTC).date().first_of_month(),
            Some(text) => parse_date("month", &format!("{text}-01"))
                .map_err(|error| ValidationError::new(error.path, "must be a real month of the form YYYY-MM"))?,
        };
        Ok(Self { from: first, to: first.last_of_month() })
    }

    /// The range in milliseconds since the epoch: the first in it, and the first after it.
    #[must_use]
    pub fn milliseconds(&self) -> (i64, i64) {
        const EPOCH: Date = Date::constant(1970, 1, 1);
        let start = |date: Date| i64::try_from(date.duration_since(EPOCH).as_millis()).unwrap_or(i64::MAX);
        (start(self.from), start(self.to) + 86_400_000)
    }
}

fn parse_date(field: &str, text: &str) -> Result<Date, ValidationError> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes
            .iter()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { *byte == b'-' } else { byte.is_ascii_digit() });
    let date = if shaped { text.parse().ok() } else { None };
    date.ok_or_else(|| ValidationError::new(field, "must be a real date of the form YYYY-MM-DD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(from: Option<&str>, to: Option<&str>) -> Result<UsageRange, ValidationError> {
        UsageRange::parse(from, to, "2026-02-17T23:59:59.999Z".parse().unwrap())
    }

    #[test]
    fn the_default_is_the_current_month_until_today() {
        let range = parse(None, None).unwrap();
        assert_eq!((range.from.to_string(), range.to.to_string()), ("2026-02-01".into(), "2026-02-17".into()));
    }

    #[test]
    fn both_days_belong_to_the_range() {
        let (start, end) = parse(Some("2026-02-03"), Some("2026-02-03")).unwrap().milliseconds();
        let first: Timestamp = "2026-02-03T00:00:00Z".parse().unwrap();
        assert_eq!((start, end), (first.as_millisecond(), first.as_millisecond() + 86_400_000));
    }

    #[test]
    fn a_month_has_all_its_days() {
        let month = |text| UsageRange::of_month(text, "2026-02-17T23:59:59.999Z".parse().unwrap());
        let days = |range: UsageRange| (range.from.to_string(), range.to.to_string());
        assert_eq!(days(month(None).unwrap()), ("2026-02-01".into(), "2026-02-28".into()));
        assert_eq!(days(month(Some("2024-02")).unwrap()), ("2024-02-01".into(), "2024-02-29".into()));
        for wrong in ["", "2026", "2026-13", "2026-2", "2026-02-01", "02-2026"] {
            assert_eq!(month(Some(wrong)).unwrap_err().path, "month", "{wrong}");
        }
    }

    #[test]
    fn the_last_day_of_the_calendar_has_an_end() {
        let (start, end) = parse(Some("9999-12-31"), Some("9999-12-31")).unwrap().milliseconds();
        assert_eq!(end - start, 86_400_000);
    }

    #[test]
    fn dates_are_strict_and_real() {
        for text in [
            "",
            "2026-2-3",
            "2026-02-30",
            "20260203",
            "2026-02-03T00:00:00Z",
            "+026-02-03",
            "2026-13-01",
            " 2026-02-03",
        ] {
            assert_eq!(parse(Some(text), None).unwrap_err().path, "from", "{text}");
            assert_eq!(parse(None, Some(text)).unwrap_err().path, "to", "{text}");
        }
        assert!(parse(Some("2024-02-29"), None).is_ok());
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_refused_with_defaults_applied() {
        assert!(parse(Some("2026-02-05"), Some("2026-02-04")).is_err());
        assert!(parse(Some("2026-02-18"), None).is_err());
        assert!(parse(None, Some("2026-01-31")).is_err());
    }
}
