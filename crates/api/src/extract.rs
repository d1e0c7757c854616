//! Extractors. A handler sees valid values only, and every refusal comes in the envelope.
mod body;
mod path;
mod query;

pub(crate) use body::{ApiJson, RequestBody, read_form, read_json};
pub(crate) use path::{
    ApiPath, DeliveryPath, KeyPath, ListingPath, OrganizationKeyPath, OrganizationPath, ShareLinkPath, UploadPath,
    WebhookPath,
};
pub(crate) use query::{ApiQuery, PageOf, Parameters, RequestQuery};
