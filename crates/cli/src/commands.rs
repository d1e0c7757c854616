//! One file per command.
mod admin;
mod backup;
mod demo;
mod doctor;
mod furniture;
mod geocode;
mod import;
mod inspect;
mod inspect_place;
mod inspect_room;
mod manual;
mod migrate;
mod pack;
mod restore;
mod serve;
mod verify;
mod worker;

use std::process::ExitCode;

use crate::arguments::{Arguments, Command};
use crate::config::Config;
use crate::data::restrict_new_files;
use crate::logging;

/// Runs a command to completion.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { global, command } = arguments;
    let config = Config::load(&global)?;
    logging::start(config.log, command.is_service());
    if command.has_customers_data() {
        restrict_new_files(&config.data_dir);
    }
    match command {
        Command::Serve(options) => serve::run(config, &global, &options),
        Command::Worker(options) => worker::run(&config, &options),
        Command::Import(options) => import::run(&config, &global, &options),
        Command::Pack(options) => pack::run(&config, &global, &options),
        Command::Furniture(command) => furniture::run(&config, &global, &command),
        Command::Geocode(options) => geocode::run(&config, &global, &options),
        Command::Generate(options) => options.run(&config, &global),
        Command::Verify(options) => verify::run(&config, &global, &options),
        Command::Inspect(options) => inspect::run(&config, &global, &options),
        Command::Admin(options) => admin::run(&config, &global, &options),
        Command::Demo(options) => demo::run(&config, &global, &options),
        Command::Backup(options) => backup::run(&config, &global, &options),
        Command::Restore(options) => restore::run(&config, &global, &options),
        Command::Migrate(options) => migrate::run(&config, &global, &options),
        Command::Doctor => doctor::run(&config, &global),
        Command::Completions { shell } => Ok(manual::completions(shell)),
        Command::Man { folder } => manual::man(folder.as_deref()),
    }
}
