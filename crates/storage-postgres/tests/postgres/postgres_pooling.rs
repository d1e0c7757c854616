//! Poolers before the server.

use std::sync::Arc;

use aerie_storage_postgres::{Import, PostgresStore, PostgresUrl, TimeSource};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

use crate::database::Database;

/// A message of the protocol, after the first one of a client: its type, its length and its content.
async fn message(stream: &mut TcpStream) -> std::io::Result<(u8, Vec<u8>)> {
    let kind = stream.read_u8().await?;
    let length = stream.read_u32().await?;
    let mut bytes = [&[kind], &length.to_be_bytes()[..]].concat();
    bytes.resize(length as usize + 1, 0);
    stream.read_exact(&mut bytes[5..]).await?;
    Ok((kind, bytes))
}

/// The only connection of the server, and what it said when it was opened.
struct Shared {
    server: TcpStream,
    greeting: Vec<u8>,
}

/// A pooler that gives its one connection of the server to each client for a transaction, like PgBouncer.
struct Pooler {
    url: String,
    /// What clients have sent.
    queries: Arc<Mutex<Vec<String>>>,
}

impl Pooler {
    async fn start(database: &Database) -> Self {
        let (login, place) = database.url.rsplit_once('@').unwrap();
        let (server, name) = place.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{login}@{}/{name}", listener.local_addr().unwrap());
        let queries: Arc<Mutex<Vec<String>>> = Arc::default();
        let (noted, server) = (Arc::clone(&queries), server.to_owned());
        tokio::spawn(async move {
            let shared: Arc<Mutex<Option<Shared>>> = Arc::default();
            while let Ok((client, _)) = listener.accept().await {
                let (server, shared, queries) = (server.clone(), Arc::clone(&shared), Arc::clone(&noted));
                // It ends when the client or the server is gone.
                tokio::spawn(async move { pass(client, &server, &shared, &queries).await });
            }
        });
        Self { url, queries }
    }
}

async fn pass(
    mut client: TcpStream,
    server: &str,
    shared: &Mutex<Option<Shared>>,
    queries: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let length = client.read_u32().await?;
    let mut startup = vec![0; length as usize - 4];
    client.read_exact(&mut startup).await?;
    let mut held = shared.lock().await;
    match &*held {
        // AuthenticationOk, and what follows.
        Some(shared) => client.write_all(&[b"R\0\0\0\x08\0\0\0\0", &shared.greeting[..]].concat()).await?,
        None => {
            let mut server = TcpStream::connect(server).await?;
            server.write_all(&[&length.to_be_bytes(), &startup[..]].concat()).await?;
            *held = Some(Shared { greeting: greeting(&mut client, &mut server).await?, server });
        }
    }
    drop(held);
    loop {
        let (kind, sent) = message(&mut client).await?;
        queries.lock().await.push(format!("{} {}", kind as char, String::from_utf8_lossy(&sent[5..])));
        if kind != b'Q' {
            return Ok(());
        }
        let mut held = shared.lock().await;
        let Some(Shared { server, .. }) = &mut *held else { return Ok(()) };
        server.write_all(&sent).await?;
        loop {
            let (kind, answer) = message(server).await?;
            client.write_all(&answer).await?;
            if kind == b'Z' {
                break;
            }
        }
    }
}

/// Passes on the authentication of the first client; returns what the server says after it.
async fn greeting(client: &mut TcpStream, server: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut greeting = Vec::new();
    loop {
        let (kind, answer) = message(server).await?;
        client.write_all(&answer).await?;
        match (kind, answer.get(8)) {
            // AuthenticationSASL and AuthenticationSASLContinue wait for the client.
            (b'R', Some(10 | 11)) => server.write_all(&message(client).await?.1).await?,
            (b'R', _) => {}
            _ => greeting.extend(answer),
        }
        if kind == b'Z' {
            return Ok(greeting);
        }
    }
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_pooler_that_shares_connections_is_named_before_anything_is_set_or_prepared() {
    let database = Database::create_migrated().await;
    let pooler = Pooler::start(&database).await;
    let url = PostgresUrl::parse(&pooler.url).unwrap();
    let opened = PostgresStore::open(&url, 4, TimeSource::Database).await.map(drop);
    let imported = Import::open(&url).await.map(drop);
    for error in [opened.unwrap_err().to_string(), imported.unwrap_err().to_string()] {
        assert!(error.starts_with("[store] url: 127.0.0.1:") && error.contains("is a pooler"), "{error}");
        assert!(error.contains("pool_mode = session"), "{error}");
    }
    let queries = pooler.queries.lock().await;
    assert!(queries.iter().any(|query| query.starts_with("Q SELECT pid || ")));
    // X: the client is closed.
    let is_expected = |query: &&String| query.starts_with("Q SELECT pid || ") || query.starts_with('X');
    assert!(queries.iter().all(|query| is_expected(&query)), "{queries:?}");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn stores_that_open_one_server_at_the_same_time_are_not_taken_for_a_pooler() {
    let database = Database::create_migrated().await;
    let open = || async { PostgresStore::open(&database.parsed(), 1, TimeSource::Database).await.map(drop) };
    for opened in futures_util::future::join_all((0..12).map(|_| open())).await {
        opened.unwrap();
    }
}
