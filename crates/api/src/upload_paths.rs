//! Paths of uploads.

/// The path of all uploads.
pub(crate) const ALL: &str = "/v1/uploads";
/// What the path of each upload begins with.
pub(crate) const OF_ONE: &str = "/v1/uploads/";

/// Whether a request is for uploads, which have limits of their own: a listing has more photos than a plan has requests.
pub(crate) fn contain(path: &str) -> bool {
    path == ALL || path.starts_with(OF_ONE)
}
