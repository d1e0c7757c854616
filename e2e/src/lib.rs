//! Drives the real `aerie` binary over HTTP.
//!
//! [`aerie()`] builds the binary once per run (set `AERIE_BIN` to use another). [`Server`] runs `aerie serve` on a free
//! loopback port with the caller's data folder; [`Server::start`] also creates an organization and a key with
//! `aerie admin`. Dropping a [`Server`] sends SIGTERM, and panics if
//! - it does not exit within 30 seconds with code 0,
//! - a process of its data folder is left running,
//! - its log contains an ERROR line or a panic.
//!
//! Use [`Server::kill`] for a test that kills the server itself; it skips these checks. Never sleep for a fixed time to
//! let something happen: [`wait_until`] polls, and names what it waited for when it times out.
pub mod campaigns;
pub mod fleet;
mod http;
mod inspection;
pub mod kills;
mod pictures;
mod process;
mod server;
mod sockets;
pub mod store;
mod town;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub use http::{Answer, Client};
pub use inspection::{Inspection, inspect};
pub use pictures::{gradient_picture, serve_pictures};
pub use process::{ChildGuard, children_of, processes_of, signal};
pub use rustix::process::Signal;
pub use server::Server;
pub use town::{HOUSE_MAP, lay_house, lay_town};

/// Returns the binary under test, building it from these sources.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn aerie() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| std::env::var_os("AERIE_BIN").map_or_else(build, PathBuf::from))
}

/// Returns the program beside it that makes media.
#[must_use]
pub fn engine() -> PathBuf {
    aerie().with_file_name("aerie-engine")
}

/// Builds the binary with the profile and target folder of the running test.
fn build() -> PathBuf {
    // TARGET/PROFILE/deps/TEST
    let test = std::env::current_exe().expect("path of this test");
    let profile_folder = test.ancestors().nth(2).expect("a profile folder");
    let target = profile_folder.parent().expect("a target folder");
    let profile = if profile_folder.ends_with("release") { "release" } else { "dev" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "-p",
            "aerie-cli",
            "-p",
            "aerie-engine",
            "-p",
            "aerie-sign",
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(target)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()
        .expect("cargo starts");
    assert!(status.success(), "building aerie failed");
    profile_folder.join("aerie")
}

/// Runs `aerie` to completion.
///
/// # Panics
/// When it cannot be started.
#[must_use]
pub fn run(arguments: &[&str], data: &Path) -> Output {
    Command::new(aerie()).args(arguments).arg("--data").arg(data).output().expect("aerie starts")
}

/// Returns a command that starts `aerie` with an octal umask; arguments follow.
#[must_use]
pub fn with_umask(umask: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "umask \"$0\" && exec \"$@\"", umask]).arg(aerie());
    command
}

/// Runs `aerie` to completion and parses the JSON that it prints.
///
/// # Panics
/// When it fails or does not print JSON.
#[must_use]
pub fn run_json(arguments: &[&str], data: &Path) -> serde_json::Value {
    let output = run(&[arguments, &["--json"]].concat(), data);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "aerie {arguments:?}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

/// Polls until `found` returns a value.
///
/// # Panics
/// After `limit`.
pub fn wait_until<T>(what: &str, limit: Duration, mut found: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(started.elapsed() < limit, "timed out after {limit:?}: {what}");
        // Slow enough for the rate limits of the largest plan.
        std::thread::sleep(Duration::from_millis(200));
    }
}
