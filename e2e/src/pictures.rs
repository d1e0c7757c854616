//! Serves pictures on loopback for the service to fetch.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

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

/// Encodes a gradient by ffmpeg; `gradient`: options of its source `gradients`, such as `s=96x64:c0=red`.
///
/// # Panics
/// When ffmpeg cannot make it.
#[must_use]
pub fn gradient_picture(gradient: &str, codec: &str) -> Vec<u8> {
    let source = format!("gradients={gradient}:seed=7");
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", &source, "-frames:v", "1", "-f", "image2pipe", "-c:v", codec, "-"];
    let made = Command::new("ffmpeg").args(arguments).output().expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
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
