//! Attacks by clients, operators' mistakes and damaged files, each with what must hold meanwhile. A check reports instead of
//! panicking, so that one run lists every weakness of a binary.
mod archive;
mod backup;
mod bombs;
mod confinement;
mod control_characters;
mod health_reserve;
mod long_queue;
mod metrics;
mod modes;
mod pictures;
mod proxy_networks;
mod quotas;
mod readiness;
mod slow_clients;
mod ssrf;
mod stalled_readers;
mod terminal_escapes;

use std::path::Path;

use super::Finding;

/// A check, given a path for its data folder.
type Check = fn(&Path) -> Finding;

/// All checks by name.
const CHECKS: &[(&str, Check)] = &[
    ("health_reserve", health_reserve::check),
    ("metrics", metrics::check),
    ("slow_clients", slow_clients::check),
    ("stalled_readers", stalled_readers::check),
    ("backup", backup::check),
    ("bombs", bombs::check),
    ("confinement", confinement::check),
    ("long_queue", long_queue::check),
    ("modes", modes::check),
    ("pictures", pictures::check),
    ("readiness", readiness::check),
    ("control_characters", control_characters::check),
    ("proxy_networks", proxy_networks::check),
    ("quotas", quotas::check),
    ("ssrf", ssrf::check),
    ("terminal_escapes", terminal_escapes::check),
];

/// Runs the check of that name, or all of them, each in its own folder within `folder`. Calls `report` after each.
pub fn campaign(name: Option<&str>, folder: &Path, mut report: impl FnMut(&str, &Finding)) {
    for (check, run) in CHECKS.iter().filter(|(check, _)| name.is_none_or(|name| name == *check)) {
        let folder = folder.join(check);
        std::fs::create_dir_all(&folder).expect("a folder");
        report(check, &run(&folder.join("data")));
    }
}
