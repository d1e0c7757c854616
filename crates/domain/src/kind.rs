//! What a generation kind is: everything in which one kind differs from another, as data.

use std::borrow::Cow;

use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// Everything that the router, the submit handler, the job view, the worker, the command line and the OpenAPI document need
/// to know about a kind. Each file in `kinds/` defines one as `KIND`.
#[derive(Debug)]
pub struct Kind {
    /// `event_type` of its usage events.
    pub event_type: &'static str,
    /// Price of a completed job where the configuration names none, cents.
    pub default_price_cents: u32,
    /// How long a job takes.
    pub speed: Speed,
    /// What a job makes.
    pub medium: Medium,
    /// Whether `?preview=true` submits a preview instead: a job that makes stills in seconds and is not billed.
    pub has_preview: bool,
    /// Whether the layers of a staged picture accompany the picture into the job (see [`crate::layers`]).
    pub accepts_layers: bool,
    /// Whether the finished run waits for its owner's input (`awaiting_input`) instead of completing the job.
    pub asks_for_input: bool,
    /// The endpoint that submits it.
    pub endpoint: Endpoint,
    /// Schema of the request body.
    pub schema: RequestSchema,
    /// Name of the kind of job that a job of this kind continues, for kinds whose route has a `{jobId}`.
    pub parent: Option<&'static str>,
}

/// How long a job takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// Seconds: it must not wait behind a video.
    Quick,
    /// Up to minutes.
    Long,
}

/// What a job makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// Pictures.
    Still,
    /// A video. Lists show its `video_url` alone.
    Video,
}

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
