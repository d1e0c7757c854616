//! `queue [--jobs N] [--seconds S] [--rounds R] [--clients C] [--profile] [--short]`: see `bench/queue.sh`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use aerie_load::report::{Report, median, percentile};
use aerie_load::server::Server;
use aerie_load::{admissions, claims, clients, fairness, jobs, kept, pgbench};
use aerie_storage::JobQueue;

/// Share of pgbench's rate that the storage code has to reach.
const RATIO: f64 = 0.6;
/// Time within which 99 of 100 claims have to succeed, in milliseconds.
const CLAIM: f64 = 10.0;
/// Claimers at once.
const CLAIMERS: usize = 4;
/// Length of the queue while claims are timed.
const QUEUE: u64 = 10_000;

struct Options {
    jobs: u64,
    seconds: u64,
    rounds: usize,
    clients: usize,
    is_profiled: bool,
    is_short: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut options =
        Options { jobs: 10_000_000, seconds: 10, rounds: 3, clients: 16, is_profiled: false, is_short: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok()).expect("a number");
        match argument.as_str() {
            "--jobs" => options.jobs = number(),
            "--seconds" => options.seconds = number(),
            "--rounds" => options.rounds = usize::try_from(number()).expect("a small number"),
            "--clients" => options.clients = usize::try_from(number()).expect("a small number"),
            "--profile" => options.is_profiled = true,
            "--short" => options.is_short = true,
            _ => {
                Report::default()
                    .line("queue [--jobs N] [--seconds S] [--rounds R] [--clients C] [--profile] [--short]");
                return ExitCode::from(2);
            }
        }
    }
    let (server, mut report) = (Server::connect().await, Report::default());
    if options.is_short {
        kept::fill(&server, 10_000).await;
    } else {
        fill(&server, &report, options.jobs).await;
        throughput(&server, &mut report, &options).await;
    }
    turns(&server, &mut report).await;
    let time = Duration::from_secs(if options.is_short { 12 } else { 75 });
    limits(&server, &mut report, time).await;
    if report.finish() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn fill(server: &Server, report: &Report, jobs: u64) {
    let begun = Instant::now();
    kept::fill(server, jobs).await;
    let row = "SELECT avg(pg_column_size(jobs.*))::bigint FROM jobs TABLESAMPLE SYSTEM (1)";
    let bytes = "SELECT (pg_total_relation_size('jobs') + pg_total_relation_size('usage_events'))::bigint";
    let (row, bytes) = (server.number(row).await, server.number(bytes).await);
    report.line(&format!(
        "{jobs} kept jobs of {} organizations: {row} bytes a row, {} bytes a job with indexes and bill, {} MB in all; created in {:.0} s",
        jobs::ORGANIZATIONS,
        bytes / i64::try_from(jobs).unwrap_or(1).max(1),
        bytes / 1_000_000,
        begun.elapsed().as_secs_f64()
    ));
}

async fn throughput(server: &Server, report: &mut Report, options: &Options) {
    let (clients, time) = (options.clients, Duration::from_secs(options.seconds));
    let store = server.store(clients).await;
    store.plan_weights_set(clients::WEIGHTS.map(|(plan, weight)| (plan.to_owned(), weight)).into());
    let scripts = pgbench::Scripts::capture(server).await;
    if options.is_profiled {
        report.line(&scripts.text());
        server.profile().await;
    }
    // Enough that the queue does not run out.
    let queue = options.seconds * 3000;
    // Connections are open and statements prepared.
    clients::submits(&store, clients, Duration::from_secs(2), None).await;
    let mut rates: [Vec<f64>; 4] = Default::default();
    for round in 1..=options.rounds {
        let submits =
            [clients::submits(&store, clients, time, None).await, scripts.submits(server, clients, time).await];
        kept::set_queue(server, queue).await;
        let own = clients::lives(&store, clients, time).await;
        kept::set_queue(server, queue).await;
        let lives = [own, scripts.lives(server, clients, time).await];
        report.line(&format!(
            "round {round}: {:.0} submits/s, pgbench {:.0}; {:.0} lives/s, pgbench {:.0}",
            submits[0], submits[1], lives[0], lives[1]
        ));
        for (all, rate) in rates.iter_mut().zip(submits.into_iter().chain(lives)) {
            all.push(rate);
        }
    }
    let [own_submits, submits, own_lives, lives] = rates.map(median);
    for (what, own, other) in [("submits", own_submits, submits), ("lives", own_lives, lives)] {
        let ratio = own / other;
        let figure = format!("{what}/s: {own:.0}, pgbench {other:.0}, ratio {ratio:.2}");
        report.bar(&figure, &format!("at least {RATIO}"), ratio >= RATIO);
    }
    if options.is_profiled {
        for line in server.profile().await {
            report.line(&line);
        }
    }
    let hot = clients::submits(&store, clients, time, Some(jobs::organization(1))).await;
    report.line(&format!("{hot:.0} submits/s to one organization"));
    for keys in [1000, 1] {
        let rate = clients::admissions(&store, clients, time, keys).await;
        report.line(&format!("{rate:.0} admissions/s over {keys} keys"));
    }
    kept::set_queue(server, QUEUE).await;
    let (mut times, mut commits) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        times.extend(claims::times(&store, CLAIMERS as u64, time).await);
        commits.extend(claims::commits(&store, CLAIMERS as u64, time / 4).await);
    }
    let [(p50, p99), commit] = [times, commits].map(|mut times| {
        times.sort_unstable();
        (percentile(&times, 0.5), percentile(&times, 0.99))
    });
    report.line(&format!("commits of one row by {CLAIMERS} clients: p50 {:.1} ms, p99 {:.1} ms", commit.0, commit.1));
    let figure = format!("claims by {CLAIMERS} claimers from {QUEUE} queued jobs: p50 {p50:.1} ms, p99 {p99:.1} ms");
    report.bar(&figure, &format!("p99 at most {CLAIM} ms"), p99 <= CLAIM);
    kept::set_queue(server, 0).await;
}

async fn turns(server: &Server, report: &mut Report) {
    let store = server.store(CLAIMERS).await;
    let (alone, together) = fairness::claims_between(server, &store, CLAIMERS).await;
    let figure = format!("claims before the only job of an organization, beside one with 10,000: {alone}");
    report.bar(&figure, "at most 1", alone <= 1);
    let figure = format!("with {CLAIMERS} claims at once: {together}");
    report.bar(&figure, &format!("less than {}", 2 * CLAIMERS), together < 2 * CLAIMERS);
    let ratio = fairness::weighted(server, &store).await;
    report.bar(
        &format!("turns with weight 3 to turns with weight 1: {ratio:.2}"),
        "2.8 to 3.2",
        (2.8..=3.2).contains(&ratio),
    );
}

async fn limits(server: &Server, report: &mut Report, time: Duration) {
    let admissions::Admissions { requests: (sent, admitted), over, fewest, unexplained } =
        admissions::hammer(server, time).await;
    let figure = format!("{over} over-admissions in any 60 s, of {admitted} admitted of {sent} requests over 3 stores");
    report.bar(&figure, "0", over == 0 && unexplained == 0);
    report.bar(
        &format!("admitted in the busiest 60 s of each key: at least {}", fewest.0),
        &fewest.1.to_string(),
        fewest.0 == u64::from(fewest.1),
    );
}
