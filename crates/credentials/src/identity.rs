//! Who signs: a certificate and its private key.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use x509_parser::parse_x509_certificate;
use x509_parser::pem::Pem;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::X509Name;

use crate::certificate::Certificate;
use crate::key::{Key, KeyError};

/// A certificate and its private key. `Debug` does not show the key.
pub struct Identity {
    certificate: Certificate,
    key: Key,
    name: String,
}

/// Why a certificate and key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Others can read the key.
    #[error("{} can be read by other users: run `chmod 600 {}`", .0.display(), .0.display())]
    Exposed(PathBuf),
    /// The file holds no certificate.
    #[error("{} has no certificate in PEM format", .0.display())]
    NoCertificate(PathBuf),
    /// No algorithm of C2PA fits the key.
    #[error("the key of the certificate in {} must be P-256, P-384, P-521 or Ed25519, not RSA", .0.display())]
    Algorithm(PathBuf),
    /// The key is malformed, or of another kind than that of the certificate.
    #[error("{} must be the private key of the certificate, PKCS #8 in PEM format: {why}", path.display())]
    Key {
        /// The file with the key.
        path: PathBuf,
        /// Why it cannot sign.
        why: String,
    },
    /// The certificate has expired, is for another key, or not for this use.
    #[error(
        "the certificate in {} with the key in {} cannot sign: they must belong together and be valid now, with the key usage \
         digitalSignature and the extended key usage emailProtection, documentSigning or that of C2PA: {why}",
        certificate.display(), key.display()
    )]
    Unfit {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// What a verifier says.
        why: String,
    },
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Identity {
    pub(crate) fn new(certificate: Certificate, key: Key, name: &str) -> Self {
        Self { certificate, key, name: name.to_owned() }
    }

    /// Reads an operator's certificate chain, own certificate first, and its private key, both PEM.
    ///
    /// A trial checks that the certificate is valid now and for this use: [`crate::messages::Request::is_trial`].
    ///
    /// # Errors
    /// What is wrong with which file.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, IdentityError> {
        let file = |path: &Path| {
            let path = path.to_owned();
            |error| IdentityError::File { path, error }
        };
        let mode = std::fs::metadata(key).map_err(file(key))?.permissions().mode();
        if mode & 0o007 != 0 {
            return Err(IdentityError::Exposed(key.to_owned()));
        }
        let pem = std::fs::read(certificate).map_err(file(certificate))?;
        let secret = std::fs::read_to_string(key).map_err(file(key))?;
        let chain: Vec<Vec<u8>> = Pem::iter_from_buffer(&pem)
            .filter_map(Result::ok)
            .filter(|pem| pem.label == "CERTIFICATE")
            .map(|pem| pem.contents)
            .collect();
        let none = || IdentityError::NoCertificate(certificate.to_owned());
        let own = chain.first().cloned().ok_or_else(none)?;
        let (_, own) = parse_x509_certificate(&own).map_err(|_| none())?;
        let algorithm =
            algorithm(&own.public_key().parsed()).ok_or_else(|| IdentityError::Algorithm(certificate.to_owned()))?;
        let wrong = |why: KeyError| IdentityError::Key { path: key.to_owned(), why: why.to_string() };
        let secret = Key::from_pem(algorithm, &secret).map_err(wrong)?;
        if !secret.fits(&own.public_key().subject_public_key.data) {
            let why = "the key is that of another certificate".to_owned();
            return Err(IdentityError::Unfit { certificate: certificate.to_owned(), key: key.to_owned(), why });
        }
        let name = name(own.subject());
        Ok(Self::new(Certificate { chain, algorithm: algorithm.to_owned() }, secret, &name))
    }

    /// The certificate.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Name of the signer.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Signs bytes.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        self.key.sign(bytes)
    }
}

fn algorithm(key: &Result<PublicKey<'_>, x509_parser::error::X509Error>) -> Option<&'static str> {
    match key {
        Ok(PublicKey::EC(point)) => match point.key_size() {
            256 => Some("es256"),
            384 => Some("es384"),
            520 | 521 | 528 => Some("es512"),
            _ => None,
        },
        // Not RSA: signing with it in pure Rust may leak the key through its timing (RUSTSEC-2023-0071).
        Ok(PublicKey::Unknown(bytes)) if bytes.len() == 32 => Some("ed25519"),
        _ => None,
    }
}

/// Common name, or else organization.
fn name(subject: &X509Name<'_>) -> String {
    let first = subject.iter_common_name().chain(subject.iter_organization()).find_map(|name| name.as_str().ok());
    first.map_or_else(|| subject.to_string(), str::to_owned)
}
