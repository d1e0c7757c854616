//! Checks of the database.
//!
//! # Invariants
//!
//! - Checks read a row of every table and write a row of their own node, so that no node waits for another. Tests:
//!   `nodes_do_not_wait_for_each_others_checks`, `a_database_that_has_become_read_only_is_noticed`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aerie_domain::RequestId;
use aerie_storage::StoreError;
use aerie_storage::backend::milliseconds;
use deadpool_postgres::Client;
use jiff::Timestamp;

use crate::error::{Error, MAY_WRITE, Result};
use crate::pool::{execute, row};

/// The tables that the checks read.
const TABLES: [&str; 32] = [
    "answers",
    "api_keys",
    "bad_keys",
    "duties",
    "engine_time",
    "events",
    "failed_jobs",
    "job_counts",
    "job_progress",
    "jobs",
    "key_requests",
    "leftovers",
    "listing_jobs",
    "listing_uploads",
    "listings",
    "nodes",
    "operator_keys",
    "operator_sessions",
    "organizations",
    "packs",
    "quota_use",
    "review_events",
    "reviews",
    "secrets",
    "sessions",
    "share_links",
    "truth_pages",
    "upload_use",
    "uploads",
    "usage_events",
    "webhook_deliveries",
    "webhooks",
];

/// Pages that one statement of [`verify`] reads: 16 MiB.
const PAGES: i64 = 2048;

/// How long the row of a process that is gone stays.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// What the checks of a process write: a row of its own in `duties`. With one row for all, every process would wait for the
/// commits of all others, and where commits are slow, none would be ready.
pub(crate) struct Written {
    name: String,
    has_written: AtomicBool,
}

impl Default for Written {
    fn default() -> Self {
        Self { name: format!("written {}", RequestId::new(Timestamp::now())), has_written: AtomicBool::new(false) }
    }
}

/// Reads a row of every table in one statement, and writes: where a synchronous standby is missing, reads go on, and only a write shows
/// that jobs can no longer be accepted.
pub(crate) async fn check_use(client: &Client, written: &Written, given: Option<i64>) -> Result<()> {
    let each = TABLES.map(|table| format!("EXISTS (SELECT FROM {table})")).join(", ");
    let read = format!("SELECT current_setting('transaction_read_only')::boolean, {each}");
    let is_read_only = row(client, &read, &[]).await?.map_or(Ok(false), |row| row.try_get(0))?;
    if is_read_only {
        return Err(Error(StoreError::Unusable(format!("[store] url: the database is read-only; {MAY_WRITE}"))));
    }
    if !written.has_written.load(Ordering::Relaxed) {
        let forget = "DELETE FROM duties WHERE name IN (SELECT name FROM duties
                          WHERE starts_with(name, 'written ') AND expires_at < now_ms($1) - $2 FOR UPDATE SKIP LOCKED)";
        execute(client, forget, &[&given, &milliseconds(KEPT)]).await?;
    }
    let write = "INSERT INTO duties AS written (name, holder, expires_at) VALUES ($1, '', now_ms($2))
                 ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at + 1";
    execute(client, write, &[&written.name, &given]).await?;
    written.has_written.store(true, Ordering::Relaxed);
    Ok(())
}

/// Reads every page of every table, a few at a time. The server compares them with their checksums, if it keeps any
/// (`initdb --data-checksums`).
pub(crate) async fn verify(client: &Client) -> Result<()> {
    for table in TABLES {
        let size = format!("SELECT pg_relation_size('aerie.{table}') / current_setting('block_size')::bigint");
        let pages: i64 = client.query_one(&size, &[]).await?.try_get(0)?;
        let mut from = 0;
        while from < pages {
            let to = from + PAGES;
            let read = format!("SELECT count(*) FROM {table} WHERE ctid >= '({from},0)' AND ctid < '({to},0)'");
            client.query_one(&read, &[]).await?;
            from = to;
        }
    }
    Ok(())
}
