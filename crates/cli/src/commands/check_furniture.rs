//! `aerie check-furniture`: reads the operator's own furniture, confined, and prints what it found as JSON.

use std::process::ExitCode;

use aerie_confinement::Confinement;

use crate::config::Config;
use crate::engine_child::access;
use crate::furniture::Furniture;
use crate::print;

pub(crate) fn run(config: &Config) -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    let read = access::furniture(&config.data_dir);
    Confinement { read, memory: Some(config.job_memory()), ..Confinement::default() }.apply()?;
    let (own, faults) = aerie_engines::virtual_staging::own_pieces(&config.data_dir);
    print::json(&Furniture { pieces: own.len(), faults })?;
    Ok(ExitCode::SUCCESS)
}
