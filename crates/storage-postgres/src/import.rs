//! Fills a database with the rows of another one, in one transaction: the database has all of them or none.
//!
//! # Invariants
//!
//! - Nobody else writes to the database while rows are copied, and one import runs at a time. Tests:
//!   `one_import_at_a_time_fills_a_database_that_nobody_else_uses`, `rows_are_there_after_the_commit_and_nobody_writes_before_it`.

use std::pin::pin;

use aerie_storage::StoreError;
use aerie_storage::backend::transfer::{Column, Kind, Row, TABLES, Table, Value};
use deadpool_postgres::Client;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tokio_postgres::Row as Found;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::pool::Pool;
use crate::url::{APPLICATION_NAME, PostgresUrl};
use crate::{access, migrations, pooling};

/// Name of the connection, by which the server lists it.
const APPLICATION: &str = "aerie migrate";

/// Key of the advisory lock that the only migration into a database holds: "Migr".
const LOCK: i64 = 0x4d69_6772;

/// Settings of the connection: statements and the pauses between them take as long as they take.
const SETTINGS: &str =
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0";

/// A table that servers fill at their first start: its rows are replaced.
const SECRETS: &str = "secrets";

/// A database that gets the rows of another one. Dropped before [`Import::commit`], it is left as it was.
pub struct Import {
    client: Client,
}

impl Import {
    /// Opens the database, and upgrades its schema.
    ///
    /// # Errors
    /// As [`PostgresStore::open`](crate::PostgresStore::open), or when a server, a worker or another migration uses the database.
    pub async fn open(url: &PostgresUrl) -> Result<Self, StoreError> {
        let mut url = url.clone();
        url.config.application_name(APPLICATION);
        pooling::check(&url).await?;
        let pool = Pool::new(&url, 1)?;
        migrations::migrate(&pool, migrations::MIGRATIONS).await?;
        let client = pool.client().await?;
        access::check(&client, &url).await?;
        client.batch_execute(SETTINGS).await.map_err(Error::from)?;
        // Waits, because one that was just killed keeps its lock until the server has noticed.
        match client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await {
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                return Err(unusable("another aerie migrate is writing to this database").into());
            }
            locked => locked.map_err(Error::from)?,
        };
        let import = Self { client };
        import.refuse_users().await?;
        Ok(import)
    }

    async fn refuse_users(&self) -> Result<()> {
        let others = format!(
            "EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                 AND starts_with(application_name, '{APPLICATION_NAME}') AND application_name <> '{APPLICATION}')"
        );
        match self.holds(&others).await? {
            true => Err(unusable("Aerie is already using this database: stop its servers and workers")),
            false => Ok(()),
        }
    }

    async fn holds(&self, condition: &str) -> Result<bool> {
        Ok(self.client.query_one(&format!("SELECT {condition}"), &[]).await?.try_get(0)?)
    }

    /// Returns whether the tables have no rows, except those that a server writes at its first start.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        let tables = TABLES.iter().filter(|table| table.name != SECRETS);
        let rows = tables.map(|table| format!("EXISTS (SELECT FROM {})", table.name)).collect::<Vec<_>>().join(" OR ");
        Ok(self.holds(&format!("NOT ({rows})")).await?)
    }

    /// Begins the transaction. Until it ends, no other process can write to the tables.
    ///
    /// # Errors
    /// When the database is not empty or is used, or fails.
    pub async fn begin(&self) -> Result<(), StoreError> {
        // With this setting, triggers take no notice of the rows: nothing happens to these jobs, and nobody has just reviewed.
        let begin = format!(
            "BEGIN; SET LOCAL aerie.migration = 'on'; LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE; DELETE FROM {SECRETS}",
            names()
        );
        self.client.batch_execute(&begin).await.map_err(Error::from)?;
        self.refuse_users().await?;
        match self.is_empty().await? {
            true => Ok(()),
            false => Err(unusable("the database has got rows during the migration: name an empty database").into()),
        }
    }

    /// Adds rows to a table.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn copy(&self, table: &Table, rows: &[Row]) -> Result<(), StoreError> {
        let types: Vec<Type> = table.columns.iter().map(|column| database_type(column.kind)).collect();
        let copy = format!("COPY {} ({}) FROM STDIN BINARY", table.name, list(table.columns, ""));
        let copy = self.client.copy_in(&copy).await.map_err(Error::from)?;
        let mut copy = pin!(BinaryCopyInWriter::new(copy, &types));
        for row in rows {
            let values = table.columns.iter().zip(&row.0).map(|(column, value)| parameter(column.kind, value));
            copy.as_mut().write(&values.collect::<Vec<_>>()).await.map_err(Error::from)?;
        }
        copy.finish().await.map_err(Error::from)?;
        Ok(())
    }

    /// The rows of a table, in the order of their keys.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rows(&self, table: &'static Table) -> Result<BoxStream<'static, Result<Row, StoreError>>, StoreError> {
        let (columns, order) = (list(table.columns, ""), list(&table.columns[..table.key], " COLLATE \"C\""));
        let statement = format!("SELECT {columns} FROM {} ORDER BY {order}", table.name);
        let found = self.client.query_raw(&statement, std::iter::empty::<&(dyn ToSql + Sync)>()).await;
        let row = move |found: Found| {
            let values = table.columns.iter().enumerate().map(|(at, column)| value(&found, at, column.kind));
            Ok(Row(values.collect::<Result<_>>()?))
        };
        Ok(found.map_err(Error::from)?.map(move |found| row(found.map_err(Error::from)?)).boxed())
    }

    /// Counts jobs by status, as triggers do for other writers, and commits the transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn commit(&self) -> Result<(), StoreError> {
        // Plans for tables that were empty a moment ago would be bad ones.
        let commit = format!(
            "INSERT INTO job_counts (org_id, job_type, status, jobs)
                 SELECT org_id, job_type, status, count(*) FROM jobs GROUP BY org_id, job_type, status;
             ANALYZE {}, job_counts; COMMIT",
            names()
        );
        Ok(self.client.batch_execute(&commit).await.map_err(Error::from)?)
    }
}

fn unusable(why: &str) -> Error {
    StoreError::Unusable(format!("[store] url: {why}")).into()
}

/// The names of all tables that are filled.
fn names() -> String {
    TABLES.iter().map(|table| table.name).collect::<Vec<_>>().join(", ")
}

/// Columns, separated by commas, with a suffix for texts.
fn list(columns: &[Column], of_texts: &str) -> String {
    let each = columns.iter().map(|Column { name, kind }| match kind {
        Kind::Text => format!("{name}{of_texts}"),
        _ => (*name).to_owned(),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn database_type(kind: Kind) -> Type {
    match kind {
        Kind::Uuid => Type::UUID,
        Kind::Text => Type::TEXT,
        Kind::Integer => Type::INT8,
        Kind::Boolean => Type::BOOL,
        Kind::Bytes => Type::BYTEA,
    }
}

fn parameter(kind: Kind, value: &Value) -> &(dyn ToSql + Sync) {
    match (value, kind) {
        (Value::Null, Kind::Uuid) => &None::<Uuid>,
        (Value::Null, Kind::Text) => &None::<&str>,
        (Value::Null, Kind::Integer) => &None::<i64>,
        (Value::Null, Kind::Boolean) => &None::<bool>,
        (Value::Null, Kind::Bytes) => &None::<&[u8]>,
        (Value::Uuid(id), _) => id,
        (Value::Text(text), _) => text,
        (Value::Integer(number), _) => number,
        (Value::Boolean(yes), _) => yes,
        (Value::Bytes(bytes), _) => bytes,
    }
}

fn value(row: &Found, at: usize, kind: Kind) -> Result<Value> {
    Ok(match kind {
        Kind::Uuid => row.try_get::<_, Option<Uuid>>(at)?.map(Value::Uuid),
        Kind::Text => row.try_get::<_, Option<String>>(at)?.map(Value::Text),
        Kind::Integer => row.try_get::<_, Option<i64>>(at)?.map(Value::Integer),
        Kind::Boolean => row.try_get::<_, Option<bool>>(at)?.map(Value::Boolean),
        Kind::Bytes => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Value::Bytes),
    }
    .unwrap_or(Value::Null))
}
