//! `aerie`: the server, its workers, and the tools around them.
mod arguments;
mod commands;
mod config;
mod data;
mod interrupt;
mod measuring;
mod print;
mod supervisor;
mod table;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    quiet_the_graphics_driver();
    // Wrong usage ends here, with exit code 2.
    let arguments = arguments::Arguments::parse();
    start_logging(arguments.command.is_service());
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

/// Logs go to stderr: what happened for a service, only what is wrong for a tool. `RUST_LOG` says otherwise.
fn start_logging(is_service: bool) {
    let default = if is_service { "info,wgpu_core=warn,wgpu_hal=warn,naga=warn" } else { "error" };
    let wanted = std::env::var("RUST_LOG").ok();
    let filter: Targets =
        wanted.as_deref().and_then(|text| text.parse().ok()).or_else(|| default.parse().ok()).unwrap_or_default();
    let layer =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    tracing_subscriber::registry().with(layer).with(filter).init();
}

/// Mesa complains on stderr, at each use, where this variable is not set; it is not needed for drawing without a screen.
fn quiet_the_graphics_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: called first thing in `main`, while there is no other thread that could read the environment.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}
