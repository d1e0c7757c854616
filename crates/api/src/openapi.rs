//! The OpenAPI document, generated from the endpoints and the registry of kinds.
mod complete;
mod examples;
mod patterns;

use aerie_domain::JobType;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use complete::Complete;
use patterns::Patterns;

use crate::endpoints::{
    annotate_markup, approve_shared_photo, cancel_job, change_listing, change_webhook, check_health,
    comment_on_shared_listing, continue_upload, create_listing, create_share_link, create_upload, create_webhook,
    delete_listing, delete_upload, delete_webhook, generate_listing, get_job, get_listing, get_listing_archive,
    get_markup, get_media, get_shared_listing, get_truth_page, get_upload, get_usage, get_webhook, list_addresses,
    list_deliveries, list_disclosure_profiles, list_jobs, list_listings, list_reviews, list_share_links, list_webhooks,
    publish_truth_page, replay_delivery, revoke_share_link, revoke_truth_page, rotate_webhook_secret, select_markup,
    show_truth_page, stream_events, submit_job, test_webhook,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Aerie",
        description = "Property media over HTTP and JSON: submit a job, poll it, download the result.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    paths(
        get_markup::get_markup,
        select_markup::select_markup,
        annotate_markup::annotate_markup,
        list_jobs::list_jobs,
        get_job::get_job,
        cancel_job::cancel_job,
        get_usage::get_usage,
        create_upload::create_upload,
        get_upload::get_upload,
        continue_upload::continue_upload,
        delete_upload::delete_upload,
        stream_events::stream_events,
        create_webhook::create_webhook,
        list_webhooks::list_webhooks,
        get_webhook::get_webhook,
        change_webhook::change_webhook,
        delete_webhook::delete_webhook,
        rotate_webhook_secret::rotate_webhook_secret,
        test_webhook::test_webhook,
        list_deliveries::list_deliveries,
        replay_delivery::replay_delivery,
        list_listings::list_listings,
        create_listing::create_listing,
        get_listing::get_listing,
        change_listing::change_listing,
        delete_listing::delete_listing,
        generate_listing::generate_listing,
        get_listing_archive::get_listing_archive,
        create_share_link::create_share_link,
        list_share_links::list_share_links,
        revoke_share_link::revoke_share_link,
        list_reviews::list_reviews,
        get_shared_listing::get_shared_listing,
        approve_shared_photo::approve_shared_photo,
        comment_on_shared_listing::comment_on_shared_listing,
        list_addresses::list_addresses,
        publish_truth_page::publish_truth_page,
        get_truth_page::get_truth_page,
        revoke_truth_page::revoke_truth_page,
        list_disclosure_profiles::list_disclosure_profiles,
        show_truth_page::show_truth_page,
        show_truth_page::get_truth_page_file,
        get_media::get_media,
        check_health::healthz,
        check_health::readyz,
    ),
    modifiers(&Authentication, &Kinds, &Patterns, &Complete),
)]
struct Contract;

/// Adds the operations that submit jobs, from the registry of kinds.
struct Kinds;

impl Modify for Kinds {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        JobType::ALL.into_iter().for_each(|kind| submit_job::describe(kind, openapi));
    }
}

/// Adds the security scheme.
struct Authentication;

impl Modify for Authentication {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let key = ApiKeyValue::with_description("X-API-Key", "The organization's API key, `aerie_live_…`");
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}

/// The OpenAPI document of all routes except the document itself, its page and the operators' metrics.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    Contract::openapi()
}
