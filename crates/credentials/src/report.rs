//! What the Content Credentials of a file say, as `aerie-sign verify` reports it.

use serde::{Deserialize, Serialize};

use crate::statement::Disclosure;

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Unchanged since it was signed, by a signer whom a trusted certificate vouches for.
    Trusted,
    /// Unchanged since it was signed; the signer is not checked, or not among the trusted ones.
    Valid,
    /// Changed since it was signed.
    Changed,
    /// Malformed, or the certificate cannot be used, such as an expired one.
    Invalid,
}

/// What the Content Credentials of a file say.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Result of the check.
    pub state: State,
    /// Who signed, if the signature can be read.
    pub signer: Option<Signer>,
    /// The program that made the file.
    pub generator: Option<String>,
    /// Name of the file when it was signed.
    pub title: Option<String>,
    /// What was done, in order.
    pub actions: Vec<ReportedAction>,
    /// What it was made from.
    pub ingredients: Vec<ReportedIngredient>,
    /// Aerie's disclosure, and whose data were used.
    pub disclosure: Option<Disclosure>,
    /// Why the state is not `trusted`: codes of the C2PA specification and explanations.
    pub problems: Vec<String>,
}

/// Who signed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Signer {
    /// Name in the certificate.
    pub name: Option<String>,
    /// Organization in the certificate.
    pub organization: Option<String>,
    /// Serial number of the certificate.
    pub serial_number: Option<String>,
    /// Time that a time-stamp authority vouches for.
    pub time: Option<String>,
}

/// A step in the making of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedAction {
    /// Name of the C2PA specification.
    pub action: String,
    /// In words.
    pub description: Option<String>,
    /// IPTC digital source type, a URI.
    pub digital_source_type: Option<String>,
}

/// A file that it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedIngredient {
    /// Name.
    pub title: Option<String>,
    /// Media type.
    pub format: Option<String>,
    /// "parentOf", "componentOf" or "inputTo".
    pub relationship: String,
    /// What else is said about it, such as its hash.
    pub description: Option<String>,
    /// Whether it carried Content Credentials itself.
    pub has_credentials: bool,
    /// Whether those were intact.
    pub is_intact: bool,
}
