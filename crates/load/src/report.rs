//! Figures, and the bars that they have to meet.

use std::time::Duration;

/// What was measured.
#[derive(Default)]
pub struct Report {
    missed: Vec<String>,
}

impl Report {
    /// Prints a line.
    #[expect(clippy::print_stdout, reason = "prints a report")]
    pub fn line(&self, line: &str) {
        println!("{line}");
    }

    /// Prints a figure with its bar.
    pub fn bar(&mut self, figure: &str, bar: &str, is_met: bool) {
        self.line(&format!("{figure}; bar: {bar}: {}", if is_met { "met" } else { "MISSED" }));
        if !is_met {
            self.missed.push(figure.to_owned());
        }
    }

    /// Whether all bars were met; prints those that were not.
    #[must_use]
    pub fn finish(&self) -> bool {
        for figure in &self.missed {
            self.line(&format!("MISSED: {figure}"));
        }
        self.missed.is_empty()
    }
}

/// The middle value.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The value below which this share of all values is, in milliseconds.
#[must_use]
pub fn percentile(sorted: &[Duration], share: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |value| value.as_secs_f64() * 1000.0)
}
