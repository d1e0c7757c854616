//! Checks of the database.

use deadpool_postgres::Client;

use crate::error::Result;
use crate::pool::{execute, row};

/// The tables that the checks read.
const TABLES: [&str; 16] = [
    "answers",
    "api_keys",
    "bad_keys",
    "duties",
    "engine_time",
    "failed_jobs",
    "job_counts",
    "jobs",
    "key_requests",
    "leftovers",
    "nodes",
    "organizations",
    "packs",
    "quota_use",
    "secrets",
    "usage_events",
];

/// Pages that one statement of [`verify`] reads: 16 MiB.
const PAGES: i64 = 2048;

/// Reads a row of every table, and writes.
pub(crate) async fn check_use(client: &Client, given: Option<i64>) -> Result<()> {
    for table in TABLES {
        row(client, &format!("SELECT 1 FROM {table} LIMIT 1"), &[]).await?;
    }
    let write = "INSERT INTO duties AS written (name, holder, expires_at) VALUES ('written', '', now_ms($1))
                 ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at + 1";
    execute(client, write, &[&given]).await?;
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
