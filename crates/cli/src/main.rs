//! `aerie`: the server, its workers, and the tools around them.
mod arguments;
mod commands;
mod config;
mod copying;
mod data;
mod interrupt;
mod logging;
mod measuring;
mod print;
mod supervisor;
mod sweeping;
mod table;
mod watching;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    quiet_the_graphics_driver();
    // Wrong usage ends here, with exit code 2.
    let arguments = arguments::Arguments::parse();
    match commands::run(arguments) {
        Ok(code) => code,
        Err(error) => {
            print::error(&told(&error));
            ExitCode::from(1)
        }
    }
}

/// An error with its causes, less those that it already quotes.
fn told(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |told, cause| {
        let cause = cause.to_string();
        match told {
            told if told.is_empty() => cause,
            told if told.contains(&cause) || cause.split(": ").all(|part| told.contains(part)) => told,
            told => format!("{told}: {cause}"),
        }
    })
}

/// Mesa complains on stderr, at each use, where this variable is not set; it is not needed for drawing without a screen.
fn quiet_the_graphics_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: called first thing in `main`, while there is no other thread that could read the environment.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}
