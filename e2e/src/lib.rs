//! Drives the real `aerie` binary over HTTP.
//!
//! [`aerie()`] builds the binary once a run (`AERIE_BIN` names another). [`Server`] runs `aerie serve` on a free port of
//! loopback with a data folder of the caller's; [`Server::start`] also makes an organization and a key with the admin
//! commands. When a [`Server`] is dropped it is told to stop (SIGTERM), and the drop panics
//! - when it does not end within half a minute, or not with exit code 0,
//! - when any process of its data folder is left over,
//! - when its log holds a line of level ERROR or a panic.
//!
//! A test that kills a server itself uses [`Server::kill`], which leaves that to the test. Nothing here sleeps for a
//! fixed time to let something happen: [`wait_until`] polls and names what it waited for.
pub mod campaigns;
mod http;
pub mod kills;
mod pictures;
mod process;
mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub use http::{Answer, Client};
pub use pictures::serve_pictures;
pub use process::{children_of, processes_of, signal};
pub use rustix::process::Signal;
pub use server::Server;

/// The binary under test, built from these sources.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn aerie() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| std::env::var_os("AERIE_BIN").map_or_else(build, PathBuf::from))
}

/// Builds the binary with the profile and in the target folder of this very test.
fn build() -> PathBuf {
    // TARGET/PROFILE/deps/TEST
    let test = std::env::current_exe().expect("this test's own path");
    let profile_folder = test.ancestors().nth(2).expect("a profile folder");
    let target = profile_folder.parent().expect("a target folder");
    let profile = if profile_folder.ends_with("release") { "release" } else { "dev" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "-p", "aerie-cli", "--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()
        .expect("cargo starts");
    assert!(status.success(), "aerie-cli does not build");
    profile_folder.join("aerie")
}

/// Runs `aerie` to its end.
///
/// # Panics
/// When it cannot be started.
#[must_use]
pub fn run(arguments: &[&str], data: &Path) -> Output {
    Command::new(aerie()).args(arguments).arg("--data").arg(data).output().expect("aerie starts")
}

/// Runs `aerie` to its end and reads the JSON that it prints.
///
/// # Panics
/// When it fails, or prints something else.
#[must_use]
pub fn run_json(arguments: &[&str], data: &Path) -> serde_json::Value {
    let output = run(&[arguments, &["--json"]].concat(), data);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "aerie {arguments:?}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

/// Polls until `found` gives something.
///
/// # Panics
/// When it does not within `limit`.
pub fn wait_until<T>(what: &str, limit: Duration, mut found: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(started.elapsed() < limit, "waited {limit:?} in vain: {what}");
        // Polls of one client stay well within the limits of the largest plan.
        std::thread::sleep(Duration::from_millis(200));
    }
}
