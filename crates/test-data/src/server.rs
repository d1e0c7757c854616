//! A loopback server with scripted responses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A request: its head, its body and the time of arrival.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Request line and headers.
    pub head: String,
    /// The body.
    pub body: String,
    /// When it arrived.
    pub at: Instant,
}

/// Returns the response to a request: a status and a body.
type Answer = Box<dyn FnMut(&Asked) -> (u16, Vec<u8>) + Send>;

/// A running server.
pub struct Server {
    /// Start of its URLs.
    pub url: String,
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Starts a server, which runs until the process ends.
    pub fn start(answer: impl FnMut(&Asked) -> (u16, Vec<u8>) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let answer: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Box::new(answer)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (its_answer, heads) = (Arc::clone(&answer), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
                let head: Vec<String> =
                    reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let length = head.iter().find_map(|line| {
                    line.to_lowercase().strip_prefix("content-length:").and_then(|n| n.trim().parse::<usize>().ok())
                });
                let mut body = vec![0; length.unwrap_or(0)];
                if head.is_empty() || reader.read_exact(&mut body).is_err() {
                    continue;
                }
                let body = String::from_utf8_lossy(&body).into_owned();
                let request = Asked { head: head.join("\n"), body, at: Instant::now() };
                heads.lock().expect("no test panics in it").push(request.clone());
                let (code, body) = its_answer.lock().expect("no test panics in it")(&request);
                let head = format!("HTTP/1.1 {code} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Self { url, answer, asked }
    }

    /// Replaces the responses from now on.
    pub fn becomes(&self, answer: impl FnMut(&Asked) -> (u16, Vec<u8>) + Send + 'static) {
        *self.answer.lock().expect("no test panics in it") = Box::new(answer);
    }

    /// The requests so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no test panics in it").clone()
    }
}
