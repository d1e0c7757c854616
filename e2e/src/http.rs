//! An HTTP client that returns every status as an answer.

use std::time::Duration;

use serde_json::Value;
use ureq::http::HeaderMap;
use ureq::{Agent, Body};

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub bytes: Vec<u8>,
}

/// Sends requests to one server, with or without a key.
pub struct Client {
    agent: Agent,
    base_url: String,
    key: Option<String>,
}

impl Answer {
    /// Parses the body as JSON.
    ///
    /// # Panics
    /// When it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("a JSON body")
    }

    /// Returns the value of a header, or an empty string.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the status and `error.code`.
    ///
    /// # Panics
    /// When the body is not JSON.
    #[must_use]
    pub fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    }
}

impl Client {
    /// A client of a server, with a key or without.
    #[must_use]
    pub fn new(base_url: &str, key: Option<String>) -> Self {
        Self::patient(base_url, key, Duration::from_secs(30))
    }

    /// A client that waits this long for a response.
    pub(crate) fn patient(base_url: &str, key: Option<String>, timeout: Duration) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).proxy(None);
        let agent = config.timeout_global(Some(timeout)).build().into();
        Self { agent, base_url: base_url.to_owned(), key }
    }

    /// Returns the base URL of the server.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns a client for the same server with another key.
    #[must_use]
    pub fn with_key(&self, key: Option<&str>) -> Self {
        Self { agent: self.agent.clone(), base_url: self.base_url.clone(), key: key.map(str::to_owned) }
    }

    /// Sends a request to a path of the server or to a full URL.
    ///
    /// # Panics
    /// When there is no response.
    #[must_use]
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.try_send(method, path, headers, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// Like [`Client::send`], for a server that may be killed meanwhile.
    ///
    /// # Errors
    /// When there is no complete response.
    ///
    /// # Panics
    /// When the request is invalid.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, ureq::Error> {
        let uri = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base_url) };
        let mut request = ureq::http::Request::builder().method(method).uri(&uri);
        if let Some(key) = &self.key {
            request = request.header("X-API-Key", key);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = if body.is_empty() {
            self.agent.run(request.body(()).expect("a request"))
        } else {
            self.agent.run(request.body(body).expect("a request"))
        };
        let (parts, mut body): (_, Body) = response?.into_parts();
        let bytes = body.with_config().limit(1 << 30).read_to_vec()?;
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, bytes })
    }

    /// Sends GET to a path or a full URL.
    ///
    /// # Panics
    /// When there is no response.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], &[])
    }

    /// Sends POST with a JSON body.
    ///
    /// # Panics
    /// When there is no response.
    #[must_use]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// Submits a drone footage job; returns its id.
    ///
    /// # Panics
    /// When it is not accepted.
    #[must_use]
    pub fn submit(&self, address: &str, direction: &str) -> String {
        self.submit_film(address, &serde_json::json!({"direction": direction}))
    }

    /// Submits a film with the given options, and returns its job.
    ///
    /// # Panics
    /// When the server does not acknowledge it.
    #[must_use]
    pub fn submit_film(&self, address: &str, options: &Value) -> String {
        let body = serde_json::json!({"address": address, "options": options});
        let answer = self.post("/v1/drone-footage/generate", &body);
        assert_eq!(answer.status, 202, "{}", answer.json());
        answer.json()["data"]["job_id"].as_str().expect("a job_id").to_owned()
    }

    /// Returns a job.
    ///
    /// # Panics
    /// When it does not exist.
    #[must_use]
    pub fn job(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/jobs/{id}"));
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["data"].take()
    }
}
