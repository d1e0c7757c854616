//! A service that listens, and clients of it that see every byte.

use std::net::SocketAddr;
use std::time::Duration;

use aerie_api::{ConnectionLimits, Transport, TrustedProxies};
use axum::Router;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::Service;

pub(crate) const SUBMIT: &str = r#"{"address": "1 Main St"}"#;

pub(crate) struct Served {
    pub(crate) service: Service,
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) ended: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn new(transport: Transport) -> Self {
        let service = Service::new().await;
        let router = service.router.clone();
        Self::with(service, router, transport).await
    }

    /// Serves a router of the service.
    pub(crate) async fn with(service: Service, router: Router, transport: Transport) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            aerie_api::serve(listener, router, transport, async {
                let _ = stopped.await;
            })
            .await;
        });
        Self { service, address, stop: Some(stop), ended }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends a request with extra headers on a connection of its own.
    pub(crate) async fn ask(&self, path: &str, headers: &str) -> String {
        exchange(self.connect().await, &get(&self.service.key, path, headers)).await
    }

    pub(crate) fn request_shutdown(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }
}

pub(crate) fn get(key: &str, path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nConnection: close\r\n{headers}\r\n")
}

pub(crate) fn submit(key: &str) -> String {
    let length = SUBMIT.len();
    format!(
        "POST /v1/drone-footage/generate HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
}

pub(crate) async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    read_to_end(&mut stream).await
}

/// Reads until the connection ends, cleanly or not.
pub(crate) async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.expect("an end");
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn limits(change: impl FnOnce(&mut ConnectionLimits)) -> Transport {
    let mut transport = Transport::plain();
    change(&mut transport.limits);
    transport
}

pub(crate) fn behind_proxy() -> Transport {
    let proxies = TrustedProxies::from(vec!["127.0.0.1/32".parse().unwrap()]);
    Transport { proxies, ..Transport::plain() }
}

pub(crate) fn assert_answer(answer: &str, status: u16, part: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(answer.contains(part), "{part}: {answer}");
}
