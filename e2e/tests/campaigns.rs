//! The campaigns, in short. `bench/campaigns.sh` runs them for long.

use std::path::Path;
use std::time::Duration;

use aerie_e2e::campaigns::{clients, clock, disk, loads, poison, set_clock};

/// What is measured in a second or two, on a machine with other things to do, may be so much off the bar of 1.5.
const MOST_TIMES: f64 = 3.0;

#[test]
fn jobs_that_kill_their_workers_fail_after_three_runs_and_no_other_waits_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let worker = Path::new(env!("CARGO_BIN_EXE_campaigns"));
    let report = poison::campaign(1, &folder.path().join("data"), worker);
    // Three of the four kinds end their process, three times each.
    assert!(report.deaths >= 9, "{report}");
    assert!(report.beside.0 < report.before.0 + Duration::from_millis(500), "{report}");
}

#[test]
fn nothing_is_lost_stuck_or_billed_twice_when_the_clock_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let report = clock::campaign(300, folder.path());
    assert!(report.jumps > 20 && report.audit.completed > 150, "{report}");
}

#[test]
fn a_server_and_workers_whose_clock_is_set_lose_bill_twice_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    match set_clock::campaign(12, &folder.path().join("data")) {
        Ok(report) => assert!(report.hours > 2 && report.audit.completed > 0, "{report}"),
        Err(why) => eprintln!("skipped: {why}"),
    }
}

#[test]
fn clients_that_are_slow_or_vanish_are_in_nobodys_way() {
    let folder = tempfile::tempdir().unwrap();
    let report = clients::campaign(Duration::from_secs(3), &folder.path().join("data"));
    assert!(report.vanished > 20 && report.slow > 0 && report.answered > 50, "{report}");
}

#[test]
fn a_full_disk_is_429_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    match disk::campaign(folder.path()) {
        Ok(report) => assert!(report.before_reserve > 0 && report.before_full > 0 && report.refused >= 20, "{report}"),
        Err(why) => eprintln!("skipped: no disk can be mounted here: {why}"),
    }
}

#[test]
fn lists_polls_and_submits_cost_the_same_however_much_is_kept_or_queued() {
    for report in [loads::stored, loads::queued] {
        let folder = tempfile::tempdir().unwrap();
        let report = report(20_000, 25, folder.path());
        assert!(report.worst() <= MOST_TIMES, "{report}");
    }
}
