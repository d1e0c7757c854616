//! Checks how well this machine confines what reads files of strangers.

use std::time::Duration;

use aerie_engine_api::Finding;
use aerie_engine_api::messages::Task;

use crate::engine_child::{ask_clean, ask_confined, check_engine};

/// How long the check of drivers and encoder may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Checks what the kernel supports.
pub(super) fn confinement() -> Finding {
    let (what, support) = ("confinement", aerie_confinement::support());
    let remedy = "use Linux 6.12 or later with Landlock enabled (`lsm=` on the kernel's command line), and a container that allows \
                  its system calls; jobs run less confined until then";
    let found = support.to_string();
    match (support.is_complete(), support.landlock > 0 && support.seccomp) {
        (true, _) => Finding::good(what, found),
        (false, true) => Finding { remedy: Some(remedy.into()), ..Finding::good(what, found) },
        (false, false) => Finding::bad(what, found, remedy),
    }
}

/// Checks the program that makes media; and with it the graphics device, the encoder and the font, confined as jobs are.
pub(super) fn engines() -> Vec<Finding> {
    if let Err(why) = check_engine() {
        let remedy =
            "install `aerie` and `aerie-engine` of the same version into one folder; nothing is made until then";
        return vec![Finding::bad("engine", why, remedy)];
    }
    // A driver that crashes takes the child down.
    let confined = ask_confined(Task::CheckMachine, &std::env::temp_dir(), None, LIMIT.into());
    let mut findings: Vec<Finding> = match confined {
        Ok(findings) => findings,
        Err(error) => {
            let remedy = "update or remove the graphics driver: jobs that render fail in the same way";
            return vec![Finding::bad("graphics device", format!("{error:#}"), remedy)];
        }
    };
    if findings.iter().all(|finding| finding.ok) {
        return findings;
    }
    let unconfined: Vec<Finding> =
        ask_clean(Task::CheckMachine, &std::env::temp_dir(), LIMIT.into()).unwrap_or_default();
    for (finding, unconfined) in findings.iter_mut().zip(unconfined) {
        if !finding.ok && unconfined.ok {
            finding.found = format!("{}, but not as confined as jobs are: {}", unconfined.found, finding.found);
            finding.remedy =
                Some("install it from the distribution's packages: jobs read libraries in /usr only".into());
        }
    }
    findings
}
