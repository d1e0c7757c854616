//! Pictures that a client would bring: a photo of an imagined room, and a boundary drawn on a picture. They are served on
//! loopback, because the API takes pictures by URL.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use aerie_engine_api::messages::Task;

use crate::engine_child::ask;

/// Renders a photo of an empty room, 1500 x 1000, underexposed by more than a stop.
pub(super) fn dark_room() -> anyhow::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("room.jpg");
    ask::<()>(Task::ImagineRoom { file: file.clone() })?;
    Ok(std::fs::read(file)?)
}

/// Draws a closed red line on a picture; `corners` are shares of its width and height. Returns a JPEG.
pub(super) fn with_boundary(picture: &[u8], corners: &[[f64; 2]]) -> anyhow::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let [clean, file] = ["clean.jpg", "drawn.jpg"].map(|name| folder.path().join(name));
    std::fs::write(&clean, picture)?;
    ask::<()>(Task::DrawBoundary { picture: clean, corners: corners.to_vec(), file: file.clone() })?;
    Ok(std::fs::read(file)?)
}

/// Serves a picture until the process ends; returns its URL.
pub(super) fn serve(picture: Vec<u8>) -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/picture.jpg", listener.local_addr()?);
    let picture = Arc::new(picture);
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // A client may close the connection early.
            let _ = respond(connection, &picture);
        }
    });
    Ok(url)
}

fn respond(mut connection: TcpStream, picture: &[u8]) -> std::io::Result<()> {
    let mut head = BufReader::new(connection.try_clone()?).lines();
    while head.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", picture.len())?;
    connection.write_all(picture)
}
