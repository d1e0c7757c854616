//! Extractors: a handler never sees a value that is not as it has to be, and every refusal comes in the envelope.
mod body;
mod path;
mod query;

pub(crate) use body::ApiJson;
pub(crate) use path::ApiPath;
pub(crate) use query::{ApiQuery, Parameters, RequestQuery};
