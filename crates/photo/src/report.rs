//! Report of what was done to a photo: for clients, for viewers and for the file's metadata.

use serde::Serialize;

use crate::measures::Measures;
use crate::prompt::RefusedRequest;
use crate::setting::Scene;

/// IPTC digital source type of a photo whose light was changed by an algorithm.
pub const ENHANCED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced";
/// IPTC digital source type of a photo with a generated part.
pub const COMPOSITE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic";

/// IPTC digital source type of a photo merged from several exposures.
pub const MERGED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/computationalCapture";

/// How the text of an altered photo begins.
pub(crate) const ALTERED: &str = "Digitally altered photo:";

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adjustment {
    /// What was changed ("exposure").
    pub name: &'static str,
    /// By how much.
    pub amount: f32,
    /// Unit of the amount ("EV").
    pub unit: &'static str,
    /// Whether it changes what is depicted, rather than light and geometry.
    pub material: bool,
}

/// What was done to a photo, and what was not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Where the photo was taken, as classified or as stated in the prompt.
    pub scene: Scene,
    /// Whether the photo had been edited before, and was therefore changed very little.
    pub finished: bool,
    /// Number of exposures that the photo was merged from: 1 for a photo as it was taken.
    #[serde(skip)]
    pub exposures: usize,
    /// The changes.
    pub changes: Vec<Adjustment>,
    /// White balance gains of linear red, green and blue.
    pub white_gains: [f32; 3],
    /// Conversions made while decoding the file.
    pub readings: Vec<String>,
    /// Changes that were reduced or skipped to avoid harm, and defects that cannot be repaired.
    pub stepped_back: Vec<String>,
    /// Recognized clauses of the prompt, as they were written.
    pub understood: Vec<String>,
    /// Clauses of the prompt that were recognized and refused, with the reason.
    pub refused: Vec<RefusedRequest>,
    /// Unrecognized clauses of the prompt, which were ignored.
    pub not_understood: Vec<String>,
    /// Measures of the result and of the original.
    pub measures: Measures,
}

/// What viewers of the photo must be informed of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disclosure {
    /// A sentence or two.
    pub text: String,
    /// IPTC digital source type, a URI.
    pub digital_source_type: &'static str,
    /// Whether the photo depicts something that was not there.
    pub altered: bool,
}

impl Report {
    /// One line for each change ("exposure +0.31 EV").
    #[must_use]
    pub fn steps(&self) -> Vec<String> {
        let merged = self.is_merged().then(|| format!("merged {} exposures", self.exposures));
        let step = |c: &Adjustment| format!("{} {:+.2} {}", c.name.replace('_', " "), c.amount, c.unit);
        merged.into_iter().chain(self.changes.iter().map(step)).collect()
    }

    fn is_merged(&self) -> bool {
        self.exposures > 1
    }

    /// What has to be disclosed.
    #[must_use]
    pub fn disclosure(&self) -> Disclosure {
        let material: Vec<String> =
            self.changes.iter().filter(|c| c.material).map(|c| c.name.replace('_', " ")).collect();
        let is_generated = self.changes.iter().any(|c| c.material && c.name != "lawn");
        let text = if self.is_merged() && material.is_empty() {
            let changes = match &self.steps()[1..] {
                [] => String::new(),
                changes => format!(", and enhanced algorithmically: {}", changes.join(", ")),
            };
            format!(
                "Photo merged from {} exposures of one view by Aerie{changes}. What moved between the exposures is \
                 shown as in one of them. Only light and geometry were changed; nothing was added or removed.",
                self.exposures
            )
        } else if self.changes.is_empty() {
            "Photo re-encoded by Aerie without changes to its light.".to_owned()
        } else if material.is_empty() {
            format!(
                "Photo enhanced algorithmically by Aerie: {}. Only light and geometry were changed; nothing was added or \
                 removed.",
                self.steps().join(", ")
            )
        } else {
            format!(
                "{ALTERED} what it depicts was changed by Aerie ({}). All changes: {}.",
                material.join(", "),
                self.steps().join(", ")
            )
        };
        Disclosure {
            text,
            digital_source_type: match material.is_empty() {
                _ if is_generated => COMPOSITE,
                true if self.is_merged() => MERGED,
                _ => ENHANCED,
            },
            altered: !material.is_empty(),
        }
    }
}

/// Rounds to three decimals, as amounts are reported.
pub(crate) fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}
