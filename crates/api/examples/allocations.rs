//! Prints the memory allocations of a request, over all threads, beside those recorded here, and fails if they differ by more than
//! 2 %. Unlike time, their number is the same on every machine, so that a change that makes requests more expensive shows here.
//! `bench/throughput.sh` measures the time.
//!
//! A program of its own: the allocator counts for the whole process.
#![expect(clippy::unwrap_used, reason = "the harness is shared with the tests")]

#[expect(dead_code, reason = "the contract tests use the rest")]
#[path = "../tests/it/harness.rs"]
mod harness;
#[path = "../tests/it/stalls.rs"]
mod stalls;

use std::alloc::System;
use std::process::ExitCode;

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use harness::Service;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const REQUESTS: usize = 256;

/// Maximum difference from a recorded number, as a share of it, that is not a change of the code: buffers grow now and then.
const MAX_DIFFERENCE: f64 = 0.02;

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

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "prints measurements")]
async fn main() -> ExitCode {
    let service = Service::new().await;
    let job = service.completed().await;
    let bare = || Request::get("/nothing").body(Body::empty()).expect("a request");
    let get = || service.request("GET", &format!("/v1/jobs/{job}")).body(Body::empty()).expect("a request");
    let submit = || {
        let request = service.request("POST", "/v1/drone-footage/generate").header("Content-Type", "application/json");
        request.body(Body::from(json!({"address": "1 Main St"}).to_string())).expect("a request")
    };
    let found = [
        ("bare 404", allocations(&service, bare).await, 39.0),
        ("GET job", allocations(&service, get).await, 174.0),
        ("submit", allocations(&service, submit).await, 119.0),
    ];
    let mut missed = false;
    for (request, found, recorded) in found {
        println!("{request}: {found:.1} allocations, {recorded} recorded");
        missed |= (found / recorded - 1.0).abs() > MAX_DIFFERENCE;
    }
    if missed {
        println!("if the change is intended, record the new numbers in this file");
    }
    ExitCode::from(u8::from(missed))
}
