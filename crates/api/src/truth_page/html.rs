//! The pages as HTML. They work without scripts; with them, the original and the result lie on each other under a slider.

use aerie_storage::{TruthPage, TruthPageFile};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

use super::check::check;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::truth_pages::FileCheck;
use crate::{ApiState, CredentialsCheck};

/// Pictures, the style and the script are files of this server; nothing else is loaded, and nobody shows the page in a frame.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Returns an HTML document at a path directly below `/t/`; `indexable`: search engines may list it.
fn document(status: StatusCode, indexable: bool, title: &str, body: &Markup) -> Response {
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                link rel="icon" href="data:,";
                meta name="viewport" content="width=device-width, initial-scale=1";
                @if !indexable { meta name="robots" content="noindex"; }
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href="assets/page.css";
                script src="assets/page.js" defer {}
            }
            body { main { (body) } }
        }
    };
    let mut response = (status, html.into_string()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !indexable {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    response
}

/// Returns a page of a title and a text, hidden from search engines.
fn notice(status: StatusCode, title: &str, text: &str) -> Response {
    document(status, false, title, &html! { h1 { (title) } p { (text) } })
}

/// The page for an address that leads nowhere, malformed or not.
pub(crate) fn unknown() -> Response {
    notice(StatusCode::NOT_FOUND, "No such page", "There is no page at this address. Check that it was copied whole.")
}

/// The page for an address that was revoked.
pub(crate) fn gone() -> Response {
    let text = "Whoever published it has revoked it, or its time is over.";
    notice(StatusCode::GONE, "This page was withdrawn", text)
}

/// The page for a client that made too many requests.
pub(crate) fn too_many(retry_after: u32) -> Response {
    let text = format!("Try again in {retry_after} seconds.");
    let mut response = notice(StatusCode::TOO_MANY_REQUESTS, "Too many requests", &text);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
    response
}

/// The page itself.
pub(crate) async fn page(state: &ApiState, page: &TruthPage) -> Result<Response, ApiError> {
    let has_credentials = page.facts["has_credentials"].as_bool().unwrap_or(false);
    let mut checks = Vec::with_capacity(page.files.len());
    for file in &page.files {
        let is_signed = has_credentials && file.name.starts_with("result");
        checks.push((file, check(state, file, is_signed).await?));
    }
    Ok(document(StatusCode::OK, page.indexable, title(page), &body(page, &checks)))
}

fn title(page: &TruthPage) -> &'static str {
    match page.facts["job_type"].as_str() {
        Some("virtual_staging") => "Virtually staged photo and its original",
        _ if page.facts["altered"] == true => "Digitally altered photo and its original",
        _ => "Enhanced photo and its original",
    }
}

fn text<'a>(facts: &'a Value, name: &str) -> Option<&'a str> {
    facts[name].as_str().filter(|text| !text.is_empty())
}

fn body(page: &TruthPage, checks: &[(&TruthPageFile, FileCheck)]) -> Markup {
    let (facts, code) = (&page.facts, &page.code);
    html! {
        h1 { (title(page)) }
        @if let Some(address) = text(facts, "address") { p.address { (address) } }
        p { (text(facts, "disclosure").unwrap_or("How the photo was changed is described below.")) }
        (warnings(checks))
        (comparisons(page))
        (changes(facts))
        (verification(page, checks))
        section aria-labelledby="share" {
            h2 #share { "Address of this page" }
            p { img.qr src={ (code) "/qr.svg" } width="180" height="180" alt="QR code of this page's address"; }
            p { a href={ (code) "/qr.svg" } { "QR code as SVG" } " " a href={ (code) "/qr.png" } { "QR code as PNG" } }
        }
    }
}

/// Files that are not those that were published.
fn warnings(checks: &[(&TruthPageFile, FileCheck)]) -> Markup {
    let problem = |check: &FileCheck| match (check.is_unchanged, &check.credentials) {
        (None, _) => Some("the file is missing."),
        (Some(false), _) => Some("the file was changed after this page was published. Do not rely on it."),
        (_, CredentialsCheck::Changed) => Some("the file was changed after it was signed. Do not rely on it."),
        _ => None,
    };
    let problems = checks.iter().filter_map(|(file, check)| Some((caption(&file.name), problem(check)?)));
    html! {
        @for (name, problem) in problems { p.warning role="alert" { strong { "Tampered file." } " " (name) ": " (problem) } }
    }
}

/// What a file is: "Original", "Result 2".
fn caption(name: &str) -> String {
    let (what, number) = name.split_once('-').unwrap_or((name, ""));
    let what = match what {
        "original" => "Original",
        "mask" => "Changed places",
        _ => "Result",
    };
    format!("{what} {number}").trim().to_owned()
}

/// The original beside each result, and where they differ.
fn comparisons(page: &TruthPage) -> Markup {
    let named = |prefix: &'static str| page.files.iter().filter(move |file| file.name.starts_with(prefix));
    let picture = |name: &str, alt: &str, class: &str| {
        let url = format!("{}/{name}", page.code);
        html! {
            figure class=(class) { picture { img src=(url) alt=(alt); } figcaption { a href=(url) { (caption(name)) } } }
        }
    };
    html! {
        section aria-labelledby="compare" {
            h2 #compare { "Original and result" }
            @for result in named("result") {
                div.compare data-compare {
                    (picture("original", "The original, unaltered photo", "original"))
                    (picture(&result.name, "The photo after it was changed", "result"))
                }
            }
            @for file in named("original-") { (picture(&file.name, "A further exposure of the original view", "exposure")) }
        }
        @if named("mask").next().is_some() {
            section aria-labelledby="mask" {
                h2 #mask { "Where it was changed" }
                p { "Black: every pixel is as in the original. White: changed." }
                @for mask in named("mask") { (picture(&mask.name, "Mask: changed places are white", "mask")) }
            }
        }
    }
}

/// What was done, in words.
fn changes(facts: &Value) -> Markup {
    let version = text(facts, "version").map(|version| format!("Aerie {version}"));
    let rows = [
        ("Made with", version.as_deref()),
        ("Made at", text(facts, "made_at")),
        ("IPTC digital source type", text(facts, "digital_source_type").and_then(|uri| uri.rsplit('/').next())),
        ("Rules followed", text(facts, "profile")),
    ];
    html! {
        section aria-labelledby="changes" {
            h2 #changes { "What was done" }
            ul {
                @for step in facts["ledger"].as_array().into_iter().flatten().filter_map(Value::as_str) { li { (step) } }
            }
            dl {
                @for (name, value) in rows { @if let Some(value) = value { div { dt { (name) } dd { (value) } } } }
            }
        }
    }
}

/// What is known about the files.
fn verification(page: &TruthPage, checks: &[(&TruthPageFile, FileCheck)]) -> Markup {
    let state = |check: &FileCheck| match check.is_unchanged {
        Some(true) => "unchanged since it was published",
        Some(false) => "CHANGED since it was published",
        None => "missing",
    };
    html! {
        section aria-labelledby="verify" {
            h2 #verify { "Verification" }
            p {
                "This page was published at " (iso(page.created_at)) ". "
                "Its files were checked against the hashes (SHA-256) that were recorded then."
            }
            dl.files {
                @for (file, check) in checks {
                    div {
                        dt { (caption(&file.name)) }
                        dd {
                            (state(check))
                            @if file.name.starts_with("result") { br; "Content Credentials: " (credentials(&check.credentials)) "." }
                            br; "SHA-256 " code { (file.sha256) } ", " (file.size) " bytes"
                        }
                    }
                }
            }
            p { "The original has the pixels of the file that was submitted; metadata such as the position of the camera were removed." }
        }
    }
}

fn credentials(check: &CredentialsCheck) -> String {
    let by =
        |signer: &Option<String>| signer.as_ref().map(|signer| format!(", signed by {signer}")).unwrap_or_default();
    match check {
        CredentialsCheck::None => "none".to_owned(),
        CredentialsCheck::Trusted(signer) => format!("intact{}, by a signer whom this service trusts", by(signer)),
        CredentialsCheck::Valid(signer) => format!("intact{}; the signer is not known to this service", by(signer)),
        CredentialsCheck::Changed => "the file was CHANGED after it was signed".to_owned(),
        CredentialsCheck::Invalid => "not valid".to_owned(),
        CredentialsCheck::Unknown => "could not be checked now".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use aerie_domain::{JobId, OrgId, TruthPageId};
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;

    fn sample() -> TruthPage {
        let file = |name: &str| TruthPageFile { name: name.into(), key: "k".into(), sha256: "0a".repeat(32), size: 7 };
        let now = Timestamp::UNIX_EPOCH;
        TruthPage {
            id: TruthPageId::new(now),
            org_id: OrgId::new(now),
            job_id: JobId::new(now),
            code: "code".into(),
            facts: json!({"job_type": "virtual_staging", "address": "<b>1 Main St</b>", "ledger": ["<i>sofa</i>"]}),
            files: vec![file("original"), file("result"), file("mask"), file("result-2")],
            bytes: 28,
            indexable: false,
            created_at: now,
            expires_at: None,
            revoked_at: None,
            erased_at: None,
            held_at: None,
        }
    }

    fn shown(check: FileCheck) -> String {
        let page = sample();
        let checks: Vec<_> = page.files.iter().map(|file| (file, check.clone())).collect();
        body(&page, &checks).into_string()
    }

    #[test]
    fn every_result_is_beside_the_original_and_text_is_never_markup() {
        let html = shown(FileCheck { is_unchanged: Some(true), credentials: CredentialsCheck::Trusted(None) });
        assert_eq!(html.matches("src=\"code/original\"").count(), 2);
        assert!(html.contains("src=\"code/result-2\"") && html.contains("src=\"code/mask\""));
        assert!(html.contains("&lt;b&gt;1 Main St&lt;/b&gt;") && html.contains("&lt;i&gt;sofa&lt;/i&gt;"), "{html}");
        assert!(!html.contains("Tampered") && !html.contains("style=") && !html.contains("onload"));
    }

    #[test]
    fn a_file_that_was_changed_or_is_missing_is_named_as_such() {
        let changed = FileCheck { is_unchanged: Some(false), credentials: CredentialsCheck::Changed };
        let html = shown(changed);
        assert!(html.contains("Original: the file was changed after this page was published"), "{html}");
        let missing = shown(FileCheck { is_unchanged: None, credentials: CredentialsCheck::Unknown });
        assert!(missing.contains("Changed places: the file is missing"));
        let unsigned = FileCheck { is_unchanged: Some(true), credentials: CredentialsCheck::Changed };
        assert!(shown(unsigned).contains("changed after it was signed"));
    }
}
