//! Reads the Content Credentials of a file, and checks them.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use aerie_credentials::{Format, Report, ReportedAction, ReportedIngredient, Signer, State};
use c2pa::{Manifest, Reader, ValidationState};
use serde_json::{Value, json};

use crate::library::{ACTIONS, DISCLOSURE, without_network};

/// Codes of the C2PA specification by which a file, or what is said about it, was changed after it was signed.
const CHANGED: [&str; 6] = [
    "assertion.dataHash.mismatch",
    "assertion.bmffHash.mismatch",
    "assertion.boxesHash.mismatch",
    "assertion.hashedURI.mismatch",
    "claimSignature.mismatch",
    "assertion.missing",
];
/// Code of a signer whom no trusted certificate vouches for.
const UNTRUSTED: &str = "signingCredential.untrusted";

/// Why nothing can be said about a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It carries none.
    #[error("the file has no Content Credentials")]
    None,
    /// They are not in the file, which names the URL where they are kept.
    #[error("the Content Credentials of the file are kept at {0}, not fetched: nothing is requested over the network")]
    Remote(String),
    /// They cannot be parsed.
    #[error("the Content Credentials of the file are damaged: {0}")]
    Damaged(String),
    /// The list of trusted certificates is unusable.
    #[error("{0}")]
    Trust(String),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    File(#[from] std::io::Error),
}

/// Reads and checks the Content Credentials of a file. `trusted` are certificates of authorities whose signers are trusted, PEM.
///
/// # Errors
/// When there are none, or when they or the file cannot be read.
pub fn verify(path: &Path, trusted: Option<&str>) -> Result<Report, ReadError> {
    let format = Format::of_file(path)?.ok_or(ReadError::None)?;
    verify_stream(format, BufReader::new(File::open(path)?), trusted)
}

/// Reads and checks the Content Credentials in the bytes of a file.
pub(crate) fn verify_stream(
    format: Format,
    file: impl Read + Seek + Send,
    trusted: Option<&str>,
) -> Result<Report, ReadError> {
    let trust = trusted.map_or_else(|| json!({}), |trusted| json!({"trust_anchors": trusted}));
    let context = without_network(&trust).map_err(|error| ReadError::Trust(error.to_string()))?;
    let reader = match Reader::from_context(context).with_stream(format.media_type(), file) {
        Ok(reader) => reader,
        Err(c2pa::Error::JumbfNotFound | c2pa::Error::ProvenanceMissing | c2pa::Error::UnsupportedType) => {
            return Err(ReadError::None);
        }
        Err(c2pa::Error::RemoteManifestUrl(url)) => return Err(ReadError::Remote(without_entities(&url))),
        Err(error) => return Err(ReadError::Damaged(error.to_string())),
    };
    let manifest = reader.active_manifest().ok_or(ReadError::None)?;
    let failures = failures(&reader);
    let state = match reader.validation_state() {
        ValidationState::Trusted => State::Trusted,
        ValidationState::Valid => State::Valid,
        ValidationState::Invalid if failures.iter().any(|(code, _)| CHANGED.contains(&code.as_str())) => State::Changed,
        ValidationState::Invalid => State::Invalid,
    };
    let problems = failures
        .into_iter()
        .filter(|(code, _)| trusted.is_some() || code != UNTRUSTED)
        .map(|(code, text)| if text.is_empty() { code } else { format!("{code}: {text}") })
        .collect();
    Ok(Report {
        state,
        signer: signer(manifest),
        generator: generator(manifest),
        title: manifest.title().map(str::to_owned),
        actions: actions(manifest),
        ingredients: manifest.ingredients().iter().map(ingredient).collect(),
        disclosure: manifest.find_assertion(DISCLOSURE).ok(),
        problems,
    })
}

/// What is wrong with the active manifest: codes and explanations.
fn failures(reader: &Reader) -> Vec<(String, String)> {
    let results = reader.validation_results().and_then(|results| results.active_manifest());
    let statuses = results.into_iter().flat_map(|codes| codes.failure());
    statuses.map(|status| (status.code().to_owned(), status.explanation().unwrap_or_default().to_owned())).collect()
}

fn signer(manifest: &Manifest) -> Option<Signer> {
    let info = manifest.signature_info()?;
    Some(Signer {
        name: info.common_name.clone(),
        organization: info.issuer.clone(),
        serial_number: info.cert_serial_number.clone(),
        time: info.time.clone(),
    })
}

fn generator(manifest: &Manifest) -> Option<String> {
    let value = serde_json::to_value(manifest).ok()?;
    let info = value.pointer("/claim_generator_info/0");
    let name = info.and_then(|info| info["name"].as_str()).or_else(|| manifest.claim_generator())?;
    let version = info.and_then(|info| info["version"].as_str());
    Some(version.map_or_else(|| name.to_owned(), |version| format!("{name} {version}")))
}

fn actions(manifest: &Manifest) -> Vec<ReportedAction> {
    let labels = [ACTIONS, "c2pa.actions"];
    let data = labels.into_iter().find_map(|label| manifest.find_assertion::<Value>(label).ok()).unwrap_or_default();
    let text = |action: &Value, member: &str| action[member].as_str().map(str::to_owned);
    let one = |action: &Value| ReportedAction {
        action: text(action, "action").unwrap_or_default(),
        description: text(action, "description"),
        digital_source_type: text(action, "digitalSourceType"),
    };
    data["actions"].as_array().map(|actions| actions.iter().map(one).collect()).unwrap_or_default()
}

fn ingredient(ingredient: &c2pa::Ingredient) -> ReportedIngredient {
    let relationship = serde_json::to_value(ingredient.relationship()).ok();
    let results = ingredient.validation_results().and_then(|results| results.active_manifest());
    let failed = results.is_none_or(|codes| codes.failure().iter().any(|status| status.code() != UNTRUSTED));
    ReportedIngredient {
        title: ingredient.title().map(str::to_owned),
        format: ingredient.format().map(str::to_owned),
        relationship: relationship.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
        description: ingredient.description().map(str::to_owned),
        has_credentials: ingredient.active_manifest().is_some(),
        is_intact: ingredient.active_manifest().is_some() && !failed,
    }
}
/// Returns the text of an XML attribute, which is read as it is written.
fn without_entities(attribute: &str) -> String {
    const ENTITIES: [(&str, &str); 5] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    ENTITIES.iter().fold(attribute.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}
