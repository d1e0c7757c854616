//! Every text of every request, found in an OpenAPI document, so that a new field is tested without being listed anywhere.

use serde_json::{Map, Value};

/// A text of a request.
#[derive(Debug)]
pub struct TextField {
    /// HTTP method of the operation.
    pub method: String,
    /// Path of the operation, with values for its parameters.
    pub path: String,
    /// Name in error messages: the path of the field in the body, or the name of the query parameter.
    pub name: String,
    place: Place,
    /// Its schema.
    pub schema: Value,
}

#[derive(Debug)]
enum Place {
    /// A body that is valid but for the field, which is missing, the names that lead to the field, and a picture. `[0]` after a name
    /// stands for the first entry of an array.
    Body(Value, Vec<String>, String),
    Query,
}

/// Lists the texts in the bodies and queries of all operations. Links to pictures lead to `picture_url`.
#[must_use]
pub fn text_fields(document: &Value, picture_url: &str) -> Vec<TextField> {
    let mut fields = Vec::new();
    for (path, item) in members(&document["paths"]) {
        let path = ["{jobId}", "{listingId}", "{webhookId}", "{deliveryId}", "{shareLinkId}", "{token}"]
            .iter()
            .fold(path.replace("{key}", "key"), |path, name| {
                path.replace(name, "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27")
            });
        for (method, operation) in members(item) {
            let field = |name: String, place, schema: &Value| TextField {
                method: method.to_uppercase(),
                path: path.clone(),
                name,
                place,
                schema: schema.clone(),
            };
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let schema = resolved(document, &parameter["schema"]);
                if parameter["in"] == "query" && is_text(schema) {
                    fields.push(field(parameter["name"].as_str().unwrap_or_default().to_owned(), Place::Query, schema));
                }
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let body = sample(document, schema, picture_url);
            let mut found = Vec::new();
            collect(document, schema, &mut Vec::new(), &mut found);
            for (names, schema) in found {
                fields.push(field(names.join("."), Place::Body(body.clone(), names, picture_url.to_owned()), schema));
            }
        }
    }
    fields
}

impl TextField {
    /// Path, query and body of a request with this text in the field.
    #[must_use]
    pub fn request(&self, text: &str) -> (String, Option<Value>) {
        match &self.place {
            Place::Query => {
                let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
                (format!("{}?{}={encoded}", self.path, self.name), None)
            }
            Place::Body(body, names, picture_url) => {
                // All that an entry of an array must have is a picture.
                let entry = serde_json::json!({"image_url": picture_url});
                let mut body = body.clone();
                let mut value = &mut body;
                for name in names {
                    if !value.is_object() {
                        *value = Value::Object(Map::new());
                    }
                    value = match name.strip_suffix("[0]") {
                        None => &mut value[name.as_str()],
                        Some(name) => {
                            value[name] = Value::Array(vec![entry.clone()]);
                            &mut value[name][0]
                        }
                    };
                }
                *value = text.into();
                (self.path.clone(), Some(body))
            }
        }
    }

    /// Whether tabs and line breaks are allowed.
    #[must_use]
    pub fn is_prompt(&self) -> bool {
        self.name.ends_with("prompt") || self.name == "text"
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let to = schema["$ref"].as_str().and_then(|to| document.pointer(to.trim_start_matches('#')));
    to.map_or(schema, |schema| resolved(document, schema))
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    ["allOf", "oneOf", "anyOf"].into_iter().flat_map(|name| schema[name].as_array().into_iter().flatten())
}

fn is_text(schema: &Value) -> bool {
    schema["type"] == "string" || schema["type"].as_array().is_some_and(|types| types.iter().any(|of| of == "string"))
}

fn collect<'a>(
    document: &'a Value,
    schema: &'a Value,
    names: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, &'a Value)>,
) {
    let schema = resolved(document, schema);
    if is_text(schema) {
        found.push((names.clone(), schema));
    }
    alternatives(schema).for_each(|schema| collect(document, schema, names, found));
    for (name, schema) in members(&schema["properties"]) {
        names.push(name.clone());
        collect(document, schema, names, found);
        names.pop();
        if let items @ Value::Object(_) = &resolved(document, schema)["items"] {
            names.push(format!("{name}[0]"));
            collect(document, items, names, found);
            names.pop();
        }
    }
}

/// A value with the required members of a schema.
fn sample(document: &Value, schema: &Value, picture_url: &str) -> Value {
    let schema = resolved(document, schema);
    if let Some(first) = alternatives(schema).next() {
        return sample(document, first, picture_url);
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let value = |name: &str| {
        let schema = resolved(document, &schema["properties"][name]);
        match name.ends_with("_url") {
            true => picture_url.into(),
            false => schema["example"].clone(),
        }
    };
    Value::Object(required.map(|name| (name.to_owned(), value(name))).collect())
}
