//! What `aerie generate` does with the arguments of a kind.

use std::fmt::Debug;
use std::process::ExitCode;

use crate::config::Config;
use crate::global::Global;

/// The arguments of a kind.
pub(super) trait Generator: Debug {
    /// Generates the media.
    fn run(&self, config: &Config, global: &Global) -> anyhow::Result<ExitCode>;
}
