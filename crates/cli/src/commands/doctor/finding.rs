//! What one check of the doctor found.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Result of one check.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Finding {
    pub(super) what: Cow<'static, str>,
    pub(super) ok: bool,
    pub(super) found: String,
    pub(super) remedy: Option<String>,
}

impl Finding {
    pub(super) fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self { what: what.into(), ok: true, found: found.into(), remedy: None }
    }

    pub(super) fn bad(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), ok: false, found: found.into(), remedy: Some(remedy.into()) }
    }
}

impl From<aerie_engines::Finding> for Finding {
    fn from(finding: aerie_engines::Finding) -> Self {
        let aerie_engines::Finding { what, ok, found, remedy } = finding;
        Self { what: what.into(), ok, found, remedy }
    }
}
