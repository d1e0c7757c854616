//! The log, on stderr.

use std::io::IsTerminal;

use clap::ValueEnum;
use serde::Deserialize;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line, for programs.
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

/// Logs what happened for a service, only what is wrong for a tool. `RUST_LOG` says otherwise.
pub(crate) fn start(format: LogFormat, is_service: bool) {
    let default = if is_service { "info,wgpu_core=warn,wgpu_hal=warn,naga=warn" } else { "error" };
    let wanted = std::env::var("RUST_LOG").ok();
    let filter: Targets =
        wanted.as_deref().and_then(|text| text.parse().ok()).or_else(|| default.parse().ok()).unwrap_or_default();
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let layer = match format {
        LogFormat::Text => layer.with_ansi(std::io::stderr().is_terminal()).boxed(),
        // The spans, from the outside in, hold the request's id, in the server and in the worker alike.
        LogFormat::Json => layer.json().flatten_event(true).with_current_span(false).boxed(),
    };
    tracing_subscriber::registry().with(layer).with(filter).init();
}
