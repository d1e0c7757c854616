//! What one check of the doctor found.

use serde::Serialize;

/// Result of one check.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) what: &'static str,
    pub(super) ok: bool,
    pub(super) found: String,
    pub(super) remedy: Option<String>,
}

impl Finding {
    pub(super) fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, ok: true, found: found.into(), remedy: None }
    }

    pub(super) fn bad(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what, ok: false, found: found.into(), remedy: Some(remedy.into()) }
    }
}
