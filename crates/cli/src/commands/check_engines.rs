//! `aerie check-engines`: whether media can be drawn and encoded here, as JSON: a child of the server's.

use std::process::ExitCode;

use crate::print;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    print::json(&aerie_engines::doctor())?;
    Ok(ExitCode::SUCCESS)
}
