//! Who signs: a certificate and its private key.

use std::io::{self, Cursor};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use c2pa::create_signer;
use x509_parser::parse_x509_certificate;
use x509_parser::pem::Pem;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::X509Name;

use crate::certificate::{Certificate, SignError};
use crate::embed::copy_signed;
use crate::format::Format;
use crate::statement::{Action, ActionName, Statement};
use crate::verify::{State, verify_stream};

/// A gray PNG picture of one pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3A\x7E\x9B\x55\
    \0\0\0\x0AIDAT\x78\xDA\x63\x68\0\0\0\x82\0\x81\xDA\x45\x08\x3B\0\0\0\0IEND\xAE\x42\x60\x82";

/// A certificate and its private key. `Debug` does not show the key.
pub struct Identity {
    certificate: Certificate,
    key: String,
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
    pub(crate) fn new(certificate: Certificate, key: String, name: &str) -> Self {
        Self { certificate, key, name: name.to_owned() }
    }

    /// Reads an operator's certificate chain, own certificate first, and its private key, both PEM.
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
        let name = name(own.subject());
        let identity = Self::new(Certificate { chain, algorithm: algorithm.to_owned() }, secret, &name);
        let wrong = |why: SignError| IdentityError::Key { path: key.to_owned(), why: why.to_string() };
        identity.sign(b"a trial").map_err(wrong)?;
        let unfit = |why| IdentityError::Unfit { certificate: certificate.to_owned(), key: key.to_owned(), why };
        identity.try_out().map_err(unfit)?;
        Ok(identity)
    }

    /// Signs a picture of one pixel and verifies it, which shows a certificate that has expired, is for another key or for other uses.
    fn try_out(&self) -> Result<(), String> {
        let created = Action {
            name: ActionName::Created,
            description: None,
            source_type: Some("http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia".to_owned()),
            ingredients: Vec::new(),
        };
        let statement = Statement {
            title: "a trial".to_owned(),
            actions: vec![created],
            ingredients: Vec::new(),
            disclosure: None,
        };
        let mut signed = Cursor::new(Vec::new());
        let sign = |bytes: &[u8]| self.sign(bytes);
        copy_signed((&mut Cursor::new(PIXEL), &mut signed), Format::Png, &statement, (&self.certificate, &sign))
            .map_err(|error| error.to_string())?;
        signed.set_position(0);
        let report = verify_stream(Format::Png, signed, None).map_err(|error| error.to_string())?;
        match report.state {
            State::Valid | State::Trusted => Ok(()),
            State::Changed | State::Invalid => Err(report.problems.join("; ")),
        }
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
    ///
    /// # Errors
    /// When the key does not fit the certificate.
    pub fn sign(&self, bytes: &[u8]) -> Result<Vec<u8>, SignError> {
        let failed = |error: c2pa::Error| SignError(error.to_string());
        let chain = self.certificate.pem();
        let signer = create_signer::from_keys(chain.as_bytes(), self.key.as_bytes(), self.certificate.alg()?, None);
        signer.and_then(|signer| signer.sign(bytes)).map_err(failed)
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
