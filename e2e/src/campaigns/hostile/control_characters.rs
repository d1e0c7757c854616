//! Control characters in every text of every request that the server documents.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aerie_test_data::text_fields::text_fields;
use serde_json::json;

use crate::campaigns::{Finding, Tenant};

/// Texts that no field may have, and texts that prompts alone may have.
const REFUSED: [&str; 8] = ["a\0b", "\0", "\u{1b}[2J", "a\u{7f}", "\u{9b}2J", "a\u{2028}b", "a\u{2029}", "a\u{202e}b"];
const IN_LINES: [&str; 3] = ["a\nb", "a\tb", "a\r\n"];

/// Submits them, and counts requests that were not refused by the name of the field, and connections to the picture host.
pub(super) fn check(data: &Path) -> Finding {
    let connections = Arc::new(AtomicUsize::new(0));
    let host = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/photo.jpg", host.local_addr().expect("an address"));
    let counter = Arc::clone(&connections);
    std::thread::spawn(move || {
        for _ in host.incoming() {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    });
    let tenant = Tenant::new(data, "[intake]\nallow_networks = [\"127.0.0.1/32\"]");
    let server = tenant.serve();
    let document = server.client.get("/openapi.json").json();
    let fields = text_fields(&document, &url);
    let (mut requests, mut wrong) = (0, Vec::new());
    for field in &fields {
        let in_lines = IN_LINES.into_iter().filter(|_| !field.is_prompt());
        for text in REFUSED.into_iter().chain(in_lines) {
            let (path, body) = field.request(text);
            let body = body.map(|body| body.to_string()).unwrap_or_default();
            let is_json = [("Content-Type", "application/json")];
            let answer = server.client.send(&field.method, &path, &is_json, body.as_bytes());
            requests += 1;
            let body = answer.json();
            let (code, message) = (&body["error"]["code"], body["error"]["message"].as_str().unwrap_or_default());
            let is_named = message.starts_with(&format!("`{}` must ", field.name));
            if answer.status != 400 || code != "VALIDATION_ERROR" || !is_named {
                wrong.push(format!("{} {} {text:?}: {} {message}", field.method, field.name, answer.status));
            }
        }
    }
    let of_a_set = fields.iter().filter(|field| field.schema["enum"].is_array()).count();
    let kept = json!({"address": "1 Main St", "options": {"note": ["a\0b"]}});
    let is_kept_refused = server.client.post("/v1/markup/generate", &kept).status == 400;
    let stored = server.client.get("/v1/jobs").json()["pagination"]["total"].as_u64();
    let connections = connections.load(Ordering::SeqCst);
    Finding {
        held: wrong.is_empty() && fields.len() >= 30 && is_kept_refused && stored == Some(0) && connections == 0,
        measured: format!(
            "{requests} requests with control characters in {} texts ({of_a_set} with a fixed set of values): {} not refused by \
             name{}; in options that are kept, refused: {is_kept_refused}; {connections} connections to the picture host, {} jobs \
             stored",
            fields.len(),
            wrong.len(),
            wrong.first().map(|first| format!(", first {first}")).unwrap_or_default(),
            stored.unwrap_or_default(),
        ),
    }
}
