//! Sessions of the two consoles: a browser exchanges a key for a cookie, so that no page keeps the key.
//!
//! A cookie is valid under the paths of its console alone: without `Path`, browsers send it to the folder of the request that set it, also
//! where a proxy serves the console under another path. Only scripts of this server can use it: it is not sent by other sites
//! (`SameSite=Strict`), and each request that changes something proves with [`CSRF`] that its page has read the session. Sessions are rows
//! of the database, by the hash of their token, so that every node knows them, a sign-out ends them everywhere, and a copy of
//! the database opens none. A session may do what its key may, as long as that is valid: the key is looked up for each request.
//! Clients and operators have keys, cookies and sessions of their own ([`CLIENTS`], [`OPERATORS`]).

use std::time::Duration;

use aerie_domain::{Fields, KeyHash, RateLimits, SessionHash, SessionToken};
use aerie_engine_api::openapi::Presence;
use aerie_storage::{Audience, Credentials, SessionLimits, Store, StoreError};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::read_json;
use crate::transport::{Channel, ClientAddress};
use crate::{ApiState, bad_keys};

/// What the paths of the console's requests begin with: those of `/v1` follow, for sessions in place of keys.
pub(crate) const API: &str = "/console/api";

/// The path at which a session is started, shown and ended.
pub(crate) const SESSION: &str = "/console/api/session";

/// The header that proves that a request comes from a page of the console.
pub(crate) const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");

/// The limits of a key's requests from the console, which do not count in those of its plan: the page of one listing with 60 photos asks
/// for each of them.
pub(crate) const RATES: RateLimits = RateLimits { per_minute: 600, per_day: 100_000 };

/// Sessions of the console.
pub(crate) const CLIENTS: Sessions = Sessions {
    of: Audience::Clients,
    cookie: "aerie_console",
    limits: SessionLimits { idle: hours(8), longest: hours(7 * 24) },
    place: "the console",
};

/// Sessions of the console for operators.
pub(crate) const OPERATORS: Sessions = Sessions {
    of: Audience::Operators,
    cookie: "aerie_operator",
    limits: SessionLimits { idle: hours(1), longest: hours(12) },
    place: "the operator console",
};

/// How often the use of a session is written down.
const TOUCH_EVERY: Duration = Duration::from_secs(60);

/// More characters than any key has.
const MAX_KEY: usize = 200;

const fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 3600)
}

/// The sessions of one console.
#[derive(Debug)]
pub(crate) struct Sessions {
    of: Audience,
    cookie: &'static str,
    limits: SessionLimits,
    /// The console in messages.
    place: &'static str,
}

/// A session that is not over, whose key may have been revoked.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) token: SessionToken,
    pub(crate) key: KeyHash,
}

/// A client's session that is not over, whose key is valid.
pub(crate) struct OpenSession {
    pub(crate) token: SessionToken,
    pub(crate) key: KeyHash,
    pub(crate) credentials: Credentials,
}

/// The path under `/v1` that a path of the console stands for, or the path itself.
pub(crate) fn public_path(path: &str) -> &str {
    path.strip_prefix(API).unwrap_or(path)
}

/// The session of a client's request, which it needs; and where it changes something, its proof.
pub(crate) async fn require(state: &ApiState, method: &Method, headers: &HeaderMap) -> Result<OpenSession, ApiError> {
    let Found { token, key } = CLIENTS.require(&*state.store, method, headers).await?;
    let credentials = state.store.key_find(key).await?.ok_or_else(|| CLIENTS.over())?;
    Ok(OpenSession { token, key, credentials })
}

/// An attempt to sign in.
pub(crate) struct SignIn {
    /// The key, as it was given.
    pub(crate) key: String,
    headers: HeaderMap,
    channel: Channel,
}

impl SignIn {
    /// Reads an attempt, and counts it against its address.
    pub(crate) async fn read(state: &ApiState, request: Request) -> Result<Self, ApiError> {
        check_site(request.headers())?;
        let address = request.extensions().get::<ClientAddress>().copied();
        let channel = request.extensions().get::<Channel>().copied().unwrap_or(Channel::Loopback);
        let headers = request.headers().clone();
        let key = read_json(request, Presence::Required, |body| {
            Ok(Fields::of_body(body)?.required_text("key", MAX_KEY)?.trim().to_owned())
        })
        .await?;
        if let Some(seconds) = bad_keys::sign_in_again_in(&state.bad_keys, &*state.limiter, address).await {
            let message = "Too many attempts to sign in from this address; try again in a moment";
            return Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(seconds));
        }
        Ok(Self { key, headers, channel })
    }
}

impl Sessions {
    /// Starts a session with a valid key. The session that the browser had before, if any, is ended: a token that somebody planted in it
    /// never becomes that of a new session.
    pub(crate) async fn start(
        &self,
        store: &dyn Store,
        attempt: &SignIn,
        key: KeyHash,
    ) -> Result<SessionToken, ApiError> {
        self.end(store, &attempt.headers).await?;
        let token = SessionToken::generate().map_err(ApiError::internal)?;
        store.session_start(self.of, token.hash(), key, self.limits).await?;
        Ok(token)
    }

    /// Has the browser keep a session.
    pub(crate) fn keep(&self, response: &mut Response, attempt: &SignIn, token: &SessionToken) {
        self.set_cookie(response, token.reveal(), self.limits.longest.as_secs(), attempt.channel);
    }

    /// The session of a request, if it has one that is not over.
    async fn find(&self, store: &dyn Store, headers: &HeaderMap) -> Result<Option<Found>, ApiError> {
        let Some(token) = self.token(headers) else { return Ok(None) };
        let Some(session) = store.session_find(self.of, token.hash(), self.limits).await? else { return Ok(None) };
        if session.idle >= TOUCH_EVERY {
            store.session_touch(self.of, token.hash()).await?;
        }
        Ok(Some(Found { token, key: session.key }))
    }

    /// The session of a request, which it needs; and where it changes something, its proof. The caller looks up the key.
    pub(crate) async fn require(
        &self,
        store: &dyn Store,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Found, ApiError> {
        let found = self.find(store, headers).await?.ok_or_else(|| self.over())?;
        if !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            check_proof(&found.token, headers)?;
        }
        Ok(found)
    }

    /// The refusal of a request that has no session, or one whose key is no longer valid.
    pub(crate) fn over(&self) -> ApiError {
        let message = format!("There is no session, or it is over: sign in to {}", self.place);
        ApiError::with_message(ApiErrorCode::Unauthorized, message)
    }

    /// Whether a session is not over, without using it.
    pub(crate) async fn is_open(&self, store: &dyn Store, id: SessionHash) -> Result<bool, StoreError> {
        Ok(store.session_find(self.of, id, self.limits).await?.is_some())
    }

    /// Ends the session of a request, and has the browser forget it.
    pub(crate) async fn sign_out(
        &self,
        store: &dyn Store,
        headers: &HeaderMap,
        channel: Option<Channel>,
    ) -> Result<Response, ApiError> {
        // Without a session, there is nothing that another site could end.
        if let Some(session) = self.find(store, headers).await? {
            check_proof(&session.token, headers)?;
        }
        self.end(store, headers).await?;
        let mut response = StatusCode::NO_CONTENT.into_response();
        self.set_cookie(&mut response, "", 0, channel.unwrap_or(Channel::Loopback));
        Ok(response)
    }

    async fn end(&self, store: &dyn Store, headers: &HeaderMap) -> Result<(), ApiError> {
        if let Some(token) = self.token(headers) {
            store.session_end(self.of, token.hash()).await?;
        }
        Ok(())
    }

    /// The token of a request; none if cookies contradict each other.
    fn token(&self, headers: &HeaderMap) -> Option<SessionToken> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut tokens = lines.flat_map(|line| line.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        });
        let (Some(only), None) = (tokens.next(), tokens.next()) else { return None };
        SessionToken::parse(only)
    }

    fn set_cookie(&self, response: &mut Response, value: &str, seconds: u64, channel: Channel) {
        let secure = if channel == Channel::Loopback { "" } else { "; Secure" };
        let cookie = format!("{}={value}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", self.cookie);
        if let Ok(mut cookie) = HeaderValue::try_from(cookie) {
            cookie.set_sensitive(true);
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }
}

/// Refuses a request whose page has not read the session.
fn check_proof(token: &SessionToken, headers: &HeaderMap) -> Result<(), ApiError> {
    // Both are derived from a secret that only the browser has, so that the time of the comparison reveals nothing useful.
    if headers.get(CSRF).is_some_and(|given| given.as_bytes() == token.csrf().as_bytes()) {
        return Ok(());
    }
    let message = "`X-CSRF-Token` must be the `csrf_token` of the session: reload the console";
    Err(ApiError::with_message(ApiErrorCode::Forbidden, message))
}

/// Refuses what a browser says that another site has caused.
fn check_site(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => {
            let message = "Only the console itself starts sessions: open it, and sign in there";
            Err(ApiError::with_message(ApiErrorCode::Forbidden, message))
        }
    }
}

/// Where a response names a path of the API, names that of the console: an upload continues with the session that began it. `base` is the path
/// under which clients reach the service.
pub(crate) fn localize(response: &mut Response, base: &str) {
    let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
    let path = location.and_then(|location| location.strip_prefix(base)).filter(|path| path.starts_with("/v1/"));
    let local = path.map(|path| format!("{base}{API}{path}"));
    if let Some(Ok(local)) = local.map(HeaderValue::try_from) {
        response.headers_mut().insert(header::LOCATION, local);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_the_only_cookie_of_its_name() {
        const COOKIE: &str = CLIENTS.cookie;
        let token_of = |lines: &[&str]| {
            let pairs = lines.iter().map(|line| (header::COOKIE, HeaderValue::from_str(line).unwrap()));
            CLIENTS.token(&HeaderMap::from_iter(pairs))
        };
        let [one, other] = [(); 2].map(|()| SessionToken::generate().unwrap());
        let (ours, theirs) = (format!("a=b; {COOKIE}={}", one.reveal()), format!("{COOKIE}={}; c=d", other.reveal()));
        assert_eq!(token_of(&[&ours]), Some(one));
        assert_eq!(token_of(&[&format!("{ours}; {theirs}")]), None);
        assert_eq!(token_of(&[&format!("not_{theirs}")]), None);
        assert_eq!(token_of(&[&format!("{COOKIE}=")]), None);
        assert_eq!(token_of(&[]), None);
        assert_eq!(token_of(&[&format!("{}={}", OPERATORS.cookie, "a".repeat(64))]), None);
    }
}
