//! The server is killed under load. `kill-campaign` does the same 500 times.

use std::path::Path;

use aerie_e2e::kills::campaign;

#[test]
fn nothing_acknowledged_is_lost_or_billed_twice_when_the_server_is_killed_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let report = campaign(6, &folder.path().join("data"), Path::new(env!("CARGO_BIN_EXE_job-completer")));
    assert!(report.acknowledged > 20 && report.completed > 20, "{report}");
}
