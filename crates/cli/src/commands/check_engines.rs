//! `aerie check-engines`: checks that this machine can render and encode, as JSON. The server runs it as a child process.

use std::process::ExitCode;

use crate::print;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    print::json(&aerie_engines::doctor())?;
    Ok(ExitCode::SUCCESS)
}
