//! Databases for tests, each of its own. The server that `AERIE_TEST_POSTGRES` names is removed with all of them.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::{Client, NoTls, Row};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A new, empty database.
pub(crate) struct Database {
    /// Its URL.
    pub(crate) url: String,
}

impl Database {
    /// Creates a database.
    pub(crate) fn create() -> Self {
        let server =
            std::env::var("AERIE_TEST_POSTGRES").expect("AERIE_TEST_POSTGRES must name a server: e2e/postgres.sh");
        let name = format!("e2e_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        runtime().block_on(async {
            connect(&server).await.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        });
        let (base, _) = server.rsplit_once('/').unwrap();
        Self { url: format!("{base}/{name}") }
    }

    /// Runs statements.
    pub(crate) fn execute(&self, statements: &str) {
        runtime().block_on(async { connect(&self.url).await.batch_execute(statements).await.unwrap() });
    }

    /// Runs a query.
    pub(crate) fn query(&self, statement: &str) -> Vec<Row> {
        runtime().block_on(async { connect(&self.url).await.query(statement, &[]).await.unwrap() })
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
