//! Errors of encoding.

/// An image that could not be encoded.
#[derive(Debug, thiserror::Error)]
#[error("the image cannot be encoded: {0}")]
pub struct EncodeError(pub(super) String);

impl EncodeError {
    pub(super) fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}
