//! Output of commands: results on stdout, everything else on stderr. All of it is escaped for terminals.

use std::io::{self, Write};
use std::sync::OnceLock;

use serde::Serialize;

use crate::escape::{escape_json, escape_lines};

/// Why stdout could not be written, if it could not.
static FAILURE: OnceLock<String> = OnceLock::new();

/// Prints a line, or several, to stdout. A closed pipe (`| head`) is not an error. A name from a customer within the text must be
/// escaped by the caller (`escape`) if a line break in it would forge a line.
pub(crate) fn line(text: &str) {
    write_line(&escape_lines(text));
}

/// Prints a line, or several, to stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", escape_lines(text));
}

/// Prints an error to stderr.
pub(crate) fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// Prints a value to stdout as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    json_line(&serde_json::to_string(value)?);
    Ok(())
}

/// Prints a value to stdout as indented JSON.
pub(crate) fn indented_json(value: &impl Serialize) -> anyhow::Result<()> {
    json_line(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Prints the last part of a line of JSON to stdout.
pub(crate) fn json_line(text: &str) {
    write_line(&escape_json(text));
}

/// Prints part of a line of JSON to stdout.
pub(crate) fn json_part(text: &str) {
    record(io::stdout().lock().write_all(escape_json(text).as_bytes()));
}

/// Returns why part of the result could not be written to stdout, such as a full disk.
pub(crate) fn failure() -> Option<&'static str> {
    FAILURE.get().map(String::as_str)
}

/// Formats a time for tables and JSON.
pub(crate) fn time(time: jiff::Timestamp) -> String {
    format!("{time:.3}")
}

fn write_line(text: &str) {
    let mut stdout = io::stdout().lock();
    record(writeln!(stdout, "{text}").and_then(|()| stdout.flush()));
}

fn record(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = FAILURE.set(error.to_string());
    }
}
