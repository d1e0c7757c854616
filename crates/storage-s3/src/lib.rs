//! The S3 backend of media: a bucket of any service with the API of Amazon S3.
//!
//! Uploads are verified by the service: each request is signed together with the SHA-256 of its body. Objects carry their own
//! SHA-256, and [`MediaStore`] verifies it when they are read whole.
//!
//! # Invariants
//!
//! - Damaged media are never received as complete: the last bytes of an object are held back until its SHA-256 is verified. Tests:
//!   `an_object_that_was_changed_is_reported_as_damaged`; in `api`: `damaged_media_are_never_received_as_complete`.
mod bucket;
mod connector;
mod explain;

use std::sync::Arc;
use std::time::Duration;

use aerie_storage::{DirectLink, MediaStore, SignsLinks};
use async_trait::async_trait;
use object_store::aws::{AmazonS3, AmazonS3Builder, AwsCredential};
use object_store::prefix::PrefixStore;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use object_store::{BackoffConfig, ClientOptions, RetryConfig, StaticCredentialProvider};

pub use bucket::Bucket;
use connector::Connector;
pub use explain::explain;

/// Retries of a failed request, and the total time for them.
const MAX_RETRIES: usize = 4;
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

/// How to sign in to the service. What is absent is taken from the environment variables that the tools of Amazon use
/// (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` and so on), and credentials else from the machine's or container's role.
#[derive(Clone, Default)]
pub struct Access {
    /// URL of the service; absent: Amazon's in the region.
    pub endpoint: Option<String>,
    /// The region.
    pub region: Option<String>,
    /// Id and secret of the access key.
    pub key: Option<(String, String)>,
    /// Whether the endpoint may be `http://`.
    pub allow_http: bool,
}

/// Why a bucket cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The endpoint is unencrypted, and nothing allows that.
    #[error(
        "the endpoint {0} is not encrypted: use https://, or set [media] allow_http = true where the network is your own"
    )]
    Unencrypted(String),
    /// The settings are refused.
    #[error("{0}")]
    Settings(#[from] object_store::Error),
}

/// Media in a bucket. Nothing is requested yet.
///
/// # Errors
/// When the settings contradict each other.
pub fn open(bucket: &Bucket, access: &Access) -> Result<MediaStore, OpenError> {
    // Fails when a provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let allow_http = access.allow_http || std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value == "true");
    if let Some(endpoint) = endpoint(access)
        && !endpoint.starts_with("https://")
        && !allow_http
    {
        return Err(OpenError::Unencrypted(endpoint));
    }
    let options = ClientOptions::new().with_allow_http(allow_http);
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: MAX_RETRIES, retry_timeout: RETRY_TIMEOUT };
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket.name())
        .with_client_options(options)
        .with_http_connector(Connector)
        .with_retry(retry)
        .with_unsigned_payload(false);
    if let Some(endpoint) = &access.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(region) = &access.region {
        builder = builder.with_region(region);
    }
    if let Some((id, secret)) = &access.key {
        // Not with the setters of the builder, which would sign with a session token of the environment, too.
        let key = AwsCredential { key_id: id.clone(), secret_key: secret.clone(), token: None };
        builder = builder.with_credentials(Arc::new(StaticCredentialProvider::new(key)));
    }
    let objects = Arc::new(PrefixStore::new(builder.build()?, bucket.prefix()));
    let links = Arc::new(Links(Arc::clone(&objects)));
    Ok(MediaStore::with_signer(objects, links))
}

/// URL of the service, if it is configured.
#[must_use]
pub fn endpoint(access: &Access) -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    access.endpoint.clone().or_else(|| variable("AWS_ENDPOINT_URL_S3")).or_else(|| variable("AWS_ENDPOINT_URL"))
}

#[derive(Debug)]
struct Links(Arc<PrefixStore<AmazonS3>>);

#[async_trait]
impl SignsLinks for Links {
    async fn signed_link(&self, link: DirectLink<'_>) -> Result<String, object_store::Error> {
        let method = if link.head { Method::HEAD } else { Method::GET };
        let options = SignedUrlOptions::new().with_query([
            ("response-content-type", link.content_type),
            ("response-content-disposition", &link.disposition),
            ("response-cache-control", link.cache_control),
        ]);
        Ok(self.0.signed_url_opts(method, link.key, link.lifetime, &options).await?.into())
    }
}
