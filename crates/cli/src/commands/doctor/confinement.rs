//! Checks how well this machine confines what reads files of strangers.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use anyhow::ensure;

use super::finding::Finding;
use crate::engine_child::{environment, this_program};

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

/// Checks the graphics device, the encoder and the font in a child process that is confined as jobs are.
pub(super) fn engines() -> Vec<Finding> {
    let unconfined = || aerie_engines::doctor().into_iter().map(Finding::from);
    // A driver that crashes takes the child down, and would take down this process, too.
    let mut findings = match check_engines() {
        Ok(findings) => findings,
        Err(error) => {
            let remedy = "update or remove the graphics driver: jobs that render fail in the same way";
            return vec![Finding::bad("graphics device", format!("{error:#}"), remedy)];
        }
    };
    if findings.iter().all(|finding| finding.ok) {
        return findings;
    }
    for (finding, unconfined) in findings.iter_mut().zip(unconfined()) {
        if !finding.ok && unconfined.ok {
            finding.found = format!("{}, but not as confined as jobs are: {}", unconfined.found, finding.found);
            finding.remedy =
                Some("install it from the distribution's packages: jobs read libraries in /usr only".into());
        }
    }
    findings
}

fn check_engines() -> anyhow::Result<Vec<Finding>> {
    let mut command = Command::new(this_program());
    command.arg0("aerie").arg("check-engines").env_clear().envs(environment(&std::env::temp_dir()));
    let ended = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    ensure!(ended.status.success(), "the check ended with {}", ended.status);
    Ok(serde_json::from_slice(&ended.stdout)?)
}
