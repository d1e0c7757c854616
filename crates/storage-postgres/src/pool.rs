//! Connections: opened when needed, kept, and replaced when the server has closed them.

use std::time::Duration;

use aerie_storage::{StoreConnections, StoreError};
use deadpool_postgres::{
    Client, GenericClient, Hook, HookError, Manager, ManagerConfig, PoolError, RecyclingMethod, Runtime,
};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Row};

use crate::error::{Error, Result, text};
use crate::tls::Tls;
use crate::url::{Encryption, PostgresUrl};

/// How long to wait for a free connection.
const WAIT: Duration = Duration::from_secs(10);

/// Settings of a new connection. A process that is frozen in a transaction keeps its locks for ten seconds. Where the role or
/// the database has turned `synchronous_commit` off, it is turned on: what is acknowledged is on disk. What is read under a lock
/// must be newer than the lock, so each statement has its own snapshot.
const SETTINGS: &str = "
    SET search_path = aerie;
    SET statement_timeout = '30s';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '10s';
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';";

/// A pool of connections.
#[derive(Clone)]
pub(crate) struct Pool {
    pool: deadpool_postgres::Pool,
    url: PostgresUrl,
}

impl Pool {
    /// A pool of at most `connections`; none is opened yet.
    pub(crate) fn new(url: &PostgresUrl, connections: usize) -> Result<Self> {
        let recycled = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = match &url.encryption {
            Encryption::Off => Manager::from_config(url.config.clone(), NoTls, recycled),
            Encryption::On(roots) => {
                let tls =
                    Tls::new(roots.as_deref()).map_err(|why| StoreError::Unusable(format!("[store] url: {why}")))?;
                Manager::from_config(url.config.clone(), tls, recycled)
            }
        };
        let settings = Hook::async_fn(|client: &mut deadpool_postgres::ClientWrapper, _| {
            Box::pin(async move {
                // A pooler accepts connections, and lets the first statement wait for one of the server.
                let set = tokio::time::timeout(WAIT, client.batch_execute(SETTINGS)).await;
                set.map_err(|_| HookError::message("no answer"))?.map_err(HookError::Backend)
            })
        });
        let pool = deadpool_postgres::Pool::builder(manager)
            .max_size(connections)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .runtime(Runtime::Tokio1)
            .post_create(settings)
            .build()
            .map_err(|error| StoreError::Backend(error.to_string()))?;
        Ok(Self { pool, url: url.clone() })
    }

    /// A connection, returned to the pool when it is dropped.
    pub(crate) async fn client(&self) -> Result<Client> {
        self.pool.get().await.map_err(|error| {
            Error(match error {
                PoolError::Timeout(_) => StoreError::Busy,
                PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                    self.refusal(&error)
                }
                PoolError::PostCreateHook(HookError::Message(_)) => StoreError::Unusable(format!(
                    "[store] url: {} accepts a connection and does not answer within {} s; behind a pooler, each connection of Aerie \
                     needs one of the server: raise the size of its pool (PgBouncer: default_pool_size), or lower [store] connections",
                    self.url.server(),
                    WAIT.as_secs()
                )),
                other => StoreError::Backend(other.to_string()),
            })
        })
    }

    /// Its connections now.
    pub(crate) fn connections(&self) -> StoreConnections {
        let status = self.pool.status();
        let idle = status.available.min(status.size);
        StoreConnections { in_use: status.size - idle, idle, waiting: status.waiting }
    }

    /// Why a connection cannot be opened, with the remedy.
    fn refusal(&self, error: &tokio_postgres::Error) -> StoreError {
        let (server, role, database) = (self.url.server(), self.url.role(), self.url.database());
        let why = match error.code() {
            Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
                format!("{server} refuses the role `{role}` or its password: correct them")
            }
            Some(&SqlState::INVALID_CATALOG_NAME) => {
                format!("{server} has no database `{database}`: create it (createdb {database}), or correct the name")
            }
            Some(&SqlState::TOO_MANY_CONNECTIONS) => {
                format!("{server} has no free connections: raise max_connections there, or lower [store] connections")
            }
            Some(&SqlState::CANNOT_CONNECT_NOW) => {
                format!("{server} is starting or stopping ({}): try again", text(error))
            }
            Some(_) => format!("{server}: {}", text(error)),
            None => format!(
                "cannot connect to {server}: {}; start PostgreSQL there, or correct the address or the sslmode",
                text(error)
            ),
        };
        StoreError::Unusable(format!("[store] url: {why}"))
    }
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The rows of a statement that is prepared once per connection.
pub(crate) async fn rows(db: &impl GenericClient, statement: &str, values: Values<'_>) -> Result<Vec<Row>> {
    let statement = db.prepare_cached(statement).await?;
    Ok(db.query(&statement, values).await?)
}

/// The only row, if there is one.
pub(crate) async fn row(db: &impl GenericClient, statement: &str, values: Values<'_>) -> Result<Option<Row>> {
    let statement = db.prepare_cached(statement).await?;
    Ok(db.query_opt(&statement, values).await?)
}

/// The number of rows that a statement changed.
pub(crate) async fn execute(db: &impl GenericClient, statement: &str, values: Values<'_>) -> Result<u64> {
    let statement = db.prepare_cached(statement).await?;
    Ok(db.execute(&statement, values).await?)
}
