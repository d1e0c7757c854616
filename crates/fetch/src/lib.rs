//! Fetches images from untrusted URLs, and posts to them, with protection against server-side request forgery (SSRF).
//!
//! Every address is checked before a connection: the one in the URL, all that its host name resolves to, and those of every
//! redirect. Connections use the checked addresses, which defeats DNS rebinding. Time, bytes and pixels are bounded. The format is
//! detected by content, and only the header is parsed: images are not decoded here.
//!
//! # Invariants
//!
//! - An untrusted URL leads to a public address or nowhere, however the address is spelled and whatever the name server answers next.
//!   Tests: `twenty_thousand_generated_urls_lead_to_the_public_address_that_they_spell_or_nowhere`,
//!   `a_name_that_is_rebound_after_each_query_never_leads_to_another_address`,
//!   `a_name_with_one_address_that_is_not_public_is_refused_whatever_the_others_are`; in `api`:
//!   `no_hostile_url_leads_to_a_connection_and_the_api_stays_responsive`; in `e2e`:
//!   `generated_urls_redirects_and_rebound_names_lead_to_no_address_that_is_not_public`.
//! - Headers are read with a bound on their parts, on threads that may block. Test: `headers_made_to_be_slow_do_not_stall_the_runtime`.
mod address;
mod fetcher;
mod picture;
mod poster;
mod target;

use std::time::Duration;

pub use address::Policy;
pub use aerie_picture_format::{Format, Unsupported};
pub use fetcher::{Fetcher, Lookup, SystemLookup};
pub use picture::{Picture, PictureReceiver};
pub use poster::Poster;

/// Limits of a fetch.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the DNS lookup to the last byte.
    pub time: Duration,
    /// Greatest size, bytes.
    pub size: u64,
    /// Greatest width times height.
    pub pixels: u64,
    /// Greatest number of redirects.
    pub redirects: usize,
    /// Greatest number of concurrent fetches.
    pub at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), size: 60_000_000, pixels: 100_000_000, redirects: 3, at_once: 64 }
    }
}

/// Why a URL does not yield an image. The message is a predicate that follows the name of the field, and reveals nothing about the
/// internal network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// It cannot be parsed.
    #[error("is not a URL")]
    NotAUrl,
    /// HTTP where HTTPS is required.
    #[error("must use https://")]
    NotEncrypted,
    /// A scheme other than HTTP and HTTPS, also in a redirect.
    #[error("must use http:// or https://")]
    Scheme,
    /// It contains a user name or a password.
    #[error("must not contain a user name or password")]
    Credentials,
    /// An address that is not public, or a host name without an address: one message for both, as two would tell which names exist in the
    /// internal network.
    #[error("does not lead to a public address")]
    NotPublic,
    /// No response, or not an HTTP response.
    #[error("cannot be reached")]
    Unreachable,
    /// Too many redirects, or an invalid one.
    #[error("has too many redirects or an invalid one")]
    Redirects,
    /// A status other than 200.
    #[error("returned HTTP status {0}")]
    Status(u16),
    /// The response was not complete in time.
    #[error("could not be downloaded within {0} seconds")]
    TooSlow(u64),
    /// No answer to a post in time.
    #[error("did not answer within {0} seconds")]
    NoAnswer(u64),
    /// Too many bytes.
    #[error("is larger than {0} bytes")]
    TooLarge(u64),
    /// Not an image of a supported format.
    #[error("is {0}")]
    NotAnImage(Unsupported),
    /// The header cannot be parsed.
    #[error("has an unreadable {0} header")]
    Unreadable(&'static str),
    /// The file ends before its header does.
    #[error("ends before its {0} header does; send the whole file")]
    Truncated(&'static str),
    /// Too many pixels.
    #[error("has {width} x {height} pixels; the limit is {most}")]
    TooManyPixels {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
        /// Limit of width times height.
        most: u64,
    },
    /// Too many concurrent fetches: a temporary condition of this server.
    #[error("cannot be fetched now: too many concurrent fetches")]
    Busy,
    /// No disk space: a fault of this server.
    #[error("could not be stored: no disk space")]
    NoRoom,
    /// The temporary file failed: a fault of this server.
    #[error("could not be stored: {0}")]
    Scratch(String),
}
