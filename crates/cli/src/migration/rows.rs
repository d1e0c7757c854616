//! Rows: copied table by table, then read back and compared.

use aerie_storage::StoreError;
use aerie_storage::backend::transfer::{Checksum, TABLES};
use aerie_storage_postgres::Import;
use aerie_storage_sqlite::Export;
use anyhow::{anyhow, ensure};
use futures_util::TryStreamExt;
use serde::Serialize;

use crate::migration::progress::Progress;

/// Rows that are read and written at once.
const BATCH: u32 = 2000;

/// A table whose rows are the same in source and target.
#[derive(Debug, Serialize)]
pub(crate) struct TableReport {
    pub(crate) table: &'static str,
    pub(crate) rows: u64,
    /// SHA-256 of the rows in the order of their keys, in hexadecimal digits.
    pub(crate) sha256: String,
}

/// Copies all rows of the source, and compares them.
pub(crate) async fn copy_rows(from: &Export, to: &Import, progress: &Progress) -> anyhow::Result<Vec<TableReport>> {
    for table in TABLES {
        progress.begin(&format!("{}: copying", table.name), from.count(table)?);
        let mut batch = from.rows_after(table, None, BATCH)?;
        while let Some(last) = batch.last() {
            to.copy(table, &batch).await.map_err(|e| of_target(e).context(format!("{}: cannot write", table.name)))?;
            progress.advance(batch.len() as u64)?;
            batch = from.rows_after(table, Some(last), BATCH)?;
        }
    }
    compare_rows(from, to, progress).await?.map_err(|why| anyhow!(why))
}

/// Compares all rows of source and target; the inner error names the first one that differs.
pub(crate) async fn compare_rows(
    from: &Export,
    to: &Import,
    progress: &Progress,
) -> anyhow::Result<Result<Vec<TableReport>, String>> {
    let mut reports = Vec::new();
    for table in TABLES {
        let (name, counted) = (table.name, from.count(table)?);
        progress.begin(&format!("{name}: verifying"), counted);
        let mut checksum = Checksum::default();
        let mut theirs = to.rows(table).await.map_err(of_target)?;
        let mut batch = from.rows_after(table, None, BATCH)?;
        while let Some(last) = batch.last() {
            for ours in &batch {
                if theirs.try_next().await.map_err(of_target)?.as_ref() != Some(ours) {
                    let key = ours.describe_key(table);
                    return Ok(Err(format!("{name}: source and target differ from the row {key} on")));
                }
                checksum.add(ours);
            }
            progress.advance(batch.len() as u64)?;
            batch = from.rows_after(table, Some(last), BATCH)?;
        }
        if theirs.try_next().await.map_err(of_target)?.is_some() {
            return Ok(Err(format!("{name}: the target has more rows than the source")));
        }
        let (rows, sha256) = checksum.finish();
        // Counted in another way than batch by batch.
        ensure!(counted == rows, "{name}: {rows} rows were compared, but the source has {counted}");
        progress.note(&format!("{name}: {rows} rows are the same in source and target"));
        reports.push(TableReport { table: name, rows, sha256 });
    }
    Ok(Ok(reports))
}

/// An error of the target, with the option to correct instead of the configuration's key.
pub(crate) fn of_target(error: StoreError) -> anyhow::Error {
    anyhow!("{}", error.to_string().replace("[store] url", "--to"))
}
