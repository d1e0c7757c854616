//! Output of commands: results on stdout, everything else on stderr.

use std::io::Write;

use serde::Serialize;

/// Prints a line to stdout. A closed pipe (`| head`) is not an error.
pub(crate) fn line(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}

/// Prints part of a line to stdout.
pub(crate) fn part(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a line to stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error to stderr.
pub(crate) fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// Prints a value to stdout as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}

/// Formats a time for tables and JSON.
pub(crate) fn time(time: jiff::Timestamp) -> String {
    format!("{time:.3}")
}
