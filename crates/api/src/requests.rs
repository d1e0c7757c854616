//! Bodies of requests that no engine knows. Those of jobs are in `engine-api`.

pub(crate) mod listing_media;
pub(crate) mod share_links;
pub(crate) mod truth_pages;
pub(crate) mod webhooks;
