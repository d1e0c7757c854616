//! `campaigns NAME [COUNT]`: years of faults and load in minutes. Prints counts, and fails if a job is lost, billed twice
//! or stuck. Set `AERIE_BIN` to the binary to test.

use std::time::Duration;

use aerie_e2e::campaigns::{clients, clock, disk, hostile, loads, poison, receivers, set_clock, steady, uploads};

/// Upper bound on how many times longer a request may take with many jobs than with few.
const MAX_RATIO: f64 = 1.5;
/// Upper bound on the growth of the server's memory under steady load.
const MAX_GROWTH: f64 = 0.2;

#[expect(clippy::print_stdout, reason = "prints a report")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("", String::as_str);
    let count = |default: u64| arguments.get(1).map_or(default, |text| text.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    match name {
        "poison" => println!("{}", poison::campaign(count(10) as usize, &data)),
        "uploads" => println!("{}", uploads::campaign(count(200) as u32, &data)),
        "receivers" => println!("{}", receivers::campaign(count(20) as u32, &data)),
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
            let mut failed = 0;
            hostile::campaign(arguments.get(1).map(String::as_str), folder.path(), |check, finding| {
                println!("{} {check}: {}", if finding.held { "held  " } else { "FAILED" }, finding.measured);
                failed += usize::from(!finding.held);
            });
            assert!(failed == 0, "{failed} checks failed");
        }
        "steady" => {
            let report = steady::campaign(Duration::from_secs(count(600)), &data);
            println!("{report}");
            assert!(report.errors.0 == 0 && report.growth() <= MAX_GROWTH, "errors, or memory that grows");
        }
        "queued" => judge(&loads::queued(count(10_000), 200, folder.path())),
        "stored" => judge(&loads::stored(count(1_000_000), 200, folder.path())),
        _ => {
            println!(
                "campaigns uploads [KILLS] | receivers [KILLS] | poison [ROUNDS] | clock [JOBS] | set-clock [JOBS] | clients [SECONDS] | disk | hostile [CHECK] | steady [SECONDS] | queued [JOBS] | stored [JOBS]"
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
