//! The endpoint of each kind, and the schema of its request, for a service that documents them.

use std::borrow::Cow;

use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The endpoint that submits a kind, as the router and the OpenAPI document name it. The operation is `submit_<kind>`.
#[derive(Debug)]
pub struct Endpoint {
    /// Path of the route, with `{jobId}` for the parent job.
    pub path: &'static str,
    /// Group of operations.
    pub tag: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What it makes, and from what.
    pub description: &'static str,
    /// Whether the request must have a body.
    pub body: Presence,
    /// Schema of the body.
    pub schema: RequestSchema,
}

/// Whether a part of a request may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be left out.
    Optional,
}

/// Schema of a request body.
#[derive(Debug)]
pub struct RequestSchema {
    /// Name of the schema in the document.
    pub name: fn() -> Cow<'static, str>,
    /// The schema itself.
    pub schema: fn() -> RefOr<Schema>,
    /// Adds the schemas that it refers to.
    pub references: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl RequestSchema {
    /// The schema of a request type.
    #[must_use]
    pub const fn of<T: ToSchema>() -> Self {
        Self { name: T::name, schema: T::schema, references: T::schemas }
    }
}
