//! A photo to enhance: a room of our own invention, taken too dark, served on loopback.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use aerie_synthetic::{Developing, LitRoom, Style, imagine};

/// Which of the invented rooms it is.
const SEED: u64 = 4;

/// A JPEG of the room, 1500 x 1000, more than a stop too dark.
pub(super) fn dark_room() -> Vec<u8> {
    let imagined = imagine(SEED, &Style { width: 1500, height: 1000, casual: 0.0, ..Style::default() });
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
    view.jpeg(&Developing { exposure: -1.3, noise: 1.0, seed: SEED, ..Developing::default() }, 92)
}

/// Serves a picture until the process ends; its URL.
pub(super) fn serve(picture: Vec<u8>) -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/room.jpg", listener.local_addr()?);
    let picture = Arc::new(picture);
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // A client that goes away early is the client's matter.
            let _ = answer(connection, &picture);
        }
    });
    Ok(url)
}

fn answer(mut connection: TcpStream, picture: &[u8]) -> std::io::Result<()> {
    let mut head = BufReader::new(connection.try_clone()?).lines();
    while head.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", picture.len())?;
    connection.write_all(picture)
}
