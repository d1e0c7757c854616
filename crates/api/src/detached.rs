//! Requests whose work goes on when their connection is lost.

use crate::context;
use crate::error::ApiError;

/// Does the work in a task of its own, under the id of the current request: it ends, whether or not anybody waits for it.
///
/// # Errors
/// Those of the work, and if it panics.
pub(crate) async fn run<T: Send + 'static>(
    work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::spawn(context::inherited(work)).await;
    done.map_err(|error| ApiError::internal(format!("a handler panicked: {error}")))?
}
