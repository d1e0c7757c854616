//! Changes of a photo.
//!
//! What a clause asks for is composed of verbs, properties, qualities and faults ("reduce the yellow cast"), not looked
//! up as a whole.

mod composition;
mod grammar;
mod idioms;
pub(crate) mod item;
mod negation;
mod reading;
mod request;
mod terms;

pub use request::{Direction, Property, Refusal, Request};

use reading::Reading;

/// A parsed photo prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhotoPrompt {
    /// Requests, in the order of the prompt.
    pub requests: Vec<Request>,
    /// Recognized clauses, as they were written.
    pub understood: Vec<String>,
    /// Refused clauses, with the reason.
    pub refused: Vec<(String, Refusal)>,
    /// Unrecognized clauses, which are ignored.
    pub not_understood: Vec<String>,
}

impl PhotoPrompt {
    /// Parses a prompt; without one, nothing is requested.
    #[must_use]
    pub fn parse(prompt: Option<&str>) -> Self {
        let Reading { requests, understood, refused, not_understood, .. } = Reading::of(prompt.unwrap_or_default());
        Self { requests, understood, refused, not_understood }
    }
}
