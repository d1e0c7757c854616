//! What is said about the pictures of a flight.

use aerie_engine_api::Produced;
use aerie_geodata::place::Place;

use super::highlight::Highlight;
use crate::warnings;

/// Adds the field `warnings`, where there are any.
pub(super) fn warn(place: &Place, produced: &mut Produced) {
    let warnings = warnings::about(place);
    if !warnings.is_empty() {
        produced.fields.insert("warnings".into(), warnings.into());
    }
}

/// What is said about a picture.
pub(super) struct Texts {
    /// Description in the metadata.
    pub(super) about: String,
    /// Caption.
    pub(super) notice: String,
}

impl Texts {
    /// The highlight of the property, after noting it in the texts.
    pub(super) fn highlight(&mut self, place: &Place) -> Highlight {
        let (highlight, of) = Highlight::of(place);
        self.about.push_str(of);
        if matches!(highlight, Highlight::Land(_)) {
            self.notice.push_str("  ·  Boundaries are approximate");
        }
        highlight
    }
}
