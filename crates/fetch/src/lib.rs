//! Pictures from URLs that strangers name: fetched whole, without a connection to any place that is not theirs to ask.
//!
//! Every address is looked at before it is connected to: the one in the URL, each one that its name resolves to, and
//! those of every redirect. The connection goes to the addresses that were looked at, so that a name which resolves
//! differently the next moment gains nothing. What comes is bounded in time, bytes and pixels, is told by its content, and
//! is never decoded here: only its header is read.
mod address;
mod fetcher;
mod picture;

use std::time::Duration;

pub use address::Policy;
pub use fetcher::{Fetcher, Lookup, SystemLookup};
pub use picture::{Format, Picture, PictureReceiver};

/// What is taken.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the look-up of the name to the last byte.
    pub time: Duration,
    /// Bytes.
    pub size: u64,
    /// Width times height.
    pub pixels: u64,
    /// Redirects followed.
    pub redirects: usize,
    /// Fetches at once.
    pub at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), size: 25_000_000, pixels: 40_000_000, redirects: 3, at_once: 64 }
    }
}

/// Why a URL gives no picture: a predicate that follows the name of its field. Nothing in it tells what our network looks
/// like from the inside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// It cannot be read as a URL.
    #[error("is not a URL")]
    NotAUrl,
    /// Another scheme than HTTP and HTTPS, here or in a redirect.
    #[error("must lead to http:// or https:// alone")]
    Scheme,
    /// A user name or a password in it.
    #[error("must carry no user name and no password")]
    Credentials,
    /// An address that is not public.
    #[error("leads to an address that is not public")]
    NotPublic,
    /// The name has no address.
    #[error("has a host that cannot be found")]
    NoSuchHost,
    /// Nobody answers, or not in HTTP.
    #[error("cannot be reached")]
    Unreachable,
    /// Too many redirects, or one that leads nowhere.
    #[error("is redirected too often, or to nowhere")]
    Redirects,
    /// Another status than 200.
    #[error("is answered with status {0}")]
    Status(u16),
    /// Not all of it came in time.
    #[error("was not delivered within {0} seconds")]
    TooSlow(u64),
    /// More bytes than are taken.
    #[error("is larger than {0} bytes")]
    TooLarge(u64),
    /// Something else than a picture that we take.
    #[error("is {0}; JPEG, PNG, WebP and TIFF images are taken")]
    NotAnImage(&'static str),
    /// The header cannot be read.
    #[error("is a {0} image whose header cannot be read")]
    Unreadable(&'static str),
    /// More pixels than are taken.
    #[error("has {width} x {height} pixels, which are more than {most}")]
    TooManyPixels {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
        /// How many are taken.
        most: u64,
    },
    /// As many fetches as may be are under way: our matter, not the URL's.
    #[error("cannot be fetched now: too many images are being fetched")]
    Busy,
    /// There is no room on the disk to receive it: our matter, not the URL's.
    #[error("could not be kept: there is no room")]
    NoRoom,
    /// The file that it is received in failed: our matter, not the URL's.
    #[error("could not be kept: {0}")]
    Scratch(String),
}
