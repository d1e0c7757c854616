//! Keys that were looked up before, so that a request costs no second look-up while nothing in the database changes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use aerie_domain::KeyHash;
use aerie_storage::Credentials;
use rusqlite::Connection;

use crate::error::Result;
use crate::tenant_rows;

/// Maximum number of keys; when it is reached, all are forgotten.
const MAX_KEYS: usize = 4096;

/// Credentials by key, valid for one version of the database.
pub(crate) struct KeyCache(Mutex<Known>);

struct Known {
    /// Its `data_version` changes with each commit of any other connection, of this process or another.
    connection: Connection,
    version: i64,
    keys: HashMap<KeyHash, Credentials>,
}

impl KeyCache {
    /// A cache with a connection of its own.
    pub(crate) fn new(connection: Connection) -> Result<Self> {
        // The caller's thread serves others, too, and must not wait.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(Self(Mutex::new(Known { connection, version: 0, keys: HashMap::new() })))
    }

    /// The valid credentials of a key; `None` when another thread uses the cache or the database is locked, so that the
    /// caller has to look the key up.
    pub(crate) fn find(&self, hash: KeyHash, now: i64) -> Option<Option<Credentials>> {
        self.0.try_lock().ok()?.find(hash, now).ok()
    }
}

impl Known {
    fn find(&mut self, hash: KeyHash, now: i64) -> Result<Option<Credentials>> {
        let version = self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if version != self.version || self.keys.len() >= MAX_KEYS {
            self.keys.clear();
            self.version = version;
        }
        if let Some(known) = self.keys.get(&hash) {
            let is_valid = known.key.expires_at.is_none_or(|at| at.as_millisecond() > now);
            return Ok(is_valid.then(|| known.clone()));
        }
        let found = tenant_rows::key_find(&self.connection, hash, now)?;
        if let Some(found) = &found {
            self.keys.insert(hash, found.clone());
        }
        Ok(found)
    }
}
