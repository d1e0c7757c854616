//! Checks of a database in use, each on a connection of its own, so that pages come from the file and not from SQLite's cache.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aerie_storage::StoreError;
use rusqlite::{Connection, InterruptHandle, OpenFlags};
use tokio::sync::oneshot;

use crate::connection::BUSY_TIMEOUT;
use crate::error::Result;

/// Runs `check` on a thread and a connection of its own, which cannot write. Dropping the future interrupts it.
pub(crate) async fn inspect(
    file: PathBuf,
    check: impl FnOnce(&Connection) -> Result<()> + Send + 'static,
) -> Result<(), StoreError> {
    let (caller, reply) = oneshot::channel();
    let handle = Arc::new(Mutex::new(None));
    let shared = Arc::clone(&handle);
    let run = move || {
        let result = open(&file).and_then(|db| {
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(db.get_interrupt_handle());
            check(&db)
        });
        let _ = caller.send(result.map_err(StoreError::from));
    };
    let thread = std::thread::Builder::new().name("store-check".into()).spawn(run);
    let thread = thread.map_err(|error| StoreError::Backend(error.to_string()))?;
    let mut running = Running { handle, thread: Some(thread) };
    let result = reply.await;
    // It has nothing left to do.
    running.thread = None;
    result.map_err(|_| StoreError::Closed)?
}

/// Reads both ends of every table and index, from the root down.
pub(crate) fn read_every_tree(db: &Connection) -> Result<()> {
    for statement in statements(db)? {
        db.prepare(&statement)?.query([])?.next()?;
    }
    Ok(())
}

/// Reads every page, and checks the structure of every table and index.
pub(crate) fn quick_check(db: &Connection) -> Result<()> {
    report(db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?)
}

/// The result of SQLite's own checks, which report damage as text.
pub(crate) fn report(found: String) -> Result<()> {
    if found == "ok" { Ok(()) } else { Err(StoreError::Corrupt(found).into()) }
}

fn open(file: &Path) -> Result<Connection> {
    // Not read-only: if this connection is the last one, it must remove the `-wal` file as any other would.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.pragma_update(None, "query_only", true)?;
    db.pragma_update(None, "cell_size_check", true)?;
    Ok(db)
}

/// Statements that read the first and the last entry of each table and index.
fn statements(db: &Connection) -> Result<Vec<String>> {
    let mut statements = Vec::new();
    for direction in ["ASC", "DESC"] {
        let mut tables = db.prepare(
            "SELECT t.name, iif(t.wr, (SELECT c.name FROM pragma_table_info(t.name) AS c WHERE c.pk = 1), 'rowid')
             FROM pragma_table_list AS t
             WHERE t.schema = 'main' AND t.type = 'table'
                 AND (t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR t.name = 'sqlite_sequence')",
        )?;
        let mut rows = tables.query([])?;
        while let Some(row) = rows.next()? {
            let (table, key): (String, String) = (row.get(0)?, row.get(1)?);
            statements.push(format!("SELECT * FROM \"{table}\" ORDER BY \"{key}\" {direction} LIMIT 1"));
        }
        let mut indexes = db.prepare(
            "SELECT i.tbl_name, i.name, (SELECT c.name FROM pragma_index_info(i.name) AS c WHERE c.seqno = 0), i.sql
             FROM sqlite_schema AS i WHERE i.type = 'index'",
        )?;
        let mut rows = indexes.query([])?;
        while let Some(row) = rows.next()? {
            let (table, index, key): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            // A partial index is used only under its own condition.
            let sql: Option<String> = row.get(3)?;
            let condition = sql.as_deref().and_then(|sql| sql.split_once("WHERE ")).map_or("TRUE", |(_, of)| of);
            statements.push(format!(
                "SELECT \"{key}\" FROM \"{table}\" INDEXED BY \"{index}\" WHERE {condition}
                 ORDER BY \"{key}\" {direction} LIMIT 1"
            ));
        }
    }
    Ok(statements)
}

/// How long to wait for an interrupted check: longer only when the disk does not respond.
const INTERRUPTION: Duration = Duration::from_secs(1);

/// A check, interrupted and joined on drop.
struct Running {
    handle: Arc<Mutex<Option<InterruptHandle>>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        let until = Instant::now() + INTERRUPTION;
        // An interrupt before the statement has begun has no effect.
        while !thread.is_finished() && Instant::now() < until {
            if let Some(handle) = &*self.handle.lock().unwrap_or_else(PoisonError::into_inner) {
                handle.interrupt();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::FileExt;

    use super::*;

    fn new_database(file: &Path) -> Connection {
        let mut db = Connection::open(file).unwrap();
        crate::migrations::migrate(&mut db, "test").unwrap();
        db
    }

    fn roots(db: &Connection) -> Vec<(String, i64)> {
        let mut found = db.prepare("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0").unwrap();
        let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn the_first_and_last_entry_of_every_table_and_index_are_read_without_sorting() {
        let folder = tempfile::tempdir().unwrap();
        let db = new_database(&folder.path().join("test.db"));
        let mut read = BTreeSet::new();
        for statement in statements(&db).unwrap() {
            let mut explained = db.prepare(&format!("EXPLAIN {statement}")).unwrap();
            let mut rows = explained.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let (operation, root): (String, i64) = (row.get(1).unwrap(), row.get(3).unwrap());
                assert_ne!(operation, "SorterOpen", "{statement}");
                if operation == "OpenRead" {
                    read.insert(root);
                }
            }
        }
        let all: BTreeSet<i64> = roots(&db).into_iter().map(|(_, root)| root).collect();
        assert!(all.len() > 20 && read == all, "{:?}", roots(&db));
    }

    #[tokio::test]
    async fn a_check_that_nobody_waits_for_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        drop(new_database(&file));
        let (begun, has_begun) = oneshot::channel();
        let (ended, has_ended) = oneshot::channel();
        let endless = inspect(file, move |db| {
            let _ = begun.send(());
            let count = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
            let _ = ended.send(db.query_row(count, [], |_| Ok(())).map_err(|error| error.sqlite_error_code()));
            Ok(())
        });
        tokio::select! {
            biased;
            _ = endless => panic!("it does not end"),
            _ = has_begun => {}
        }
        assert_eq!(has_ended.await.unwrap(), Err(Some(rusqlite::ErrorCode::OperationInterrupted)));
    }

    #[test]
    fn a_damaged_root_of_any_table_or_index_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        let db = new_database(&file);
        let (roots, size) = (roots(&db), db.pragma_query_value(None, "page_size", |row| row.get::<_, i64>(0)).unwrap());
        drop(db);
        let intact = std::fs::read(&file).unwrap();
        read_every_tree(&open(&file).unwrap()).unwrap();
        for (name, root) in roots {
            let damaged = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
            damaged.write_all_at(&[0xa5; 512], u64::try_from((root - 1) * size).unwrap()).unwrap();
            let found = open(&file).and_then(|db| read_every_tree(&db)).map_err(StoreError::from);
            assert!(matches!(found, Err(StoreError::Corrupt(_))), "{name}: {found:?}");
            std::fs::write(&file, &intact).unwrap();
        }
    }
}
