//! Posts to the URLs of clients.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Url, header};

use crate::fetcher::{check, client, reason};
use crate::{FetchError, Lookup, Policy, target};

/// Posts JSON to URLs that clients name. It follows no redirects, and reads nothing of an answer but its status.
#[derive(Clone)]
pub struct Poster {
    client: Client,
    policy: Policy,
    time: Duration,
    may_be_plain: bool,
}

impl Poster {
    /// Creates a poster; `time`: how long a request may take; `may_be_plain`: whether `http://` is allowed.
    ///
    /// # Errors
    /// As [`Fetcher::new`](crate::Fetcher::new).
    pub fn new(policy: Policy, lookup: Arc<dyn Lookup>, time: Duration, may_be_plain: bool) -> Result<Self, String> {
        Ok(Self { client: client(&policy, lookup)?, policy, time, may_be_plain })
    }

    /// Checks a URL as far as that is possible without looking up its host.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn check(&self, url: &str) -> Result<(), FetchError> {
        self.permitted(url).map(|_| ())
    }

    fn permitted(&self, url: &str) -> Result<Url, FetchError> {
        let url = target::parse(url)?;
        check(&url, &self.policy)?;
        if url.scheme() != "https" && !self.may_be_plain { Err(FetchError::NotEncrypted) } else { Ok(url) }
    }

    /// Posts `body`, and returns the status of the answer.
    ///
    /// # Errors
    /// [`FetchError`], when there is no answer.
    pub async fn post(&self, url: &str, headers: &[(&'static str, String)], body: String) -> Result<u16, FetchError> {
        let url = self.permitted(url)?;
        let request = self.client.post(url).header(header::CONTENT_TYPE, "application/json").body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        match tokio::time::timeout(self.time, request.send()).await {
            Ok(answer) => Ok(answer.map_err(|error| reason(&error))?.status().as_u16()),
            Err(_) => Err(FetchError::NoAnswer(self.time.as_secs())),
        }
    }
}
