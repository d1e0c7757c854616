//! The OpenAPI document.

use serde_json::{Value, json};

use crate::harness::Service;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/openapi.json");

#[test]
fn the_committed_document_is_what_the_code_generates() {
    let generated = aerie_api::openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(std::path::Path::new(FILE).parent().unwrap()).unwrap();
        std::fs::write(FILE, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    let differs = "schemas/openapi.json is out of date: run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and look at it";
    assert!(committed == generated, "{differs}");
}

/// Every operation with its path and method.
fn operations() -> Vec<(String, String, Value)> {
    let document = serde_json::to_value(aerie_api::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap().clone();
    let methods = |(path, item): (String, Value)| {
        let methods: Vec<_> = item.as_object().unwrap().clone().into_iter().collect();
        methods.into_iter().map(move |(method, operation)| (path.clone(), method, operation))
    };
    paths.into_iter().flat_map(methods).collect()
}

#[test]
fn every_operation_under_v1_documents_its_key_its_errors_and_their_codes() {
    let mut seen = std::collections::BTreeSet::new();
    for (path, method, operation) in operations() {
        let name = format!("{method} {path}");
        assert!(operation["operationId"].is_string() && operation["summary"].is_string(), "{name}");
        let responses = operation["responses"].as_object().unwrap();
        for response in responses.values() {
            assert!(response["headers"]["X-Request-Id"].is_object(), "{name}");
        }
        if !path.starts_with("/v1/") {
            continue;
        }
        // Viewers of a share link have a token instead.
        let is_public = path.starts_with("/v1/shared/");
        let security = if is_public { Value::Null } else { json!([{"api_key": []}]) };
        assert_eq!(operation["security"], security, "{name}");
        assert!(responses["429"]["headers"]["Retry-After"].is_object(), "{name}");
        let statuses: &[&str] =
            if is_public { &["400", "404", "410", "429", "500"] } else { &["400", "401", "403", "429", "500"] };
        for status in statuses {
            let refusal = &responses[*status]["content"]["application/json"];
            assert_eq!(refusal["schema"]["$ref"], "#/components/schemas/ErrorEnvelope", "{name} {status}");
        }
        let refusals = responses.iter().filter(|(status, _)| !status.starts_with('2'));
        for (_, refusal) in refusals {
            seen.extend(refusal["content"]["application/json"]["examples"].as_object().unwrap().keys().cloned());
        }
    }
    for code in ["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "FEATURE_DISABLED", "INSUFFICIENT_QUOTA"] {
        assert!(seen.contains(code), "{code}");
    }
    for code in ["JOB_NOT_FOUND", "JOB_IN_PROGRESS", "RATE_LIMITED", "INTERNAL_ERROR"] {
        assert!(seen.contains(code), "{code}");
    }
}

#[test]
fn every_success_under_v1_has_an_example_that_fits_its_schema() {
    let document = serde_json::to_value(aerie_api::openapi()).unwrap();
    for (path, method, operation) in operations() {
        if !path.starts_with("/v1/") {
            continue;
        }
        let (status, success) =
            operation["responses"].as_object().unwrap().iter().find(|(s, _)| s.starts_with('2')).unwrap();
        if status == "204" {
            assert!(success["content"].is_null(), "{method} {path} has a body");
            continue;
        }
        let is_other = |kind: &str| success["content"][kind].is_object();
        if is_other("application/zip") || is_other("text/event-stream") {
            continue;
        }
        let content = &success["content"]["application/json"];
        assert!(content["example"].is_object(), "{method} {path} has no example");
        let wrong = differs(&document, &content["schema"], &content["example"]);
        assert_eq!(wrong, None, "{method} {path}");
    }
}

/// The first difference between a value and a schema. Checks what our schemas use: references, types, fields, items,
/// enumerations.
fn differs(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(to) = schema["$ref"].as_str() {
        return differs(document, document.pointer(to.trim_start_matches('#')).expect("a schema"), value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let wrong: Vec<_> = choices.iter().map(|choice| differs(document, choice, value)).collect();
        return if wrong.contains(&None) { None } else { wrong.into_iter().flatten().next() };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types: Vec<_> = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    if !types.iter().any(|of| of == kind || of.is_null() || (of == "number" && kind == "integer")) {
        return Some(format!("{value} is of another type than {types:?}"));
    }
    if let Some(known) = schema["enum"].as_array()
        && !known.contains(value)
    {
        return Some(format!("{value} is none of {known:?}"));
    }
    if let Some(items) = value.as_array() {
        return items.iter().find_map(|item| differs(document, &schema["items"], item));
    }
    let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else { return None };
    let required = schema["required"].as_array().into_iter().flatten();
    let mut missing = required.filter_map(Value::as_str).filter(|name| !fields.contains_key(*name));
    if let Some(name) = missing.next() {
        return Some(format!("`{name}` is missing"));
    }
    fields.iter().find_map(|(name, value)| match properties.get(name) {
        Some(schema) => differs(document, schema, value),
        None => Some(format!("`{name}` is in no schema")),
    })
}

#[tokio::test]
async fn the_document_is_served_without_a_key() {
    let service = Service::new().await;
    let request = axum::http::Request::get("/openapi.json").body(axum::body::Body::empty()).unwrap();
    let document = service.send(request).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    for path in ["/v1/jobs", "/v1/jobs/{jobId}", "/v1/drone-footage/generate", "/v1/usage"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
}
