//! Pictures made to cost the server much more than their sender, while another client asks for its health.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Tenant, quantile};
use crate::serve_pictures;

/// Empty segments of the JPEG: with these it is almost as large as a picture may be.
const SEGMENTS: usize = 6_200_000;

/// Result of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Submits refused with `INVALID_URL`.
    pub refused: usize,
    /// Answers of `/healthz` meanwhile.
    pub polls: usize,
    /// Their 99th percentile.
    pub usual: Duration,
    /// The slowest.
    pub worst: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [usual, worst] = [self.usual, self.worst].map(|time| time.as_secs_f64() * 1000.0);
        write!(
            f,
            "{} pictures of {SEGMENTS} empty segments refused; /healthz meanwhile: {} answers, 99 in 100 within {usual:.1} ms, all within {worst:.1} ms",
            self.refused, self.polls
        )
    }
}

/// Submits JPEGs of millions of empty segments, `at_once` at a time.
///
/// # Panics
/// When one is not refused, or the server stops.
#[must_use]
pub fn campaign(at_once: usize, data: &Path) -> Report {
    let bytes = [&[0xff, 0xd8][..], &[0xff, 0xe0, 0, 2].repeat(SEGMENTS), &[0xff, 0xd9]].concat();
    let url = serve_pictures(BTreeMap::from([("segments.jpg", bytes)]));
    let tenant = Tenant::new(data, "[intake]\nallow_networks = [\"127.0.0.1/32\"]");
    let server = tenant.serve();
    let is_over = AtomicBool::new(false);
    let (refused, mut times) = std::thread::scope(|scope| {
        let polls = scope.spawn(|| {
            let mut times = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let begun = Instant::now();
                assert_eq!(server.client.get("/healthz").status, 200);
                times.push(begun.elapsed());
                std::thread::sleep(Duration::from_millis(5));
            }
            times
        });
        let submits: Vec<_> = (0..at_once)
            .map(|_| {
                let body = json!({"image_url": format!("{url}/segments.jpg")});
                let (server, body) = (&server, body);
                scope.spawn(move || server.client.post("/v1/image-enhance/generate", &body).refusal())
            })
            .collect();
        let answers: Vec<_> = submits.into_iter().map(|submit| submit.join().expect("an answer")).collect();
        is_over.store(true, Ordering::Relaxed);
        for answer in &answers {
            assert_eq!(*answer, (400, "INVALID_URL".to_owned()));
        }
        (answers.len(), polls.join().expect("the server answers"))
    });
    let polls = times.len();
    Report { refused, polls, usual: quantile(&mut times, 0.99), worst: quantile(&mut times, 1.0) }
}
