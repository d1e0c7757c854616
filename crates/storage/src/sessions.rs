//! Sessions of the console and of that for operators: a browser uses a key without having it.

use std::time::Duration;

use aerie_domain::{KeyHash, SessionHash};
use async_trait::async_trait;

use crate::StoreError;

/// Sessions that are over and removed when another one starts: more than are added, so that the table stays small.
pub const REMOVED_AT_ONCE: u32 = 8;

/// For whom a session is. Each audience has keys and sessions of its own: those of one are unknown to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Clients, with API keys.
    Clients,
    /// Operators, with operator keys.
    Operators,
}

impl Audience {
    /// The table of their sessions.
    #[must_use]
    pub const fn table(self) -> &'static str {
        match self {
            Self::Clients => "sessions",
            Self::Operators => "operator_sessions",
        }
    }
}

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
    /// Starts a session with an existing key of the audience, and removes a few that are over.
    async fn session_start(
        &self,
        of: Audience,
        id: SessionHash,
        key: KeyHash,
        limits: SessionLimits,
    ) -> Result<(), StoreError>;

    /// The session, unless it is over.
    async fn session_find(
        &self,
        of: Audience,
        id: SessionHash,
        limits: SessionLimits,
    ) -> Result<Option<Session>, StoreError>;

    /// Records that a session was used now.
    async fn session_touch(&self, of: Audience, id: SessionHash) -> Result<(), StoreError>;

    /// Ends a session; `false` when there is none.
    async fn session_end(&self, of: Audience, id: SessionHash) -> Result<bool, StoreError>;
}
