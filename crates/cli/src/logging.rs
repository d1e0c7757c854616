//! The log, on stderr. Values are escaped for terminals, so that no text from a customer forges a line.

use std::fmt::{self, Debug};
use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use serde::Deserialize;
use tracing::field::Field;
use tracing_subscriber::Layer;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::escape::{escape, escape_json};

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging: level `info` for services, `error` for other commands. `RUST_LOG` overrides the level.
pub(crate) fn start(format: LogFormat, is_service: bool) {
    let default = if is_service { "info" } else { "error" };
    let override_level = std::env::var("RUST_LOG").ok();
    let filter: Targets = override_level
        .as_deref()
        .and_then(|text| text.parse().ok())
        .or_else(|| default.parse().ok())
        .unwrap_or_default();
    let layer = tracing_subscriber::fmt::layer();
    let layer = match format {
        LogFormat::Text => layer
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            .fmt_fields(debug_fn(write_field).delimited(" "))
            .boxed(),
        // Spans, outermost first, carry the request id in the server and in the worker.
        LogFormat::Json => {
            layer.json().flatten_event(true).with_current_span(false).with_writer(|| Escaped(std::io::stderr())).boxed()
        }
    };
    tracing_subscriber::registry().with(layer).with(filter).init();
}

/// Writes a field of a line in text format: `name=value`, or the message alone.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn Debug) -> fmt::Result {
    let text = format!("{value:?}");
    let text = escape(&text);
    match field.name() {
        "message" => write!(writer, "{text}"),
        // Italics, then dimmed, as the default format has it.
        name if writer.has_ansi_escapes() => write!(writer, "\u{1b}[3m{name}\u{1b}[0m\u{1b}[2m=\u{1b}[0m{text}"),
        name => write!(writer, "{name}={text}"),
    }
}

/// Writes JSON, with the characters escaped that a terminal would obey.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, json: &[u8]) -> std::io::Result<usize> {
        // The formatter writes each line at once.
        self.0.write_all(escape_json(&String::from_utf8_lossy(json)).as_bytes())?;
        Ok(json.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn log_something() {
        let hostile = "a\u{1b}[2J\nERROR forged\u{9b}\u{202e}";
        let span = tracing::info_span!("request", path = hostile).entered();
        tracing::warn!(error = %hostile, "not {hostile}");
        drop(span);
    }

    #[test]
    fn values_cannot_move_the_cursor_or_forge_a_line_in_either_format() {
        let lines = Lines::default();
        let writer = lines.clone();
        let text = tracing_subscriber::fmt::layer()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .fmt_fields(debug_fn(write_field).delimited(" "));
        let writer = lines.clone();
        let json = tracing_subscriber::fmt::layer().json().with_writer(move || Escaped(writer.clone()));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(text), log_something);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(json), log_something);
        let written = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(written.lines().count(), 2, "{written}");
        assert!(!written.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{written}");
        let (text, json) = written.split_once('\n').unwrap();
        assert!(text.contains(r"error=a\u{1b}[2J\u{a}ERROR forged\u{9b}\u{202e}"), "{text}");
        let parsed: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(parsed["fields"]["error"], "a\u{1b}[2J\nERROR forged\u{9b}\u{202e}");
    }
}
