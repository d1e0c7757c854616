//! Makes a database equal to another one, table by table.
//!
//! A row in the table `migration` says that this is under way: until it is finished, no store opens the database, so that all
//! rows in it are those of the other database, and rows that differ may be replaced.

use std::collections::BTreeSet;
use std::pin::{Pin, pin};

use aerie_domain::{JobId, OrgId};
use aerie_storage::StoreError;
use aerie_storage::backend::transfer::{Column, Kind, Row, Table, Value};
use deadpool_postgres::Client;
use futures_util::TryStreamExt;
use jiff::Timestamp;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row as Found, RowStream};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::pool::{self, Pool};
use crate::url::{APPLICATION_NAME, PostgresUrl};
use crate::{access, migrations, rows};

/// Name of the connections, by which the server lists them.
const APPLICATION: &str = "aerie migrate";

/// Key of the advisory lock that the only migration into a database holds: "Migr".
const LOCK: i64 = 0x4d69_6772;

/// Statements run as long as they take. A migration that was just killed keeps its lock until the server has noticed.
const SETTINGS: &str =
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '20s'";

/// A database that becomes equal to another one.
pub struct Import {
    /// Reads rows while `writer` writes.
    reader: Client,
    writer: Client,
}

/// What is known about an earlier migration into the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Migration {
    /// There was none.
    None,
    /// It was interrupted.
    Unfinished,
    /// It ended at that time with that report.
    Finished(Timestamp, String),
}

impl Import {
    /// Opens the database, and upgrades its schema.
    ///
    /// # Errors
    /// As [`PostgresStore::open`](crate::PostgresStore::open), or when another migration writes to it.
    pub async fn open(url: &PostgresUrl) -> Result<Self, StoreError> {
        Ok(Self::connect(url).await?)
    }

    async fn connect(url: &PostgresUrl) -> Result<Self> {
        let mut url = url.clone();
        url.config.application_name(APPLICATION);
        let pool = Pool::new(&url, 2)?;
        migrations::migrate(&pool, migrations::MIGRATIONS).await?;
        let (reader, writer) = (pool.client().await?, pool.client().await?);
        access::check(&writer, &url).await?;
        reader.batch_execute(SETTINGS).await?;
        writer.batch_execute(SETTINGS).await?;
        // By the connection that writes: when a killed migration has lost its lock, it has also committed its last rows.
        match writer.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await {
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                Err(StoreError::Unusable("[store] url: another aerie migrate is writing to this database".to_owned())
                    .into())
            }
            locked => {
                locked?;
                Ok(Self { reader, writer })
            }
        }
    }

    /// What is known about an earlier migration into this database.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn migration(&self) -> Result<Migration, StoreError> {
        let found = pool::row(&self.writer, "SELECT finished_at, report FROM migration", &[]).await?;
        let Some(row) = found else { return Ok(Migration::None) };
        let finished = || Ok::<_, Error>((rows::time_or_none(&row, 0)?, row.try_get::<_, Option<String>>(1)?));
        let (at, report) = finished()?;
        Ok(at.map_or(Migration::Unfinished, |at| Migration::Finished(at, report.unwrap_or_default())))
    }

    /// Ids and names of the organizations that the database has.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn organizations(&self) -> Result<Vec<(OrgId, String)>, StoreError> {
        let found = pool::rows(&self.writer, "SELECT id, name FROM organizations ORDER BY id", &[]).await?;
        let organization = |row: &Found| Ok::<_, Error>((OrgId(row.try_get(0)?), row.try_get(1)?));
        Ok(found.iter().map(organization).collect::<Result<_>>()?)
    }

    /// Number of rows of a table, counted by the server.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count(&self, table: &Table) -> Result<u64, StoreError> {
        let found = pool::row(&self.reader, &format!("SELECT count(*) FROM {}", table.name), &[]).await?;
        Ok(found.map_or(Ok(0), |row| rows::number(&row, 0))?)
    }

    /// Begins a migration, or continues one that was interrupted.
    ///
    /// # Errors
    /// When servers or workers have the database open, or it fails.
    pub async fn begin(&self) -> Result<(), StoreError> {
        let begin = "INSERT INTO migration (started_at) VALUES (now_ms(NULL)) ON CONFLICT DO NOTHING";
        let is_new = pool::execute(&self.writer, begin, &[]).await? > 0;
        // From here on, no other process can open it.
        let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                          AND starts_with(application_name, $1) AND application_name <> $2";
        let others: i64 = match pool::row(&self.writer, others, &[&APPLICATION_NAME, &APPLICATION]).await? {
            Some(row) => row.try_get(0).map_err(Error::from)?,
            None => 0,
        };
        if others == 0 {
            return Ok(());
        }
        if is_new {
            pool::execute(&self.writer, "DELETE FROM migration", &[]).await?;
        }
        let text = format!(
            "[store] url: Aerie is already using this database ({others} connections): stop its servers and workers"
        );
        Err(StoreError::Unusable(text))
    }

    /// The rows of a table as they are now, in the order of their keys.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rows(&self, table: &'static Table) -> Result<TableRows, StoreError> {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        let order = table.columns[..table.key].iter().map(|column| match column.kind {
            Kind::Text => format!("{} COLLATE \"C\"", column.name),
            _ => column.name.to_owned(),
        });
        let order = order.collect::<Vec<_>>().join(", ");
        let statement = format!("SELECT {} FROM {} ORDER BY {order}", columns.join(", "), table.name);
        let found = self.reader.query_raw(&statement, std::iter::empty::<&(dyn ToSql + Sync)>()).await;
        Ok(TableRows { table, found: Box::pin(found.map_err(Error::from)?) })
    }

    /// Deletes the rows with the keys of `outdated` and inserts `rows`, in one transaction; rows with a key of both are updated,
    /// because others may refer to them.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn replace(&mut self, table: &Table, outdated: &[Row], rows: &[Row]) -> Result<(), StoreError> {
        Ok(self.write(table, outdated, rows).await?)
    }

    async fn write(&mut self, table: &Table, outdated: &[Row], rows: &[Row]) -> Result<()> {
        let keys = |rows: &[Row]| rows.iter().map(|row| row.key(table).to_vec()).collect::<BTreeSet<_>>();
        let (known, wanted) = (keys(outdated), keys(rows));
        let (updated, rows): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| known.contains(row.key(table)));
        let deleted = outdated.iter().filter(|row| !wanted.contains(row.key(table)));
        let (key, rest) = table.columns.split_at(table.key);
        let equal = |from: usize, columns: &[Column], between: &str| {
            let each = columns.iter().enumerate().map(|(at, column)| format!("{} = ${}", column.name, from + at));
            each.collect::<Vec<_>>().join(between)
        };
        let condition = equal(1, key, " AND ");
        let transaction = self.writer.transaction().await?;
        for row in deleted {
            let delete = format!("DELETE FROM {} WHERE {condition}", table.name);
            pool::execute(&transaction, &delete, &parameters(key, row.key(table))).await?;
        }
        for row in updated {
            let update = format!("UPDATE {} SET {} WHERE {condition}", table.name, equal(table.key + 1, rest, ", "));
            pool::execute(&transaction, &update, &parameters(table.columns, &row.0)).await?;
        }
        if !rows.is_empty() {
            let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
            let types: Vec<Type> = table.columns.iter().map(|column| database_type(column.kind)).collect();
            let copy = format!("COPY {} ({}) FROM STDIN BINARY", table.name, columns.join(", "));
            let mut copy = pin!(BinaryCopyInWriter::new(transaction.copy_in(&copy).await?, &types));
            for row in rows {
                copy.as_mut().write(&parameters(table.columns, &row.0)).await?;
            }
            copy.finish().await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Fails if the counts of jobs by status, which the database maintains itself, are not those of its jobs.
    ///
    /// # Errors
    /// That, or that the database fails.
    pub async fn check_counts(&self) -> Result<(), StoreError> {
        let statement = "SELECT count(*) FROM
                             (SELECT org_id, job_type, status, count(*) AS jobs FROM jobs GROUP BY 1, 2, 3) AS found
                             FULL JOIN (SELECT * FROM job_counts WHERE jobs <> 0) AS counted
                                 USING (org_id, job_type, status)
                         WHERE found.jobs IS DISTINCT FROM counted.jobs";
        let row = pool::row(&self.writer, statement, &[]).await?;
        match row.map(|row| row.try_get::<_, i64>(0)).transpose().map_err(Error::from)? {
            Some(0) => Ok(()),
            wrong => Err(StoreError::Backend(format!("{} rows of job_counts are wrong", wrong.unwrap_or_default()))),
        }
    }

    /// The last job whose media, and those of all jobs before it, were copied to this place and verified.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn media_verified(&self, place: &str) -> Result<Option<JobId>, StoreError> {
        let found = pool::row(&self.writer, "SELECT media_verified FROM migration WHERE media = $1", &[&place]).await?;
        let id: Option<Uuid> = match found {
            Some(row) => row.try_get(0).map_err(Error::from)?,
            None => None,
        };
        Ok(id.map(JobId))
    }

    /// Records that the media of the jobs up to this one were copied to this place and verified.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn media_verified_to(&self, place: &str, job: JobId) -> Result<(), StoreError> {
        let update = "UPDATE migration SET media = $1, media_verified = $2";
        pool::execute(&self.writer, update, &[&place, &job.0]).await?;
        Ok(())
    }

    /// Whether the job or upload is still there and keeps its media.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keeps_media(&self, job: JobId) -> Result<bool, StoreError> {
        let statement = "SELECT 1 FROM jobs WHERE id = $1 AND expired_at IS NULL
                         UNION ALL SELECT 1 FROM uploads WHERE id = $1
                         UNION ALL SELECT 1 FROM truth_pages WHERE id = $1 AND erased_at IS NULL";
        Ok(pool::row(&self.writer, statement, &[&job.0]).await?.is_some())
    }

    /// Replaces the report of a migration that has finished.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn correct_report(&self, report: &str) -> Result<(), StoreError> {
        pool::execute(&self.writer, "UPDATE migration SET report = $1", &[&report]).await?;
        Ok(())
    }

    /// Ends the migration: from now on, stores can open the database.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish(&self, report: &str) -> Result<(), StoreError> {
        // Plans for tables that were empty a moment ago would be bad ones.
        self.writer
            .batch_execute(
                "ANALYZE organizations, api_keys, jobs, job_counts, usage_events, answers, listings, listing_jobs",
            )
            .await
            .map_err(Error::from)?;
        let update = "UPDATE migration SET finished_at = now_ms(NULL), report = $1";
        pool::execute(&self.writer, update, &[&report]).await?;
        Ok(())
    }
}

/// Rows of a table, one after the other.
pub struct TableRows {
    table: &'static Table,
    found: Pin<Box<RowStream>>,
}

impl TableRows {
    /// The next row.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&mut self) -> Result<Option<Row>, StoreError> {
        let Some(found) = self.found.try_next().await.map_err(Error::from)? else { return Ok(None) };
        let values = self.table.columns.iter().enumerate().map(|(at, column)| value(&found, at, column.kind));
        Ok(Some(Row(values.collect::<Result<_>>()?)))
    }
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

fn parameters<'a>(columns: &[Column], values: &'a [Value]) -> Vec<&'a (dyn ToSql + Sync)> {
    columns.iter().zip(values).map(|(column, value)| parameter(column.kind, value)).collect()
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
