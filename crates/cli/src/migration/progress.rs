//! Progress of a migration, on stderr.

use indicatif::{ProgressBar, ProgressStyle};

use crate::print;

/// A bar on a terminal, and a line for each step that is done.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos} of {human_len}  {eta}")?;
        Ok(Self { bar: ProgressBar::new(0).with_style(style) })
    }

    /// Begins a step.
    pub(crate) fn begin(&self, step: &str, total: u64) {
        self.bar.set_message(step.to_owned());
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.reset_eta();
    }

    pub(crate) fn advance(&self, by: u64) {
        self.bar.inc(by);
    }

    /// Ends a step, or says something else.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| print::note(text));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
