//! A minimal client of the API.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use ureq::Agent;

/// Bytes requested first, to check that ranges work.
const FIRST_PART: u64 = 1024;

pub(super) struct Client {
    agent: Agent,
    base_url: String,
    key: String,
}

impl Client {
    pub(super) fn new(base_url: &str, key: &str) -> Self {
        // No proxy from the environment: the server is on this machine.
        let config = Agent::config_builder().http_status_as_error(false).proxy(None);
        let agent = config.timeout_global(Some(Duration::from_secs(60))).build().into();
        Self { agent, base_url: base_url.to_owned(), key: key.to_owned() }
    }

    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(super) fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(format!("{}{path}", self.base_url)).header("X-API-Key", &self.key);
        let mut response = request.call().with_context(|| format!("GET {path}"))?;
        let body: Value = response.body_mut().read_json().with_context(|| format!("GET {path}"))?;
        ensure!(response.status() == 200, "GET {path} returned {}: {body}", response.status());
        Ok(body)
    }

    /// Posts JSON and checks the status of the response.
    pub(super) fn post(&self, path: &str, body: &Value, expected: u16) -> anyhow::Result<Value> {
        let request = self.agent.post(format!("{}{path}", self.base_url)).header("X-API-Key", &self.key);
        let mut response = request.send_json(body).with_context(|| format!("POST {path}"))?;
        let body: Value = response.body_mut().read_json().with_context(|| format!("POST {path}"))?;
        ensure!(response.status() == expected, "POST {path} returned {}: {body}", response.status());
        Ok(body)
    }

    /// Downloads a link, first a range and then the whole file; returns its size in bytes.
    pub(super) fn download(&self, link: &str, to: &Path) -> anyhow::Result<u64> {
        let range = format!("bytes=0-{}", FIRST_PART - 1);
        let mut part = self.agent.get(link).header("Range", &range).call()?;
        ensure!(part.status() == 206, "a range request for {} returned {}", to.display(), part.status());
        let part = part.body_mut().read_to_vec()?;

        let response = self.agent.get(link).call()?;
        ensure!(response.status() == 200, "a request for {} returned {}", to.display(), response.status());
        let mut whole = Vec::new();
        response.into_body().into_reader().read_to_end(&mut whole)?;
        ensure!(whole.starts_with(&part), "the range of {} differs from the file", to.display());
        std::fs::write(to, &whole).with_context(|| format!("cannot write {}", to.display()))?;
        Ok(whole.len() as u64)
    }
}
