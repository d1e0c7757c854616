//! Adds to every text of a request the pattern of the characters that it may contain, so that no field can be documented otherwise
//! than [`aerie_domain::Layout`] has it.

use std::collections::BTreeSet;

use aerie_domain::Layout;
use serde_json::Value;
use utoipa::Modify;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::schema::{KnownFormat, Object, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{OpenApi, RefOr, Schema};

/// The pattern of a text that is not blank, as the requests declare it.
const NOT_BLANK: &str = r"\S";

/// The text of a comment.
const COMMENT: &str = "text";

/// Completes the patterns of request bodies and query parameters.
pub(super) struct Patterns;

impl Modify for Patterns {
    fn modify(&self, openapi: &mut OpenApi) {
        let requests = schemas_of_requests(&serde_json::to_value(&*openapi).unwrap_or_default());
        let schemas = openapi.components.iter_mut().flat_map(|components| &mut components.schemas);
        schemas.filter(|(name, _)| requests.contains(*name)).for_each(|(name, schema)| complete(name, schema));
        let operations = openapi.paths.paths.values_mut().flat_map(operations);
        for parameter in operations.flat_map(|operation| operation.parameters.iter_mut().flatten()) {
            let RefOr::T(parameter) = parameter else { continue };
            if parameter.parameter_in == ParameterIn::Query
                && let Some(schema) = &mut parameter.schema
            {
                complete(&parameter.name, schema);
            }
        }
    }
}

/// The pattern of a text of this layout.
fn pattern(layout: Layout, may_be_blank: bool) -> String {
    let refused = layout.refused_class();
    match may_be_blank {
        true => format!("^[^{refused}]*$"),
        false => format!(r"^[^{refused}]*[^\s{refused}][^{refused}]*$"),
    }
}

fn complete(name: &str, schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) if is_free_text(object) => {
            let is_prose = name.ends_with("prompt") || name == COMMENT;
            let layout = if is_prose { Layout::Prose } else { Layout::Line };
            object.pattern = Some(pattern(layout, object.pattern.as_deref() != Some(NOT_BLANK)));
        }
        Schema::Object(object) => object.properties.iter_mut().for_each(|(name, schema)| complete(name, schema)),
        Schema::OneOf(of) => of.items.iter_mut().for_each(|schema| complete(name, schema)),
        Schema::AllOf(of) => of.items.iter_mut().for_each(|schema| complete(name, schema)),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(|schema| complete(name, schema)),
        _ => {}
    }
}

/// Whether a schema is a text whose characters nothing else limits.
fn is_free_text(object: &Object) -> bool {
    let is_text = match &object.schema_type {
        SchemaType::Type(of) => *of == Type::String,
        SchemaType::Array(types) => types.contains(&Type::String),
        SchemaType::AnyValue => false,
    };
    let has_form = match &object.format {
        Some(SchemaFormat::KnownFormat(format)) => matches!(format, KnownFormat::Date | KnownFormat::DateTime),
        Some(SchemaFormat::Custom(format)) => format != "uri",
        None => false,
    };
    is_text
        && !has_form
        && object.enum_values.is_none()
        && object.pattern.as_deref().is_none_or(|given| given == NOT_BLANK)
}

/// Names of the schemas that request bodies refer to.
fn schemas_of_requests(document: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    operations.for_each(|(_, operation)| collect(document, &operation["requestBody"], &mut names));
    names
}

fn collect(document: &Value, value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            let referred = members.get("$ref").and_then(Value::as_str).and_then(|to| to.rsplit('/').next());
            if let Some(name) = referred
                && names.insert(name.to_owned())
            {
                collect(document, &document["components"]["schemas"][name], names);
            }
            members.values().for_each(|member| collect(document, member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(document, item, names)),
        _ => {}
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [item.get.as_mut(), item.post.as_mut(), item.put.as_mut(), item.patch.as_mut(), item.delete.as_mut()]
        .into_iter()
        .flatten()
}
