//! Connections: limited in number, in duration and in rate, over TLS where it is configured, and closed gracefully at shutdown.
mod exchange;
mod guarded;
mod limits;
mod network;
mod pace;
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
use axum::http::HeaderValue;
use axum::http::header::{CONNECTION, EXPECT};
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::ServiceExt;

pub(crate) use exchange::TooSlow;
use exchange::{Answer, Paced};
use guarded::Guarded;
pub use limits::ConnectionLimits;
pub(crate) use network::client_network;
use pace::Pace;
pub use proxy::TrustedProxies;
pub(crate) use proxy::{Channel, ClientAddress};
use slots::{Slot, Slots};
pub use tls::{Tls, TlsError};

/// Maximum size of a request head, bytes: a longer one closes its connection. Also how much of a streamed response is held in
/// memory for a client that does not read it.
const MAX_BUFFER: usize = 32 << 10;

/// Unsent bytes of a connection that the system buffers. More would cost memory for each client that does not read, and would
/// hide from [`Guarded`] for minutes that a slow one reads.
const MAX_UNSENT: u32 = 64 << 10;

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

/// Marks a request on a connection of the reserve: only health checks are answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overloaded;

/// Ends responses of unlimited length when the service stops.
#[derive(Debug, Clone)]
pub(crate) struct Stopping(watch::Receiver<()>);

impl Stopping {
    /// Waits until the service stops.
    pub(crate) async fn stopped(&mut self) {
        // A dropped sender means the same.
        let _ = self.0.changed().await;
    }
}

/// Serves a router of this crate until `shutdown` completes, then closes the connections: idle ones at once, others
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
    // A slow client must drain part of it within the window, or it would seem to read nothing.
    let least = u64::from(limits.least_per_second) * limits.response_window.as_secs();
    let unsent = u32::try_from(least).unwrap_or(MAX_UNSENT).clamp(4096, MAX_UNSENT);
    // Accepted sockets inherit it.
    if let Err(error) = socket2::SockRef::from(&listener).set_tcp_notsent_lowat(unsent) {
        tracing::debug!(%error, "cannot limit what the system buffers of a response");
    }
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
        let stream = Guarded::new(stream, slot.clone(), self.pace(self.limits.response_window));
        tokio::select! {
            () = self.secured(stream, peer, &slot, stopped) => {}
            () = slot.evicted() => tracing::debug!(%peer, "closed a waiting connection in favor of a new one"),
        }
    }

    async fn secured(
        &self,
        stream: Guarded<TcpStream>,
        peer: SocketAddr,
        slot: &Slot,
        mut stopped: watch::Receiver<()>,
    ) {
        let Some(tls) = &self.tls else {
            return self.http(stream, peer, slot, stopped).await;
        };
        let handshake = tokio::select! {
            handshake = tokio::time::timeout(self.limits.head_within, tls.accept(stream)) => handshake,
            _ = stopped.changed() => return,
        };
        match handshake {
            Ok(Ok(stream)) => self.http(stream, peer, slot, stopped).await,
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
        let stopping = Stopping(stopped.clone());
        let service = hyper::service::service_fn(|request| self.answer(request, peer, slot, stopping.clone()));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_within)
            .max_buf_size(MAX_BUFFER)
            .serve_connection(TokioIo::new(stream), service);
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

    /// # Errors
    /// When the slot was given to another connection just before.
    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        slot: &Slot,
        stopping: Stopping,
    ) -> io::Result<Response> {
        let answering = slot.answer().ok_or(io::ErrorKind::ConnectionAborted)?;
        let waits = request.headers().contains_key(EXPECT) || slot.is_reserve();
        let mut request = request.map(|body| Body::new(Paced::new(body, self.pace(self.limits.body_window), waits)));
        let (client, channel) = self.proxies.origin(peer.ip(), self.tls.is_some(), request.headers());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(channel);
        request.extensions_mut().insert(stopping);
        if slot.is_reserve() {
            request.extensions_mut().insert(Overloaded);
        }
        let Ok(mut response) = self.router.clone().oneshot(request).await;
        if slot.is_reserve() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(response.map(|body| Body::new(Answer::new(body, answering))))
    }

    fn pace(&self, window: Duration) -> Pace {
        Pace::new(window, self.limits.least_per_second)
    }
}
