//! Short runs of the campaigns. `bench/campaigns.sh` runs them at length.

use std::time::Duration;

use aerie_e2e::campaigns::{clients, clock, disk, hostile, loads, poison, receivers, set_clock, steady, uploads};

/// Looser than the limit of 1.5 of the long run, because short measurements on a busy machine vary.
const MAX_RATIO: f64 = 3.0;

/// Runs one check of the hostile campaign.
fn assert_held(check: &str) {
    let (folder, mut checks) = (tempfile::tempdir().unwrap(), 0);
    hostile::campaign(Some(check), folder.path(), |_, finding| {
        checks += 1;
        assert!(finding.held, "{}", finding.measured);
    });
    assert_eq!(checks, 1, "there is a check of this name");
}

#[test]
fn jobs_that_kill_their_engine_fail_after_three_runs_and_delay_no_other_job() {
    let folder = tempfile::tempdir().unwrap();
    let report = poison::campaign(1, &folder.path().join("data"));
    assert_eq!(report.deaths, 9, "{report}");
    assert!(report.during.0 < report.before.0 + Duration::from_millis(500), "{report}");
}

#[test]
fn no_acknowledged_upload_listing_or_batch_is_lost_or_made_twice_when_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let report = uploads::campaign(6, &folder.path().join("data"));
    assert!(report.whole > 20 && report.in_parts > 5 && report.batches > 5, "{report}");
}

#[test]
fn hostile_receivers_of_webhooks_delay_no_other_and_a_kill_loses_no_event() {
    let folder = tempfile::tempdir().unwrap();
    let report = receivers::campaign(1, &folder.path().join("data"));
    assert!(report.hostile > 20, "{report}");
}

#[test]
fn requests_at_the_same_time_do_not_exceed_a_months_quota_of_uploads_or_jobs() {
    assert_held("quotas");
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
    assert_held("pictures");
}

#[test]
fn no_client_of_a_steady_load_gets_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let report = steady::campaign(Duration::from_secs(5), &folder.path().join("data"));
    assert!(report.errors.0 == 0 && report.answered > 500, "{report}");
}

#[test]
fn a_long_queue_of_one_organization_delays_no_other() {
    assert_held("long_queue");
}

#[test]
fn a_damaged_backup_is_refused_with_the_file_named_and_changes_nothing() {
    assert_held("backup");
}

#[test]
fn what_the_server_a_backup_and_a_restore_create_is_private_whatever_the_umask() {
    assert_held("modes");
}

#[test]
fn a_damaged_database_and_a_full_disk_show_in_readiness() {
    assert_held("readiness");
}

#[test]
fn the_process_that_decodes_a_photo_is_confined() {
    assert_held("confinement");
}

#[test]
fn files_that_unpack_to_gigabytes_are_refused_within_seconds_and_in_little_memory() {
    assert_held("bombs");
}

#[test]
fn clients_of_the_shipped_configuration_cannot_read_the_metrics_and_monitoring_can() {
    assert_held("metrics");
}

#[test]
fn held_connections_do_not_keep_out_health_checks() {
    assert_held("health_reserve");
}

#[test]
fn a_thousand_clients_that_read_nothing_cost_little_memory() {
    assert_held("stalled_readers");
}

#[test]
fn control_characters_are_refused_in_every_text_that_the_server_documents() {
    assert_held("control_characters");
}

#[test]
fn a_server_that_would_trust_everybody_does_not_start() {
    assert_held("proxy_networks");
}

#[test]
fn names_and_addresses_cannot_control_the_operators_terminal() {
    assert_held("terminal_escapes");
}

#[test]
fn generated_urls_redirects_and_rebound_names_lead_to_no_address_that_is_not_public() {
    assert_held("ssrf");
}

#[test]
fn lists_polls_and_submits_cost_the_same_with_many_stored_or_queued_jobs() {
    for report in [loads::stored, loads::queued] {
        let folder = tempfile::tempdir().unwrap();
        let report = report(8_000, 15, folder.path());
        assert!(report.worst() <= MAX_RATIO, "{report}");
    }
}
