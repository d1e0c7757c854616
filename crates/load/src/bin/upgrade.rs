//! `upgrade OLD_BINARY LOGS [KEPT_JOBS [SECONDS]]`: upgrades a fleet under load; see `bench/upgrade.sh`. Set `AERIE_BIN` to the new
//! binary.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use aerie_e2e::fleet::Upgrade;

#[expect(clippy::print_stdout, reason = "prints a report")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [old, logs, numbers @ ..] = &arguments[..] else {
        println!("upgrade OLD_BINARY LOGS [KEPT_JOBS [SECONDS]]");
        return ExitCode::from(2);
    };
    let number = |index: usize, default| {
        numbers.get(index).map_or(default, |text: &String| text.parse::<u32>().expect("a number"))
    };
    let [alone, together, after] = [1, 2, 1].map(|share| Duration::from_secs(share * u64::from(number(1, 15))));
    let upgrade = Upgrade {
        old: PathBuf::from(old),
        kept: number(0, 200_000),
        phases: [alone, together, after],
        logs: PathBuf::from(logs),
    };
    let report = upgrade.run();
    println!("{report}");
    for violation in &report.violations {
        println!("  {violation}");
    }
    if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
