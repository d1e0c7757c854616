//! `capacity [--hours A..B] [--workers W] [--load L] [--compress C] [--push [SECONDS]]`: see `bench/capacity.sh`.

use std::process::ExitCode;
use std::time::Duration;

use aerie_load::capacity::model::Plan;
use aerie_load::capacity::push::push;
use aerie_load::capacity::simulation::simulate;
use aerie_load::kept;
use aerie_load::report::Report;
use aerie_load::server::Server;

#[tokio::main]
async fn main() -> ExitCode {
    let (mut hours, mut workers, mut load, mut compress, mut pushed) = (0..24, 100, 0.15, 20.0, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next();
        let number = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        match argument.as_str() {
            "--hours" => {
                let text = value().unwrap_or_default();
                let hour = |text: &str| text.parse::<usize>().expect("an hour");
                let (from, to) = text.split_once("..").expect("--hours A..B");
                hours = hour(from)..hour(to);
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
            "--workers" => workers = number(value()).expect("a number") as usize,
            "--load" => load = number(value()).expect("a number"),
            "--compress" => compress = number(value()).expect("a number"),
            "--push" => pushed = Some(number(value()).unwrap_or(30.0)),
            _ => {
                Report::default()
                    .line("capacity [--hours A..B] [--workers W] [--load L] [--compress C] [--push [SECONDS]]");
                return ExitCode::from(2);
            }
        }
    }
    let (server, mut report) = (Server::connect().await, Report::default());
    // Enough that statistics are those of a database in use.
    kept::fill(&server, 100_000).await;
    match pushed {
        Some(seconds) => push(&server, &report, workers, compress, Duration::from_secs_f64(seconds)).await,
        None => simulate(&server, &mut report, &Plan::new(workers, load, compress), hours).await,
    }
    if report.finish() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
