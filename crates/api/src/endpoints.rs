//! One file per endpoint: its request, its response and its handler.
pub(crate) mod annotate_markup;
pub(crate) mod cancel_job;
pub(crate) mod check_health;
pub(crate) mod continue_upload;
pub(crate) mod create_upload;
pub(crate) mod delete_upload;
pub(crate) mod get_job;
pub(crate) mod get_markup;
pub(crate) mod get_media;
pub(crate) mod get_metrics;
pub(crate) mod get_upload;
pub(crate) mod get_usage;
pub(crate) mod list_jobs;
pub(crate) mod select_markup;
pub(crate) mod show_docs;
pub(crate) mod submit_job;
