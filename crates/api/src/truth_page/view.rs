//! A page as its owner sees it.

use aerie_storage::TruthPage;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::envelope::iso;

/// A truth page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TruthPage)]
pub(crate) struct TruthPageView {
    /// Job whose result it shows.
    #[schema(format = "uuid")]
    job_id: String,
    /// Its public address.
    #[schema(format = "uri", example = "https://media.example/t/0Jx3kq9RkT7bWn2LmPzYvC")]
    url: String,
    /// QR code of its address, SVG. Public.
    #[schema(format = "uri")]
    qr_svg_url: String,
    /// QR code of its address, PNG. Public.
    #[schema(format = "uri")]
    qr_png_url: String,
    /// `public`; `revoked` once its address answers 410; `erased` once its files are deleted, too.
    #[schema(example = "public")]
    status: &'static str,
    /// The text to publish beside the picture by the job's disclosure profile, with the address of the page.
    #[schema(required)]
    disclosure_text: Option<String>,
    /// Whether search engines may list it.
    indexable: bool,
    /// The address of the property that it shows, if one was given.
    #[schema(required)]
    address: Option<String>,
    /// What it shows.
    files: Vec<TruthPageFileView>,
    /// Size of its files, bytes.
    #[schema(minimum = 0)]
    bytes: u64,
    /// Whether it is under legal hold: it is neither erased nor expires.
    legal_hold: bool,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it is erased, unless it is held. `null`: it is kept until it is erased.
    #[schema(format = "date-time", required)]
    expires_at: Option<String>,
    /// When it was revoked.
    #[schema(format = "date-time", required)]
    revoked_at: Option<String>,
    /// When its files were deleted.
    #[schema(format = "date-time", required)]
    erased_at: Option<String>,
}

/// A file of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TruthPageFile)]
pub(crate) struct TruthPageFileView {
    /// `original`, `result`, `mask`, and further ones with a number, such as `result-2`.
    #[schema(example = "original")]
    name: String,
    /// Its public address.
    #[schema(format = "uri")]
    url: String,
    /// SHA-256 of its bytes, 64 hexadecimal digits.
    sha256: String,
    /// Its size, bytes.
    #[schema(minimum = 0)]
    size: u64,
}

impl TruthPageView {
    pub(crate) fn of(page: TruthPage, state: &ApiState) -> Self {
        let url = state.truth_pages.url(&page.code);
        let text = |name: &str| page.facts[name].as_str().map(str::to_owned);
        let status = match (page.revoked_at, page.erased_at) {
            (_, Some(_)) => "erased",
            (Some(_), None) => "revoked",
            (None, None) => "public",
        };
        Self {
            job_id: page.job_id.to_string(),
            qr_svg_url: format!("{url}/qr.svg"),
            qr_png_url: format!("{url}/qr.png"),
            status,
            disclosure_text: text("caption"),
            indexable: page.indexable,
            address: text("address"),
            bytes: page.bytes,
            legal_hold: page.held_at.is_some(),
            created_at: iso(page.created_at),
            expires_at: page.expires_at.map(iso),
            revoked_at: page.revoked_at.map(iso),
            erased_at: page.erased_at.map(iso),
            files: page
                .files
                .into_iter()
                .map(|file| TruthPageFileView {
                    url: format!("{url}/{}", file.name),
                    name: file.name,
                    sha256: file.sha256,
                    size: file.size,
                })
                .collect(),
            url,
        }
    }
}
