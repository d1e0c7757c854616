//! Sessions of the console: a browser exchanges an API key for a cookie, so that no page keeps the key.
//!
//! The cookie is valid under [`API`] alone, and only scripts of this server can use it: it is not sent by other sites
//! (`SameSite=Strict`), and each request that changes something proves with [`CSRF`] that its page has read the session. Sessions are rows
//! of the database, by the hash of their token, so that every node knows them, a sign-out ends them everywhere, and a copy of
//! the database opens none. A session may do what its key may, as long as that is valid: the key is looked up for each request.

use std::time::Duration;

use aerie_domain::{ApiErrorCode, KeyHash, RateLimits, SessionHash, SessionToken};
use aerie_storage::{Credentials, SessionLimits};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;

use crate::ApiState;
use crate::error::ApiError;
use crate::transport::Channel;

/// What the paths of the console's requests begin with: those of `/v1` follow, for sessions in place of keys.
pub(crate) const API: &str = "/console/api";

/// The path at which a session is started, shown and ended.
pub(crate) const SESSION: &str = "/console/api/session";

/// The header that proves that a request comes from a page of the console.
pub(crate) const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");

/// The limits of a key's requests from the console, which do not count in those of its plan: the page of one listing with 60 photos asks
/// for each of them.
pub(crate) const RATES: RateLimits = RateLimits { per_minute: 600, per_day: 100_000 };

const COOKIE: &str = "aerie_console";
const LIMITS: SessionLimits = SessionLimits { idle: Duration::from_secs(8 * 3600), longest: LONGEST };
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// How often the use of a session is written down.
const TOUCH_EVERY: Duration = Duration::from_secs(60);

/// A session that is not over, whose key is valid.
pub(crate) struct OpenSession {
    pub(crate) token: SessionToken,
    pub(crate) key: KeyHash,
    pub(crate) credentials: Credentials,
}

/// Whether requests for a path need a session.
pub(crate) fn guard(path: &str) -> bool {
    path.strip_prefix(API).is_some_and(|rest| rest.starts_with('/')) && path != SESSION
}

/// The path under `/v1` that a path of the console stands for, or the path itself.
pub(crate) fn public_path(path: &str) -> &str {
    path.strip_prefix(API).unwrap_or(path)
}

/// Starts a session with a valid key. The session that the browser had before, if any, is ended: a token that somebody planted in it
/// never becomes that of a new session.
pub(crate) async fn start(state: &ApiState, before: &HeaderMap, key: KeyHash) -> Result<SessionToken, ApiError> {
    end(state, before).await?;
    let token = SessionToken::generate().map_err(ApiError::internal)?;
    state.store.session_start(token.hash(), key, LIMITS).await?;
    Ok(token)
}

/// The session of a request, if it has one that is not over and whose key is valid.
pub(crate) async fn find(state: &ApiState, headers: &HeaderMap) -> Result<Option<OpenSession>, ApiError> {
    let Some(token) = token(headers) else { return Ok(None) };
    let Some(session) = state.store.session_find(token.hash(), LIMITS).await? else { return Ok(None) };
    let Some(credentials) = state.store.key_find(session.key).await? else { return Ok(None) };
    if session.idle >= TOUCH_EVERY {
        state.store.session_touch(token.hash()).await?;
    }
    Ok(Some(OpenSession { token, key: session.key, credentials }))
}

/// The session of a request, which it needs; and where it changes something, its proof.
pub(crate) async fn require(state: &ApiState, method: &Method, headers: &HeaderMap) -> Result<OpenSession, ApiError> {
    let Some(session) = find(state, headers).await? else {
        let message = "There is no session, or it is over: sign in to the console";
        return Err(ApiError::with_message(ApiErrorCode::Unauthorized, message));
    };
    if !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        check_proof(&session.token, headers)?;
    }
    Ok(session)
}

/// Whether a session is not over, without using it.
pub(crate) async fn is_open(state: &ApiState, id: SessionHash) -> Result<bool, aerie_storage::StoreError> {
    Ok(state.store.session_find(id, LIMITS).await?.is_some())
}

/// Ends the session of a request, if it has one.
pub(crate) async fn end(state: &ApiState, headers: &HeaderMap) -> Result<(), ApiError> {
    if let Some(token) = token(headers) {
        state.store.session_end(token.hash()).await?;
    }
    Ok(())
}

/// Refuses a request whose page has not read the session.
pub(crate) fn check_proof(token: &SessionToken, headers: &HeaderMap) -> Result<(), ApiError> {
    // Both are derived from a secret that only the browser has, so that the time of the comparison reveals nothing useful.
    if headers.get(CSRF).is_some_and(|given| given.as_bytes() == token.csrf().as_bytes()) {
        return Ok(());
    }
    let message = "`X-CSRF-Token` must be the `csrf_token` of the session: reload the console";
    Err(ApiError::with_message(ApiErrorCode::Forbidden, message))
}

/// Refuses what a browser says that another site has caused.
pub(crate) fn check_site(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => {
            let message = "Only the console itself starts sessions: open it, and sign in there";
            Err(ApiError::with_message(ApiErrorCode::Forbidden, message))
        }
    }
}

/// The token of a request; none if cookies contradict each other.
fn token(headers: &HeaderMap) -> Option<SessionToken> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut tokens = lines.flat_map(|line| line.split(';')).filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    let (Some(only), None) = (tokens.next(), tokens.next()) else { return None };
    SessionToken::parse(only)
}

/// Has the browser keep a session.
pub(crate) fn keep(response: &mut Response, token: &SessionToken, channel: Channel) {
    set_cookie(response, token.reveal(), LONGEST.as_secs(), channel);
}

/// Has the browser forget its session.
pub(crate) fn forget(response: &mut Response, channel: Channel) {
    set_cookie(response, "", 0, channel);
}

fn set_cookie(response: &mut Response, value: &str, seconds: u64, channel: Channel) {
    let secure = if channel == Channel::Loopback { "" } else { "; Secure" };
    let cookie = format!("{COOKIE}={value}; Path={API}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    if let Ok(mut cookie) = HeaderValue::try_from(cookie) {
        cookie.set_sensitive(true);
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

/// Where a response names a path of the API, names that of the console: an upload continues with the session that began it.
pub(crate) fn localize(response: &mut Response) {
    let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
    let local = location.filter(|path| path.starts_with("/v1/")).map(|path| format!("{API}{path}"));
    if let Some(Ok(local)) = local.map(HeaderValue::try_from) {
        response.headers_mut().insert(header::LOCATION, local);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_the_console_but_that_of_the_session_needs_one() {
        for (path, expected) in [
            ("/console/api/v1/jobs", true),
            ("/console/api/keys", true),
            ("/console/api/", true),
            ("/console/api/session/", true),
            ("/console/api/session", false),
            ("/console/api", false),
            ("/console/apiary", false),
            ("/console/", false),
            ("/v1/jobs", false),
        ] {
            assert_eq!(guard(path), expected, "{path}");
        }
    }

    #[test]
    fn a_token_is_read_from_the_only_cookie_of_its_name() {
        let token_of = |lines: &[&str]| {
            let pairs = lines.iter().map(|line| (header::COOKIE, HeaderValue::from_str(line).unwrap()));
            token(&HeaderMap::from_iter(pairs))
        };
        let [one, other] = [(); 2].map(|()| SessionToken::generate().unwrap());
        let (ours, theirs) = (format!("a=b; {COOKIE}={}", one.reveal()), format!("{COOKIE}={}; c=d", other.reveal()));
        assert_eq!(token_of(&[&ours]), Some(one));
        assert_eq!(token_of(&[&format!("{ours}; {theirs}")]), None);
        assert_eq!(token_of(&[&format!("not_{theirs}")]), None);
        assert_eq!(token_of(&[&format!("{COOKIE}=")]), None);
        assert_eq!(token_of(&[]), None);
    }
}
