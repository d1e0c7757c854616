//! Campaigns that take longer than a test: `make measure`. `bench/campaigns.sh` runs them for hours.

use std::time::Duration;

use aerie_e2e::campaigns::{loads, steady};

/// Maximum ratio of a request's time with many jobs to that with few; looser than that of the long run, whose measurements are longer.
const MAX_RATIO: f64 = 2.0;

#[test]
fn requests_cost_the_same_with_twenty_thousand_stored_or_queued_jobs() {
    for report in [loads::stored, loads::queued] {
        let folder = tempfile::tempdir().unwrap();
        let report = report(20_000, 50, folder.path());
        eprintln!("{report}; worst ratio {:.2} (at most {MAX_RATIO})", report.worst());
        assert!(report.worst() <= MAX_RATIO);
    }
}

#[test]
fn clients_of_a_steady_load_get_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let report = steady::campaign(Duration::from_secs(60), &folder.path().join("data"));
    eprintln!("{report} (errors: at most 0)");
    assert!(report.errors.0 == 0 && report.answered > 5_000, "{report}");
}
