//! Databases for tests, each of its own, on the server that `AERIE_TEST_POSTGRES` names. Its role may create databases and
//! roles. `e2e/postgres.sh` starts such a server and removes it with all its databases.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use aerie_storage_postgres::{PostgresStore, PostgresUrl, TimeSource};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Name of a database with the current schema and no rows, once it has been created.
static MIGRATED: OnceCell<String> = OnceCell::const_new();

/// A new database.
pub(crate) struct Database {
    /// Its URL.
    pub(crate) url: String,
    /// Its name.
    pub(crate) name: String,
}

impl Database {
    /// Creates an empty database, for tests of what creates or refuses a schema.
    pub(crate) async fn create() -> Self {
        Self::create_with("").await
    }

    /// Creates a database with the current schema, as a copy of one that is migrated once for all tests.
    pub(crate) async fn create_migrated() -> Self {
        let migrate = async || {
            let database = Self::create().await;
            // The server waits until these connections are closed before it copies the database.
            drop(database.node().await);
            database.name
        };
        let template = MIGRATED.get_or_init(migrate).await;
        Self::create_with(&format!("TEMPLATE {template} STRATEGY file_copy")).await
    }

    async fn create_with(options: &str) -> Self {
        let name = format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let server = server();
        connect(&server).await.batch_execute(&format!("CREATE DATABASE {name} {options}")).await.unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        Self { url: format!("{base}/{name}"), name }
    }

    /// The URL, parsed.
    pub(crate) fn parsed(&self) -> PostgresUrl {
        PostgresUrl::parse(&self.url).unwrap()
    }

    /// The URL with another role and password.
    pub(crate) fn url_of(&self, role: &str, password: &str) -> String {
        let (_, place) = self.url.rsplit_once('@').unwrap();
        format!("postgres://{role}:{password}@{place}")
    }

    /// A store with connections of its own, as another node has.
    pub(crate) async fn node(&self) -> Arc<PostgresStore> {
        Arc::new(PostgresStore::open(&self.parsed(), 4, TimeSource::Database).await.unwrap())
    }

    /// A connection to it.
    pub(crate) async fn connect(&self) -> Client {
        connect(&self.url).await
    }
}

fn server() -> String {
    std::env::var("AERIE_TEST_POSTGRES").expect("AERIE_TEST_POSTGRES must name a server: run e2e/postgres.sh")
}

/// A connection of the test's own.
pub(crate) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
