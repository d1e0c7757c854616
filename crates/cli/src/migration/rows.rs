//! Rows: what the source has is written to the target until both have the same, and then compared once more.

use std::collections::VecDeque;

use aerie_storage::backend::transfer::{Checksum, Row, Table};
use aerie_storage_postgres::{Import, TableRows};
use aerie_storage_sqlite::Export;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::interrupt::Interrupt;
use crate::migration::progress::Progress;
use crate::migration::target::of_target;

/// Rows that are read from the source, and written in one transaction, at once.
const BATCH: u32 = 2000;

/// A table whose rows are the same in source and target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableReport {
    pub(crate) table: String,
    pub(crate) rows: u64,
    /// SHA-256 of the rows in the order of their keys, in hexadecimal digits.
    pub(crate) sha256: String,
}

/// Makes the rows of a table in the target those of the source; returns how many were written. Rows that are there already, from
/// a migration that was interrupted, are only compared.
pub(crate) async fn copy_rows(
    source: &Export,
    target: &mut Import,
    table: &'static Table,
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<u64> {
    progress.begin(&format!("{}: copying", table.name), source.count(table)?);
    let mut pairs = Pairs::new(source, target, table).await?;
    let (mut outdated, mut rows, mut written, mut ended) = (Vec::new(), Vec::new(), 0, false);
    while !ended {
        interrupt.check()?;
        for _ in 0..BATCH {
            match pairs.next().await? {
                None => ended = true,
                Some(Pair { ours, theirs }) if ours == theirs => {}
                Some(Pair { ours, theirs }) => {
                    outdated.extend(theirs);
                    rows.extend(ours);
                }
            }
            if ended {
                break;
            }
            progress.advance(1);
        }
        if !(rows.is_empty() && outdated.is_empty()) {
            written += rows.len() as u64;
            target
                .replace(table, &outdated, &rows)
                .await
                .map_err(of_target)
                .with_context(|| format!("cannot write the table {}", table.name))?;
            outdated.clear();
            rows.clear();
        }
    }
    Ok(written)
}

/// Compares all rows of a table in source and target.
///
/// # Errors
/// The first row that differs.
pub(crate) async fn verify_rows(
    source: &Export,
    target: &Import,
    table: &'static Table,
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<TableReport> {
    progress.begin(&format!("{}: verifying", table.name), source.count(table)?);
    let mut pairs = Pairs::new(source, target, table).await?;
    let (mut ours, mut theirs) = (Checksum::default(), Checksum::default());
    let mut number: u32 = 0;
    while let Some(pair) = pairs.next().await? {
        if number.is_multiple_of(BATCH) {
            interrupt.check()?;
        }
        number = number.wrapping_add(1);
        match (&pair.ours, &pair.theirs) {
            (Some(our), Some(their)) if our == their => {
                ours.add(our);
                theirs.add(their);
            }
            (Some(row), None) => bail!("{}: the target lacks the row {}", table.name, row.describe_key(table)),
            (None, Some(row)) => {
                bail!("{}: the target has a row that the source lacks, {}", table.name, row.describe_key(table))
            }
            (Some(row), _) => bail!("{}: the row {} differs in the target", table.name, row.describe_key(table)),
            (None, None) => {}
        }
        progress.advance(1);
    }
    let ((rows, sha256), other) = (ours.finish(), theirs.finish());
    ensure!((rows, &sha256) == (other.0, &other.1), "{}: the checksums of source and target differ", table.name);
    // Read in another way than page by page.
    let counts = (source.count(table)?, target.count(table).await.map_err(of_target)?);
    ensure!(
        counts == (rows, rows),
        "{}: {rows} rows were compared, but the source has {} and the target {}",
        table.name,
        counts.0,
        counts.1
    );
    Ok(TableReport { table: table.name.to_owned(), rows, sha256 })
}

/// Number and checksum of the rows of a table in the source.
pub(crate) fn sum_rows(
    source: &Export,
    table: &'static Table,
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<TableReport> {
    progress.begin(&format!("{}: reading", table.name), source.count(table)?);
    let (mut batches, mut checksum) = (Batches::new(source, table), Checksum::default());
    while let Some(row) = batches.next()? {
        if batches.rows.is_empty() {
            interrupt.check()?;
        }
        checksum.add(&row);
        progress.advance(1);
    }
    let (rows, sha256) = checksum.finish();
    Ok(TableReport { table: table.name.to_owned(), rows, sha256 })
}

/// Rows with the same key, of which one may be missing.
struct Pair {
    ours: Option<Row>,
    theirs: Option<Row>,
}

/// The rows of source and target, side by side in the order of their keys.
struct Pairs<'a> {
    table: &'static Table,
    source: Batches<'a>,
    target: TableRows,
    ahead: Option<Row>,
}

impl<'a> Pairs<'a> {
    async fn new(source: &'a Export, target: &Import, table: &'static Table) -> anyhow::Result<Self> {
        let context = || format!("cannot read the table {} of the target", table.name);
        let mut target = target.rows(table).await.map_err(of_target).with_context(context)?;
        let ahead = target.next().await.map_err(of_target).with_context(context)?;
        Ok(Self { table, source: Batches::new(source, table), target, ahead })
    }

    async fn next(&mut self) -> anyhow::Result<Option<Pair>> {
        let ours = self.source.peek()?.map(|row| row.key(self.table));
        let theirs = self.ahead.as_ref().map(|row| row.key(self.table));
        let (takes_ours, takes_theirs) = match (ours, theirs) {
            (None, None) => return Ok(None),
            (Some(_), None) => (true, false),
            (None, Some(_)) => (false, true),
            (Some(ours), Some(theirs)) => (ours <= theirs, theirs <= ours),
        };
        let ours = if takes_ours { self.source.next()? } else { None };
        let theirs = match takes_theirs {
            true => std::mem::replace(&mut self.ahead, self.target.next().await.map_err(of_target)?),
            false => None,
        };
        Ok(Some(Pair { ours, theirs }))
    }
}

/// The rows of the source, read in batches.
struct Batches<'a> {
    source: &'a Export,
    table: &'static Table,
    rows: VecDeque<Row>,
    last: Option<Row>,
    is_done: bool,
}

impl<'a> Batches<'a> {
    fn new(source: &'a Export, table: &'static Table) -> Self {
        Self { source, table, rows: VecDeque::new(), last: None, is_done: false }
    }

    fn peek(&mut self) -> anyhow::Result<Option<&Row>> {
        if self.rows.is_empty() && !self.is_done {
            self.rows = self.source.rows_after(self.table, self.last.as_ref(), BATCH)?.into();
            self.last = self.rows.back().cloned();
            self.is_done = self.rows.is_empty();
        }
        Ok(self.rows.front())
    }

    fn next(&mut self) -> anyhow::Result<Option<Row>> {
        self.peek()?;
        Ok(self.rows.pop_front())
    }
}
