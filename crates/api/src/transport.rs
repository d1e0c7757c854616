//! Connections: limited in number, over TLS where it is configured, and closed gracefully at shutdown.
mod guarded;
mod limits;
mod proxy;
mod slots;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::ServiceExt;

use guarded::Guarded;
pub use limits::ConnectionLimits;
pub use proxy::TrustedProxies;
pub(crate) use proxy::{Channel, ClientAddress};
use slots::{Slot, Slots};
pub use tls::{Tls, TlsError};

/// Maximum size of a request head, bytes. A longer one closes its connection.
const MAX_HEAD: usize = 64 << 10;

/// Pause after the system refused a connection, for example because it is out of file handles.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// How clients reach the service.
pub struct Transport {
    /// Certificate and key; plain HTTP without them.
    pub tls: Option<Tls>,
    /// Proxies whose `X-Forwarded-*` headers are trusted.
    pub proxies: TrustedProxies,
    /// Limits on connections.
    pub limits: ConnectionLimits,
}

impl Transport {
    /// Plain HTTP for loopback.
    #[must_use]
    pub fn plain() -> Self {
        Self { tls: None, proxies: TrustedProxies::default(), limits: ConnectionLimits::default() }
    }
}

/// Marks a request that came while there were too many connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overloaded;

/// Serves the router of [`crate::router`] until `shutdown` completes, then closes the connections: idle ones at once, others
/// after their response, all of them by the deadline.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    transport: Transport,
    shutdown: impl Future<Output = ()> + Send,
) {
    let Transport { tls, proxies, limits } = transport;
    let ends_within = limits.ends_within;
    let slots = Slots::new(&limits);
    let server = Arc::new(Server { router, tls, proxies, limits });
    let watched = Arc::clone(&server);
    let mut reloads = JoinSet::new();
    reloads.spawn(async move {
        match &watched.tls {
            Some(tls) => tls.reload_when_changed().await,
            None => std::future::pending().await,
        }
    });
    let (stop, stopped) = watch::channel(());
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            accepted = slots.accept(&listener, &server.proxies) => accepted,
        };
        match accepted {
            Ok((stream, peer, slot)) => {
                connections.spawn(Arc::clone(&server).connection(stream, peer, slot, stopped.clone()));
            }
            // A client that disconnected needs no action; a system that is out of file handles needs time.
            Err(error) if is_connection_error(&error) => tracing::debug!(%error, "a connection was not accepted"),
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                tokio::time::sleep(AFTER_REFUSAL).await;
            }
        }
    }
    drop(listener);
    let _ = stop.send(());
    let all_ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(ends_within, all_ended).await.is_err() {
        tracing::warn!(connections = connections.len(), "requests did not finish in time and are aborted");
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

struct Server {
    router: Router,
    tls: Option<Tls>,
    proxies: TrustedProxies,
    limits: ConnectionLimits,
}

impl Server {
    async fn connection(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        slot: Slot,
        stopped: watch::Receiver<()>,
    ) {
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            return self.http(stream, peer, &slot, stopped).await;
        };
        let mut stopping = stopped.clone();
        let handshake = tokio::select! {
            handshake = tokio::time::timeout(self.limits.head_within, tls.accept(stream)) => handshake,
            _ = stopping.changed() => return,
        };
        match handshake {
            Ok(Ok(stream)) => self.http(stream, peer, &slot, stopped).await,
            Ok(Err(error)) => tracing::debug!(%peer, %error, "TLS handshake failed"),
            Err(_) => tracing::debug!(%peer, "TLS handshake timed out"),
        }
    }

    async fn http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        peer: SocketAddr,
        slot: &Slot,
        mut stopped: watch::Receiver<()>,
    ) {
        let service = hyper::service::service_fn(|request| self.answer(request, peer, slot));
        let stream = TokioIo::new(Guarded::new(stream, self.limits.stalled_after));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_within)
            .max_buf_size(MAX_HEAD)
            .serve_connection(stream, service);
        let mut connection = pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            // A dropped sender means shutdown, too.
            _ = stopped.changed() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, %error, "a connection ended early");
        }
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        slot: &Slot,
    ) -> Result<Response, std::convert::Infallible> {
        let mut request = request.map(Body::new);
        let (client, channel) = self.proxies.origin(peer.ip(), self.tls.is_some(), request.headers());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(channel);
        if slot.is_overflow() {
            request.extensions_mut().insert(Overloaded);
        }
        self.router.clone().oneshot(request).await
    }
}
