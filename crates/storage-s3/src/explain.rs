//! What is wrong with a bucket, and what to do about it.

use std::error::Error;

use aerie_storage::MediaError;
use object_store::Error as Cause;

use crate::Bucket;

/// Why a bucket cannot be used, with the configuration key to correct.
#[must_use]
pub fn explain(bucket: &Bucket, endpoint: Option<&str>, error: &MediaError) -> String {
    let service = endpoint.unwrap_or("Amazon S3");
    match error {
        MediaError::NotFound => {
            format!("{service} has no bucket {}: create it, or correct [media] url", bucket.name())
        }
        MediaError::Backend(Cause::Unauthenticated { .. } | Cause::PermissionDenied { .. }) => format!(
            "{service} does not allow these credentials to read and write {bucket}: check [media] access_key_id and \
             secret_access_key (or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY), and that their policy allows GetObject, \
             PutObject, DeleteObject, ListBucket and AbortMultipartUpload"
        ),
        MediaError::Backend(cause) => {
            let why = innermost(cause);
            let remedy = match why.to_lowercase() {
                text if text.contains("certificate") => {
                    "renew its certificate, or name the file of its certificate authority in the variable SSL_CERT_FILE"
                }
                text if text.contains("credential") || text.contains("metadata") => {
                    "set [media] access_key_id and secret_access_key, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                }
                _ => {
                    "check [media] endpoint and region (or AWS_ENDPOINT_URL and AWS_REGION), and that the service is up"
                }
            };
            format!("{service} cannot be used: {why}; {remedy}")
        }
        other => other.to_string(),
    }
}

/// The last cause of an error, which says most.
fn innermost(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}
