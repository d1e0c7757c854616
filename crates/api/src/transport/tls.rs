//! TLS with a certificate that is reloaded when its files change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Interval at which the files are compared by content. Modification times mislead when a symbolic link is replaced.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Encrypted bytes of a connection that wait to be sent: one record.
const MAX_ENCRYPTED: usize = 16 << 10;

/// A certificate and its key.
pub struct Tls {
    acceptor: TlsAcceptor,
    files: Arc<Files>,
}

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// Cause.
        error: io::Error,
    },
    /// A file has no such PEM content.
    #[error("{} contains no {what} in PEM format", file.display())]
    NotPem {
        /// Which file.
        file: PathBuf,
        /// Expected content.
        what: &'static str,
    },
    /// The certificate and the key are unusable or do not match.
    #[error("the certificate and the key cannot be used together: {0}")]
    Unusable(#[from] rustls::Error),
}

struct Files {
    cert: PathBuf,
    key: PathBuf,
    /// Content read last, valid or not, so that each change is tried once.
    seen: Mutex<Contents>,
    served: Arc<Served>,
    provider: Arc<CryptoProvider>,
}

#[derive(PartialEq, Eq)]
struct Contents {
    cert: Vec<u8>,
    key: Vec<u8>,
}

#[derive(Debug)]
struct Served(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Tls {
    /// Reads a certificate chain, the server's own certificate first, and its private key, both in PEM format.
    ///
    /// # Errors
    /// When a file cannot be read or the two do not match.
    pub fn open(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let contents = Contents::read(cert, key)?;
        let certified = contents.certified(cert, key, &provider)?;
        let served = Arc::new(Served(RwLock::new(Arc::new(certified))));
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&served) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let (cert, key) = (cert.to_owned(), key.to_owned());
        let files = Files { cert, key, seen: Mutex::new(contents), served, provider };
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), files: Arc::new(files) })
    }

    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<TlsStream<S>> {
        self.acceptor.accept_with(stream, |session| session.set_buffer_limit(Some(MAX_ENCRYPTED))).await
    }

    /// Reloads the files when they change. An unusable pair, such as one half of a change, leaves the old one in use.
    pub(super) async fn reload_when_changed(&self) {
        let mut unreadable = false;
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            let files = Arc::clone(&self.files);
            let reloaded = tokio::task::spawn_blocking(move || files.reload()).await;
            match reloaded {
                Ok(Ok(false)) | Err(_) => unreadable = false,
                Ok(Ok(true)) => tracing::info!("reloaded the TLS certificate"),
                // Logged once, not each second.
                Ok(Err(TlsError::Unreadable { .. })) if unreadable => {}
                Ok(Err(error)) => {
                    unreadable = matches!(error, TlsError::Unreadable { .. });
                    tracing::warn!(%error, "cannot reload the TLS certificate; the old one stays in use");
                }
            }
        }
    }
}

impl Files {
    /// Whether the files changed to a usable pair.
    fn reload(&self) -> Result<bool, TlsError> {
        let contents = Contents::read(&self.cert, &self.key)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == contents {
            return Ok(false);
        }
        let certified = contents.certified(&self.cert, &self.key, &self.provider);
        *seen = contents;
        let certified = Arc::new(certified?);
        *self.served.0.write().unwrap_or_else(PoisonError::into_inner) = certified;
        Ok(true)
    }
}

impl Contents {
    fn read(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let read =
            |file: &Path| std::fs::read(file).map_err(|error| TlsError::Unreadable { file: file.to_owned(), error });
        Ok(Self { cert: read(cert)?, key: read(key)? })
    }

    fn certified(&self, cert: &Path, key: &Path, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
        let not_pem = |file: &Path, what| TlsError::NotPem { file: file.to_owned(), what };
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.cert)
            .collect::<Result<_, _>>()
            .map_err(|_| not_pem(cert, "certificate"))?;
        if chain.is_empty() {
            return Err(not_pem(cert, "certificate"));
        }
        let private = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| not_pem(key, "private key"))?;
        Ok(CertifiedKey::from_der(chain, private, provider)?)
    }
}
