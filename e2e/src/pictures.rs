//! Serves pictures on loopback for the service to fetch.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

/// Serves these bytes at `/NAME`, ignoring the query, until the process ends. Returns the base URL.
///
/// # Panics
/// When no port is free.
#[must_use]
pub fn serve_pictures(pictures: BTreeMap<&'static str, Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // A client may close the connection early.
            let _ = answer(connection, &pictures);
        }
    });
    format!("http://{address}")
}

fn answer(mut connection: TcpStream, pictures: &BTreeMap<&str, Vec<u8>>) -> std::io::Result<()> {
    let mut head = BufReader::new(connection.try_clone()?).lines();
    let request = head.next().transpose()?.unwrap_or_default();
    while head.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let target = request.split(' ').nth(1).unwrap_or_default();
    let name = target.split('?').next().unwrap_or_default().trim_start_matches('/');
    match pictures.get(name) {
        Some(bytes) => {
            write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len())?;
            connection.write_all(bytes)
        }
        None => write!(connection, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    }
}
