//! Flights over more places than a test has time for: `make measure`.

use crate::flight_checks;
use crate::flights::PATHS;

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn flights_over_random_addresses_hit_nothing_and_show_the_property() {
    let data = aerie_test_data::test_data("");
    let counts = flight_checks::campaign(&data, 10, &PATHS, |_| {});
    let (intrusions, lost) = (counts.intrusions.len(), counts.lost.len());
    eprintln!(
        "{} flights over {} addresses, {} frames: {intrusions} cameras within an obstacle (0), {lost} frames without the property (0)",
        counts.flights, counts.addresses, counts.frames
    );
    assert!(counts.flights == 3 * 10 * PATHS.len() && counts.frames == counts.flights * 300, "{counts:?}");
    assert!(intrusions == 0 && lost == 0, "{counts:?}");
}
