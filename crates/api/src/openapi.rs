//! The contract for machines, generated from the endpoints.
mod complete;
mod examples;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use complete::Complete;

use crate::endpoints::{
    annotate_markup, check_health, get_job, get_markup, get_media, get_usage, list_jobs, select_markup,
    submit_drone_footage, submit_image_enhance, submit_markup, submit_markup_video, submit_video_clip,
    submit_virtual_staging,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Aerie",
        description = "Property media behind one HTTP/JSON contract: submit a job, poll it, download what it made.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    paths(
        submit_drone_footage::submit_drone_footage,
        submit_image_enhance::submit_image_enhance,
        submit_virtual_staging::submit_virtual_staging,
        submit_video_clip::submit_video_clip,
        submit_markup::submit_markup,
        get_markup::get_markup,
        select_markup::select_markup,
        annotate_markup::annotate_markup,
        submit_markup_video::submit_markup_video,
        list_jobs::list_jobs,
        get_job::get_job,
        get_usage::get_usage,
        get_media::get_media,
        check_health::healthz,
        check_health::readyz,
    ),
    modifiers(&Authentication, &Complete),
)]
struct Contract;

struct Authentication;

impl Modify for Authentication {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let key = ApiKeyValue::with_description("X-API-Key", "The organization's API key, `aerie_live_…`");
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}

/// The OpenAPI document of everything that is served, save the document itself, its page, and the figures for operators.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    Contract::openapi()
}
