//! A signer's certificate, without the key.

use c2pa::SigningAlg;
use serde::{Deserialize, Serialize};

/// A certificate with those above it, without the private key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// DER, the signer's own first.
    pub chain: Vec<Vec<u8>>,
    /// Name of the signature algorithm in C2PA ("es256").
    pub algorithm: String,
}

/// Why bytes were not signed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SignError(pub String);

/// Signs bytes with the key of a certificate.
pub type Sign<'a> = dyn Fn(&[u8]) -> Result<Vec<u8>, SignError> + 'a;

impl Certificate {
    pub(crate) fn alg(&self) -> Result<SigningAlg, SignError> {
        self.algorithm.parse().map_err(|_| SignError(format!("there is no algorithm {}", self.algorithm)))
    }

    /// The chain as PEM.
    #[must_use]
    pub fn pem(&self) -> String {
        let one = |der: &Vec<u8>| pem::encode(&pem::Pem::new("CERTIFICATE", der.clone()));
        self.chain.iter().map(one).collect()
    }
}
