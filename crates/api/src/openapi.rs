//! The OpenAPI document, generated from the endpoints and the registry of kinds.
mod complete;
mod examples;
mod patterns;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use complete::Complete;
use patterns::Patterns;

use crate::endpoints::{self, get_media};

/// The frame of the document. Of media, the route ends with any path, which OpenAPI cannot say.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Aerie",
        description = "Property media over HTTP and JSON: submit a job, poll it, download the result.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    paths(get_media::get_media)
)]
struct Contract;

/// Adds the security scheme.
struct Authentication;

impl Modify for Authentication {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let key = ApiKeyValue::with_description("X-API-Key", "The organization's API key, `aerie_live_…`");
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}

/// The OpenAPI document of all routes except the document itself, its page and the operators' metrics.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Contract::openapi().merge_from(endpoints::documented().document());
    let steps: [&dyn Modify; 3] = [&Authentication, &Patterns, &Complete];
    steps.into_iter().for_each(|step| step.modify(&mut document));
    document
}
