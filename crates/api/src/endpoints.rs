//! One file per endpoint: its request, its response and its handler. Those that submit jobs come from the registry of kinds
//! (`aerie_engine_api::kinds`).
//!
//! # Adding an endpoint
//!
//! To add `GET /v1/things`:
//!
//! 1. `endpoints/list_things.rs` (new): the response as a struct with `Serialize` and `ToSchema`, and the handler with its
//!    `#[utoipa::path]`, which has an `example` of the response. Copy the file of the endpoint that is most like it. `State`, `Caller`, and
//!    the extractors of `crate::extract` are its arguments; it returns `Result<Response, ApiError>`.
//! 2. `endpoints.rs` (this file): `mod` it, and add it to the routes of its audience. The document takes it from there.
//! 3. Run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and review the change in `schemas/openapi.json`. A test compares the
//!    document with the code; others check that each operation under `/v1` names its key and its refusals, and that each
//!    example fits its schema.
pub(crate) mod annotate_markup;
pub(crate) mod approve_shared_photo;
pub(crate) mod cancel_job;
pub(crate) mod change_listing;
pub(crate) mod change_webhook;
pub(crate) mod check_health;
pub(crate) mod comment_on_shared_listing;
pub(crate) mod continue_upload;
pub(crate) mod create_key;
pub(crate) mod create_listing;
pub(crate) mod create_share_link;
pub(crate) mod create_upload;
pub(crate) mod create_webhook;
pub(crate) mod delete_listing;
pub(crate) mod delete_upload;
pub(crate) mod delete_webhook;
pub(crate) mod generate_listing;
pub(crate) mod get_job;
pub(crate) mod get_listing;
pub(crate) mod get_listing_archive;
pub(crate) mod get_markup;
pub(crate) mod get_media;
pub(crate) mod get_metrics;
pub(crate) mod get_session;
pub(crate) mod get_shared_listing;
pub(crate) mod get_truth_page;
pub(crate) mod get_upload;
pub(crate) mod get_usage;
pub(crate) mod get_webhook;
pub(crate) mod list_addresses;
pub(crate) mod list_deliveries;
pub(crate) mod list_disclosure_profiles;
pub(crate) mod list_jobs;
pub(crate) mod list_keys;
pub(crate) mod list_listings;
pub(crate) mod list_reviews;
pub(crate) mod list_share_links;
pub(crate) mod list_webhooks;
pub(crate) mod publish_truth_page;
pub(crate) mod replay_delivery;
pub(crate) mod revoke_key;
pub(crate) mod revoke_share_link;
pub(crate) mod revoke_truth_page;
pub(crate) mod rotate_webhook_secret;
pub(crate) mod select_markup;
pub(crate) mod show_console;
pub(crate) mod show_docs;
pub(crate) mod show_shared_page;
pub(crate) mod show_truth_page;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod stream_events;
pub(crate) mod submit_job;
pub(crate) mod test_webhook;

use aerie_domain::{JobType, Scope};
use axum::routing::options;
use utoipa_axum::routes;

use crate::routes::{Audience, Routes};

/// The routes that the OpenAPI document describes.
pub(crate) fn documented() -> Routes {
    for_clients()
        .anyone(routes!(get_shared_listing::get_shared_listing))
        .anyone(routes!(approve_shared_photo::approve_shared_photo))
        .anyone(routes!(comment_on_shared_listing::comment_on_shared_listing))
        .anyone(routes!(show_truth_page::show_truth_page))
        .anyone(routes!(show_truth_page::get_truth_page_file))
        .anyone(routes!(check_health::healthz))
        .anyone(routes!(check_health::readyz))
}

/// The routes for clients, with a key or a session.
pub(crate) fn for_clients() -> Routes {
    let routes = Routes::new()
        .read(routes!(get_markup::get_markup))
        .add(Audience::OfKind(JobType::Markup), routes!(select_markup::select_markup))
        .add(Audience::OfKind(JobType::Markup), routes!(annotate_markup::annotate_markup))
        .read(routes!(list_jobs::list_jobs))
        .read(routes!(get_job::get_job))
        .generate(routes!(cancel_job::cancel_job))
        .add(Audience::Scoped(Scope::Usage), routes!(get_usage::get_usage))
        .generate(routes!(create_upload::create_upload))
        .generate(routes!(get_upload::get_upload, continue_upload::continue_upload, delete_upload::delete_upload))
        .add_undocumented(Audience::Scoped(Scope::Generate), "/v1/uploads", options(create_upload::describe_uploads))
        .add_undocumented(
            Audience::Scoped(Scope::Generate),
            "/v1/uploads/{uploadId}",
            options(create_upload::describe_upload),
        )
        .read(routes!(stream_events::stream_events))
        .read(routes!(list_webhooks::list_webhooks))
        .generate(routes!(create_webhook::create_webhook))
        .read(routes!(get_webhook::get_webhook))
        .generate(routes!(change_webhook::change_webhook, delete_webhook::delete_webhook))
        .generate(routes!(rotate_webhook_secret::rotate_webhook_secret))
        .generate(routes!(test_webhook::test_webhook))
        .read(routes!(list_deliveries::list_deliveries))
        .generate(routes!(replay_delivery::replay_delivery))
        .read(routes!(list_listings::list_listings))
        .generate(routes!(create_listing::create_listing))
        .read(routes!(get_listing::get_listing))
        .generate(routes!(change_listing::change_listing, delete_listing::delete_listing))
        .generate(routes!(generate_listing::generate_listing))
        .read(routes!(get_listing_archive::get_listing_archive))
        .read(routes!(list_share_links::list_share_links))
        .generate(routes!(create_share_link::create_share_link))
        .generate(routes!(revoke_share_link::revoke_share_link))
        .read(routes!(list_reviews::list_reviews))
        .read(routes!(list_addresses::list_addresses))
        .read(routes!(get_truth_page::get_truth_page))
        .generate(routes!(publish_truth_page::publish_truth_page, revoke_truth_page::revoke_truth_page))
        .read(routes!(list_disclosure_profiles::list_disclosure_profiles));
    JobType::ALL
        .into_iter()
        .fold(routes, |routes, kind| routes.add(Audience::OfKind(kind), submit_job::documented(kind)))
}
