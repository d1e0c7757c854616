//! Identifiers: UUIDv7, which sort by creation time, with a type for each entity.

use std::sync::Mutex;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::{ContextV7, Uuid};

/// Counter within a millisecond, so that ids of one process sort in creation order.
static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());

fn new_uuid(now: Timestamp) -> Uuid {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(&CONTEXT, seconds, nanoseconds))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id, created at `now`.
            #[must_use]
            pub fn new(now: Timestamp) -> Self {
                Self(new_uuid(now))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = NotAnId;

            /// Parses the hyphenated form of 36 characters and no other.
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                if text.len() != 36 {
                    return Err(NotAnId);
                }
                Uuid::try_parse(text).map(Self).map_err(|_| NotAnId)
            }
        }
    )*};
}

ids! {
    /// A job.
    JobId,
    /// An organization.
    OrgId,
    /// An API key's record (not the key).
    KeyId,
    /// The record of an operator's key (not the key).
    OperatorKeyId,
    /// A usage event.
    EventId,
    /// A photo that a client uploads.
    UploadId,
    /// A property with its photos.
    ListingId,
    /// A link that shows a listing.
    ShareLinkId,
    /// A decision or comment of a viewer of such a link.
    ReviewId,
    /// A URL that receives events.
    WebhookId,
    /// An event sent to such a URL.
    DeliveryId,
    /// A public page that shows an altered picture beside its original.
    TruthPageId,
    /// A request, from the HTTP response to the worker's log.
    RequestId,
}

/// The text is not a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a UUID")]
pub struct NotAnId;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_version_7_and_sort_in_creation_order() {
        let now = Timestamp::from_millisecond(1_750_000_000_000).unwrap();
        let ids: Vec<JobId> = (0..1000).map(|_| JobId::new(now)).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(ids[0].0.get_version_num(), 7);
    }

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        let id = JobId::new(Timestamp::UNIX_EPOCH);
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "1", &id.0.simple().to_string(), &format!("{{{id}}}"), &format!("urn:uuid:{id}")] {
            assert_eq!(wrong.parse::<JobId>(), Err(NotAnId), "{wrong}");
        }
    }
}
