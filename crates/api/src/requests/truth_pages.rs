//! The request to publish a truth page.

use aerie_domain::{Fields, ValidationError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Maximum length of an address, characters.
const MAX_ADDRESS: usize = 200;

/// `POST /v1/jobs/{jobId}/truth-page`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct TruthPageRequest {
    /// Address of the property, which the page then shows. Defaults to none: without it, the page says nothing of the place.
    #[schema(min_length = 1, max_length = 200, pattern = r"\S", example = "12 Larkspur Lane, 10001 Featherstone Vale")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// If true, search engines may list the page. Defaults to false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) indexable: Option<bool>,
}

impl TruthPageRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        Ok(Self {
            address: fields.text("address", MAX_ADDRESS)?.map(str::to_owned),
            indexable: fields.boolean("indexable")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_shown_of_the_place_unless_an_address_is_given() {
        assert_eq!(TruthPageRequest::from_body(&json!({"x": 1})), Ok(TruthPageRequest::default()));
        let request = TruthPageRequest::from_body(&json!({"address": "1 Main St", "indexable": true})).unwrap();
        assert_eq!((request.address.as_deref(), request.indexable), (Some("1 Main St"), Some(true)));
        let error = TruthPageRequest::from_body(&json!({"indexable": "yes"})).unwrap_err();
        assert_eq!(error.to_string(), "`indexable` must be true or false");
    }
}
