//! What the server and this process have done so far.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::watch;

use crate::server::Server;

/// Counters at one time.
pub(super) struct Sample {
    pub(super) commits: i64,
    pub(super) connections: i64,
    /// Processor time in seconds: of the server's processes that still run, and of this process.
    pub(super) cpu: [f64; 2],
    /// Bytes of write-ahead log.
    pub(super) wal: i64,
}

impl Sample {
    pub(super) async fn take(server: &Server) -> Self {
        let activity = "SELECT pid, coalesce(backend_type = 'client backend', false) FROM pg_stat_activity";
        let processes = server.rows(activity).await;
        let own = std::process::id();
        Self {
            commits: server.number("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()").await,
            connections: i64::try_from(processes.iter().filter(|row| row.get(1)).count()).unwrap_or(0),
            cpu: [processes.iter().map(|row| cpu_seconds(row.get::<_, i32>(0).unsigned_abs())).sum(), cpu_seconds(own)],
            wal: server.number("SELECT wal_bytes::bigint FROM pg_stat_wal").await,
        }
    }
}

/// Processor time of a process; `/proc` counts hundredths of a second. One that has ended counts as none.
fn cpu_seconds(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11);
    let mut ticks = || fields.next().and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks() + ticks()) / 100.0
}

/// What active connections were doing, as a share of all looks, until `end` changes; most frequent first.
pub(super) async fn waits(server: &Server, mut end: watch::Receiver<bool>) -> Vec<(String, f64)> {
    let query = "SELECT coalesce(wait_event_type || ' ' || wait_event, 'processor') FROM pg_stat_activity
                 WHERE state = 'active' AND pid <> pg_backend_pid()";
    let (mut seen, mut all) = (BTreeMap::<String, f64>::new(), 0.0_f64);
    while !*end.borrow() {
        for row in server.rows(query).await {
            *seen.entry(row.get(0)).or_default() += 1.0;
            all += 1.0;
        }
        tokio::select! {
            _ = end.changed() => {}
            () = tokio::time::sleep(Duration::from_millis(200)) => {}
        }
    }
    let mut waits: Vec<(String, f64)> = seen.into_iter().map(|(wait, count)| (wait, count / all.max(1.0))).collect();
    waits.sort_by(|a, b| b.1.total_cmp(&a.1));
    waits.truncate(4);
    waits
}
