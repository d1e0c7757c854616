//! Private keys, by the algorithms of C2PA.

use ed25519_dalek::Signer;
use p521::elliptic_curve::pkcs8::DecodePrivateKey;

/// A private key. Signatures are as in COSE (RFC 9053): those of elliptic curves are r and s, each of fixed length.
pub(crate) enum Key {
    Es256(p256::ecdsa::SigningKey),
    Es384(p384::ecdsa::SigningKey),
    Es512(p521::ecdsa::SigningKey),
    Ed25519(ed25519_dalek::SigningKey),
}

/// Error of a key that is malformed or of another kind.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct KeyError(String);

impl Key {
    /// Reads a key for an algorithm of C2PA ("es256"), PKCS #8 in PEM.
    pub(crate) fn from_pem(algorithm: &str, pem: &str) -> Result<Self, KeyError> {
        let failed = |error: &dyn std::fmt::Display| KeyError(error.to_string());
        match algorithm {
            "es256" => DecodePrivateKey::from_pkcs8_pem(pem).map(Self::Es256).map_err(|error| failed(&error)),
            "es384" => DecodePrivateKey::from_pkcs8_pem(pem).map(Self::Es384).map_err(|error| failed(&error)),
            "es512" => {
                let key = p521::SecretKey::from_pkcs8_pem(pem).map_err(|error| failed(&error))?;
                p521::ecdsa::SigningKey::from_bytes(&key.to_bytes()).map(Self::Es512).map_err(|error| failed(&error))
            }
            "ed25519" => DecodePrivateKey::from_pkcs8_pem(pem).map(Self::Ed25519).map_err(|error| failed(&error)),
            _ => Err(KeyError(format!("there is no algorithm {algorithm}"))),
        }
    }

    /// Returns whether this is the private key of a public one, which is encoded as in certificates.
    pub(crate) fn fits(&self, public: &[u8]) -> bool {
        match self {
            Self::Es256(key) => {
                p256::ecdsa::VerifyingKey::from_sec1_bytes(public).is_ok_and(|public| *key.verifying_key() == public)
            }
            Self::Es384(key) => {
                p384::ecdsa::VerifyingKey::from_sec1_bytes(public).is_ok_and(|public| *key.verifying_key() == public)
            }
            Self::Es512(key) => p521::ecdsa::VerifyingKey::from_sec1_bytes(public).is_ok_and(|public| {
                p521::ecdsa::VerifyingKey::from(key).to_encoded_point(true) == public.to_encoded_point(true)
            }),
            Self::Ed25519(key) => key.verifying_key().as_bytes() == public,
        }
    }

    /// Signs bytes.
    pub(crate) fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Es256(key) => Signer::<p256::ecdsa::Signature>::sign(key, bytes).to_vec(),
            Self::Es384(key) => Signer::<p384::ecdsa::Signature>::sign(key, bytes).to_vec(),
            Self::Es512(key) => Signer::<p521::ecdsa::Signature>::sign(key, bytes).to_vec(),
            Self::Ed25519(key) => key.sign(bytes).to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::Verifier;
    use p521::elliptic_curve::pkcs8::{EncodePrivateKey, LineEnding};

    use super::*;

    #[test]
    fn every_kind_of_key_is_read_and_signs_for_its_public_key() {
        let message = b"a claim";
        let secret = [7; 48];
        let pem = p256::SecretKey::from_slice(&secret[..32]).unwrap().to_pkcs8_pem(LineEnding::LF).unwrap();
        let key = Key::from_pem("es256", &pem).unwrap();
        let Key::Es256(read) = &key else { panic!("another kind") };
        let public = read.verifying_key();
        public.verify(message, &p256::ecdsa::Signature::from_slice(&key.sign(message)).unwrap()).unwrap();
        assert!([false, true].iter().all(|short| key.fits(public.to_encoded_point(*short).as_bytes())));
        assert!(Key::from_pem("es384", &pem).is_err());

        let pem = p384::SecretKey::from_slice(&secret).unwrap().to_pkcs8_pem(LineEnding::LF).unwrap();
        let other = Key::from_pem("es384", &pem).unwrap();
        let Key::Es384(read) = &other else { panic!("another kind") };
        read.verifying_key()
            .verify(message, &p384::ecdsa::Signature::from_slice(&other.sign(message)).unwrap())
            .unwrap();
        let point = read.verifying_key().to_encoded_point(false);
        assert!(other.fits(point.as_bytes()) && !key.fits(point.as_bytes()));

        // 521 bits: the first byte is 0 or 1.
        let secret: Vec<u8> = std::iter::once(1).chain([7; 65]).collect();
        let pem = p521::SecretKey::from_slice(&secret).unwrap().to_pkcs8_pem(LineEnding::LF).unwrap();
        let key = Key::from_pem("es512", &pem).unwrap();
        let Key::Es512(read) = &key else { panic!("another kind") };
        let public = p521::ecdsa::VerifyingKey::from(read);
        public.verify(message, &p521::ecdsa::Signature::from_slice(&key.sign(message)).unwrap()).unwrap();
        assert!(key.fits(public.to_encoded_point(false).as_bytes()) && !key.fits(point.as_bytes()));

        let pem = ed25519_dalek::SigningKey::from_bytes(&[7; 32]).to_pkcs8_pem(LineEnding::LF).unwrap();
        let key = Key::from_pem("ed25519", &pem).unwrap();
        let Key::Ed25519(read) = &key else { panic!("another kind") };
        let public = read.verifying_key();
        public.verify(message, &ed25519_dalek::Signature::from_slice(&key.sign(message)).unwrap()).unwrap();
        assert!(key.fits(public.as_bytes()) && !key.fits(&[7; 32]));
        assert!(Key::from_pem("ed25519", "no key").is_err());
    }
}
