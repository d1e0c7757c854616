//! Public pages that show an altered picture beside its original.
//!
//! The files of a page are media under `ORGANIZATION/PAGE`: copies, so that a page outlives the media of its job. They are kept until the
//! page is erased or expires; a page under legal hold does neither. Rows say what to delete: a page whose files are not needed any more is
//! noted as [`Leftovers`](crate::Leftovers), under its id.
//!
//! The code in the address of a page is kept as it is, not hashed: the link is returned whenever its owner asks for it, and whoever reads
//! the database has what the page shows anyway.

use std::time::Duration;

use aerie_domain::{JobId, OrgId, TruthPageId};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;

use crate::StoreError;

/// Keeps truth pages. Every method is atomic and durable when it returns. No method that takes an organization shows or changes another
/// organization's page.
#[async_trait]
pub trait TruthPageStore: Send + Sync {
    /// Adds a page whose files are stored. If the job has one that is not revoked, returns that instead.
    async fn truth_page_create(&self, new: NewTruthPage) -> Result<TruthPage, StoreError>;

    /// The job's page that is not revoked, or else the one that was created last.
    async fn truth_page_of_job(&self, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>, StoreError>;

    /// The page with this code, of any organization, revoked or not.
    async fn truth_page_find(&self, code: &str) -> Result<Option<TruthPage>, StoreError>;

    /// Revokes the page of [`TruthPageStore::truth_page_of_job`]; with `erases` also removes what it shows and its need for files. A
    /// page under legal hold is revoked, but not erased.
    async fn truth_page_revoke(
        &self,
        org_id: OrgId,
        job_id: JobId,
        erases: bool,
    ) -> Result<Option<Result<TruthPage, TruthPageHeld>>, StoreError>;

    /// Puts a page under legal hold, or releases it.
    async fn truth_page_hold(&self, code: &str, is_held: bool) -> Result<Option<TruthPage>, StoreError>;

    /// Pages, newest first, at most `limit`.
    async fn truth_page_list(&self, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>, StoreError>;

    /// Revokes and erases all pages of an organization that are not under legal hold, and returns them.
    async fn truth_page_erase_all(&self, org_id: OrgId) -> Result<Vec<TruthPage>, StoreError>;

    /// Revokes and erases pages that have expired by the clock of the store and are not under legal hold, `limit` at most, and returns
    /// how many.
    async fn truth_page_expire(&self, limit: u32) -> Result<usize, StoreError>;

    /// Media keys of the files that a page needs.
    async fn truth_page_files(&self, org_id: OrgId, id: TruthPageId) -> Result<Vec<String>, StoreError>;

    /// Bytes of the files of an organization's pages, or of all.
    async fn truth_page_bytes(&self, org_id: Option<OrgId>) -> Result<u64, StoreError>;
}

/// A page to be added.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTruthPage {
    /// Its id.
    pub id: TruthPageId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// The job whose result it shows.
    pub job_id: JobId,
    /// The random part of its address.
    pub code: String,
    /// What it says, as it was when it was published.
    pub facts: Value,
    /// What it shows.
    pub files: Vec<TruthPageFile>,
    /// Whether search engines may list it.
    pub indexable: bool,
    /// How long it is kept; `None`: until it is erased.
    pub keep: Option<Duration>,
}

/// A page.
#[derive(Debug, Clone, PartialEq)]
pub struct TruthPage {
    /// Its id.
    pub id: TruthPageId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// The job whose result it shows.
    pub job_id: JobId,
    /// The random part of its address.
    pub code: String,
    /// What it says, as it was when it was published; null once it is erased.
    pub facts: Value,
    /// What it shows; empty once it is erased.
    pub files: Vec<TruthPageFile>,
    /// Size of its files, bytes.
    pub bytes: u64,
    /// Whether search engines may list it.
    pub indexable: bool,
    /// When it was published.
    pub created_at: Timestamp,
    /// When it is erased, unless it is held.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When its files were given up.
    pub erased_at: Option<Timestamp>,
    /// Since when it is under legal hold.
    pub held_at: Option<Timestamp>,
}

/// A file of a page.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TruthPageFile {
    /// Its name in the address of the page: `original`, `result`, `mask`, and further ones with a number, such as `result-2`.
    pub name: String,
    /// Media key.
    pub key: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// Its size, bytes.
    pub size: u64,
}

impl TruthPage {
    /// The file of that name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&TruthPageFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Whether it is shown.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.revoked_at.is_none()
    }
}

/// Length of a code: 22 of 62 characters have 131 random bits.
const CODE_LENGTH: usize = 22;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A new code for the address of a page: 22 random letters and digits.
///
/// # Errors
/// When the operating system's random number generator fails.
pub fn new_code() -> std::io::Result<String> {
    let mut code = String::with_capacity(CODE_LENGTH);
    let mut bytes = [0u8; 32];
    while code.len() < CODE_LENGTH {
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        // 248 is the largest multiple of 62 in a byte. Larger values would favor some characters.
        let digits = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(DIGITS[usize::from(*byte) % 62]));
        code.extend(digits.take(CODE_LENGTH - code.len()));
    }
    Ok(code)
}

/// Whether a text has the form of a code. Another text is looked up nowhere.
#[must_use]
pub fn is_code(text: &str) -> bool {
    text.len() == CODE_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A page is under legal hold, so it was revoked, but not erased.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the page is under legal hold")]
pub struct TruthPageHeld(pub TruthPage);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_differ_and_have_their_form() {
        let codes: BTreeSet<String> = (0..1000).map(|_| new_code().unwrap()).collect();
        assert!(codes.len() == 1000 && codes.iter().all(|code| is_code(code)));
        for wrong in ["", "a", &"a".repeat(23), "aaaaaaaaaaaaaaaaaaaaa-", "../../../../etc/passwd"] {
            assert!(!is_code(wrong), "{wrong}");
        }
    }
}
