//! What a generation kind is: everything in which one kind differs from another, as data.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::job_status::JobStatus;
use crate::{JobId, MarkupRefusal, PictureLink, ValidationError};

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
    /// Paths of the fields of the request that link to pictures; `[]` stands for every entry of an array
    /// (`options.photos[].image_url`). The pictures are fetched before the request is answered.
    pub pictures: &'static [&'static str],
    /// Whether `?preview=true` submits a preview instead: a job that makes stills in seconds and is not billed.
    pub has_preview: bool,
    /// Whether the layers of a staged picture accompany the picture into the job (see [`crate::layers`]).
    pub accepts_layers: bool,
    /// Whether the finished run waits for its owner's input (`awaiting_input`) instead of completing the job.
    pub asks_for_input: bool,
    /// The endpoint that submits it.
    pub endpoint: Endpoint,
    /// Reads a request body and returns its known fields: the job's `input`, unless [`Parent::continue_with`] builds it.
    pub read: fn(&Value) -> Result<Value, ValidationError>,
    /// Schema of the request body.
    pub schema: RequestSchema,
    /// The job that a job of this kind continues, for kinds whose route has a `{jobId}`.
    pub parent: Option<Parent>,
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

/// The kind of job that another continues.
#[derive(Debug)]
pub struct Parent {
    /// Name of the parent's kind.
    pub kind: &'static str,
    /// Builds the job's `input` from the parent and the request, or refuses because the parent cannot be continued now.
    pub continue_with: fn(&ParentJob<'_>, Value) -> Result<Value, MarkupRefusal>,
}

/// A parent job, as far as [`Parent::continue_with`] may look at it.
#[derive(Debug, Clone, Copy)]
pub struct ParentJob<'a> {
    /// Identity.
    pub id: JobId,
    /// Status.
    pub status: JobStatus,
    /// What was submitted.
    pub input: &'a Value,
    /// What it made.
    pub output: &'a Map<String, Value>,
    /// Whether its media were removed for their age.
    pub is_expired: bool,
    /// Whether another job that continues it is queued or running.
    pub has_active_child: bool,
}

impl Kind {
    /// The links to pictures in a request, in the order of [`Kind::pictures`].
    #[must_use]
    pub fn picture_links(&self, request: &Value) -> Vec<PictureLink> {
        self.pictures.iter().flat_map(|path| PictureLink::find(request, path)).collect()
    }
}

impl RequestSchema {
    /// The schema of a request type.
    #[must_use]
    pub const fn of<T: ToSchema>() -> Self {
        Self { name: T::name, schema: T::schema, references: T::schemas }
    }
}

/// A request as the `input` of its job.
pub(crate) fn input(request: impl Serialize) -> Value {
    serde_json::to_value(request).expect("a request holds nothing but JSON values")
}
