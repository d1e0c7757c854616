//! HTTP client that connects only to permitted addresses.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Certificate, Client, Response, Url, header, redirect};
use tokio::sync::Semaphore;

use crate::target::{self, Target};
use crate::{FetchError, Limits, Picture, PictureReceiver, Policy};

/// DNS lookup; a trait so that tests can control it.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// The addresses of a host.
    ///
    /// # Errors
    /// If it has none.
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// Fetches images.
#[derive(Clone)]
pub struct Fetcher {
    client: Client,
    policy: Policy,
    limits: Limits,
    folder: PathBuf,
    slots: Arc<Semaphore>,
}

impl Fetcher {
    /// Creates a fetcher that stores images in unnamed temporary files in `folder`.
    ///
    /// # Errors
    /// If a certificate of the policy is invalid, or the system has no trusted certificates.
    pub fn new(policy: Policy, folder: &Path) -> Result<Self, String> {
        Self::with(policy, folder, Limits::default(), Arc::new(SystemLookup))
    }

    /// Creates a fetcher with custom limits and DNS lookup.
    ///
    /// # Errors
    /// As [`Fetcher::new`].
    pub fn with(policy: Policy, folder: &Path, limits: Limits, lookup: Arc<dyn Lookup>) -> Result<Self, String> {
        let client = client(&policy, lookup)?;
        let slots = Arc::new(Semaphore::new(limits.at_once));
        Ok(Self { client, policy, limits, folder: folder.to_owned(), slots })
    }

    /// Fetches the image at `url` completely.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn fetch(&self, url: &str) -> Result<Picture, FetchError> {
        let _slot = self.slots.try_acquire().map_err(|_| FetchError::Busy)?;
        let fetched = tokio::time::timeout(self.limits.time, self.follow_redirects(url)).await;
        fetched.unwrap_or(Err(FetchError::TooSlow(self.limits.time.as_secs())))
    }

    /// Receives an image from another source, with the same checks as one from a URL.
    ///
    /// # Errors
    /// If no temporary file can be created.
    pub fn receive(&self) -> Result<PictureReceiver, FetchError> {
        PictureReceiver::new(&self.folder, self.limits)
    }

    /// Receives an image of at most `size` bytes, or a part of one, that a client sends.
    ///
    /// # Errors
    /// If no temporary file can be created.
    pub fn receive_upload(&self, size: u64) -> Result<PictureReceiver, FetchError> {
        PictureReceiver::new(&self.folder, Limits { size, ..self.limits })
    }

    async fn follow_redirects(&self, url: &str) -> Result<Picture, FetchError> {
        let mut url = target::parse(url)?;
        for _ in 0..=self.limits.redirects {
            check(&url, &self.policy)?;
            let response = self.request(url.clone()).await?;
            match response.status().as_u16() {
                200 => return self.download(response).await,
                301 | 302 | 303 | 307 | 308 => url = redirect_target(&url, &response)?,
                status => return Err(FetchError::Status(status)),
            }
        }
        Err(FetchError::Redirects)
    }

    async fn request(&self, url: Url) -> Result<Response, FetchError> {
        let request = self
            .client
            .get(url)
            .header(header::ACCEPT, "image/jpeg, image/png, image/webp, image/tiff, image/heic;q=0.5, image/avif;q=0.5")
            .header(header::ACCEPT_ENCODING, "identity");
        request.send().await.map_err(|error| reason(&error))
    }

    async fn download(&self, mut response: Response) -> Result<Picture, FetchError> {
        if response.content_length().is_some_and(|length| length > self.limits.size) {
            return Err(FetchError::TooLarge(self.limits.size));
        }
        let mut receiver = self.receive()?;
        while let Some(bytes) = response.chunk().await.map_err(|error| reason(&error))? {
            receiver.push(&bytes).await?;
        }
        receiver.finish().await
    }
}

/// A client that follows no redirects and connects only to the addresses that the policy permits.
pub(crate) fn client(policy: &Policy, lookup: Arc<dyn Lookup>) -> Result<Client, String> {
    // An error means that a provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let resolver = CheckedResolver { lookup, policy: policy.clone() };
    let trusted = Certificate::from_pem_bundle(&policy.trusted)
        .map_err(|error| format!("the CA certificates cannot be read: {error}"))?;
    Client::builder()
        .tls_certs_merge(trusted)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        // No keep-alive: the address of a pooled connection may no longer be permitted.
        .pool_max_idle_per_host(0)
        .dns_resolver(resolver)
        .user_agent(concat!("Aerie/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("HTTP requests cannot be sent: {error}"))
}

/// Checks a URL before a request. Host names are checked by [`CheckedResolver`].
pub(crate) fn check(url: &Url, policy: &Policy) -> Result<(), FetchError> {
    // An IP address in the URL is not resolved, and so never reaches `CheckedResolver`.
    match Target::of(url)? {
        Target::Address(address) if !policy.permits(address) => Err(FetchError::NotPublic),
        Target::Address(_) | Target::Name => Ok(()),
    }
}

fn redirect_target(from: &Url, response: &Response) -> Result<Url, FetchError> {
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    from.join(location.ok_or(FetchError::Redirects)?).map_err(|_| FetchError::Redirects)
}

/// The error of our own resolver, if there is one in the chain; anything else counts as unreachable.
pub(crate) fn reason(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(ours) = error.downcast_ref::<FetchError>() {
            return ours.clone();
        }
        cause = error.source();
    }
    FetchError::Unreachable
}

/// Resolver that fails unless all addresses of a name are permitted. The client connects to the addresses that it returns.
struct CheckedResolver {
    lookup: Arc<dyn Lookup>,
    policy: Policy,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, policy) = (Arc::clone(&self.lookup), self.policy.clone());
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(|_| FetchError::NotPublic)?;
            if found.is_empty() || !found.iter().all(|address| policy.permits(*address)) {
                return Err(FetchError::NotPublic.into());
            }
            let addresses: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
