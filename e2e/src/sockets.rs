//! Clients that misbehave on their connections.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use aerie_storage::{LinkSecret, MediaLinks};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use socket2::{Domain, Socket, Type};

use crate::Server;

/// The secret that signs links, for `[media] link_secret`.
pub(crate) const LINK_SECRET: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// Allows this process, and the servers that it starts, thousands of connections.
pub(crate) fn allow_many() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).expect("a limit on open files");
}

/// Connects to the server with segments and a receive buffer as over a slow network: on loopback, the system would otherwise
/// take megabytes from the server that nobody reads.
pub(crate) fn connect(server: &Server) -> TcpStream {
    let address = server.client.base_url().strip_prefix("http://").expect("plain HTTP");
    let address: SocketAddr = address.parse().expect("an address");
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None).expect("a socket");
    socket.set_tcp_mss(1460).expect("a segment size");
    socket.set_recv_buffer_size(16 << 10).expect("a buffer size");
    socket.connect(&address.into()).expect("a connection");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
    stream
}

/// A request for `path` with the server's key.
pub(crate) fn get(server: &Server, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\nConnection: close\r\n\r\n", server.key)
}

/// Time until a new client has the response to `path`; `None` if it is not a 200 or takes half a minute.
pub(crate) fn time_of(server: &Server, path: &str) -> Option<Duration> {
    let begun = Instant::now();
    let mut stream = connect(server);
    stream.write_all(get(server, path).as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    response.starts_with("HTTP/1.1 200 ").then(|| begun.elapsed())
}

/// Stores a file of zeros as media, and returns its path and query in links signed with [`LINK_SECRET`].
pub(crate) fn store_media(data: &Path, size: usize) -> String {
    let key = format!("org/job/1/{size}.mp4");
    let file = data.join("media").join(&key);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(file, vec![0; size]).expect("a file");
    let secret = LinkSecret::from_hex(LINK_SECRET).expect("64 digits");
    MediaLinks::new(secret).sign(&key, jiff::Timestamp::now())
}
