//! TCP connections that can be cut, slowed, frozen and left half open: a proxy between one node and one server.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use socket2::{SockFilter, SockRef};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// How long connecting to the server may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What a link does with its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Passes everything on.
    Open,
    /// Resets connections.
    Cut,
    /// Passes everything on, each piece this much later.
    Slow(Duration),
    /// Passes nothing on and loses nothing, like a server that is suspended.
    Frozen,
    /// Is silent without closing, like a server that has lost its power: nothing that the node sends is acknowledged, on
    /// connections of before not even after the fault.
    HalfOpen,
}

/// A port of this machine that leads to a server.
pub(super) struct Link {
    pub(super) port: u16,
    mode: watch::Sender<Mode>,
    /// Whether the listener ignores new connections.
    listener: std::net::TcpListener,
}

impl Link {
    /// Opens a link to a port of this machine.
    pub(super) fn open(runtime: &Handle, server: u16) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let (mode, modes) = watch::channel(Mode::Open);
        let accepting = listener.try_clone()?;
        let server = SocketAddr::from((Ipv4Addr::LOCALHOST, server));
        runtime.spawn(async move {
            let listener = TcpListener::from_std(accepting)?;
            loop {
                let (client, _) = listener.accept().await?;
                tokio::spawn(carry(client, server, modes.clone()));
            }
            #[expect(unreachable_code, reason = "gives the block its type")]
            io::Result::Ok(())
        });
        Ok(Self { port, mode, listener })
    }

    /// Sets what happens to the link's connections from now on.
    pub(super) fn set(&self, mode: Mode) -> io::Result<()> {
        match mode {
            Mode::HalfOpen => ignore(&SockRef::from(&self.listener))?,
            // Fails when there is no filter.
            _ => drop(SockRef::from(&self.listener).detach_filter()),
        }
        self.mode.send_replace(mode);
        Ok(())
    }
}

/// Has the system drop all packets that arrive for a socket, before it acknowledges them.
fn ignore(socket: &SockRef<'_>) -> io::Result<()> {
    const RETURN: u16 = 0x06;
    socket.attach_filter(&[SockFilter::new(RETURN, 0, 0, 0)])
}

/// Closes a connection by a reset.
fn reset(connection: TcpStream) {
    let _ = SockRef::from(&connection).set_linger(Some(Duration::ZERO));
}

/// Carries one connection until one side closes it or the link breaks it.
async fn carry(mut client: TcpStream, server: SocketAddr, mut modes: watch::Receiver<Mode>) {
    let mut opening = modes.clone();
    let connected = async {
        flows(&mut opening).await;
        tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(server)).await
    };
    let connected = tokio::select! {
        connected = connected => connected,
        broken = broken(&mut modes) => return abandon(client, None, broken).await,
    };
    let Ok(Ok(mut server)) = connected else { return reset(client) };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let broken = {
        let ((from_client, to_client), (from_server, to_server)) = (client.split(), server.split());
        tokio::select! {
            _ = pump(from_client, to_server, modes.clone()) => None,
            _ = pump(from_server, to_client, modes.clone()) => None,
            broken = broken(&mut modes) => Some(broken),
        }
    };
    if let Some(mode) = broken {
        abandon(client, Some(server), mode).await;
    }
}

/// Leaves the client alone with its connection.
async fn abandon(client: TcpStream, server: Option<TcpStream>, mode: Mode) {
    if let Some(server) = server {
        reset(server);
    }
    if mode == Mode::HalfOpen && ignore(&SockRef::from(&client)).is_ok() {
        // The socket stays open until the campaign's run ends.
        std::future::pending::<()>().await;
    }
    reset(client);
}

async fn pump(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut modes: watch::Receiver<Mode>,
) -> io::Result<()> {
    let mut piece = vec![0; 16 << 10];
    loop {
        let size = from.read(&mut piece).await?;
        flows(&mut modes).await;
        let mode = *modes.borrow();
        if let Mode::Slow(delay) = mode {
            tokio::time::sleep(delay).await;
        }
        flows(&mut modes).await;
        if size == 0 {
            return Ok(());
        }
        to.write_all(&piece[..size]).await?;
    }
}

/// Waits while the link is frozen.
async fn flows(modes: &mut watch::Receiver<Mode>) {
    if modes.wait_for(|mode| *mode != Mode::Frozen).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits until the link breaks its connections.
async fn broken(modes: &mut watch::Receiver<Mode>) -> Mode {
    match modes.wait_for(|mode| matches!(mode, Mode::Cut | Mode::HalfOpen)).await {
        Ok(mode) => *mode,
        Err(_) => Mode::Cut,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, Write};
    use std::net::TcpStream;

    use tokio::runtime::Runtime;

    use super::*;

    /// How long what must succeed may take on a busy machine, and how long silence is observed.
    const PATIENCE: Duration = Duration::from_secs(20);
    const SILENCE: Duration = Duration::from_millis(300);

    /// A link to a server that returns what it is sent.
    fn link() -> (Runtime, Link) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let echo = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = echo.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for connection in echo.incoming().flatten() {
                std::thread::spawn(move || std::io::copy(&mut &connection, &mut &connection));
            }
        });
        let link = Link::open(runtime.handle(), port).unwrap();
        (runtime, link)
    }

    fn connect(link: &Link) -> io::Result<TcpStream> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, link.port));
        let connection = TcpStream::connect_timeout(&address, PATIENCE)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        Ok(connection)
    }

    /// Whether nothing comes back for a while.
    fn is_silent(connection: &mut TcpStream) -> bool {
        connection.set_read_timeout(Some(SILENCE)).unwrap();
        let error = echoes(connection).unwrap_err();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        error.kind() == ErrorKind::WouldBlock
    }

    fn echoes(connection: &mut TcpStream) -> io::Result<()> {
        connection.write_all(b"x")?;
        connection.read_exact(&mut [0])
    }

    #[test]
    fn a_frozen_link_passes_everything_on_later() {
        let (_runtime, link) = link();
        let mut connection = connect(&link).unwrap();
        echoes(&mut connection).unwrap();
        link.set(Mode::Frozen).unwrap();
        assert!(is_silent(&mut connection));
        link.set(Mode::Open).unwrap();
        connection.read_exact(&mut [0]).unwrap();
    }

    #[test]
    fn a_cut_link_resets_connections_and_accepts_new_ones_afterwards() {
        let (_runtime, link) = link();
        let mut connection = connect(&link).unwrap();
        echoes(&mut connection).unwrap();
        link.set(Mode::Cut).unwrap();
        assert_eq!(connection.read(&mut [0]).unwrap_err().kind(), ErrorKind::ConnectionReset);
        assert!(connect(&link).and_then(|mut new| echoes(&mut new)).is_err());
        link.set(Mode::Open).unwrap();
        echoes(&mut connect(&link).unwrap()).unwrap();
    }

    #[test]
    fn a_half_open_link_stays_silent_on_connections_of_before() {
        let (_runtime, link) = link();
        let mut connection = connect(&link).unwrap();
        echoes(&mut connection).unwrap();
        link.set(Mode::HalfOpen).unwrap();
        assert!(is_silent(&mut connection));
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, link.port));
        assert!(TcpStream::connect_timeout(&address, SILENCE).is_err());
        link.set(Mode::Open).unwrap();
        echoes(&mut connect(&link).unwrap()).unwrap();
        assert!(is_silent(&mut connection));
    }

    #[test]
    fn a_slow_link_delays_both_directions() {
        let (_runtime, link) = link();
        let mut connection = connect(&link).unwrap();
        link.set(Mode::Slow(Duration::from_millis(100))).unwrap();
        let begun = std::time::Instant::now();
        echoes(&mut connection).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(200));
    }
}
