//! The path of `base_url`, or of the `public_url` of truth pages: a proxy may remove it from the paths of requests, or not.

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// First segments of the service's own paths.
const OWN: [&str; 11] =
    ["v1", "console", "media", "s", "t", "docs", "openapi.json", "healthz", "readyz", "metrics", "operator"];

/// The path of a URL, such as `/aerie`; empty without one.
pub(crate) fn of(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    rest.find('/').map_or("", |at| &rest[at..])
}

/// Removes the first of `bases`, such as `/aerie`, from the path of a request whose proxy has not. Must be applied before the request is
/// routed, authenticated and logged.
pub(crate) fn removed(bases: [&str; 2], mut request: Request) -> Request {
    if let Some(uri) = bases.into_iter().find_map(|base| without(base, request.uri())) {
        *request.uri_mut() = uri;
    }
    request
}

/// Returns a URI without `base`; `None` if it has none, or none is left to be removed.
fn without(base: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path().strip_prefix(base).filter(|_| !base.is_empty())?;
    let first = match rest.strip_prefix('/') {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None if rest.is_empty() => "",
        None => return None,
    };
    // Where the base is named like a path of the service, the root is that path.
    let is_root = first.is_empty() && !base.split('/').any(|segment| OWN.contains(&segment));
    if !is_root && !OWN.contains(&first) {
        return None;
    }
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = if rest.is_empty() { "/" } else { rest };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{path}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_removed_once_and_only_before_a_path_of_the_service() {
        for (base, given, expected) in [
            ("/aerie", "/aerie/v1/jobs?limit=2", "/v1/jobs?limit=2"),
            ("/aerie", "/aerie/", "/"),
            ("/aerie", "/aerie", "/"),
            ("/aerie", "/v1/jobs", "/v1/jobs"),
            ("/aerie", "/aerie2/v1/jobs", "/aerie2/v1/jobs"),
            ("/aerie", "/aerie/other", "/aerie/other"),
            ("/aerie", "/aerie/aerie/v1/jobs", "/aerie/aerie/v1/jobs"),
            ("/a/b", "/a/b/console/", "/console/"),
            ("", "/v1/jobs", "/v1/jobs"),
            // Bases with the name of a path: as the proxy sends it, with the base and without it.
            ("/media", "/media/media/1/2/3.jpg?s=x", "/media/1/2/3.jpg?s=x"),
            ("/media", "/media/1/2/3.jpg", "/media/1/2/3.jpg"),
            ("/console", "/console/", "/console/"),
            ("/console", "/console/console/", "/console/"),
            ("/v1", "/v1/v1/jobs", "/v1/jobs"),
            ("/v1", "/v1/jobs", "/v1/jobs"),
            // The path of truth pages.
            ("/aerie", "/pages/t/x", "/t/x"),
            ("/aerie", "/aerie/pages/t/x", "/aerie/pages/t/x"),
        ] {
            let request = Request::get(given).body(axum::body::Body::empty()).unwrap();
            assert_eq!(removed([base, "/pages"], request).uri(), expected, "{base} {given}");
        }
    }
}
