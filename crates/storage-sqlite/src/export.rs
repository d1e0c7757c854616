//! Reads a database that nobody uses, table by table, for another backend. Nothing is written to it.

use std::collections::BTreeSet;
use std::path::Path;

use aerie_domain::JobId;
use aerie_storage::StoreError;
use aerie_storage::backend::transfer::{Kind, Row, Table, Value};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use uuid::Uuid;

use crate::error::Result;
use crate::rows::{json, parsed};
use crate::{backup, integrity, migrations};

/// One snapshot of a database.
pub struct Export {
    db: Connection,
}

impl Export {
    /// Opens a database with the current schema that no process has open, and checks it for damage.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, belongs to another program, or has another schema.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Ok(Self::open_file(file)?)
    }

    fn open_file(file: &Path) -> Result<Self> {
        let db = connect(file)?;
        migrations::check_current(&db, &file.display().to_string())?;
        // Everything is read in this transaction: one snapshot.
        db.execute_batch("BEGIN")?;
        integrity::quick_check(&db)?;
        Ok(Self { db })
    }

    /// Number of rows of a table.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn count(&self, table: &Table) -> Result<u64, StoreError> {
        let rows = || -> Result<i64> {
            Ok(self.db.query_row(&format!("SELECT count(*) FROM {}", table.name), [], |row| row.get(0))?)
        };
        Ok(u64::try_from(rows()?).unwrap_or(0))
    }

    /// The next rows of a table, at most `limit`, after the row `after`; in the order of their keys.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn rows_after(&self, table: &Table, after: Option<&Row>, limit: u32) -> Result<Vec<Row>, StoreError> {
        Ok(self.read_after(table, after, limit)?)
    }

    fn read_after(&self, table: &Table, after: Option<&Row>, limit: u32) -> Result<Vec<Row>> {
        let columns: Vec<&str> = table.columns.iter().map(|column| own_column(table, column.name)).collect();
        let key = table.columns[..table.key].iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
        let parameters = vec!["?"; table.key].join(", ");
        let condition = if after.is_some() { format!("WHERE ({key}) > ({parameters})") } else { String::new() };
        let statement =
            format!("SELECT {} FROM {} {condition} ORDER BY {key} LIMIT {limit}", columns.join(", "), table.name);
        let values = after.map_or(&[][..], |row| row.key(table)).iter().map(parameter);
        let mut statement = self.db.prepare_cached(&statement)?;
        let mut found = statement.query(params_from_iter(values))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let values = table.columns.iter().enumerate().map(|(at, column)| {
                let found = row.get_ref(at).map_err(|error| error.to_string())?;
                value(found, column.kind).map_err(|why| format!("{}: {why}", column.name))
            });
            rows.push(Row(values
                .collect::<Result<_, String>>()
                .map_err(|why| StoreError::Backend(format!("the table {} has a malformed row: {why}", table.name)))?));
        }
        Ok(rows)
    }

    /// The next jobs, uploads and truth pages, at most `limit`, after the one with the id `after`, that have media which have not expired, with
    /// their keys.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn media_after(&self, after: Option<JobId>, limit: u32) -> Result<Vec<(JobId, BTreeSet<String>)>, StoreError> {
        Ok(self.read_media_after(after, limit)?)
    }

    fn read_media_after(&self, after: Option<JobId>, limit: u32) -> Result<Vec<(JobId, BTreeSet<String>)>> {
        let statement = format!("{} ORDER BY id LIMIT ?2", backup::media_statement("id > ?1"));
        let mut statement = self.db.prepare_cached(&statement)?;
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let found = statement.query_map((after, limit), |row| Ok((parsed(row, 0)?, json(row, 1)?)))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}

/// Opens the database so that not even its side files change, if it was closed by the last process that used it. Otherwise its
/// last changes are in its `-wal` file, and SQLite may create a `-shm` file to read that.
fn connect(file: &Path) -> Result<Connection> {
    let text = file.to_str().ok_or_else(|| StoreError::Backend(format!("{} is not UTF-8", file.display())))?;
    let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let is_closed = std::fs::metadata(format!("{text}-wal")).map_or(true, |wal| wal.len() == 0);
    let immutable = if is_closed { "?immutable=1" } else { "" };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(format!("file:{escaped}{immutable}"), flags)?;
    db.pragma_update(None, "cell_size_check", true)?;
    Ok(db)
}

/// What this backend reads for a column.
fn own_column(table: &Table, column: &'static str) -> &'static str {
    match (table.name, column) {
        // The own column of this name has the value in SQL; this is JSON as it was submitted.
        ("jobs", "listing") => "nullif(input -> '$.options.listing_id', 'null')",
        _ => column,
    }
}

fn parameter(value: &Value) -> rusqlite::types::Value {
    match value {
        Value::Null => rusqlite::types::Value::Null,
        Value::Uuid(id) => id.to_string().into(),
        Value::Text(text) => text.clone().into(),
        Value::Integer(number) => (*number).into(),
        Value::Boolean(yes) => i64::from(*yes).into(),
        Value::Bytes(bytes) => bytes.clone().into(),
    }
}

fn value(found: ValueRef<'_>, kind: Kind) -> Result<Value, String> {
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| error.to_string());
    match (kind, found) {
        (_, ValueRef::Null) => Ok(Value::Null),
        (Kind::Uuid, ValueRef::Text(id)) => {
            Uuid::try_parse(&text(id)?).map(Value::Uuid).map_err(|error| error.to_string())
        }
        (Kind::Text, ValueRef::Text(found)) => Ok(Value::Text(text(found)?)),
        (Kind::Integer, ValueRef::Integer(number)) => Ok(Value::Integer(number)),
        (Kind::Boolean, ValueRef::Integer(number)) => Ok(Value::Boolean(number != 0)),
        (Kind::Bytes, ValueRef::Blob(bytes)) => Ok(Value::Bytes(bytes.to_vec())),
        (kind, found) => Err(format!("{:?} instead of {kind:?}", found.data_type())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use aerie_domain::{JobInput, JobType, RequestId, SystemClock, UploadId};
    use aerie_storage::backend::transfer::TABLES;
    use aerie_storage::{
        JobQueue, NewJob, NewUpload, TenantStore, UploadLimits, UploadPart, UploadStore, UploadedPhoto,
    };
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::SqliteStore;

    /// A closed database with an organization and so many jobs.
    async fn database(file: &Path, jobs: usize) {
        let store = SqliteStore::open(file, Arc::new(SystemClock)).unwrap();
        let org_id = store.org_create("Acme", "starter").await.unwrap().id;
        for number in 0..jobs {
            let body = json!({"image_url": "u", "options": {"listing_id": format!("\"{number}é")}});
            let job = NewJob {
                id: JobId::new(Timestamp::now()),
                org_id,
                input: JobInput::from_body(JobType::ImageEnhance, &body).unwrap(),
                input_media: [("/image_url".to_owned(), format!("{number}.jpg"))].into(),
                parent_id: None,
                unit_price_cents: 1,
                request_id: RequestId::new(Timestamp::UNIX_EPOCH),
                idempotency_key: None,
                limits: Default::default(),
            };
            store.job_submit(job).await.unwrap().unwrap();
        }
    }

    fn table(name: &str) -> &'static Table {
        TABLES.iter().find(|table| table.name == name).unwrap()
    }

    #[tokio::test]
    async fn rows_are_read_in_batches_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        database(&file, 25).await;
        let before = std::fs::read(&file).unwrap();
        let export = Export::open(&file).unwrap();
        for table in TABLES {
            let all = export.rows_after(table, None, 1000).unwrap();
            assert_eq!(all.len() as u64, export.count(table).unwrap(), "{}", table.name);
            assert!(all.is_sorted_by(|a, b| a.key(table) < b.key(table)), "{}", table.name);
            let mut batches = Vec::new();
            loop {
                let next = export.rows_after(table, batches.last(), 7).unwrap();
                if next.is_empty() {
                    break;
                }
                batches.extend(next);
            }
            assert_eq!(batches, all, "{}", table.name);
        }
        let jobs = export.rows_after(table("jobs"), None, 1000).unwrap();
        let listing = table("jobs").columns.iter().position(|column| column.name == "listing").unwrap();
        assert_eq!((jobs.len(), &jobs[3].0[listing]), (25, &Value::Text("\"\\\"3é\"".into())));
        let media = export.media_after(None, 20).unwrap();
        let rest = export.media_after(media.last().map(|(id, _)| *id), 20).unwrap();
        assert_eq!((media.len(), rest.len(), rest[0].1.first().unwrap().as_str()), (20, 5, "20.jpg"));
        drop(export);
        assert_eq!(std::fs::read(&file).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no side files");
    }

    #[tokio::test]
    async fn files_of_uploads_move_once_whether_they_are_complete_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let store = SqliteStore::open(&file, Arc::new(SystemClock)).unwrap();
        let org_id = store.org_create("Acme", "starter").await.unwrap().id;
        let (week, limits) =
            (Duration::from_secs(7 * 24 * 3600), UploadLimits { bytes_per_month: None, incomplete: 10 });
        let begin = async || {
            let new = NewUpload { id: UploadId::new(Timestamp::now()), org_id, size: 10, name: None };
            store.upload_create(new, limits, week).await.unwrap().unwrap().id
        };
        let (first, equal, partial) = (begin().await, begin().await, begin().await);
        for id in [first, equal] {
            let photo = UploadedPhoto { sha256: [1; 32], extension: "jpg".into(), width: 1, height: 1 };
            store.upload_complete(org_id, id, photo, week).await.unwrap().unwrap();
        }
        let part = UploadPart { key: "a/b/part-0".into(), offset: 0, size: 5 };
        store.upload_append(org_id, partial, part, week).await.unwrap().unwrap();
        begin().await;
        drop(store);
        let found = Export::open(&file).unwrap().media_after(None, 10).unwrap();
        let keys: Vec<_> = found.iter().map(|(id, keys)| (id.0, keys.iter().map(String::as_str).collect())).collect();
        let photo = format!("{org_id}/{first}/photo.jpg");
        assert_eq!(keys, [(first.0, vec![photo.as_str()]), (partial.0, vec!["a/b/part-0"])]);
        let rest = Export::open(&file).unwrap().media_after(Some(found[0].0), 10).unwrap();
        assert_eq!(rest, found[1..]);
    }

    /// What the new database counts itself, what only processes of the old one use, and what the operator publishes again.
    const STAY: [&str; 9] =
        ["duties", "events", "job_counts", "job_progress", "nodes", "operator_sessions", "packs", "sessions", "turns"];

    #[tokio::test]
    async fn every_column_moves_unless_its_table_is_known_to_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        database(&file, 0).await;
        let found: Vec<(String, String)> = Connection::open(&file)
            .unwrap()
            .prepare(
                "SELECT own.name, columns.name FROM sqlite_schema AS own, pragma_table_xinfo(own.name) AS columns
                 WHERE own.type = 'table' AND own.name NOT LIKE 'sqlite%'",
            )
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        let found: BTreeSet<_> = found.into_iter().filter(|(table, _)| !STAY.contains(&table.as_str())).collect();
        let column = |table: &Table, name: &str| (table.name.to_owned(), name.to_owned());
        let moved: BTreeSet<_> =
            TABLES.iter().flat_map(|table| table.columns.iter().map(|it| column(table, it.name))).collect();
        assert_eq!(found, moved, "new columns belong in backend::transfer::TABLES, or their table in STAY");
    }

    #[tokio::test]
    async fn what_only_the_log_of_a_killed_process_has_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let [file, copy] = ["a.db", "copy.db"].map(|name| folder.path().join(name));
        let store = SqliteStore::open(&file, Arc::new(SystemClock)).unwrap();
        store.org_create("Acme", "starter").await.unwrap();
        // As a kill leaves them.
        for suffix in ["", "-wal"] {
            std::fs::copy(folder.path().join(format!("a.db{suffix}")), folder.path().join(format!("copy.db{suffix}")))
                .unwrap();
        }
        assert_eq!(Export::open(&copy).unwrap().count(table("organizations")).unwrap(), 1);
    }

    #[tokio::test]
    async fn a_newer_schema_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        database(&file, 0).await;
        let db = Connection::open(&file).unwrap();
        db.pragma_update(None, "user_version", 99).unwrap();
        drop(db);
        let before = std::fs::read(&file).unwrap();
        let error = Export::open(&file).map(drop).unwrap_err().to_string();
        assert!(error.contains("start the newer version"), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
