//! The process that decodes a client's photo, inspected while it works: what could it do if the photo took it over?

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::campaigns::{Finding, Tenant};
use crate::{Inspection, Server, gradient_picture, inspect, serve_pictures};

/// A variable of the server's environment that a decoder has no use for.
const SECRET: &str = "AERIE_TEST_SECRET";

/// How long the job may take.
const LIMIT: Duration = Duration::from_secs(50);

/// Submits a photo of 12 megapixels, and inspects the process that decodes it until the job ends.
pub(super) fn check(data: &Path) -> Finding {
    let url = serve_pictures(BTreeMap::from([("photo.jpg", photo())]));
    let tenant = Tenant::new(data, "[intake]\nallow_networks = [\"127.0.0.1/32\"]");
    let config = tenant.config.to_str().unwrap_or_default();
    let arguments = ["--config", config];
    let server = Server::restart_in(&[(SECRET, "1")], &arguments, data, 1, &tenant.org, &tenant.key);
    let answer = server.client.post("/v1/image-enhance/generate", &json!({"image_url": format!("{url}/photo.jpg")}));
    let id = answer.json()["data"]["job_id"].as_str().unwrap_or_default().to_owned();
    let (begun, mut last, mut status) = (Instant::now(), None, String::new());
    while !matches!(status.as_str(), "completed" | "failed") && begun.elapsed() < LIMIT {
        last = server.engines().first().copied().and_then(inspect).or(last);
        server.client.job(&id)["status"].as_str().unwrap_or_default().clone_into(&mut status);
        std::thread::sleep(Duration::from_millis(10));
    }
    let Some(inspection) = last else {
        return Finding { held: false, measured: format!("the job is {status}, and no process decoded its photo") };
    };
    let has_secret = inspection.variables.iter().any(|name| name == SECRET);
    let Inspection { is_filtered, can_gain_privileges, memory, .. } = &inspection;
    let forbidden = inspection.forbidden_files();
    let sockets = forbidden.iter().filter(|file| file.starts_with("socket:")).count();
    let held = status == "completed"
        && *is_filtered
        && !can_gain_privileges
        && forbidden.is_empty()
        && memory.is_some()
        && !has_secret;
    let memory = memory.map_or_else(|| "none".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    Finding {
        held,
        measured: format!(
            "the process that decodes a photo ({status}): system calls filtered: {is_filtered}; can gain privileges: \
             {can_gain_privileges}; memory limit: {memory}; open sockets: {sockets}; other open files of the \
             server, such as its database: {}; sees the server's environment: {has_secret}",
            forbidden.len() - sockets
        ),
    }
}

/// A JPEG of 12 megapixels.
fn photo() -> Vec<u8> {
    gradient_picture("s=4000x3000:c0=0x2a3a4a:c1=0x9a8a70:x0=0:y0=0:x1=3999:y1=2999", "mjpeg")
}
