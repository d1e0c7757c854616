//! Requests to online sources, with user agent, timeouts, retries and size limits.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// Maximum number of attempts when a source is busy or does not answer.
const TRIES: u32 = 3;
/// Wait before the second attempt; twice that before the third.
const WAIT: Duration = Duration::from_millis(400);
/// Maximum wait for a connection, and for the start of a response.
const BEGIN: Duration = Duration::from_secs(30);
/// Maximum wait that a busy source may request.
const PATIENCE: Duration = Duration::from_secs(20);

/// HTTP client for one source.
pub struct Client {
    agent: Agent,
    /// Maximum size of a response, bytes.
    largest: u64,
}

impl Client {
    /// A client with the user agent `name`, a timeout for each request and a limit on the size of an answer, bytes.
    #[must_use]
    pub fn new(name: &str, time: Duration, largest: u64) -> Self {
        Self { agent: agent(name, Some(time)), largest }
    }

    /// The body at a URL; `None` where the server has nothing there. `turn` waits until a request may be made. The error is the
    /// reason, without the URL.
    pub fn get(&self, url: &str, turn: impl Fn()) -> Result<Option<Vec<u8>>, String> {
        self.ask(turn, || self.agent.get(url).call())
    }

    /// The body that answers a form.
    pub fn post(&self, url: &str, form: &str, turn: impl Fn()) -> Result<Option<Vec<u8>>, String> {
        let kind = "application/x-www-form-urlencoded";
        self.ask(turn, || self.agent.post(url).header("Content-Type", kind).send(form))
    }

    fn ask(
        &self,
        turn: impl Fn(),
        request: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Option<Vec<u8>>, String> {
        let mut wait = WAIT;
        let mut why = String::new();
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(wait);
                wait = WAIT * 2;
            }
            turn();
            let mut answer = match request() {
                Ok(answer) => answer,
                Err(error) => {
                    why = self.fault(&error);
                    continue;
                }
            };
            match answer.status().as_u16() {
                200 => match answer.body_mut().with_config().limit(self.largest).read_to_vec() {
                    Ok(data) => return Ok(Some(data)),
                    Err(error) => why = self.fault(&error),
                },
                204 | 404 | 410 => return Ok(None),
                code @ (401 | 403) => return Err(format!("it refuses (HTTP {code}); look at the key in its url")),
                code @ (429 | 500..) => {
                    why = format!("it answers with HTTP {code}");
                    let after = answer.headers().get("Retry-After").and_then(|v| v.to_str().ok()?.parse().ok());
                    wait = after.map_or(wait, Duration::from_secs).min(PATIENCE);
                }
                code => return Err(format!("it answers with HTTP {code}")),
            }
        }
        Err(why)
    }

    fn fault(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::BodyExceedsLimit(_) => format!("its answer is larger than {} MiB", self.largest >> 20),
            error => fault(error),
        }
    }
}

/// An agent with the user agent `name`. Without `time`, a response that has started may take any time.
#[must_use]
pub fn agent(name: &str, time: Option<Duration>) -> Agent {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(provider)
        .build();
    Agent::config_builder()
        .timeout_global(time)
        .timeout_connect(Some(BEGIN))
        .timeout_recv_response(Some(time.unwrap_or(BEGIN)))
        .user_agent(name)
        .max_redirects(3)
        .http_status_as_error(false)
        .tls_config(tls)
        .build()
        .new_agent()
}

/// The reason for a failure, without the URL.
#[must_use]
pub fn fault(error: &ureq::Error) -> String {
    let fault = match error {
        ureq::Error::Timeout(_) => "it does not answer in time",
        ureq::Error::HostNotFound => "its host is not known",
        ureq::Error::ConnectionFailed | ureq::Error::Io(_) => "it cannot be reached",
        ureq::Error::TooManyRedirects => "it redirects too often",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "its certificate is not trusted",
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => "its URL is not one",
        _ => "its answer is not HTTP as it should be",
    };
    fault.to_owned()
}

/// A hash of a URL, to store instead of the URL, which may contain a key.
#[must_use]
pub fn fingerprint(url: &str) -> String {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A text, percent-encoded for a URL or form.
#[must_use]
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_in_a_url_cannot_end_it() {
        assert_eq!(super::encoded("Bühl 4&x=#?/"), "B%C3%BChl%204%26x%3D%23%3F%2F");
    }
}
