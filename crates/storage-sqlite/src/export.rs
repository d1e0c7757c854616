//! Reads a database that nobody uses, table by table, for another backend. Nothing is written to it.

use std::collections::BTreeSet;
use std::path::Path;

use aerie_domain::JobId;
use aerie_storage::StoreError;
use aerie_storage::backend::transfer::{Kind, Row, Table, Value};
use rusqlite::types::{FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OpenFlags, params_from_iter};
use uuid::Uuid;

use crate::error::{Error, Result};
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
        let open = || {
            let db = connect(file)?;
            migrations::check_current(&db, &file.display().to_string())?;
            // Everything is read in this transaction: one snapshot.
            db.execute_batch("BEGIN")?;
            integrity::quick_check(&db)?;
            Ok::<_, Error>(Self { db })
        };
        Ok(open()?)
    }

    /// Number of rows of a table.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn count(&self, table: &Table) -> Result<u64, StoreError> {
        let rows = self.db.query_row(&format!("SELECT count(*) FROM {}", table.name), [], |row| row.get::<_, i64>(0));
        Ok(u64::try_from(rows.map_err(Error::from)?).unwrap_or(0))
    }

    /// The next rows of a table, at most `limit`, after the row `after`; in the order of their keys.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn rows_after(&self, table: &Table, after: Option<&Row>, limit: u32) -> Result<Vec<Row>, StoreError> {
        Ok(self.read_after(table, after, limit)?)
    }

    fn read_after(&self, table: &Table, after: Option<&Row>, limit: u32) -> Result<Vec<Row>> {
        let columns = table.columns.iter().map(|column| match (table.name, column.name) {
            // The own column of this name has the value in SQL; this is JSON as it was submitted.
            ("jobs", "listing") => "nullif(input -> '$.options.listing_id', 'null')",
            (_, name) => name,
        });
        let columns = columns.collect::<Vec<_>>().join(", ");
        let key = table.columns[..table.key].iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
        let parameters = vec!["?"; table.key].join(", ");
        let condition = after.map(|_| format!("WHERE ({key}) > ({parameters})")).unwrap_or_default();
        let statement = format!("SELECT {columns} FROM {} {condition} ORDER BY {key} LIMIT {limit}", table.name);
        let mut statement = self.db.prepare_cached(&statement)?;
        // All keys are texts.
        let key = after.map_or(&[][..], |row| row.key(table)).iter().filter_map(|value| match value {
            Value::Uuid(id) => Some(id.to_string()),
            Value::Text(text) => Some(text.clone()),
            _ => None,
        });
        let mut found = statement.query(params_from_iter(key))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let values = table.columns.iter().enumerate().map(|(at, column)| {
                value(row.get_ref(at)?, column.kind).map_err(|why| {
                    let why = format!("the table {} has a malformed row: {}: {why}", table.name, column.name);
                    StoreError::Backend(why).into()
                })
            });
            rows.push(Row(values.collect::<Result<_>>()?));
        }
        Ok(rows)
    }

    /// The next jobs, uploads and truth pages, at most `limit`, after the one with the id `after`, that have media which have not
    /// expired, with their keys.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn media_after(&self, after: Option<JobId>, limit: u32) -> Result<Vec<(JobId, BTreeSet<String>)>, StoreError> {
        let read = || {
            let statement = format!("{} ORDER BY id LIMIT ?2", backup::media_statement("id > ?1"));
            let mut statement = self.db.prepare_cached(&statement)?;
            let after = after.map(|id| id.to_string()).unwrap_or_default();
            let found = statement.query_map((after, limit), |row| Ok((parsed(row, 0)?, json(row, 1)?)))?;
            found.collect::<rusqlite::Result<_>>()
        };
        Ok(read().map_err(Error::from)?)
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

fn value(found: ValueRef<'_>, kind: Kind) -> FromSqlResult<Value> {
    Ok(match kind {
        _ if found == ValueRef::Null => Value::Null,
        Kind::Uuid => Value::Uuid(Uuid::try_parse(found.as_str()?).map_err(FromSqlError::other)?),
        Kind::Text => Value::Text(found.as_str()?.to_owned()),
        Kind::Integer => Value::Integer(found.as_i64()?),
        Kind::Boolean => Value::Boolean(found.as_i64()? != 0),
        Kind::Bytes => Value::Bytes(found.as_blob()?.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use aerie_domain::SystemClock;
    use aerie_storage::TenantStore;
    use aerie_storage::backend::transfer::TABLES;
    use tempfile::TempDir;

    use super::*;
    use crate::SqliteStore;

    /// A closed database with an organization and so many jobs, in a folder of its own.
    async fn database(jobs: usize) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let org = SqliteStore::open(&file, Arc::new(SystemClock)).unwrap().org_create("Acme", "starter").await.unwrap();
        let db = Connection::open(&file).unwrap();
        for number in 0..jobs {
            let id = format!("018e0000-0000-7000-8000-{number:012x}");
            let input = serde_json::json!({"options": {"listing_id": format!("\"{number}é")}});
            let media = serde_json::json!({"/image_url": format!("{number}.jpg")});
            db.execute(
                "INSERT INTO jobs (id, org_id, job_type, status, input, media, unit_price_cents, request_id, created_at, updated_at)
                 VALUES (?1, ?2, 'markup', 'failed', ?3, ?4, 1, ?1, 1, 1)",
                (id, org.id.to_string(), input.to_string(), media.to_string()),
            )
            .unwrap();
        }
        (folder, file)
    }

    fn table(name: &str) -> &'static Table {
        TABLES.iter().find(|table| table.name == name).unwrap()
    }

    #[tokio::test]
    async fn rows_are_read_in_batches_and_nothing_is_written() {
        let (folder, file) = database(25).await;
        let before = std::fs::read(&file).unwrap();
        let export = Export::open(&file).unwrap();
        for table in TABLES {
            let all = export.rows_after(table, None, 1000).unwrap();
            assert_eq!(all.len() as u64, export.count(table).unwrap(), "{}", table.name);
            assert!(all.is_sorted_by(|a, b| a.key(table) < b.key(table)), "{}", table.name);
            let mut batches = export.rows_after(table, None, 7).unwrap();
            while batches.len() < all.len() {
                batches.extend(export.rows_after(table, batches.last(), 7).unwrap());
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
        let (_folder, file) = database(0).await;
        let db = Connection::open(&file).unwrap();
        let id = |number: u32| format!("018e0000-0000-7000-8000-{number:012x}");
        let part = r#"[{"key": "a/b/part-0"}]"#;
        // The first two are equal; the last has only begun.
        for (number, stored_as, parts, extension) in
            [(1, 1, "[]", Some("jpg")), (2, 1, "[]", Some("jpg")), (3, 3, part, None), (4, 4, "[]", None)]
        {
            let insert =
                "INSERT INTO uploads (id, stored_as, parts, extension, sha256, org_id, size, created_at, expires_at)
                          SELECT ?1, ?2, ?3, ?4, CAST(?4 AS BLOB), id, 10, 1, 1 FROM organizations";
            db.execute(insert, (id(number), id(stored_as), parts, extension)).unwrap();
        }
        let org: String = db.query_row("SELECT id FROM organizations", [], |row| row.get(0)).unwrap();
        drop(db);
        let found = Export::open(&file).unwrap().media_after(None, 10).unwrap();
        let found = found.iter().map(|(id, keys)| (id.to_string(), keys.iter().cloned().collect::<Vec<_>>()));
        let photo = format!("{org}/{}/photo.jpg", id(1));
        assert_eq!(found.collect::<Vec<_>>(), [(id(1), vec![photo]), (id(3), vec!["a/b/part-0".to_owned()])]);
    }

    /// What the new database counts itself, what only processes of the old one use, and what the operator publishes again.
    const STAY: [&str; 9] =
        ["duties", "events", "job_counts", "job_progress", "nodes", "operator_sessions", "packs", "sessions", "turns"];

    #[tokio::test]
    async fn every_column_moves_unless_its_table_is_known_to_stay() {
        let (_folder, file) = database(0).await;
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
        let moved = TABLES.iter().flat_map(|table| table.columns.iter().map(|it| (table.name.into(), it.name.into())));
        assert_eq!(found, moved.collect(), "new columns belong in backend::transfer::TABLES, or their table in STAY");
    }

    #[tokio::test]
    async fn what_only_the_log_of_a_killed_process_has_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let [file, copy] = ["a.db", "copy.db"].map(|name| folder.path().join(name));
        let store = SqliteStore::open(&file, Arc::new(SystemClock)).unwrap();
        store.org_create("Acme", "starter").await.unwrap();
        // As a kill leaves them.
        for suffix in ["", "-wal"] {
            let path = |file: &Path| format!("{}{suffix}", file.display());
            std::fs::copy(path(&file), path(&copy)).unwrap();
        }
        assert_eq!(Export::open(&copy).unwrap().count(table("organizations")).unwrap(), 1);
    }

    #[tokio::test]
    async fn a_newer_schema_is_refused_and_left_alone() {
        let (_folder, file) = database(0).await;
        Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let before = std::fs::read(&file).unwrap();
        let error = Export::open(&file).map(drop).unwrap_err().to_string();
        assert!(error.contains("start the newer version"), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
