//! Many requests at once for what a month has left: bytes of uploads, and jobs of listings.

use std::path::Path;

use serde_json::json;

use crate::campaigns::{Finding, Tenant};
use crate::{Answer, gradient_picture, run_json};

/// Uploads begun at once, of 50 MB each. The month has room for [`FITTING`].
const UPLOADS: usize = 40;
const SIZE: &str = "50000000";
const FITTING: usize = 20;
/// Batches of three jobs requested at once. The month has room for ten jobs, so for three batches.
const BATCHES: usize = 12;
const JOBS: &str = "10";

/// Begins uploads and requests batches, all at the same time.
pub(super) fn check(data: &Path) -> Finding {
    let tenant = Tenant::new(data, "");
    // The table of the plan is the first of the file.
    let config = std::fs::read_to_string(&tenant.config).expect("a file");
    let limits = "[plans.campaign]\nuploads_gb_per_month = 1\n";
    std::fs::write(&tenant.config, config.replace("[plans.campaign]\n", limits)).expect("a file");
    let _ = run_json(&["admin", "org", "set", &tenant.org, "--monthly-quota", JOBS], data);
    let server = tenant.serve();
    let client = &server.client;

    let photo = gradient_picture("s=640x480:c0=navy:c1=teal", "mjpeg");
    let photos: Vec<_> = (0..3)
        .map(|_| json!({"image_url": client.send("POST", "/v1/uploads", &[], &photo).json()["data"]["image_url"]}))
        .collect();
    let listing = client.post("/v1/listings", &json!({"photos": photos})).json();
    let listing = listing["data"]["listing_id"].as_str().expect("an id").to_owned();
    let generate = format!("/v1/listings/{listing}/generate");
    let batches = at_once(BATCHES, || client.post(&generate, &json!({"enhance": true})));
    let headers = [("Tus-Resumable", "1.0.0"), ("Upload-Length", SIZE)];
    let uploads = at_once(UPLOADS, || client.send("POST", "/v1/uploads", &headers, &[]));

    let jobs = client.get("/v1/jobs?limit=1").json()["pagination"]["total"].as_u64();
    // 429: an organization makes only so many at once.
    let (made, refused) = (count(&batches, 202), count(&batches, 403) + count(&batches, 429));
    let (begun, full) = (count(&uploads, 201), count(&uploads, 403));
    // The three photos have taken some of the first place.
    let fitting = FITTING - 1;
    Finding {
        held: (made, refused, jobs) == (3, BATCHES - 3, Some(9)) && (begun, full) == (fitting, UPLOADS - fitting),
        measured: format!(
            "{BATCHES} batches of 3 jobs at once, a month's quota of {JOBS}: {made} accepted, {refused} refused, {jobs:?} jobs; {UPLOADS} uploads \
             of 50 MB at once, 1 GB a month: {begun} begun, {full} refused"
        ),
    }
}

fn at_once(times: usize, request: impl Fn() -> Answer + Sync) -> Vec<Answer> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..times).map(|_| scope.spawn(&request)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    })
}

fn count(answers: &[Answer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status == status).count()
}
