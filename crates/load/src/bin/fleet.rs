//! `fleet [--runs N] [--seed S] [--again] [--sabotage]`: a fleet of three API nodes and six workers under faults drawn from a
//! seed; see `bench/fleet.sh`. Set `AERIE_BIN` to the binary to test.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_e2e::fleet::{Options, Outcome, campaign, sabotage};

#[expect(clippy::print_stdout, reason = "prints a report")]
fn main() -> ExitCode {
    let results = std::env::var_os("AERIE_FLEET_RESULTS").map_or_else(|| PathBuf::from("target/fleet"), PathBuf::from);
    let mut options = Options { runs: 100, seed: 1, again: false, results };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
        match argument.as_str() {
            "--runs" => options.runs = number(),
            "--seed" => options.seed = number(),
            "--again" => options.again = true,
            "--sabotage" => {
                let missed = sabotage(&options.results, print);
                println!("not noticed: {missed:?}");
                return if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
            }
            _ => {
                println!("fleet [--runs N] [--seed S] [--again] [--sabotage]");
                return ExitCode::from(2);
            }
        }
    }
    let (outcomes, reused) = campaign(&options, print);
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    for (fault, count) in outcomes.iter().flat_map(|outcome| &outcome.faults) {
        *faults.entry(fault).or_default() += count;
    }
    let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
    let most = |of: fn(&Outcome) -> f64| outcomes.iter().map(of).fold(0.0, f64::max);
    println!(
        "{} runs, {reused} of them of earlier campaigns with this binary: {} acknowledged, {} completed, {} failed, {} of several attempts; recovered within {:.1} s; not ready within \
         {:.1} s; faults: {faults:?}",
        outcomes.len(),
        sum(|outcome| outcome.acknowledged),
        sum(|outcome| outcome.completed),
        sum(|outcome| outcome.failed),
        sum(|outcome| outcome.repeated),
        most(|outcome| outcome.recovery),
        most(|outcome| outcome.not_ready.iter().copied().fold(0.0, f64::max)),
    );
    let failed: Vec<u64> = outcomes.iter().filter(|o| !o.violations.is_empty()).map(|outcome| outcome.seed).collect();
    println!("{} violations; seeds {failed:?}", sum(|outcome| outcome.violations.len() as u64));
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stdout, reason = "prints a report")]
fn print(outcome: &Outcome) {
    println!("{outcome}");
    for violation in &outcome.violations {
        println!("  {violation}");
    }
}
