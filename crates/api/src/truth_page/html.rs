//! The pages as HTML. They work without scripts; with them, the original and the result lie on each other under a slider.

use std::fmt::Write as _;

use aerie_storage::{TruthPage, TruthPageFile};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::check::check;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::html::escaped;
use crate::truth_pages::FileCheck;
use crate::{ApiState, CredentialsCheck};

/// Pictures, the style and the script are files of this server; nothing else is loaded, and nobody shows the page in a frame.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// How a page is listed by search engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// They may list it.
    Indexable,
    /// They must not.
    Hidden,
}

/// An HTML document at a path directly below `/t/`.
fn document(status: StatusCode, shown: Shown, title: &str, body: &str) -> Response {
    let robots = match shown {
        Shown::Indexable => "",
        Shown::Hidden => "<meta name=\"robots\" content=\"noindex\">\n",
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{robots}\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"assets/page.css\">\n<script src=\"assets/page.js\" defer></script>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    );
    let mut response = (status, Body::from(html)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if shown == Shown::Hidden {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    response
}

/// The page for an address that leads nowhere, malformed or not.
pub(crate) fn unknown() -> Response {
    let body = "<h1>No such page</h1>\n<p>There is no page at this address. Check that it was copied whole.</p>\n";
    document(StatusCode::NOT_FOUND, Shown::Hidden, "No such page", body)
}

/// The page for an address that was revoked.
pub(crate) fn gone() -> Response {
    let body = "<h1>This page was withdrawn</h1>\n<p>Whoever published it has revoked it, or its time is over.</p>\n";
    document(StatusCode::GONE, Shown::Hidden, "This page was withdrawn", body)
}

/// The page for a client that made too many requests.
pub(crate) fn too_many(retry_after: u32) -> Response {
    let body = format!("<h1>Too many requests</h1>\n<p>Try again in {retry_after} seconds.</p>\n");
    let mut response = document(StatusCode::TOO_MANY_REQUESTS, Shown::Hidden, "Too many requests", &body);
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
    let body = body(page, &checks);
    let shown = if page.indexable { Shown::Indexable } else { Shown::Hidden };
    Ok(document(StatusCode::OK, shown, title(page), &body))
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

fn body(page: &TruthPage, checks: &[(&TruthPageFile, FileCheck)]) -> String {
    let facts = &page.facts;
    let mut body = format!("<h1>{}</h1>\n", title(page));
    if let Some(address) = text(facts, "address") {
        let _ = writeln!(body, "<p class=\"address\">{}</p>", escaped(address));
    }
    let summary = text(facts, "disclosure").unwrap_or("How the photo was changed is described below.");
    let _ = writeln!(body, "<p>{}</p>", escaped(summary));
    warnings(&mut body, checks);
    comparisons(&mut body, page);
    changes(&mut body, facts);
    verification(&mut body, page, checks);
    let code = &page.code;
    let _ = writeln!(
        body,
        "<section aria-labelledby=\"share\">\n<h2 id=\"share\">Address of this page</h2>\n\
         <p><img class=\"qr\" src=\"{code}/qr.svg\" width=\"180\" height=\"180\" alt=\"QR code of this page's address\"></p>\n\
         <p><a href=\"{code}/qr.svg\">QR code as SVG</a> <a href=\"{code}/qr.png\">QR code as PNG</a></p>\n</section>"
    );
    body
}

/// Files that are not those that were published.
fn warnings(body: &mut String, checks: &[(&TruthPageFile, FileCheck)]) {
    for (file, check) in checks {
        let name = caption(&file.name);
        let problem = match (check.is_unchanged, &check.credentials) {
            (None, _) => format!("{name}: the file is missing."),
            (Some(false), _) => {
                format!("{name}: the file was changed after this page was published. Do not rely on it.")
            }
            (_, CredentialsCheck::Changed) => {
                format!("{name}: the file was changed after it was signed. Do not rely on it.")
            }
            _ => continue,
        };
        let _ = writeln!(body, "<p class=\"warning\" role=\"alert\"><strong>Tampered file.</strong> {problem}</p>");
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
fn comparisons(body: &mut String, page: &TruthPage) {
    let code = &page.code;
    let picture = |name: &str, alt: &str, class: &str| {
        let caption = caption(name);
        format!(
            "<figure class=\"{class}\"><picture><img src=\"{code}/{name}\" alt=\"{alt}\"></picture>\
             <figcaption><a href=\"{code}/{name}\">{caption}</a></figcaption></figure>\n"
        )
    };
    body.push_str("<section aria-labelledby=\"compare\">\n<h2 id=\"compare\">Original and result</h2>\n");
    let results = page.files.iter().filter(|file| file.name.starts_with("result"));
    for result in results {
        let original = picture("original", "The original, unaltered photo", "original");
        let altered = picture(&result.name, "The photo after it was changed", "result");
        let _ = write!(body, "<div class=\"compare\" data-compare>\n{original}{altered}</div>\n");
    }
    for file in page.files.iter().filter(|file| file.name.starts_with("original-")) {
        body.push_str(&picture(&file.name, "A further exposure of the original view", "exposure"));
    }
    body.push_str("</section>\n");
    let masks: Vec<&TruthPageFile> = page.files.iter().filter(|file| file.name.starts_with("mask")).collect();
    if !masks.is_empty() {
        body.push_str("<section aria-labelledby=\"mask\">\n<h2 id=\"mask\">Where it was changed</h2>\n");
        body.push_str("<p>Black: every pixel is as in the original. White: changed.</p>\n");
        for mask in masks {
            body.push_str(&picture(&mask.name, "Mask: changed places are white", "mask"));
        }
        body.push_str("</section>\n");
    }
}

/// What was done, in words.
fn changes(body: &mut String, facts: &Value) {
    body.push_str("<section aria-labelledby=\"changes\">\n<h2 id=\"changes\">What was done</h2>\n<ul>\n");
    for step in facts["ledger"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let _ = writeln!(body, "<li>{}</li>", escaped(step));
    }
    body.push_str("</ul>\n<dl>\n");
    let version = text(facts, "version").map(|version| format!("Aerie {version}"));
    let source = text(facts, "digital_source_type").and_then(|uri| uri.rsplit('/').next()).map(str::to_owned);
    let rows = [
        ("Made with", version),
        ("Made at", text(facts, "made_at").map(str::to_owned)),
        ("IPTC digital source type", source),
        ("Rules followed", text(facts, "profile").map(str::to_owned)),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            let _ = writeln!(body, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(&value));
        }
    }
    body.push_str("</dl>\n</section>\n");
}

/// What is known about the files.
fn verification(body: &mut String, page: &TruthPage, checks: &[(&TruthPageFile, FileCheck)]) {
    body.push_str("<section aria-labelledby=\"verify\">\n<h2 id=\"verify\">Verification</h2>\n");
    let _ = writeln!(
        body,
        "<p>This page was published at {}. Its files were checked against the hashes (SHA-256) that were recorded then.</p>\n\
         <dl class=\"files\">",
        iso(page.created_at)
    );
    for (file, check) in checks {
        let state = match check.is_unchanged {
            Some(true) => "unchanged since it was published",
            Some(false) => "CHANGED since it was published",
            None => "missing",
        };
        let signed = file.name.starts_with("result").then(|| credentials(&check.credentials));
        let signed = signed.map(|text| format!("<br>Content Credentials: {text}.")).unwrap_or_default();
        let _ = writeln!(
            body,
            "<div><dt>{}</dt><dd>{state}{signed}<br>SHA-256 <code>{}</code>, {} bytes</dd></div>",
            caption(&file.name),
            file.sha256,
            file.size
        );
    }
    body.push_str(
        "</dl>\n<p>The original has the pixels of the file that was submitted; metadata such as the position of the camera were \
         removed.</p>\n</section>\n",
    );
}

fn credentials(check: &CredentialsCheck) -> String {
    let by = |signer: &Option<String>| {
        signer.as_ref().map(|signer| format!(", signed by {}", escaped(signer))).unwrap_or_default()
    };
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
        body(&page, &checks)
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
