//! Keys of operators.

use aerie_domain::{KeyHash, OperatorKey, OperatorKeyId, OperatorKeyRecord};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// Keeps the keys of operators. Every method is atomic and durable when it returns.
#[async_trait]
pub trait OperatorStore: Send + Sync {
    /// Stores a key's hash.
    async fn operator_key_create(
        &self,
        key: &OperatorKey,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<OperatorKeyRecord, StoreError>;

    /// All keys, revoked ones included, oldest first.
    async fn operator_key_list(&self) -> Result<Vec<OperatorKeyRecord>, StoreError>;

    /// Revokes a key at once; `false` when it does not exist. Idempotent.
    async fn operator_key_revoke(&self, id: OperatorKeyId) -> Result<bool, StoreError>;

    /// The key with this hash, unless it is revoked or expired.
    async fn operator_key_find(&self, hash: KeyHash) -> Result<Option<OperatorKeyRecord>, StoreError>;
}
