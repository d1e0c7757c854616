//! `/s/{token}`: the web page of a share link, which works without scripts. Its forms are posted below it.

use std::sync::Arc;

use aerie_domain::{ShareLink, ValidationError};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::{approve_shared_photo::approve, comment_on_shared_listing::comment};

use crate::error::ApiError;
use crate::extract::{Parameters, read_form};
use crate::large_responses::Owner;
use crate::requests::share_links::{ApprovalRequest, CommentRequest};
use crate::shared_listing::{self, Said};
use crate::viewers::{TokenPath, Viewer};
use crate::{ApiState, off_runtime, shared_page};

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Where a page finds what it links to. Relative, because a proxy may serve it under another host and path than `base_url` says.
struct Place {
    /// What `/media` begins with.
    root: &'static str,
    /// What the paths of forms begin with.
    forms: String,
}

impl Place {
    /// At `/s/TOKEN`.
    fn page(token: &str) -> Self {
        Self { root: "..", forms: format!("{token}/") }
    }

    /// At the path of a form, below that.
    fn form() -> Self {
        Self { root: "../..", forms: String::new() }
    }
}

/// The page.
pub(crate) async fn show_shared_page(
    State(state): State<Arc<ApiState>>,
    viewer: Result<Viewer, ApiError>,
    token: TokenPath,
) -> Response {
    let found = async {
        viewer?;
        let text = token.text();
        let link = token.link(&state).await?;
        page(&state, &link, &Place::page(&text), None).await
    };
    found.await.unwrap_or_else(|error| refused(&state, error))
}

/// A decision from the page.
pub(crate) async fn approve_on_page(
    State(state): State<Arc<ApiState>>,
    viewer: Result<Viewer, ApiError>,
    token: TokenPath,
    request: Request,
) -> Response {
    let done = post(&state, viewer, token, request, async |link, form| {
        let request = ApprovalRequest::from_body(&form)?;
        approve(&state, link, request).await
    });
    done.await.unwrap_or_else(|error| refused(&state, error))
}

/// A comment from the page.
pub(crate) async fn comment_on_page(
    State(state): State<Arc<ApiState>>,
    viewer: Result<Viewer, ApiError>,
    token: TokenPath,
    request: Request,
) -> Response {
    let done = post(&state, viewer, token, request, async |link, form| {
        let request = CommentRequest::from_body(&form)?;
        comment(&state, link, request).await
    });
    done.await.unwrap_or_else(|error| refused(&state, error))
}

/// Redirects back to the page, or shows it with what is wrong.
async fn post(
    state: &ApiState,
    viewer: Result<Viewer, ApiError>,
    token: TokenPath,
    request: Request,
    say: impl AsyncFnOnce(&ShareLink, Value) -> Result<Said, ApiError>,
) -> Result<Response, ApiError> {
    viewer?;
    let form = read_form(request).await?;
    let text = token.text();
    let link = token.link(state).await?;
    let said = match members(&form) {
        Ok(members) => say(&link, members).await,
        Err(error) => Err(error.into()),
    };
    let photo = match said {
        Ok(Said::Approval(approval)) => Some(approval.photo_id),
        Ok(Said::Comment(comment)) => comment.photo_id,
        Err(error) if error.status() == StatusCode::BAD_REQUEST => {
            return page(state, &link, &Place::form(), Some(error.message())).await;
        }
        Err(error) => return Err(error),
    };
    let place = photo.map_or("comments".to_owned(), |photo| format!("photo-{photo}"));
    // Relative, because a proxy may serve the page under another path.
    let location = format!("../{text}#{place}");
    let location = HeaderValue::try_from(location).map_err(ApiError::internal)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// The fields of the forms as a request of the API has them. Line breaks are those of JSON.
fn members(form: &Parameters) -> Result<Value, ValidationError> {
    let mut members = serde_json::Map::new();
    for name in ["photo_id", "decision", "name", "text"] {
        if let Some(value) = form.once(name)? {
            let is_absent = name == "photo_id" && value.is_empty();
            members.insert(name.to_owned(), if is_absent { Value::Null } else { value.replace("\r\n", "\n").into() });
        }
    }
    Ok(Value::Object(members))
}

async fn page(state: &ApiState, link: &ShareLink, place: &Place, problem: Option<&str>) -> Result<Response, ApiError> {
    let listing = shared_listing::view(state, link, place.root).await?;
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let (problem, forms) = (problem.map(str::to_owned), place.forms.clone());
    let html = off_runtime::run(move || shared_page::page(&listing, &forms, problem.as_deref())).await?;
    let mut response = respond(state, status, html);
    response.extensions_mut().insert(Owner::of(link.id));
    Ok(response)
}

fn refused(state: &ApiState, error: ApiError) -> Response {
    let html = shared_page::refusal(error.message());
    let mut response = respond(state, error.status(), html);
    if let Some(seconds) = error.seconds_to_wait() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

fn respond(state: &ApiState, status: StatusCode, html: String) -> Response {
    let policy = shared_page::policy(state.delivery);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
        (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
    ];
    (status, headers, html).into_response()
}
