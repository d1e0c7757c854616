//! Requests to online sources: who asks, how long it waits, how often it tries, how much it takes.

use std::sync::Arc;
use std::time::Duration;

use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// How often a source is asked where it is busy or does not answer.
const TRIES: u32 = 3;
/// Wait before the second try; twice that before the third.
const WAIT: Duration = Duration::from_millis(400);
/// Longest wait that a busy source may ask for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Asks one source.
pub(crate) struct Client {
    agent: Agent,
    /// Largest answer, bytes.
    largest: u64,
}

impl Client {
    /// A client that introduces itself as `name`, gives each request `time` and takes answers up to `largest` bytes.
    pub(crate) fn new(name: &str, time: Duration, largest: u64) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(provider)
            .build();
        let agent = Agent::config_builder()
            .timeout_global(Some(time))
            .user_agent(name)
            .max_redirects(3)
            .http_status_as_error(false)
            .tls_config(tls)
            .build()
            .new_agent();
        Self { agent, largest }
    }

    /// What lies at a URL; none where there is nothing. `turn` waits until a request may be made. An error is what went
    /// wrong, without the URL.
    pub(crate) fn get(&self, url: &str, turn: impl Fn()) -> Result<Option<Vec<u8>>, String> {
        self.ask(turn, || self.agent.get(url).call())
    }

    /// The same for a form that is sent.
    pub(crate) fn post(&self, url: &str, form: &str, turn: impl Fn()) -> Result<Option<Vec<u8>>, String> {
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

    /// What went wrong, without the URL.
    fn fault(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::Timeout(_) => "it does not answer in time".into(),
            ureq::Error::HostNotFound => "its host is not known".into(),
            ureq::Error::ConnectionFailed | ureq::Error::Io(_) => "it cannot be reached".into(),
            ureq::Error::BodyExceedsLimit(_) => format!("its answer is larger than {} MiB", self.largest >> 20),
            ureq::Error::TooManyRedirects => "it redirects too often".into(),
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "its certificate is not trusted".into(),
            _ => "its answer is not HTTP as it should be".into(),
        }
    }
}

/// A text as a part of a URL or form.
pub(crate) fn encoded(text: &str) -> String {
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
