//! What commands say: results on stdout, all else on stderr.

use std::io::Write;

use serde::Serialize;

/// A line on stdout. A reader that has gone away (`| head`) is no reason to fail.
pub(crate) fn line(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}

/// A part of a line on stdout.
pub(crate) fn part(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// A line on stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// An error on stderr.
pub(crate) fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// A value as one line of JSON on stdout.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}
