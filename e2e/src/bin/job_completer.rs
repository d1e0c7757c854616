//! `job-completer complete DATA`: stands in for a worker in [`aerie_e2e::kills`], as a process of its own that can be killed.

use std::path::Path;

fn main() {
    let data = std::env::args_os().next_back().expect("a data folder");
    aerie_e2e::kills::complete_jobs(Path::new(&data));
}
