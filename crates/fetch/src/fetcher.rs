//! The fetch.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Certificate, Client, Response, Url, header, redirect};
use tokio::sync::Semaphore;

use crate::{FetchError, Limits, Picture, PictureReceiver, Policy};

/// Looks names up. A trait, so that tests can have names that resolve as they like.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// The addresses of a host.
    ///
    /// # Errors
    /// When it has none.
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>>;
}

/// The system's look-up: its files, its name servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// Fetches pictures.
#[derive(Clone)]
pub struct Fetcher {
    client: Client,
    policy: Policy,
    limits: Limits,
    folder: PathBuf,
    slots: Arc<Semaphore>,
}

impl Fetcher {
    /// Fetches from where `policy` says, into files without names in `folder`.
    ///
    /// # Errors
    /// When the system has no certificates to trust, or the like.
    pub fn new(policy: Policy, folder: &Path) -> Result<Self, String> {
        Self::with(policy, folder, Limits::default(), Arc::new(SystemLookup))
    }

    /// The same with limits and a look-up of one's own.
    ///
    /// # Errors
    /// As [`Fetcher::new`].
    pub fn with(policy: Policy, folder: &Path, limits: Limits, lookup: Arc<dyn Lookup>) -> Result<Self, String> {
        // The first to install one wins; whoever it was, there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let resolver = CheckedResolver { lookup, policy: policy.clone() };
        let trusted = Certificate::from_pem_bundle(&policy.trusted)
            .map_err(|error| format!("the certificates to trust cannot be read: {error}"))?;
        let client = Client::builder()
            .tls_certs_merge(trusted)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            // A connection kept would be one whose address was looked at some time ago.
            .pool_max_idle_per_host(0)
            .dns_resolver(resolver)
            .user_agent(concat!("Aerie/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("image URLs cannot be fetched: {error}"))?;
        let slots = Arc::new(Semaphore::new(limits.at_once));
        Ok(Self { client, policy, limits, folder: folder.to_owned(), slots })
    }

    /// Fetches what lies at `url`, whole.
    ///
    /// # Errors
    /// Why it cannot be had as an image.
    pub async fn fetch(&self, url: &str) -> Result<Picture, FetchError> {
        let _slot = self.slots.try_acquire().map_err(|_| FetchError::Busy)?;
        let fetched = tokio::time::timeout(self.limits.time, self.follow_redirects(url)).await;
        fetched.unwrap_or(Err(FetchError::TooSlow(self.limits.time.as_secs())))
    }

    /// Begins to receive a picture from elsewhere, to be looked at like one from a URL.
    ///
    /// # Errors
    /// When there can be no file for it.
    pub fn receive(&self) -> Result<PictureReceiver, FetchError> {
        PictureReceiver::new(&self.folder, self.limits)
    }

    async fn follow_redirects(&self, url: &str) -> Result<Picture, FetchError> {
        let mut url = Url::parse(url.trim()).map_err(|_| FetchError::NotAUrl)?;
        for _ in 0..=self.limits.redirects {
            self.check(&url)?;
            let response = self.ask(url.clone()).await?;
            match response.status().as_u16() {
                200 => return self.take(response).await,
                301 | 302 | 303 | 307 | 308 => url = target(&url, &response)?,
                status => return Err(FetchError::Status(status)),
            }
        }
        Err(FetchError::Redirects)
    }

    /// What can be seen of a URL before anything is asked. Names are looked up later, on the way to the connection.
    fn check(&self, url: &Url) -> Result<(), FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Credentials);
        }
        let host = url.host_str().ok_or(FetchError::NotAUrl)?;
        // An address in the URL is not looked up, and never comes to `CheckedResolver`.
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) if !self.policy.permits(address) => Err(FetchError::NotPublic),
            _ => Ok(()),
        }
    }

    async fn ask(&self, url: Url) -> Result<Response, FetchError> {
        let request = self
            .client
            .get(url)
            .header(header::ACCEPT, "image/jpeg, image/png, image/webp, image/tiff")
            .header(header::ACCEPT_ENCODING, "identity");
        request.send().await.map_err(|error| reason(&error))
    }

    async fn take(&self, mut response: Response) -> Result<Picture, FetchError> {
        if response.content_length().is_some_and(|length| length > self.limits.size) {
            return Err(FetchError::TooLarge(self.limits.size));
        }
        let mut receiving = self.receive()?;
        while let Some(bytes) = response.chunk().await.map_err(|error| reason(&error))? {
            receiving.push(&bytes)?;
        }
        receiving.finish()
    }
}

fn target(from: &Url, response: &Response) -> Result<Url, FetchError> {
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    from.join(location.ok_or(FetchError::Redirects)?).map_err(|_| FetchError::Redirects)
}

/// What our own part of the connection said, if it was that; all else is the other side's silence.
fn reason(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(ours) = error.downcast_ref::<FetchError>() {
            return ours.clone();
        }
        cause = error.source();
    }
    FetchError::Unreachable
}

/// Looks names up and lets through the addresses that may be connected to: all of a name's, or none. What it returns is
/// what is connected to.
struct CheckedResolver {
    lookup: Arc<dyn Lookup>,
    policy: Policy,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, policy) = (Arc::clone(&self.lookup), self.policy.clone());
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(|_| FetchError::NoSuchHost)?;
            if found.is_empty() {
                return Err(FetchError::NoSuchHost.into());
            }
            if !found.iter().all(|address| policy.permits(*address)) {
                return Err(FetchError::NotPublic.into());
            }
            let addresses: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
