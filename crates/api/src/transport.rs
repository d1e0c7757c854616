//! Connections: taken within limits, over TLS where it is set up, and ended in good order.
mod guarded;
mod places;
mod proxy;
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
use places::{Place, Places};
pub use proxy::TrustedProxies;
pub(crate) use proxy::{Channel, ClientAddress};
pub use tls::{Tls, TlsError};

/// Longest head of a request, in bytes, that is read at all; one that is longer ends its connection.
const MOST_HEAD: usize = 64 << 10;

/// Wait after the system has refused a connection, for want of file handles, say.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// How clients reach the service.
pub struct Transport {
    /// TLS of our own; without it HTTP is plain.
    pub tls: Option<Tls>,
    /// Who may tell where a request comes from.
    pub proxies: TrustedProxies,
    /// How much room and time clients have.
    pub limits: ConnectionLimits,
}

/// How much room and time clients have.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Connections at once. An eighth more are answered 429; others wait.
    pub most: usize,
    /// Connections at once from one address; more are closed. Trusted proxies and loopback may have any number.
    pub most_per_address: usize,
    /// Time for the TLS handshake, for the head of a request, and between requests.
    pub head_within: Duration,
    /// Time in which something of an answer has to be taken.
    pub stalled_after: Duration,
    /// Time for requests in progress once the server was told to stop.
    pub ends_within: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            most: 1024,
            most_per_address: 128,
            head_within: seconds(30),
            stalled_after: seconds(30),
            ends_within: seconds(10),
        }
    }
}

impl Transport {
    /// Plain HTTP for loopback.
    #[must_use]
    pub fn plain() -> Self {
        Self { tls: None, proxies: TrustedProxies::default(), limits: ConnectionLimits::default() }
    }
}

/// A request that came while there were too many connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overloaded;

/// Serves the router of [`crate::router`] until `shutdown` is done, then ends its connections: idle ones at once, others when their request is answered,
/// all of them by the deadline.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    transport: Transport,
    shutdown: impl Future<Output = ()> + Send,
) {
    let Transport { tls, proxies, limits } = transport;
    let ends_within = limits.ends_within;
    let places = Places::new(&limits);
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
            accepted = places.accept(&listener, &server.proxies) => accepted,
        };
        match accepted {
            Ok((stream, peer, place)) => {
                connections.spawn(Arc::clone(&server).connection(stream, peer, place, stopped.clone()));
            }
            // One connection that is gone again is nothing; a system that is out of handles needs time.
            Err(error) if is_of_one_connection(&error) => tracing::debug!(%error, "a connection was not taken"),
            Err(error) => {
                tracing::warn!(%error, "no connection can be taken");
                tokio::time::sleep(AFTER_REFUSAL).await;
            }
        }
    }
    drop(listener);
    let _ = stop.send(());
    let all_ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(ends_within, all_ended).await.is_err() {
        tracing::warn!(connections = connections.len(), "requests did not end in time and are cut off");
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
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
        place: Place,
        stopped: watch::Receiver<()>,
    ) {
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            return self.http(stream, peer, &place, stopped).await;
        };
        let mut told = stopped.clone();
        let greeted = tokio::select! {
            greeted = tokio::time::timeout(self.limits.head_within, tls.accept(stream)) => greeted,
            _ = told.changed() => return,
        };
        match greeted {
            Ok(Ok(stream)) => self.http(stream, peer, &place, stopped).await,
            Ok(Err(error)) => tracing::debug!(%peer, %error, "no TLS with a client"),
            Err(_) => tracing::debug!(%peer, "a client was too slow for TLS"),
        }
    }

    async fn http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        peer: SocketAddr,
        place: &Place,
        mut stopped: watch::Receiver<()>,
    ) {
        let service = hyper::service::service_fn(|request| self.answer(request, peer, place));
        let stream = TokioIo::new(Guarded::new(stream, self.limits.stalled_after));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_within)
            .max_buf_size(MOST_HEAD)
            .serve_connection(stream, service);
        let mut connection = pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            // A sender that is gone is as good as a word.
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
        place: &Place,
    ) -> Result<Response, std::convert::Infallible> {
        let mut request = request.map(Body::new);
        let (client, channel) = self.proxies.origin(peer.ip(), self.tls.is_some(), request.headers());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(channel);
        if place.is_beyond() {
            request.extensions_mut().insert(Overloaded);
        }
        self.router.clone().oneshot(request).await
    }
}
