//! When a delivery that failed is sent again.

use std::time::Duration;

use aerie_domain::DeliveryId;

/// Waits after the first attempt, the second, and so on, in seconds: a day in all.
const WAITS: [u64; 9] = [5, 60, 300, 1800, 3600, 7200, 14_400, 21_600, 36_000];

/// How long to wait after an attempt that failed, when `attempts` others failed before it; `None` after the last one. Up to a tenth
/// longer, other for each delivery, so that an endpoint that is back does not get all at once.
pub(crate) fn wait(attempts: u32, id: DeliveryId) -> Option<Duration> {
    let seconds = WAITS.get(usize::try_from(attempts).ok()?)?;
    let share = u64::from(id.0.as_bytes()[15]);
    Some(Duration::from_millis(seconds * 1000 + seconds * 1000 * share / 2560))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::*;

    #[test]
    fn attempts_go_on_for_a_day_and_then_end() {
        let id = DeliveryId::new(Timestamp::UNIX_EPOCH);
        let waits: Vec<Duration> = (0..).map_while(|attempts| wait(attempts, id)).collect();
        assert!(waits.is_sorted());
        let all: Duration = waits.iter().sum();
        assert!(all >= Duration::from_secs(23 * 3600) && all <= Duration::from_secs(27 * 3600), "{all:?}");
        assert_eq!(wait(u32::MAX, id), None);
    }
}
