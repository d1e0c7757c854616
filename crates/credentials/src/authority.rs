//! Aerie's own certificate authority, for installations that have no certificate of a public one.

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use x509_parser::pem::Pem;

use crate::certificate::Certificate;
use crate::identity::Identity;
use crate::key::Key;

/// Extended key usage for signing C2PA claims (C2PA specification 2.2, certificate profiles).
const CLAIM_SIGNING: &[u64] = &[1, 3, 6, 1, 4, 1, 62558, 2, 1];
/// Years that a certificate of the authority is valid, and that one that it issues is. Without a time stamp, a file can be verified
/// until its certificate expires.
const YEARS: [i32; 2] = [30, 10];
/// Names in the certificates.
const ORGANIZATION: &str = "Aerie";
const AUTHORITY: &str = "Aerie Content Credentials, own authority";
const SIGNER: &str = "Aerie Content Credentials";

/// A certificate authority of this installation. `Debug` does not show its key.
pub struct Authority {
    certificate: String,
    key: KeyPair,
}

/// Why an authority cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the certificate authority of the Content Credentials {0}")]
pub struct AuthorityError(String);

impl Authority {
    /// Makes a new authority with a random key. `year` is the current one.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn generate(year: i32) -> Result<Self, AuthorityError> {
        let failed = |error: rcgen::Error| AuthorityError(format!("cannot be made: {error}"));
        let key = KeyPair::generate().map_err(failed)?;
        let mut params = params(AUTHORITY, year, YEARS[0]);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = params.self_signed(&key).map_err(failed)?.pem();
        Ok(Self { certificate, key })
    }

    /// Certificate and private key as PEM, to be kept secret.
    #[must_use]
    pub fn to_pem(&self) -> String {
        format!("{}{}", self.certificate, self.key.serialize_pem())
    }

    /// Reads what [`Authority::to_pem`] returned.
    ///
    /// # Errors
    /// When it is something else.
    pub fn from_pem(pem: &str) -> Result<Self, AuthorityError> {
        let damaged = || AuthorityError("is damaged".to_owned());
        let at = pem.find("-----BEGIN PRIVATE KEY").ok_or_else(damaged)?;
        let (certificate, key) = pem.split_at(at);
        let key = KeyPair::from_pem(key).map_err(|_| damaged())?;
        Issuer::from_ca_cert_pem(certificate, &key).map_err(|_| damaged())?;
        Ok(Self { certificate: certificate.to_owned(), key })
    }

    /// The certificate as PEM, for those who verify files.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Issues a certificate for a new key, which signs files. `year` is the current one.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn issue(&self, year: i32) -> Result<Identity, AuthorityError> {
        let failed = |error: rcgen::Error| AuthorityError(format!("cannot issue a certificate: {error}"));
        let issuer = Issuer::from_ca_cert_pem(&self.certificate, &self.key).map_err(failed)?;
        let key = KeyPair::generate().map_err(failed)?;
        let mut params = params(SIGNER, year, YEARS[1]);
        params.is_ca = IsCa::ExplicitNoCa;
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::EmailProtection, ExtendedKeyUsagePurpose::Other(CLAIM_SIGNING.to_vec())];
        let leaf = params.signed_by(&key, &issuer).map_err(failed)?;
        let authority = Pem::iter_from_buffer(self.certificate.as_bytes()).filter_map(Result::ok).next();
        let authority = authority.ok_or_else(|| AuthorityError("is damaged".to_owned()))?.contents;
        let certificate = Certificate { chain: vec![leaf.der().to_vec(), authority], algorithm: "es256".to_owned() };
        let key = Key::from_pem(&certificate.algorithm, &key.serialize_pem());
        let key = key.map_err(|error| AuthorityError(format!("cannot issue a certificate: {error}")))?;
        Ok(Identity::new(certificate, key, SIGNER))
    }
}

/// Valid from the first day of the year before `year`, so that clocks that are a little slow accept it.
fn params(name: &str, year: i32, years: i32) -> CertificateParams {
    let mut params = CertificateParams::default();
    let mut subject = DistinguishedName::new();
    subject.push(DnType::OrganizationName, ORGANIZATION);
    subject.push(DnType::CommonName, name);
    params.distinguished_name = subject;
    params.not_before = date_time_ymd(year - 1, 1, 1);
    params.not_after = date_time_ymd(year + years, 1, 1);
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_read_back_and_issues_certificates_that_differ() {
        let authority = Authority::generate(2030).unwrap();
        let read = Authority::from_pem(&authority.to_pem()).unwrap();
        assert_eq!(read.to_pem(), authority.to_pem());
        assert!(!authority.certificate().contains("PRIVATE"));
        let chains = [&authority, &read].map(|authority| authority.issue(2030).unwrap().certificate().chain.clone());
        assert_ne!(chains[0][0], chains[1][0]);
        assert_eq!(chains[0][1], chains[1][1]);
        assert!(Authority::from_pem("no PEM").is_err());
    }
}
