//! Short runs of the campaigns. `bench/campaigns.sh` runs them at length.

use std::path::Path;
use std::time::Duration;

use aerie_e2e::campaigns::{clients, clock, disk, hostile, loads, poison, set_clock};

/// Looser than the limit of 1.5 of the long run, because short measurements on a busy machine vary.
const MAX_RATIO: f64 = 3.0;

#[test]
fn jobs_that_kill_their_worker_fail_after_three_runs_and_delay_no_other_job() {
    let folder = tempfile::tempdir().unwrap();
    let worker = Path::new(env!("CARGO_BIN_EXE_campaigns"));
    let report = poison::campaign(1, &folder.path().join("data"), worker);
    // Three of the four kinds kill their process, three times each.
    assert!(report.deaths >= 9, "{report}");
    assert!(report.during.0 < report.before.0 + Duration::from_millis(500), "{report}");
}

#[test]
fn nothing_is_lost_stuck_or_billed_twice_when_the_clock_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let report = clock::campaign(300, folder.path());
    assert!(report.jumps > 20 && report.audit.completed > 150, "{report}");
}

#[test]
fn setting_the_clock_of_server_and_workers_loses_bills_twice_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    match set_clock::campaign(12, &folder.path().join("data")) {
        Ok(report) => assert!(report.hours > 2 && report.audit.completed > 0, "{report}"),
        Err(why) => eprintln!("skipped: {why}"),
    }
}

#[test]
fn slow_and_disconnecting_clients_do_not_affect_others() {
    let folder = tempfile::tempdir().unwrap();
    let report = clients::campaign(Duration::from_secs(3), &folder.path().join("data"));
    assert!(report.vanished > 20 && report.slow > 0 && report.answered > 50, "{report}");
}

#[test]
fn a_full_disk_returns_429_and_loses_nothing_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    match disk::campaign(folder.path()) {
        Ok(report) => assert!(report.before_reserve > 0 && report.before_full > 0 && report.refused >= 20, "{report}"),
        Err(why) => eprintln!("skipped: cannot mount a disk: {why}"),
    }
}

#[test]
fn pictures_made_to_be_slow_to_read_do_not_stall_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let report = hostile::campaign(8, &folder.path().join("data"));
    // Reading them where requests are answered takes several seconds.
    assert!(report.refused == 8 && report.worst < Duration::from_secs(2), "{report}");
}

#[test]
fn lists_polls_and_submits_cost_the_same_with_many_stored_or_queued_jobs() {
    for report in [loads::stored, loads::queued] {
        let folder = tempfile::tempdir().unwrap();
        let report = report(20_000, 25, folder.path());
        assert!(report.worst() <= MAX_RATIO, "{report}");
    }
}
