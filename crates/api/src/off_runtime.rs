//! Work of more than a millisecond, on threads that may block: a thread of the runtime serves many requests.

use tokio::sync::Semaphore;

use crate::error::ApiError;

/// Such pieces of work at once. More would leave the runtime's own threads too little of the processor.
const AT_ONCE: usize = 2;

static SLOTS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Does the work on another thread, when it is its turn.
///
/// # Errors
/// When the work panics.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let slot = SLOTS.acquire().await.map_err(ApiError::internal)?;
    let done = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        work()
    });
    done.await.map_err(ApiError::internal)
}
