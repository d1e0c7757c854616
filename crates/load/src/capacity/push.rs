//! A load that grows until something is saturated.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::fleet::{Fleet, WARM_UP};
use super::model::Plan;
use super::sample::{Sample, waits};
use crate::report::{Report, percentile};
use crate::server::Server;

/// The busiest hour.
const HOUR: f64 = 12.0;
/// Speeds, relative to that of the plan.
const STEPS: [f64; 7] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

/// Runs the busiest hour for so long at each speed, until less than 95 % of the jobs that arrive are completed.
pub async fn push(server: &Server, report: &Report, workers: usize, compress: f64, time: Duration) {
    for step in STEPS {
        let plan = Plan::new(workers, 1.0, compress * step);
        let (fleet, end) = (Fleet::start(server, plan.clone(), HOUR).await, watch::channel(false));
        let day = Arc::clone(&fleet.day);
        sleep(WARM_UP).await;
        day.counts.waits();
        server.profile().await;
        let count = || {
            let counts = &day.counts;
            [&counts.submitted, &counts.completed, &counts.empty, &counts.errors].map(|n| n.load(Ordering::Relaxed))
        };
        let (before, counted) = (Sample::take(server).await, count());
        let looks = async {
            sleep(time).await;
            end.0.send_replace(true);
        };
        let (waits, ()) = tokio::join!(waits(server, end.1), looks);
        let (after, counted_after) = (Sample::take(server).await, count());
        let per_second = |n: u64| n as f64 / time.as_secs_f64();
        let [submitted, completed, empty, errors] = [0, 1, 2, 3].map(|of| per_second(counted_after[of] - counted[of]));
        let cpu = [0, 1].map(|of| (after.cpu[of] - before.cpu[of]) / time.as_secs_f64());
        let times = day.counts.waits();
        report.line(&format!(
            "{:.0} jobs/s arrive ({:.1} million a day at the peak): {submitted:.0}/s submitted, {completed:.0}/s completed, {empty:.0} \
             claims/s of nothing, {errors:.0} errors/s; {:.0} transactions/s, {:.1} MB/s of log; wait p50 {:.0} ms, p99 {:.0} ms; cores: server {:.2}, fleet {:.2}; {}",
            plan.arrivals(12),
            plan.jobs * plan.compress / 1e6,
            (after.commits - before.commits) as f64 / time.as_secs_f64(),
            (after.wal - before.wal) as f64 / 1e6 / time.as_secs_f64(),
            percentile(&times, 0.5),
            percentile(&times, 0.99),
            cpu[0],
            cpu[1],
            waits.iter().map(|(wait, share)| format!("{wait} {:.0} %", share * 100.0)).collect::<Vec<_>>().join(", "),
        ));
        for line in server.profile().await.iter().take(6) {
            report.line(&format!("  {line}"));
        }
        fleet.stop().await;
        if completed < 0.95 * plan.arrivals(12) {
            report.line("saturated");
            break;
        }
    }
}
