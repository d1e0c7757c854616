//! A signer's certificate, without the key.

use serde::{Deserialize, Serialize};

/// A certificate with those above it, without the private key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// DER, the signer's own first.
    pub chain: Vec<Vec<u8>>,
    /// Name of the signature algorithm in C2PA ("es256").
    pub algorithm: String,
}

impl Certificate {
    /// The chain as PEM.
    #[must_use]
    pub fn pem(&self) -> String {
        let one = |der: &Vec<u8>| pem::encode(&pem::Pem::new("CERTIFICATE", der.clone()));
        self.chain.iter().map(one).collect()
    }
}
