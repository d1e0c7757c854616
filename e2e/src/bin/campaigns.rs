//! `campaigns NAME [COUNT]`: years of faults and load in minutes. Prints counts, and fails if a job is lost, billed twice
//! or stuck. Set `AERIE_BIN` to the binary to test.

use std::path::Path;
use std::time::Duration;

use aerie_e2e::campaigns::{clients, clock, disk, hostile, loads, poison, set_clock};

/// Upper bound on how many times longer a request may take with many jobs than with few.
const MAX_RATIO: f64 = 1.5;
/// Upper bounds on the time of `/healthz` while hostile pictures are submitted: of 99 in 100, and of all.
const USUAL: Duration = Duration::from_millis(50);
const WORST: Duration = Duration::from_millis(500);

#[expect(clippy::print_stdout, reason = "prints a report")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("", String::as_str);
    if name == "poison-worker" {
        return poison::run_worker(Path::new(arguments.last().expect("a data folder")));
    }
    let count = |default: u64| arguments.get(1).map_or(default, |text| text.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("path of this program");
    let data = folder.path().join("data");
    match name {
        "poison" => println!("{}", poison::campaign(count(10) as usize, &data, &own)),
        "clock" => println!("{}", clock::campaign(count(5000) as usize, folder.path())),
        "set-clock" => match set_clock::campaign(count(300) as usize, &data) {
            Ok(report) => println!("{report}"),
            Err(why) => println!("skipped, cannot set the clock: {why}"),
        },
        "clients" => println!("{}", clients::campaign(Duration::from_secs(count(60)), &data)),
        "disk" => match disk::campaign(folder.path()) {
            Ok(report) => println!("{report}"),
            Err(why) => println!("skipped, cannot mount a disk: {why}"),
        },
        "hostile" => {
            let report = hostile::campaign(count(16) as usize, &data);
            println!("{report}");
            assert!(report.usual <= USUAL && report.worst <= WORST, "/healthz takes too long");
        }
        "queued" => judge(&loads::queued(count(10_000), 200, folder.path())),
        "stored" => judge(&loads::stored(count(1_000_000), 200, folder.path())),
        _ => {
            println!(
                "campaigns poison [ROUNDS] | clock [JOBS] | set-clock [JOBS] | clients [SECONDS] | disk | hostile [PICTURES] | queued [JOBS] | stored [JOBS]"
            );
            std::process::exit(2);
        }
    }
}

#[expect(clippy::print_stdout, reason = "prints a report")]
fn judge(report: &loads::Report) {
    println!("{report}");
    let worst = report.worst();
    println!("worst ratio {worst:.2}; limit {MAX_RATIO}");
    assert!(worst <= MAX_RATIO, "a request takes {worst:.2} times as long");
}
