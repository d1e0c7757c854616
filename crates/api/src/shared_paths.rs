//! Paths of share links. Each contains a token, which is a secret.

use std::borrow::Cow;

/// What the paths of the API for viewers begin with. They need no key.
pub(crate) const API: &str = "/v1/shared/";
/// What the paths of their web page begin with.
const PAGE: &str = "/s/";

/// Whether a request is from a viewer, who has no key.
pub(crate) fn are_public(path: &str) -> bool {
    path.starts_with(API)
}

/// A path as it is logged: without the token.
pub(crate) fn loggable(path: &str) -> Cow<'_, str> {
    // Behind the path of `base_url`, too.
    let found = [API, PAGE].into_iter().filter_map(|mark| Some(path.find(mark)? + mark.len())).min();
    let Some((start, rest)) = found.map(|end| path.split_at(end)) else { return path.into() };
    match rest.split_once('/') {
        Some((_, step)) => format!("{start}…/{step}").into(),
        None => format!("{start}…").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_logged() {
        assert_eq!(loggable("/v1/shared/Zm9v/comments"), "/v1/shared/…/comments");
        assert_eq!(loggable("/v1/shared/Zm9v"), "/v1/shared/…");
        assert_eq!(loggable("/s/Zm9v"), "/s/…");
        assert_eq!(loggable("/s/Zm9v/approvals"), "/s/…/approvals");
        assert_eq!(loggable("/aerie/s/Zm9v"), "/aerie/s/…");
        assert_eq!(loggable("/a/b/v1/shared/Zm9v/comments"), "/a/b/v1/shared/…/comments");
        assert_eq!(loggable("/v1/jobs/1"), "/v1/jobs/1");
    }
}
