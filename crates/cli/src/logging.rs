//! The log, on stderr.

use std::io::IsTerminal;

use clap::ValueEnum;
use serde::Deserialize;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

impl LogFormat {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            LogFormat::Text => "text",
            LogFormat::Json => "json",
        }
    }
}

/// Starts logging: level `info` for services, `error` for other commands. `RUST_LOG` overrides the level.
pub(crate) fn start(format: LogFormat, is_service: bool) {
    let default = if is_service { "info,wgpu_core=warn,wgpu_hal=warn,naga=warn" } else { "error" };
    let override_level = std::env::var("RUST_LOG").ok();
    let filter: Targets = override_level
        .as_deref()
        .and_then(|text| text.parse().ok())
        .or_else(|| default.parse().ok())
        .unwrap_or_default();
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let layer = match format {
        LogFormat::Text => layer.with_ansi(std::io::stderr().is_terminal()).boxed(),
        // Spans, outermost first, carry the request id in the server and in the worker.
        LogFormat::Json => layer.json().flatten_event(true).with_current_span(false).boxed(),
    };
    tracing_subscriber::registry().with(layer).with(filter).init();
}
