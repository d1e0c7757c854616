//! The HTTP API: routes, checks in their order, the response envelope, and media downloads.
//!
//! # Invariants
//!
//! - Every response under `/v1` has the envelope, panics included, and reveals no internals and no other organization's data. Tests:
//!   `a_panic_is_500_in_the_envelope_without_internal_details`,
//!   `every_response_carries_its_request_id_and_a_timestamp_in_milliseconds`,
//!   `without_a_valid_key_every_path_under_v1_is_401_known_or_not`,
//!   `another_organizations_job_gets_the_same_response_as_an_unknown_one_except_for_meta`.
//! - No endpoint or page can be listed without its audience, and the service does not start where a path contradicts it. Tests:
//!   `a_route_for_keys_outside_the_paths_that_ask_for_one_does_not_start`,
//!   `a_route_for_anyone_on_a_path_that_asks_for_a_key_does_not_start`.
//! - A request with an `Idempotency-Key` takes effect once, whichever nodes it is sent to. Tests:
//!   `of_simultaneous_equal_requests_to_several_nodes_one_submits_and_only_its_pictures_are_kept`,
//!   `of_simultaneous_annotations_on_several_nodes_one_is_kept_and_all_get_the_same_response`,
//!   `a_repeated_request_makes_its_jobs_once_on_whichever_node`.
//! - Pictures of a submit whose commit is not confirmed are kept. Tests:
//!   `a_submit_whose_commit_is_not_confirmed_keeps_its_pictures_for_the_job_that_a_repetition_returns`,
//!   `an_annotation_whose_commit_is_not_confirmed_keeps_its_pictures_and_they_are_noted_in_a_bucket`.
//! - Every distinct picture of a listing is fetched once, before the transaction, and every bad one is named. Test:
//!   `a_photo_that_cannot_be_fetched_refuses_all_and_every_one_is_named`.
//! - No request holds a thread of the runtime for long; the contract tests measure the time of every poll. Tests:
//!   `a_megabyte_of_small_values_does_not_stall_the_runtime`, `a_request_that_computes_for_long_is_detected`; in `e2e`:
//!   `pictures_made_to_be_slow_to_read_do_not_stall_the_server`.
//! - Texts with control characters are refused by the name of the field, before anything is fetched; older rows with such texts are
//!   still shown. Tests: `every_text_of_every_request_refuses_control_characters_by_its_name_before_anything_is_fetched`,
//!   `the_document_allows_in_a_text_exactly_what_its_layout_allows`, `jobs_stored_with_control_characters_are_still_shown_and_listed`.
//! - Outside development, metrics are on the admin listener only. Tests:
//!   `outside_development_the_main_listener_has_no_metrics_whatever_the_request_says`,
//!   `the_admin_listener_serves_metrics_and_health_and_nothing_else`,
//!   `on_the_admin_listener_other_machines_need_an_allowed_network_or_the_token`,
//!   `while_the_database_does_not_answer_there_are_metrics_without_the_figures_of_the_fleet`.
//! - Slow clients exclude nobody: see `transport/slots.rs` and `transport/pace.rs`. Tests:
//!   `a_new_connection_replaces_the_one_that_has_waited_longest`,
//!   `while_all_connections_are_busy_health_checks_are_answered_and_other_requests_are_asked_to_retry`,
//!   `a_body_that_trickles_in_is_400_and_closes_the_connection`, `a_client_that_reads_nothing_of_a_response_is_disconnected`; in `e2e`:
//!   `held_connections_do_not_keep_out_health_checks`.
//! - A refusal reaches the client although the body of its request was not read: the transport discards the rest. Test:
//!   `a_request_that_is_refused_before_its_body_is_read_is_answered_after_all_of_it_was_sent`.
//! - A client that does not read costs little memory. Tests: `connections_share_the_bytes_of_a_file`,
//!   `unread_responses_of_an_organization_are_limited_and_one_is_always_allowed`; in `e2e`:
//!   `a_thousand_clients_that_read_nothing_cost_little_memory`.
//! - An archive of a listing is written while it is sent, from files that engines made; one that cannot be finished ends its connection
//!   with an error. Tests: `an_archive_has_the_newest_finished_media_in_the_order_of_the_listing`,
//!   `an_archive_that_cannot_be_finished_is_never_received_as_whole`.
//! - A viewer with a share link sees what it shows until it expires or is revoked, and nothing else. The token is stored as its SHA-256
//!   and never logged; what viewers write is shown as text. Tests: `only_the_hash_of_a_token_is_stored`,
//!   `a_link_shows_and_allows_only_what_it_was_made_for`, `an_expired_or_revoked_link_is_gone_and_an_unknown_one_not_found`,
//!   `the_page_works_without_scripts_and_says_what_is_wrong`, `reviews_through_a_link_are_limited_in_a_minute_and_in_all`,
//!   `what_people_wrote_is_text_and_never_markup`.
//! - A truth page shows only what was published: every visit compares the files with the hashes of its row. Tests:
//!   `a_page_shows_the_original_without_position_beside_the_result_and_says_what_was_done`, `a_tampered_file_is_named_as_such`,
//!   `an_unknown_code_is_answered_as_a_malformed_one_is`.
//! - A session of the console has no more rights than its key, which is looked up for each request; changes require the CSRF token.
//!   Tests: `a_session_cannot_widen_itself`, `keys_of_other_organizations_are_not_found`, `a_cookie_is_no_key_and_a_key_is_no_session`,
//!   `what_changes_something_needs_the_token_of_the_page`, `a_token_that_was_planted_before_the_sign_in_never_becomes_a_session`,
//!   `a_session_ends_when_its_key_is_revoked`.
//! - The console for operators is on the admin listener only, with keys and sessions of its own. `operator/redaction.rs` removes
//!   secrets from inputs that it shows. Tests: `every_request_needs_an_operators_session_and_what_changes_something_its_proof`,
//!   `nothing_of_it_is_on_the_listener_for_clients_and_nothing_for_clients_on_the_other`, `no_answer_contains_a_secret`.
//! - Behind a proxy that serves Aerie under a path of another site, every link leads through that path. Test in `e2e`:
//!   `under_a_path_of_another_site_uploads_media_and_the_console_are_reached_through_it`.
//! - A stream of events continues where the client left off. Test: `a_client_follows_its_jobs_and_continues_where_it_was`.
//! - Address suggestions have a rate limit of their own. Test: `typing_has_a_limit_of_its_own_and_needs_the_scope_read`.
mod addresses;
mod archive;
mod auth;
mod bad_keys;
mod base_path;
mod binary;
mod bundled_page;
mod conditional;
mod console;
mod context;
mod delivery;
mod detached;
mod disclosures;
mod document;
mod endpoints;
mod envelope;
mod environment;
mod error;
mod error_code;
mod event_stream;
mod extract;
mod fetching;
mod idempotency;
mod identify;
mod in_progress;
mod job_view;
mod large_responses;
mod listing_media;
mod listings;
mod measuring;
mod metrics;
mod off_runtime;
mod openapi;
mod operations;
mod operator;
mod per_organization;
mod pictures;
mod protect;
mod rate_limit;
mod readiness;
mod requests;
mod router;
mod routes;
mod sessions;
mod share_links;
mod shared_listing;
mod shared_page;
mod shared_paths;
mod state;
mod static_file;
mod streams;
mod submit;
mod transport;
mod truth_page;
mod truth_pages;
mod tus;
mod unknown_paths;
mod upload_paths;
mod uploads;
mod viewers;
mod webhooks;

pub use addresses::{
    AddressMap, AddressPlan, Addresses, NoSuggestions, SuggestedAddress, SuggestedPrecision, Suggestions, TypedAddress,
};
pub use bad_keys::BadKeys;
pub use delivery::Delivery;
pub use environment::Environment;
pub use fetching::Fetching;
pub use in_progress::InProgress;
pub use measuring::{BadPolygon, DrawnOn, Measuring};
pub use metrics::{Metrics, MetricsReaders};
pub use openapi::openapi;
pub use operations::Operations;
pub use operator::{Doctor, Finding, OperatorConsole};
pub use readiness::{Check, Readiness};
pub use router::{admin_router, router};
pub use state::ApiState;
pub use streams::Streams;
pub use transport::{ConnectionLimits, Tls, TlsError, Transport, TrustedProxies, serve};
pub use truth_pages::{CredentialsCheck, TruthPages, Verifying};
