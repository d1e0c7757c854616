//! `aerie confined`: confines itself, then becomes another program. `aerie import` runs GDAL's tools this way.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use aerie_confinement::{Confinement, find_program};
use anyhow::Context;

use crate::arguments::Confined;

pub(crate) fn run(options: &Confined) -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    let (name, arguments) = options.program.split_first().context("name a program")?;
    let name = name.to_string_lossy();
    let program = find_program(&name).with_context(|| format!("`{name}` is not installed"))?;
    let confinement = Confinement {
        read: options.read.clone(),
        write: options.write.clone(),
        execute: vec![program.clone()],
        memory: Some(options.memory << 20),
        ..Confinement::default()
    };
    confinement.apply()?;
    let error = Command::new(&program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
