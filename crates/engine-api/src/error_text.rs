//! Errors as text.

use std::error::Error;

/// Formats an error with its causes, leaving out causes that the text so far already contains.
#[must_use]
pub fn describe(error: &(dyn Error + 'static)) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) && !more.split(": ").all(|part| text.contains(part)) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
