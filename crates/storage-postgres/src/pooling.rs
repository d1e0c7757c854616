//! Recognizes a pooler that gives connections of the server to its clients for one transaction at a time.
//!
//! Prepared statements, session settings, advisory locks and `LISTEN` belong to a connection of the server. Behind such a pooler, they are lost,
//! or reach other clients. So nothing of the kind is sent before this check.
//!
//! # Invariants
//!
//! - A pooler that shares connections is refused before anything is set or prepared on one. Test:
//!   `a_pooler_that_shares_connections_is_named_before_anything_is_set_or_prepared`.

use std::time::Duration;

use aerie_storage::StoreError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Connection, NoTls, SimpleQueryMessage};

use crate::error::{Error, Result};
use crate::tls::Tls;
use crate::url::{Encryption, PostgresUrl};

/// Time limit of the check. A pooler whose connections are all in use answers later: then nothing is known.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Number of times that both connections are asked. Between two, other clients may take the connection that gave the pooler away.
const ROUNDS: usize = 4;

/// Length of the comment in the statement, bytes. Above 16 KiB, Amazon RDS Proxy keeps the connection of the server for the client, as it
/// does for those that prepare statements and change settings.
const COMMENT: usize = 17 << 10;

/// Fails if the server of this URL is a pooler that shares connections by transaction.
///
/// # Errors
/// Names the pooler and the remedy. Succeeds if the server cannot be reached, which opening the store reports.
pub(crate) async fn check(url: &PostgresUrl) -> Result<()> {
    let is_shared = tokio::time::timeout(TIME_LIMIT, are_shared(url)).await;
    if is_shared.is_err() {
        tracing::warn!(
            server = url.server(),
            "the database did not answer in time, so whether it is a pooler that shares connections is unknown"
        );
    }
    if !matches!(is_shared, Ok(Ok(true))) {
        return Ok(());
    }
    Err(Error(StoreError::Unusable(format!(
        "[store] url: {} is a pooler that gives clients another connection for each transaction or statement (PgBouncer: \
         pool_mode = transaction or statement; pgpool: statement_level_load_balance), and the prepared statements, settings and locks of \
         Aerie need one of their own: use session pooling (PgBouncer: pool_mode = session; Supabase: port 5432), or the address and \
         port of PostgreSQL itself",
        url.server()
    ))))
}

/// Returns whether two clients that are connected at the same time were served by one connection of the server, or one of them by several: of each
/// connection, the server has a process.
async fn are_shared(url: &PostgresUrl) -> Result<bool> {
    let ((one, closing_one), (other, closing_other)) = (connect(url).await?, connect(url).await?);
    let is_shared = async {
        // Two servers, by turns behind one address, may have processes of one number.
        let statement = format!(
            "SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid() /*{}*/",
            " ".repeat(COMMENT)
        );
        let own = process(&one, &statement).await?;
        let others = process(&other, &statement).await?;
        let mut is_shared = own == others;
        // Twice each, because a pooler that takes turns among two connections would give each client always the same.
        for _ in 0..ROUNDS {
            for (client, known) in [(&one, &own), (&one, &own), (&other, &others), (&other, &others)] {
                is_shared = is_shared || process(client, &statement).await? != *known;
            }
        }
        Ok(is_shared)
    };
    let is_shared = is_shared.await;
    // The server counts them until they are closed.
    drop((one, other));
    let _ = (closing_one.await, closing_other.await);
    is_shared
}

/// Returns the server's process for a client, by a query that prepares nothing.
async fn process(client: &Client, statement: &str) -> Result<String> {
    let messages = client.simple_query(statement).await?;
    let found = messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    found.ok_or_else(|| StoreError::Backend("the server names no process".to_owned()).into())
}

async fn connect(url: &PostgresUrl) -> Result<(Client, JoinHandle<()>)> {
    match &url.encryption {
        Encryption::Off => {
            let (client, connection) = url.config.connect(NoTls).await?;
            Ok((client, run(connection)))
        }
        Encryption::On(roots) => {
            let tls = Tls::new(roots.as_deref()).map_err(StoreError::Unusable)?;
            let (client, connection) = url.config.connect(tls).await?;
            Ok((client, run(connection)))
        }
    }
}

fn run<S, T>(connection: Connection<S, T>) -> JoinHandle<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended");
        }
    })
}
