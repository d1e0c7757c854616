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
mod supervisor;
mod sweeping;
mod table;
mod verification;
mod verifying;
mod watching;
mod worker_admin;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    silence_graphics_driver();
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
            print::error(&describe(&error));
            ExitCode::from(1)
        }
    }
}

/// Formats an error with its causes, leaving out causes that the text so far already contains.
fn describe(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match text {
            text if text.is_empty() => cause,
            text if text.contains(&cause) || cause.split(": ").all(|part| text.contains(part)) => text,
            text => format!("{text}: {cause}"),
        }
    })
}

/// Sets `XDG_RUNTIME_DIR` if it is unset: without it Mesa warns on stderr at each use, although off-screen rendering
/// does not need it.
fn silence_graphics_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: called first in `main`, before any other thread exists that could read the environment.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}
