//! Requests to online sources, and the cache of their answers.

pub mod answer_cache;
pub mod client;
