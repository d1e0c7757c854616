//! Adds to every operation what all have in common: error responses with their codes, and response headers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use utoipa::Modify;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Schema};

use super::examples::{example, meta};

use crate::error_code::ApiErrorCode;
use crate::{shared_paths, upload_paths};

/// Completes every operation by its method, path and body.
pub(super) struct Complete;

impl Modify for Complete {
    fn modify(&self, openapi: &mut OpenApi) {
        name_the_codes(openapi);
        let with_urls = schemas_with_urls(openapi);
        for (path, item) in &mut openapi.paths.paths {
            for (method, operation) in operations(item) {
                if operation.security.is_some() || shared_paths::are_public(path) {
                    for (status, codes) in by_status(&refusals(method, path, operation, &with_urls)) {
                        let responses = &mut operation.responses.responses;
                        let description = match responses.get(&status.to_string()) {
                            Some(RefOr::T(response)) => response.description.clone(),
                            _ => String::new(),
                        };
                        responses.insert(status.to_string(), RefOr::T(refusal(&description, &codes)));
                    }
                }
                let id = operation.operation_id.clone().unwrap_or_default();
                let is_counted = operation.security.is_some();
                let may_come_again = has_idempotency_key(operation);
                for (status, response) in &mut operation.responses.responses {
                    let RefOr::T(response) = response else { continue };
                    let request_id = header("Identifier of the request, for support", Type::String, Some("uuid"));
                    response.headers.insert("X-Request-Id".into(), request_id);
                    if is_counted && status != "401" {
                        for (name, description) in LIMIT_HEADERS {
                            response.headers.insert(name.into(), header(description, Type::String, None));
                        }
                    }
                    if may_come_again && status.starts_with('2') {
                        let description =
                            "`true` if the response repeats the one to an earlier request with the same key";
                        response.headers.insert("Idempotent-Replayed".into(), header(description, Type::String, None));
                    }
                    let content = response.content.get_mut("application/json");
                    if let (true, Some(RefOr::T(content)), Some(example)) =
                        (status.starts_with('2'), content, example(&id))
                    {
                        content.example.get_or_insert(example);
                    }
                }
            }
        }
    }
}

/// Headers of every response to a request with a valid key.
const LIMIT_HEADERS: [(&str, &str); 2] = [
    ("RateLimit-Policy", "Limits of the key by name: requests (`q`) per window of seconds (`w`)"),
    ("RateLimit", "State of the limits by name: requests left (`r`), and seconds until the window resets (`t`)"),
];

/// What the path of truth pages ends with.
const TRUTH_PAGE: &str = "/truth-page";

/// The path of all listings.
const LISTINGS: &str = "/v1/listings";

fn has_idempotency_key(operation: &Operation) -> bool {
    operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == "Idempotency-Key"))
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let get = item.get.as_mut().map(|operation| ("GET", operation));
    let post = item.post.as_mut().map(|operation| ("POST", operation));
    let patch = item.patch.as_mut().map(|operation| ("PATCH", operation));
    let delete = item.delete.as_mut().map(|operation| ("DELETE", operation));
    get.into_iter().chain(post).chain(patch).chain(delete)
}

/// The error codes of an operation.
fn refusals(method: &str, path: &str, operation: &Operation, with_urls: &BTreeSet<String>) -> Vec<ApiErrorCode> {
    use ApiErrorCode as Code;
    if shared_paths::are_public(path) {
        return of_viewers(method);
    }
    let mut codes = vec![Code::ValidationError, Code::Unauthorized, Code::Forbidden];
    let is_upload = upload_paths::contain(path);
    if path.contains("{uploadId}") {
        codes.push(Code::UploadNotFound);
    }
    if path.contains("{webhookId}") {
        codes.push(Code::WebhookNotFound);
    }
    if is_upload {
        codes.push(Code::UnsupportedVersion);
    }
    match method {
        "POST" if is_upload => codes.extend([Code::UploadTooLarge, Code::UnsupportedMediaType]),
        "PATCH" if is_upload => codes.extend([Code::UploadConflict, Code::UnsupportedMediaType]),
        _ => {}
    }
    let is_share_link = path.contains("/share-links");
    if is_share_link && method == "POST" {
        codes.push(Code::InsufficientQuota);
    }
    if path.contains("{shareLinkId}") {
        codes.push(Code::ShareLinkNotFound);
    }
    let is_listing = path.starts_with(LISTINGS) && !is_share_link;
    if path.contains("{listingId}") {
        codes.push(Code::ListingNotFound);
    }
    if path.ends_with("/archive") {
        codes.push(Code::NotFound);
    }
    if is_listing && matches!(method, "POST" | "PATCH") {
        codes.push(Code::InvalidUrl);
        if !path.ends_with("/generate") {
            codes.push(Code::ListingConflict);
        }
    }
    if method == "POST" && path == LISTINGS {
        codes.push(Code::InsufficientQuota);
    }
    if method == "POST" && is_upload {
        codes.push(Code::InsufficientQuota);
    }
    if path.contains("{jobId}") {
        codes.push(Code::JobNotFound);
    }
    let is_truth_page = path.ends_with(TRUTH_PAGE);
    match method {
        "POST" if is_truth_page => codes.push(Code::FeatureDisabled),
        "DELETE" if is_truth_page => codes.extend([Code::NotFound, Code::LegalHold]),
        _ if is_truth_page => codes.push(Code::NotFound),
        _ => {}
    }
    let is_generation = !is_truth_page
        && !is_upload
        && !is_share_link
        && !path.ends_with("/cancel")
        && !path.starts_with("/v1/webhooks")
        && path != LISTINGS;
    if method == "POST" && is_generation {
        codes.extend([Code::FeatureDisabled, Code::JobInProgress]);
        if operation.responses.responses.contains_key("202") {
            codes.push(Code::InsufficientQuota);
        }
        if body_schema(operation).is_some_and(|name| with_urls.contains(name)) {
            codes.push(Code::InvalidUrl);
        }
    }
    codes.extend([Code::RateLimited, Code::InternalError]);
    codes
}

/// The error codes of an operation of viewers of a share link.
fn of_viewers(method: &str) -> Vec<ApiErrorCode> {
    use ApiErrorCode as Code;
    let mut codes = vec![Code::ValidationError, Code::ShareLinkNotFound, Code::ShareLinkGone];
    if method == "POST" {
        codes.extend([Code::Forbidden, Code::InsufficientQuota]);
    }
    codes.extend([Code::RateLimited, Code::InternalError]);
    codes
}

fn by_status(codes: &[ApiErrorCode]) -> impl Iterator<Item = (u16, Vec<ApiErrorCode>)> {
    let statuses: BTreeSet<u16> = codes.iter().map(|code| code.http_status()).collect();
    let of = |status| codes.iter().copied().filter(|code| code.http_status() == status).collect();
    statuses.into_iter().map(|status| (status, of(status))).collect::<Vec<_>>().into_iter()
}

/// An error response: the operation's own description, then the meaning of each code.
fn refusal(own: &str, codes: &[ApiErrorCode]) -> Response {
    let meanings: Vec<_> =
        codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.default_message())).collect();
    let mut description = meanings.join(". ");
    if !own.is_empty() {
        description = format!("{own}. {description}");
    }
    let examples = codes.iter().map(|code| {
        let body = json!({"error": {"code": code.as_str(), "message": code.default_message()}, "meta": meta()});
        (code.as_str(), ExampleBuilder::new().value(Some(body)).build())
    });
    let schema = RefOr::Ref(Ref::from_schema_name("ErrorEnvelope"));
    let content = ContentBuilder::new().schema(Some(schema)).examples_from_iter(examples).build();
    let mut response = ResponseBuilder::new().description(description).content("application/json", content).build();
    if codes.contains(&ApiErrorCode::RateLimited) {
        let seconds = header("Seconds to wait before the next request", Type::Integer, None);
        response.headers.insert("Retry-After".into(), seconds);
    }
    response
}

fn header(description: &str, of: Type, format: Option<&str>) -> RefOr<Header> {
    let schema =
        ObjectBuilder::new().schema_type(of).format(format.map(|name| SchemaFormat::Custom(name.to_owned()))).build();
    RefOr::T(HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build())
}

/// Name of the schema of an operation's body.
fn body_schema(operation: &Operation) -> Option<&str> {
    let Some(RefOr::T(body)) = &operation.request_body else { return None };
    let Some(RefOr::T(content)) = body.content.get("application/json") else { return None };
    match content.schema.as_ref()? {
        RefOr::Ref(to) => to.ref_location.rsplit('/').next(),
        RefOr::T(_) => None,
    }
}

/// Names of the schemas with image URLs.
fn schemas_with_urls(openapi: &OpenApi) -> BTreeSet<String> {
    let schemas = openapi.components.iter().flat_map(|components| &components.schemas);
    let has_urls = |schema: &RefOr<Schema>| match schema {
        RefOr::T(Schema::Object(object)) => object.properties.keys().any(|name| name.ends_with("_url")),
        _ => false,
    };
    schemas.filter(|(_, schema)| has_urls(schema)).map(|(name, _)| name.clone()).collect()
}

/// Lists the values of `error.code`.
fn name_the_codes(openapi: &mut OpenApi) {
    let schemas = openapi.components.as_mut().map(|components| &mut components.schemas);
    let Some(RefOr::T(Schema::Object(body))) = schemas.and_then(|schemas| schemas.get_mut("ErrorBody")) else { return };
    let Some(RefOr::T(Schema::Object(code))) = body.properties.get_mut("code") else { return };
    code.enum_values = Some(ApiErrorCode::ALL.iter().map(|code| Value::from(code.as_str())).collect());
}
