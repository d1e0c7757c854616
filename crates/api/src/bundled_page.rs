//! Web pages that are compiled in, with their files.
//!
//! `console/` in the repository has their sources, and `lint/console.sh` checks that what is compiled in was built from it. Names of
//! files contain a hash of their content, so that browsers keep them for good.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::static_file::StaticFile;

/// A file of a page: its name before it has a hash, its content type, and its content.
pub(crate) type BundledFile = (&'static str, &'static str, &'static [u8]);

/// A page and its files.
pub(crate) struct BundledPage {
    page: &'static str,
    files: &'static [BundledFile],
    served: OnceCell<Served>,
}

/// A page and its files, with the names by which the page refers to them.
struct Served {
    page: StaticFile,
    files: Vec<(String, StaticFile)>,
}

impl BundledPage {
    pub(crate) const fn new(page: &'static str, files: &'static [BundledFile]) -> Self {
        Self { page, files, served: OnceCell::const_new() }
    }

    /// The page, with a content security policy.
    pub(crate) async fn show(&self, headers: &HeaderMap, policy: &'static str) -> Result<Response, ApiError> {
        let mut response = self.served().await?.page.response(headers);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        Ok(response)
    }

    /// One of its files, by the name with the hash.
    pub(crate) async fn show_file(&self, name: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
        let found = self.served().await?.files.iter().find(|(known, _)| known == name);
        let (_, file) = found.ok_or_else(|| ApiError::new(ApiErrorCode::NotFound))?;
        let mut response = file.response(headers);
        let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, kept);
        Ok(response)
    }

    /// Made on the first request, on a thread of its own: the files are compressed.
    async fn served(&self) -> Result<&Served, ApiError> {
        let (page, files) = (self.page, self.files);
        let made = async || {
            let made = tokio::task::spawn_blocking(move || Served::new(page, files)).await;
            made.map_err(ApiError::internal)?.map_err(ApiError::internal)
        };
        self.served.get_or_try_init(made).await
    }
}

impl Served {
    fn new(page: &str, files: &[BundledFile]) -> std::io::Result<Self> {
        let mut page = page.to_owned();
        let mut hashed_files = Vec::new();
        for (name, content_type, bytes) in files {
            let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
            let hash: String = Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            let hashed = format!("{stem}-{hash}.{extension}");
            page = page.replace(name, &hashed);
            hashed_files.push((hashed, StaticFile::new(content_type, Bytes::from_static(bytes))?));
        }
        Ok(Self { page: StaticFile::new("text/html; charset=utf-8", page.into())?, files: hashed_files })
    }
}
