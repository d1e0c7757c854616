//! Sessions of the console: a browser uses an API key without having it.

use std::time::Duration;

use aerie_domain::{KeyHash, SessionHash};
use async_trait::async_trait;

use crate::StoreError;

/// Sessions that are over and removed when another one starts: more than are added, so that the table stays small.
pub const REMOVED_AT_ONCE: u32 = 8;

/// When a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// After this time without use.
    pub idle: Duration,
    /// After this time in any case.
    pub longest: Duration,
}

/// A session that is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// The key that it was started with, which may have been revoked since.
    pub key: KeyHash,
    /// Time since it was used.
    pub idle: Duration,
}

/// Keeps sessions. Every method is atomic and durable when it returns.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Starts a session with an existing key, and removes a few that are over.
    async fn session_start(&self, id: SessionHash, key: KeyHash, limits: SessionLimits) -> Result<(), StoreError>;

    /// The session, unless it is over.
    async fn session_find(&self, id: SessionHash, limits: SessionLimits) -> Result<Option<Session>, StoreError>;

    /// Records that a session was used now.
    async fn session_touch(&self, id: SessionHash) -> Result<(), StoreError>;

    /// Ends a session; `false` when there is none.
    async fn session_end(&self, id: SessionHash) -> Result<bool, StoreError>;
}
