//! When a key expires, as operators write it.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// Parses an expiry: a time, or a day `YYYY-MM-DD` (UTC), which a key is valid to the end of.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    let day = text.parse::<Date>().ok().filter(|_| text.len() == 10)?;
    Some(day.checked_add(1.day()).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_valid_to_the_end_of_its_last_day() {
        assert_eq!(parse("2027-01-31").unwrap().to_string(), "2027-02-01T00:00:00Z");
        assert_eq!(parse("2027-01-31T12:00:00+01:00").unwrap().to_string(), "2027-01-31T11:00:00Z");
        for wrong in ["", "tomorrow", "2027-02-30", "9999-12-31", "2027-01-31T12:00:00"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
