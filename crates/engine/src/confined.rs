//! `aerie-engine confined`: confines itself, then becomes another program. Imports run GDAL's tools this way.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use aerie_confinement::{Confinement, find_program};
use anyhow::Context;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// File or folder to read
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    write: Vec<PathBuf>,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB")]
    memory: u64,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
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
