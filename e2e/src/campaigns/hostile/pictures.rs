//! Pictures made to cost the server much more than their sender, while another client asks for its health.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::campaigns::{Finding, Tenant, quantile};
use crate::serve_pictures;

/// Empty segments of the JPEG: with these it is almost as large as a picture may be.
const SEGMENTS: usize = 6_200_000;

/// Pictures submitted at once.
const AT_ONCE: usize = 16;

/// Upper bounds on the time of `/healthz` meanwhile: of 99 in 100, and of all.
const USUAL: Duration = Duration::from_millis(50);
const WORST: Duration = Duration::from_millis(500);

/// Submits JPEGs of millions of empty segments.
pub(super) fn check(data: &Path) -> Finding {
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
        let submits: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let body = json!({"image_url": format!("{url}/segments.jpg")});
                let (server, body) = (&server, body);
                scope.spawn(move || server.client.post("/v1/image-enhance/generate", &body).refusal())
            })
            .collect();
        let answers: Vec<_> = submits.into_iter().map(|submit| submit.join().expect("an answer")).collect();
        is_over.store(true, Ordering::Relaxed);
        (answers, polls.join().expect("the server answers"))
    });
    let (polls, usual, worst) = (times.len(), quantile(&mut times, 0.99), quantile(&mut times, 1.0));
    let are_refused = refused.iter().all(|refusal| *refusal == (400, "INVALID_URL".to_owned()));
    Finding {
        held: are_refused && usual <= USUAL && worst <= WORST,
        measured: format!(
            "{AT_ONCE} pictures of {SEGMENTS} empty segments, all refused: {are_refused}; /healthz meanwhile: {polls} answers, \
             99 in 100 within {usual:.1?}, all within {worst:.1?}"
        ),
    }
}
