//! `aerie check-engines`: checks that this machine can render and encode, as JSON. The server runs it as a child process. It is
//! confined as jobs are, so that it finds a driver or an encoder that does not work so.

use std::process::ExitCode;

use crate::engine_child::access;
use crate::print;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    access::of_checks().apply()?;
    print::json(&aerie_engines::doctor())?;
    Ok(ExitCode::SUCCESS)
}
