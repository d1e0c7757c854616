//! The time by which leases, quotas and answers are measured: that of the database, so that nodes need not agree on theirs.
//!
//! # Invariants
//!
//! - A node whose clock is wrong neither ends a lease early nor deletes media early. Tests: `leases_end_by_the_clock_of_the_database`,
//!   `media_expire_by_the_clock_of_the_database_whatever_a_nodes_clock_says`.

use std::sync::Arc;

use aerie_domain::Clock;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;

use crate::error::Result;
use crate::pool::row;
use crate::rows::time;

/// Where the time comes from.
#[derive(Clone)]
pub enum TimeSource {
    /// The database server.
    Database,
    /// A clock of this process, for tests.
    Clock(Arc<dyn Clock>),
}

impl TimeSource {
    /// The argument of the SQL function `now_ms`: `None` for the time of the database.
    pub(crate) fn given(&self) -> Option<i64> {
        match self {
            Self::Database => None,
            Self::Clock(clock) => Some(clock.now().as_millisecond()),
        }
    }

    /// The time.
    pub(crate) async fn now(&self, db: &impl GenericClient) -> Result<Timestamp> {
        match self {
            Self::Clock(clock) => Ok(clock.now()),
            Self::Database => match row(db, "SELECT now_ms(NULL)", &[]).await? {
                Some(row) => time(&row, 0),
                None => Ok(Timestamp::now()),
            },
        }
    }
}
