//! `POST` of every kind: the one handler and the one operation for all of them.

use std::sync::Arc;

use aerie_domain::{JobId, JobInput, JobType, PREVIEW, ValidationError, continue_markup};
use aerie_engine_api::Kind;
use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use utoipa::IntoParams;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{OneOfBuilder, SchemaFormat, Type};
use utoipa::openapi::{Content, ObjectBuilder, Ref, RefOr, Required, ResponseBuilder, Schema, SecurityRequirement};
use utoipa::{PartialSchema, ToSchema};

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiPath, Parameters, read_json};
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::job_view::JobCreated;
use crate::routes::Documented;
use crate::submit::{Submission, submit};

/// The handler of a kind's route.
fn route(kind: JobType) -> MethodRouter<Arc<ApiState>> {
    post(
        async move |State(state): State<Arc<ApiState>>,
                    Extension(caller): Extension<Caller>,
                    key: IdempotencyKey,
                    parent: Option<ApiPath>,
                    request: Request| { submit_job(&state, &caller, key, kind, parent, request).await },
    )
}

async fn submit_job(
    state: &ApiState,
    caller: &Caller,
    key: IdempotencyKey,
    kind: JobType,
    parent: Option<ApiPath>,
    request: Request,
) -> Result<Response, ApiError> {
    let spec = kind.kind();
    let is_preview = asks_for_preview(spec, &request)?;
    let mut input = read_json(request, spec.endpoint.body, move |body| JobInput::from_body(kind, body)).await?;
    if is_preview {
        input.request_mut().make_preview();
    }
    key.answer(state, caller, async |turn| {
        let parent_id = match (spec.parent, parent) {
            (Some(of), Some(ApiPath(id))) => {
                continue_job(state, caller, (of, id), &mut input).await?;
                Some(id)
            }
            _ => None,
        };
        submit(state, caller, Submission { input, parent_id }, &turn).await
    })
    .await
}

/// Whether the query asks for a preview, of a kind that has one.
fn asks_for_preview(kind: &Kind, request: &Request) -> Result<bool, ValidationError> {
    if !kind.has_preview {
        return Ok(false);
    }
    Parameters::parse(request.uri().query().unwrap_or_default()).boolean(PREVIEW)
}

/// Adds to a request what it takes from the job that it continues.
async fn continue_job(
    state: &ApiState,
    caller: &Caller,
    (kind, id): (&str, JobId),
    input: &mut JobInput,
) -> Result<(), ApiError> {
    let job = state.store.job_get(Some(caller.org_id), id).await?;
    let job = job.filter(|job| job.job_type.as_str() == kind);
    let job = job.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
    // The store checks this again in the transaction that inserts the job.
    let active = state.store.job_has_active_child(id).await?;
    Ok(continue_markup(&job, active, input)?)
}

/// The route of a kind, its operation and the schemas that this refers to.
pub(crate) fn documented(kind: JobType) -> Documented {
    let spec = kind.kind();
    let mut paths = Paths::new();
    paths.add_path_operation(spec.endpoint.path, vec![HttpMethod::Post], operation(kind));
    let mut schemas = vec![
        ((spec.endpoint.schema.name)().into_owned(), (spec.endpoint.schema.schema)()),
        (created_name(), Envelope::<JobCreated>::schema()),
        (JobCreated::name().into_owned(), JobCreated::schema()),
    ];
    (spec.endpoint.schema.references)(&mut schemas);
    Envelope::<JobCreated>::schemas(&mut schemas);
    JobCreated::schemas(&mut schemas);
    (schemas, paths, route(kind))
}

/// Name of the schema of the response. `ToSchema::name` leaves out type arguments.
fn created_name() -> String {
    format!("{}_{}", Envelope::<JobCreated>::name(), JobCreated::name())
}

fn operation(kind: JobType) -> Operation {
    let spec = kind.kind();
    let parent = spec.parent.map(parent_id);
    let preview = spec.has_preview.then(preview);
    let parameters =
        parent.into_iter().chain(preview).chain(IdempotencyHeader::into_params(|| Some(ParameterIn::Header)));
    let created = RefOr::Ref(Ref::from_schema_name(created_name()));
    let created = ResponseBuilder::new()
        .description("The job is queued")
        .content("application/json", Content::new(Some(created)))
        .build();
    OperationBuilder::new()
        .tag(spec.endpoint.tag)
        .summary(Some(spec.endpoint.summary))
        .description(Some(spec.endpoint.description))
        .operation_id(Some(format!("submit_{kind}")))
        .parameters(Some(parameters))
        .request_body(Some(request_body(kind)))
        .response("202", created)
        .security(SecurityRequirement::new("api_key", Vec::<String>::new()))
        .build()
}

fn parent_id(kind: &str) -> Parameter {
    ParameterBuilder::new()
        .name("jobId")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(format!("Job identifier of the {kind}")))
        .schema(Some(string("uuid")))
        .build()
}

fn preview() -> Parameter {
    ParameterBuilder::new()
        .name(PREVIEW)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "Aerie extension. `true` submits a preview: a job whose `output.previews` has a still of each direction, in seconds. \
             It is not billed and counts against the quota only until it ends; the plan limits previews a day.",
        ))
        .schema(Some(RefOr::T(ObjectBuilder::new().schema_type(Type::Boolean).default(Some(false.into())).build().into())))
        .build()
}

fn request_body(kind: JobType) -> RequestBody {
    let schema = Ref::from_schema_name((kind.kind().endpoint.schema.name)());
    let body = RequestBodyBuilder::new();
    match kind.kind().endpoint.body {
        Presence::Required => body
            .content("application/json", Content::new(Some(RefOr::<Schema>::Ref(schema))))
            .required(Some(Required::True)),
        Presence::Optional => {
            let either = OneOfBuilder::new().item(schema).item(ObjectBuilder::new().schema_type(Type::Null));
            body.content("application/json", Content::new(Some(RefOr::T(Schema::from(either.build())))))
        }
    }
    .build()
}

fn string(format: &str) -> RefOr<Schema> {
    let format = SchemaFormat::Custom(format.to_owned());
    RefOr::T(ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build().into())
}
