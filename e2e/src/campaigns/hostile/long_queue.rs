//! An organization that queues many jobs, and another that submits one.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::campaigns::Finding;
use crate::{Server, run_json, wait_until};

/// Jobs that the first organization has queued.
const QUEUED: usize = 400;

/// Share of them that must still be queued when the other organization's job has ended.
const STILL_QUEUED: f64 = 0.8;

/// Queues jobs that fail quickly, then submits one as another organization.
pub(super) fn check(data: &Path) -> Finding {
    let plan = ["--plan", "enterprise"];
    let create = |name: &str| {
        let org = run_json(&[&["admin", "org", "create", name], &plan[..]].concat(), data)["org_id"].clone();
        let org = org.as_str().expect("an id").to_owned();
        let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
        (org, key)
    };
    crate::lay_town(data);
    let ((org, key), (_, other)) = (create("Many"), create("One"));
    let server = Server::restart(data, 0, &org, &key);
    for number in 0..QUEUED {
        let _ = server.client.submit(&format!("{number} No Such Street, Nowhere"), "north");
    }
    drop(server);
    let server = Server::restart(data, 1, &org, &key);
    let one = server.client.with_key(Some(&other));
    let begun = Instant::now();
    let job = one.submit("1 No Such Street, Nowhere", "north");
    let queued = wait_until("the other organization's job ends", Duration::from_secs(60), || {
        let has_ended = one.job(&job)["status"] == json!("failed");
        has_ended.then(|| server.client.get("/v1/jobs?status=queued&limit=1").json()["pagination"]["total"].clone())
    });
    let (waited, queued) = (begun.elapsed(), queued.as_f64().unwrap_or_default());
    Finding {
        held: queued >= STILL_QUEUED * QUEUED as f64,
        measured: format!(
            "one organization has {QUEUED} queued jobs; the only job of another ended after {waited:.1?}, when {queued} of \
             them were still queued"
        ),
    }
}
