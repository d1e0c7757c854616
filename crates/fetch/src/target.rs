//! Where a URL leads, before any name is resolved.

use std::net::IpAddr;

use reqwest::Url;

use crate::FetchError;

/// The host of a URL that may be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// An address in any of the spellings that URLs have for it.
    Address(IpAddr),
    /// A name, which is resolved before the connection.
    Name,
}

/// Parses the URL of a request.
pub(crate) fn parse(text: &str) -> Result<Url, FetchError> {
    Url::parse(text.trim()).map_err(|_| FetchError::NotAUrl)
}

impl Target {
    /// The host of a URL.
    ///
    /// # Errors
    /// If the URL has another scheme, credentials, or no host.
    pub(crate) fn of(url: &Url) -> Result<Self, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Credentials);
        }
        let host = url.host_str().ok_or(FetchError::NotAUrl)?;
        let address = host.trim_start_matches('[').trim_end_matches(']').parse();
        Ok(address.map_or(Target::Name, Target::Address))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Policy;
    use aerie_test_data::hostile_urls::{Case, Meaning, cases};

    /// The address that a URL leads to if it may be fetched.
    fn permitted(url: &str) -> Option<IpAddr> {
        let target = parse(url).and_then(|url| Target::of(&url)).ok()?;
        let Target::Address(address) = target else { panic!("{url:?} leads to a name") };
        Policy::default().permits(address).then(|| address.to_canonical())
    }

    #[test]
    fn twenty_thousand_generated_urls_lead_to_the_public_address_that_they_spell_or_nowhere() {
        let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for Case { url, meaning, form } in cases(1, 8080).take(20_000) {
            let expected = match meaning {
                Meaning::Refused => None,
                Meaning::Public(address) => Some(address),
            };
            assert_eq!(permitted(&url), expected, "{form}: {url:?}");
            *counts.entry((form, expected.is_some())).or_default() += 1;
        }
        // Each form was tried with addresses that must be refused, and, where the form allows it, with public ones.
        assert!(counts.len() >= 20 && counts.values().all(|count| *count >= 100), "{counts:?}");
    }

    #[test]
    fn a_seed_gives_the_same_urls_every_time() {
        let urls = |seed| cases(seed, 80).take(50).map(|case| case.url).collect::<Vec<_>>();
        assert_eq!(urls(7), urls(7));
        assert_ne!(urls(7), urls(8));
    }
}
