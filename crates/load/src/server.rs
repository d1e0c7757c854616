//! The server that `AERIE_TEST_POSTGRES` names, with an empty database of which this process is the only user.

use std::sync::Arc;

use aerie_storage_postgres::{PostgresStore, PostgresUrl, TimeSource};
use tokio_postgres::{Client, NoTls, Row};

/// A connection beside those of the stores, for what only a benchmark does.
pub struct Server {
    url: String,
    client: Client,
}

impl Server {
    /// Connects, and creates the schema.
    ///
    /// # Panics
    /// When there is no such server.
    pub async fn connect() -> Self {
        let url = std::env::var("AERIE_TEST_POSTGRES").expect("AERIE_TEST_POSTGRES names a server: run bench/queue.sh");
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("the server accepts connections");
        tokio::spawn(connection);
        let server = Self { url, client };
        drop(server.store(1).await);
        server.run("SET search_path = aerie; CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public").await;
        server
    }

    /// The URL, with the password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens a store with connections of its own, as another process does.
    ///
    /// # Panics
    /// When it cannot be opened.
    pub async fn store(&self, connections: usize) -> Arc<PostgresStore> {
        self.store_with("", connections).await
    }

    /// Opens a store with parameters of the URL.
    pub(crate) async fn store_with(&self, parameters: &str, connections: usize) -> Arc<PostgresStore> {
        let url = PostgresUrl::parse(&format!("{}{parameters}", self.url)).expect("a URL");
        Arc::new(PostgresStore::open(&url, connections, TimeSource::Database).await.expect("the database opens"))
    }

    /// Runs statements.
    ///
    /// # Panics
    /// When one fails.
    pub async fn run(&self, statements: &str) {
        if let Err(error) = self.client.batch_execute(statements).await {
            panic!("{statements}: {error:?}");
        }
    }

    /// The rows of a query.
    ///
    /// # Panics
    /// When it fails.
    pub async fn rows(&self, query: &str) -> Vec<Row> {
        match self.client.query(query, &[]).await {
            Ok(rows) => rows,
            Err(error) => panic!("{query}: {error:?}"),
        }
    }

    /// The only value of a query, a `bigint`.
    ///
    /// # Panics
    /// When it is none.
    pub async fn number(&self, query: &str) -> i64 {
        self.rows(query).await[0].get(0)
    }

    /// The statements that took most time since the last call.
    pub async fn profile(&self) -> Vec<String> {
        let query = "SELECT calls, total_exec_time, mean_exec_time, left(regexp_replace(query, '\\s+', ' ', 'g'), 110)
                     FROM public.pg_stat_statements ORDER BY total_exec_time DESC LIMIT 12";
        let rows = self.rows(query).await;
        self.run("SELECT public.pg_stat_statements_reset()").await;
        let line = |row: &Row| {
            let (calls, total, mean): (i64, f64, f64) = (row.get(0), row.get(1), row.get(2));
            format!("{calls:>8} calls {total:>9.0} ms in all {mean:>8.3} ms each  {}", row.get::<_, String>(3))
        };
        rows.iter().map(line).collect()
    }
}
