//! What `aerie generate` does with the arguments of a kind.

use std::fmt::Debug;
use std::process::ExitCode;

use crate::config::Config;
use crate::global::Global;

/// Options of all kinds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options<'a> {
    pub(super) global: &'a Global,
    /// Whether to embed Content Credentials.
    pub(super) credentials: bool,
}

/// The arguments of a kind.
pub(super) trait Generator: Debug {
    /// Generates the media.
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode>;
}
