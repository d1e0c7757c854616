//! One file per endpoint: what comes in, what goes out, and what happens in between.
pub(crate) mod annotate_markup;
pub(crate) mod check_health;
pub(crate) mod get_job;
pub(crate) mod get_markup;
pub(crate) mod get_media;
pub(crate) mod get_metrics;
pub(crate) mod get_usage;
pub(crate) mod list_jobs;
pub(crate) mod select_markup;
pub(crate) mod show_docs;
pub(crate) mod submit_drone_footage;
pub(crate) mod submit_image_enhance;
pub(crate) mod submit_markup;
pub(crate) mod submit_markup_video;
pub(crate) mod submit_video_clip;
pub(crate) mod submit_virtual_staging;
