//! Options that every command accepts.

use std::path::PathBuf;

use clap::Args;

use crate::logging::LogFormat;

/// Options of every command.
#[derive(Debug, Args, Clone)]
pub(crate) struct Global {
    /// Configuration file; config.default.toml documents every key
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Data folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Print results as JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Format of the log on stderr [default: from the configuration]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}
