//! What was done to a photo, told to clients, to viewers and inside the file.

use serde::Serialize;

use crate::enhance::{Measures, Scene};

/// IPTC digital source type of a photo whose light was changed by algorithm.
pub const ENHANCED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced";
/// IPTC digital source type of a photo with a part that was generated.
pub const COMPOSITE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic";

/// One change that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adjustment {
    /// What was changed ("exposure").
    pub name: &'static str,
    /// By how much.
    pub amount: f32,
    /// Unit of the amount ("EV").
    pub unit: &'static str,
    /// Whether it changes what is shown, rather than the light and the geometry it is shown in.
    pub material: bool,
}

/// What was done to a photo, and why not more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// Where the photo was taken, as judged or as told.
    pub scene: Scene,
    /// Whether the photo was finished already, and so left nearly alone.
    pub finished: bool,
    /// The changes.
    pub changes: Vec<Adjustment>,
    /// Factors on linear red, green and blue that took the cast away.
    pub white_gains: [f32; 3],
    /// What reading the file did.
    pub readings: Vec<String>,
    /// What was weakened or left out so that the result is not worse than the original, and what cannot be mended.
    pub stepped_back: Vec<String>,
    /// Clauses of the prompt that were understood.
    pub understood: Vec<String>,
    /// Clauses that were not, and for which nothing was done.
    pub not_understood: Vec<String>,
    /// Measures of the result beside the original.
    pub measures: Measures,
}

/// What has to be told to whoever sees the photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disclosure {
    /// A sentence or two.
    pub text: String,
    /// IPTC digital source type, a URI.
    pub digital_source_type: &'static str,
    /// Whether a material change was made: the photo shows what was not there so.
    pub altered: bool,
}

impl Account {
    /// The changes in words, one each ("exposure +0.31 EV").
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let told = |c: &Adjustment| format!("{} {:+.2} {}", c.name.replace('_', " "), c.amount, c.unit);
        self.changes.iter().map(told).collect()
    }

    /// What has to be disclosed.
    #[must_use]
    pub fn disclosure(&self) -> Disclosure {
        let material: Vec<String> =
            self.changes.iter().filter(|c| c.material).map(|c| c.name.replace('_', " ")).collect();
        let is_generated = self.changes.iter().any(|c| c.material && c.name != "lawn");
        let text = if self.changes.is_empty() {
            "Photo written anew by Aerie; its light was not changed.".to_owned()
        } else if material.is_empty() {
            format!(
                "Photo enhanced by algorithm with Aerie: {}. Light and geometry alone were changed; nothing was added \
                 or removed.",
                self.told().join(", ")
            )
        } else {
            format!(
                "Digitally altered photo: what it shows was changed with Aerie ({}). All changes: {}.",
                material.join(", "),
                self.told().join(", ")
            )
        };
        Disclosure {
            text,
            digital_source_type: if is_generated { COMPOSITE } else { ENHANCED },
            altered: !material.is_empty(),
        }
    }
}
