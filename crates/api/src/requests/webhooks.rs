//! Requests to add and change webhooks.

use aerie_domain::{EVENTS, Fields, ValidationError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Maximum length of a description, characters.
const MAX_DESCRIPTION: usize = 200;

/// The events that a webhook receives by default.
const DEFAULT_EVENTS: [&str; 3] = ["job.awaiting_input", "job.completed", "job.failed"];

/// `POST /v1/webhooks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct WebhookRequest {
    /// Where deliveries are sent. HTTPS, at a public address.
    #[schema(
        min_length = 1,
        max_length = 2048,
        pattern = r"\S",
        format = "uri",
        example = "https://example.com/aerie"
    )]
    pub(crate) url: String,
    /// The events that it receives. Defaults to `job.awaiting_input`, `job.completed` and `job.failed`.
    #[schema(min_items = 1, max_items = 6, value_type = Option<Vec<EventType>>)]
    pub(crate) events: Vec<String>,
    /// Your description.
    #[schema(max_length = 200)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
}

/// `PATCH /v1/webhooks/{webhookId}`. Members that are not sent stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct WebhookChange {
    /// Where deliveries are sent. HTTPS, at a public address.
    #[schema(
        min_length = 1,
        max_length = 2048,
        pattern = r"\S",
        format = "uri",
        example = "https://example.com/aerie"
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The events that it receives.
    #[schema(min_items = 1, max_items = 6, value_type = Option<Vec<EventType>>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<Vec<String>>,
    /// Your description.
    #[schema(max_length = 200)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// Whether events are sent to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) enabled: Option<bool>,
}

/// A type of event, in the document.
pub(crate) enum EventType {}

impl PartialSchema for EventType {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some("A type of event."));
        RefOr::T(schema.enum_values(Some(EVENTS)).build().into())
    }
}

impl ToSchema for EventType {}

impl WebhookRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        Ok(Self {
            url: fields.required_url("url")?.trim().to_owned(),
            events: fields.choices("events", &EVENTS)?.unwrap_or_else(|| DEFAULT_EVENTS.map(str::to_owned).to_vec()),
            description: description(&fields)?,
        })
    }
}

impl WebhookChange {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        Ok(Self {
            url: fields.url("url")?.map(|url| url.trim().to_owned()),
            events: fields.choices("events", &EVENTS)?,
            description: description(&fields)?,
            enabled: fields.boolean("enabled")?,
        })
    }
}

fn description(fields: &Fields<'_>) -> Result<Option<String>, ValidationError> {
    Ok(fields.text("description", MAX_DESCRIPTION)?.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_webhook_receives_events_of_jobs_that_end_or_wait_by_default() {
        let read = WebhookRequest::from_body(&json!({"url": " https://a.example/b "})).unwrap();
        assert_eq!(
            (read.url.as_str(), read.events.as_slice()),
            ("https://a.example/b", &DEFAULT_EVENTS.map(str::to_owned)[..])
        );
        let read = |events| WebhookRequest::from_body(&json!({"url": "https://a.example", "events": events}));
        for event in EVENTS {
            assert_eq!(read(json!([event])).unwrap().events, [event]);
        }
        for (wrong, why) in [
            (json!([]), "`events` must be an array of one or more of job.queued, job.running"),
            (json!("job.queued"), "`events` must be an array of one or more of job.queued, job.running"),
            (json!(["job.queued", "job.paused"]), "`events[1]` must be one of job.queued, job.running"),
            (json!([1]), "`events[0]` must be one of job.queued, job.running"),
            (json!(["job.queued", "job.queued"]), "`events[1]` must not repeat another entry"),
        ] {
            let refused = read(wrong).unwrap_err().to_string();
            assert!(refused.starts_with(why), "{refused}");
        }
        assert!(WebhookRequest::from_body(&json!({})).unwrap_err().to_string().starts_with("`url` is required"));
    }

    #[test]
    fn a_change_has_only_what_was_sent() {
        assert_eq!(WebhookChange::from_body(&json!({})), Ok(WebhookChange::default()));
        let disabled = WebhookChange { enabled: Some(false), ..WebhookChange::default() };
        assert_eq!(WebhookChange::from_body(&json!({"enabled": false})), Ok(disabled));
        assert!(WebhookChange::from_body(&json!({"enabled": "no"})).is_err());
    }
}
