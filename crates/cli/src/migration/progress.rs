//! Progress of a migration, on stderr, and Ctrl-C.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::interrupt::{Interrupt, Interrupted};
use crate::print;

/// A bar on a terminal, and a line for each step that is done.
pub(crate) struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Progress {
    pub(crate) fn new(interrupt: Interrupt) -> anyhow::Result<Self> {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos} of {human_len}  {eta}")?;
        let bar = ProgressBar::new(0).with_style(style).with_finish(ProgressFinish::AndClear);
        Ok(Self { bar, interrupt })
    }

    /// Begins a step.
    pub(crate) fn begin(&self, step: &str, total: u64) {
        self.bar.reset();
        self.bar.set_length(total);
        self.bar.set_message(step.to_owned());
    }

    /// Advances the step, unless Ctrl-C was pressed.
    pub(crate) fn advance(&self, by: u64) -> Result<(), Interrupted> {
        self.bar.inc(by);
        self.interrupt.check()
    }

    /// Ends a step, or says something else.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| print::note(text));
    }
}
