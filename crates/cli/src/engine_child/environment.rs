//! The programs that are installed beside this one, and how they start.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use aerie_confinement::environment;
use aerie_engine_api::messages::VERSION;

/// Variable that names the program that makes media, in place of the one beside this one.
const ENGINE: &str = "AERIE_ENGINE";

/// `aerie-engine`, opened once: when the file is replaced by another version, this process goes on with the one that fits it.
struct Engine {
    path: PathBuf,
    file: File,
    /// How the file was when it was opened.
    opened: Option<Identity>,
    /// Whether the log says that it was replaced.
    is_logged: AtomicBool,
}

/// Returns a command that starts `aerie-engine`.
///
/// # Errors
/// When it is missing, with the remedy.
pub(crate) fn engine_command() -> io::Result<Command> {
    static OPENED: OnceLock<Engine> = OnceLock::new();
    let engine = match OPENED.get() {
        Some(engine) => engine,
        None => {
            let opened = Engine::open()?;
            OPENED.get_or_init(|| opened)
        }
    };
    engine.note_if_replaced();
    let mut command = Command::new(format!("/proc/self/fd/{}", engine.file.as_raw_fd()));
    command.arg0("aerie-engine");
    Ok(command)
}

/// Device, number, time of last change and size of a file.
type Identity = (u64, u64, i64, u64);

fn identity(metadata: Metadata) -> Identity {
    (metadata.dev(), metadata.ino(), metadata.mtime(), metadata.size())
}

impl Engine {
    fn open() -> io::Result<Self> {
        let path = match std::env::var_os(ENGINE) {
            Some(path) => path.into(),
            None => beside("aerie-engine")?,
        };
        let why = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => missing(&path, &format!(", or name it in {ENGINE}")),
            kind => io::Error::new(kind, format!("cannot open {}: {error}", path.display())),
        };
        let file = File::open(&path).map_err(why)?;
        let opened = file.metadata().map(identity).ok();
        Ok(Self { path, file, opened, is_logged: AtomicBool::new(false) })
    }

    fn note_if_replaced(&self) {
        if self.path.metadata().map(identity).ok() != self.opened && !self.is_logged.swap(true, Ordering::Relaxed) {
            let program = self.path.display();
            tracing::warn!(%program, "the program was replaced; this process uses the earlier one until it is restarted");
        }
    }
}

/// Returns the program that embeds and checks Content Credentials, which is installed beside this one.
///
/// # Errors
/// When it is missing, with the remedy.
pub(crate) fn sign_program() -> io::Result<PathBuf> {
    let program = beside("aerie-sign")?;
    if program.is_file() { Ok(program) } else { Err(missing(&program, "")) }
}

/// Checks that the program that makes media is installed, and is of this version.
pub(crate) fn check_engine() -> Result<(), String> {
    check_version(engine_command().map_err(|error| error.to_string())?, "aerie-engine")
}

/// Checks that the program that signs is installed, and is of this version.
pub(crate) fn check_signer() -> Result<(), String> {
    check_version(Command::new(sign_program().map_err(|error| error.to_string())?), "aerie-sign")
}

fn check_version(mut command: Command, name: &str) -> Result<(), String> {
    let output = without_secrets(command.arg("--version"), &std::env::temp_dir()).output();
    let output = output.map_err(|error| format!("cannot start {name}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.trim().strip_prefix(name).map(str::trim) {
        Some(VERSION) => Ok(()),
        Some(other) => Err(format!("{name} is version {other}, and `aerie` is {VERSION}: install both of one version")),
        None => {
            let complaint = String::from_utf8_lossy(&output.stderr);
            Err(format!("{name} does not run ({}): {}", output.status, complaint.trim()))
        }
    }
}

fn beside(name: &str) -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}

fn missing(program: &Path, or: &str) -> io::Error {
    let name = program.file_name().unwrap_or_default().display();
    let why = format!("{} is missing: install `aerie` and `{name}` into one folder{or}", program.display());
    io::Error::new(io::ErrorKind::NotFound, why)
}

/// Removes the settings of the service from the environment of a command, some of which are secret.
pub(super) fn without_own_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("AERIE_") || name.starts_with("AWS_")) {
            command.env_remove(name);
        }
    }
}

/// Gives a command the environment of a confined child whose temporary files are in `temp`: no secrets.
pub(crate) fn without_secrets<'a>(command: &'a mut Command, temp: &Path) -> &'a mut Command {
    command.env_clear().envs(environment(temp))
}
