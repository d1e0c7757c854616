//! The hours of a day, and how they compare with the model.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::sleep_until;

use super::fleet::{Fleet, WARM_UP};
use super::model::{BYTES, GROUPS, Plan, per_job};
use super::sample::Sample;
use crate::report::{Report, percentile};
use crate::server::Server;

/// How far a figure may be from the model.
const TOLERANCE: f64 = 0.2;

/// Sums over the hours: measured, and by the model.
#[derive(Default)]
struct Sums {
    busy: [[f64; 2]; 2],
    transactions: [f64; 2],
}

/// Runs these hours of the day.
pub async fn simulate(server: &Server, report: &mut Report, plan: &Plan, hours: Range<usize>) {
    report.line(&format!(
        "{} workers for quick kinds and {} for video, {:.0} jobs a day, {:.1} transactions a job, {} times as fast",
        plan.workers[0],
        plan.workers[1],
        plan.jobs,
        per_job(),
        plan.compress
    ));
    let before_them = hours.start as f64 - WARM_UP.as_secs_f64() * plan.compress / 3600.0;
    let fleet = Fleet::start(server, plan.clone(), before_them).await;
    let day = Arc::clone(&fleet.day);
    let counts = &day.counts;
    sleep_until(day.at(hours.start as f64)).await;
    counts.waits();
    let busy = || [0, 1].map(|group| counts.busy[group].load(Ordering::Relaxed) as f64 / 1e6);
    let size = "SELECT (pg_total_relation_size('jobs') + pg_total_relation_size('usage_events'))::bigint";
    let (first, mut before, mut was_busy) = (server.number(size).await, Sample::take(server).await, busy());
    let mut sums = Sums::default();
    for hour in hours.clone() {
        sleep_until(day.at((hour + 1) as f64)).await;
        let (after, is_busy, seconds) = (Sample::take(server).await, busy(), 3600.0 / plan.compress);
        let waits = counts.waits();
        let mut line = format!("{hour:>2} h:");
        for group in 0..2 {
            let measured = (is_busy[group] - was_busy[group]) / seconds / plan.workers[group] as f64;
            let model = plan.busy(group, hour);
            sums.busy[group][0] += measured;
            sums.busy[group][1] += model;
            line += &format!(" {} {:.0} % busy (model {:.0} %),", GROUPS[group], measured * 100.0, model * 100.0);
        }
        let transactions = (after.commits - before.commits) as f64 / seconds;
        let parts = plan.transactions(hour);
        let model: f64 = parts.iter().sum();
        sums.transactions[0] += transactions;
        sums.transactions[1] += model;
        report.line(&format!(
            "{line} wait p50 {:.0} ms, p99 {:.0} ms; {transactions:.0} transactions/s (model {model:.0}: jobs {:.0}, wakes {:.0}, \
             nodes {:.0}); cores: server {:.2}, fleet {:.2}; {:.1} MB/s of log; {} connections; {} errors",
            percentile(&waits, 0.5),
            percentile(&waits, 0.99),
            parts[0],
            parts[1],
            parts[2],
            (after.cpu[0] - before.cpu[0]) / seconds,
            (after.cpu[1] - before.cpu[1]) / seconds,
            (after.wal - before.wal) as f64 / seconds / 1e6,
            after.connections,
            counts.errors.load(Ordering::Relaxed),
        ));
        (before, was_busy) = (after, is_busy);
    }
    fleet.stop().await;
    for (group, busy) in GROUPS.iter().zip(sums.busy) {
        let [measured, model] = busy.map(|sum| sum / hours.len() as f64 * 100.0);
        compare(report, &format!("{group} workers busy, %"), measured, model);
    }
    let [measured, model] = sums.transactions.map(|sum| sum / hours.len() as f64);
    compare(report, "transactions/s", measured, model);
    compare(report, "connections", before.connections as f64, plan.connections() as f64);
    let completed = counts.completed.load(Ordering::Relaxed);
    let media =
        "SELECT coalesce(sum((output::json ->> 'bytes')::bigint), 0)::bigint FROM jobs WHERE status = 'completed'";
    let media = server.number(media).await;
    let stored = (server.number(size).await - first) as f64 / completed as f64;
    compare(report, "bytes of a job in the database", stored, BYTES);
    compare(report, "media, GB", media as f64 / 1e9, plan.media(hours) / 1e9);
    report.line(&format!("{completed} jobs completed"));
}

fn compare(report: &mut Report, what: &str, measured: f64, model: f64) {
    let ratio = measured / model;
    let figure = format!("{what}: {measured:.1}, model {model:.1}, ratio {ratio:.2}");
    report.bar(&figure, "within 20 %", (ratio - 1.0).abs() <= TOLERANCE);
}
