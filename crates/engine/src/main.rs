//! `aerie-engine`: run by `aerie`, beside which it is installed. It makes media and reads pictures and maps, and has access to neither
//! the database nor the configuration. It confines itself to the files of a task before it reads files of clients.
//!
//! # Invariants
//!
//! - Files of clients are decoded only after confinement. `access.rs` lists what each task may access. Commands on files of the operator
//!   (`aerie import`, `generate`, `geocode` and `inspect`) run without it. Tests in `e2e`:
//!   `an_engine_has_no_database_no_sockets_no_secrets_and_limited_memory`, `the_process_that_decodes_a_photo_is_confined`.
//! - `aerie-engine confined` runs a tool of GDAL with access to its input and output only. Test in `e2e`:
//!   `a_tool_of_imports_reads_its_input_only_and_has_no_network`.
//! - Confinement changes no result. Test in `e2e`: `a_confined_engine_makes_the_same_photo_as_one_on_the_command_line`.
mod access;
mod confined;
mod report;
mod tasks;

use std::path::PathBuf;

use aerie_confinement::{Confinement, Parent};
use aerie_engine_api::messages::{Message, Request, VERSION};
use aerie_engine_api::{EngineError, describe};
use anyhow::{Context, ensure};
use clap::Parser;
use serde::Deserialize;

/// Makes media and reads maps and pictures, as a program that `aerie` runs.
#[derive(Parser)]
#[command(name = "aerie-engine", version)]
enum Command {
    /// Do the task that a request on stdin describes
    Run {
        /// Name of the task, not used: it shows in lists of processes
        task: String,
        /// Data folder, not used: it shows there what this process belongs to
        #[arg(long)]
        data: Option<PathBuf>,
    },
    /// Run a program that can read and write only the given files (run by `aerie-engine` itself)
    Confined(confined::Options),
}

fn main() -> anyhow::Result<()> {
    silence_graphics_driver();
    // `aerie` starts it by the number of an open file.
    let _ = rustix::thread::set_name(c"aerie-engine");
    match Command::parse() {
        Command::Run { .. } => run(),
        Command::Confined(options) => confined::run(&options),
    }
}

/// What requests of every version have.
#[derive(Deserialize)]
struct Caller {
    version: String,
}

fn run() -> anyhow::Result<()> {
    aerie_confinement::close_inherited_files();
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("cannot read the request")?;
    // First, as a request of another version may be of another form.
    let Caller { version } = serde_json::from_str(&line).context("cannot read the request")?;
    if version != VERSION {
        let why = format!("`aerie` is version {version}, and `aerie-engine` is {VERSION}: install both of one version");
        return report::send(&Message::Failed(EngineError::Retry(why)));
    }
    let request: Request = serde_json::from_str(&line).context("cannot read the request")?;
    ensure!(Parent::of(request.caller).die_with(), "the caller has ended");
    if request.is_confined {
        // Before anything of the task is read.
        let confinement = Confinement { memory: request.memory, ..access::confinement(&request) };
        report::send(&Message::Confined(confinement.apply()?))?;
    }
    let result = tasks::run(request.task, request.is_confined);
    report::send(&result.unwrap_or_else(|error| Message::Failed(EngineError::Retry(describe(&*error)))))
}

/// Sets `XDG_RUNTIME_DIR` if it is unset: without it Mesa warns on stderr at each use, although off-screen rendering
/// does not need it.
fn silence_graphics_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: called first in `main`, before any other thread exists that could read the environment.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}
