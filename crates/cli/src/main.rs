//! `aerie`: the server, its workers, and the tools around them.
mod addresses;
mod admin_listener;
mod arguments;
mod commands;
mod config;
mod copying;
mod data;
mod engine_child;
mod escape;
mod fault;
mod furniture;
mod generate;
mod global;
mod interrupt;
mod logging;
mod manifest;
mod measuring;
mod migration;
mod print;
mod probe;
mod registration;
mod signing;
mod sweeping;
mod table;
mod verification;
mod verifying;
mod watching;
mod worker_admin;
mod workers;

use std::process::ExitCode;

use aerie_engine_api::describe;
use clap::Parser;

fn main() -> ExitCode {
    // Wrong usage ends here, with exit code 2.
    let arguments = arguments::Arguments::parse();
    match commands::run(arguments) {
        Ok(code) => match print::failure() {
            None => code,
            Some(why) => {
                print::error(&format!("cannot write the result to stdout: {why}"));
                ExitCode::from(1)
            }
        },
        Err(error) => {
            print::error(&describe(&*error));
            ExitCode::from(1)
        }
    }
}
