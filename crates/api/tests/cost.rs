//! Memory allocations of a request, over all threads. Unlike time, their number is the same on every machine, so that a change
//! that makes requests more expensive shows here. `bench/throughput.sh` measures the time.
//!
//! The only test of this program: the allocator counts for the whole process.
#![cfg(test)]

#[expect(dead_code, reason = "the contract tests use the rest")]
#[path = "contract/harness.rs"]
mod harness;
#[expect(dead_code, reason = "the contract tests use the rest")]
#[path = "../../fetch/tests/support/picture_server.rs"]
mod picture_server;

#[path = "contract/stalls.rs"]
mod stalls;

use std::alloc::System;

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use harness::Service;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const REQUESTS: usize = 256;

/// Largest difference from a recorded number that is not a change of the code: buffers grow now and then.
const TOLERANCE: f64 = 0.02;

/// Allocations of one request, on average.
async fn allocations(service: &Service, request: impl Fn() -> Request<Body>) -> f64 {
    // Statements are prepared and buffers grow in the first requests.
    for _ in 0..REQUESTS {
        service.send(request()).await;
    }
    let region = Region::new(ALLOCATOR);
    for _ in 0..REQUESTS {
        service.send(request()).await;
    }
    let counted = region.change();
    (counted.allocations + counted.reallocations) as f64 / REQUESTS as f64
}

#[tokio::test]
async fn requests_allocate_as_often_as_recorded_here() {
    let service = Service::new().await;
    let job = service.completed().await;
    let bare = || Request::get("/nothing").body(Body::empty()).unwrap();
    let get = || service.request("GET", &format!("/v1/jobs/{job}")).body(Body::empty()).unwrap();
    let submit = || {
        let request = service.request("POST", "/v1/drone-footage/generate").header("Content-Type", "application/json");
        request.body(Body::from(json!({"address": "1 Main St"}).to_string())).unwrap()
    };
    let found = [
        ("bare 404", allocations(&service, bare).await, 39.0),
        ("GET job", allocations(&service, get).await, 174.0),
        ("submit", allocations(&service, submit).await, 119.0),
    ];
    let differ = |(_, found, recorded): &(&str, f64, f64)| (found / recorded - 1.0).abs() > TOLERANCE;
    assert!(
        !found.iter().any(differ),
        "(request, allocations, recorded): {found:?}; if the change is intended, record the new numbers"
    );
}
