//! Test server for images and misbehavior, which counts connections.
//!
//! `/png`, `/gif`, `/status/404`, `/to/URL` (a redirect), `/loop`, `/hops/N` (N redirects to a picture), `/hang`,
//! `/drip`, `/drip-head`, `/endless`, `/claims-huge`, `/not-http`, `/large/N` (a PNG of N bytes), `/png/W/H`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

/// A running server.
pub struct PictureServer {
    /// Where it listens.
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl PictureServer {
    /// Starts a server, which runs until the runtime ends.
    pub async fn start(listen: &str) -> Self {
        let listener = TcpListener::bind(listen).await.expect("an address of this machine");
        let address = listener.local_addr().expect("it is bound");
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(answer(connection));
            }
        });
        Self { address, connections }
    }

    /// Number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// The start of a PNG of a size.
#[must_use]
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// Answers one request.
pub async fn answer(mut connection: impl AsyncRead + AsyncWrite + Unpin) {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match connection.read(&mut buffer).await {
            Ok(read @ 1..) => head.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    let _ = respond(&mut connection, &path).await;
}

async fn respond(connection: &mut (impl AsyncWrite + Unpin), path: &str) -> std::io::Result<()> {
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let (name, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let number = rest.split('/').next().and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    match name {
        "png" => {
            let mut sides = rest.split('/').filter_map(|text| text.parse().ok());
            let (width, height) = (sides.next().unwrap_or(640), sides.next().unwrap_or(480));
            whole(connection, "200 OK", "", &png(width, height)).await
        }
        "large" => {
            let mut bytes = png(640, 480);
            bytes.resize(number, 0);
            whole(connection, "200 OK", "", &bytes).await
        }
        "gif" => whole(connection, "200 OK", "Content-Type: image/png\r\n", b"GIF89a\x01\0\x01\0").await,
        "status" => whole(connection, &format!("{number} Status"), "", b"nothing").await,
        "to" => whole(connection, "302 Found", &format!("Location: {rest}\r\n"), b"").await,
        "loop" => whole(connection, "302 Found", "Location: /loop\r\n", b"").await,
        "nowhere" => whole(connection, "302 Found", "", b"").await,
        "hops" if number > 0 => {
            whole(connection, "307 Temporary", &format!("Location: /hops/{}\r\n", number - 1), b"").await
        }
        "hops" => whole(connection, "200 OK", "", &png(640, 480)).await,
        "claims-huge" => connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99000000000\r\n\r\n").await,
        "not-http" => connection.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await,
        "endless" => {
            connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1a\n").await?;
            loop {
                connection.write_all(&[0; 65536]).await?;
            }
        }
        "drip" => {
            connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1a\n").await?;
            drip(connection, b"\0").await
        }
        "drip-head" => {
            connection.write_all(b"HTTP/1.1 200 OK\r\n").await?;
            drip(connection, b"X-Header: x\r\n").await
        }
        _ => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            Ok(())
        }
    }
}

async fn drip(connection: &mut (impl AsyncWrite + Unpin), drop: &[u8]) -> std::io::Result<()> {
    loop {
        connection.write_all(drop).await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn whole(
    connection: &mut (impl AsyncWrite + Unpin),
    status: &str,
    headers: &str,
    body: &[u8],
) -> std::io::Result<()> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    connection.write_all(head.as_bytes()).await?;
    connection.write_all(body).await?;
    connection.shutdown().await
}
