//! A loopback server with scripted responses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A request: its head, its body and the time of arrival.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

/// Returns the response to a request: a status and a body.
type Answer = Box<dyn FnMut(&Asked) -> (u16, Vec<u8>) + Send>;

pub(crate) struct Server {
    pub(crate) url: String,
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn start(answer: impl FnMut(&Asked) -> (u16, Vec<u8>) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answer: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Box::new(answer)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (its_answer, heads) = (Arc::clone(&answer), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut reader = BufReader::new(stream.try_clone().unwrap());
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
                heads.lock().unwrap().push(request.clone());
                let (code, body) = its_answer.lock().unwrap()(&request);
                let head = format!("HTTP/1.1 {code} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Self { url, answer, asked }
    }

    /// Replaces the responses from now on.
    pub(crate) fn becomes(&self, answer: impl FnMut(&Asked) -> (u16, Vec<u8>) + Send + 'static) {
        *self.answer.lock().unwrap() = Box::new(answer);
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}
