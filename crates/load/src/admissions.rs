//! Whether any key gets more requests admitted than its limit in any 60 seconds, while several stores ask for it without pause.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::Limiter;
use aerie_storage_postgres::PostgresStore;
use jiff::Timestamp;
use tokio::task::JoinSet;

use crate::server::Server;

const LIMITS: RateLimits = RateLimits { per_minute: 100, per_day: 1_000_000 };
const KEYS: u64 = 10;
const STORES: usize = 3;

/// What was admitted.
pub struct Admissions {
    /// Requests that were sent, and those that were admitted.
    pub requests: (u64, u64),
    /// Admissions that had as many others in the 60 seconds before as the limit allows.
    pub over: u64,
    /// Admissions in the busiest 60 seconds of the key that had fewest, and the limit: less would be unused.
    pub fewest: (u64, u32),
    /// Admissions after which a row is missing, or rows without an admission.
    pub unexplained: u64,
}

/// Has three stores ask. The times of admissions are those that the database has counted by, recorded by a trigger: the limiter
/// removes its own rows. Each key starts with half a minute used, between 60 and 50 seconds ago, whose places become free meanwhile.
pub async fn hammer(server: &Server, time: Duration) -> Admissions {
    server
        .run(
            "DROP TABLE IF EXISTS public.admissions;
             CREATE TABLE public.admissions (key_id uuid, at bigint);
             CREATE OR REPLACE FUNCTION public.admitted() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN INSERT INTO public.admissions VALUES (NEW.key_id, NEW.at); RETURN NULL; END $$;
             CREATE OR REPLACE TRIGGER admitted AFTER INSERT ON key_requests FOR EACH ROW EXECUTE FUNCTION public.admitted()",
        )
        .await;
    let keys: Vec<KeyId> = (0..KEYS).map(|_| KeyId::new(Timestamp::now())).collect();
    for key in &keys {
        let fill = "WITH clock AS (SELECT clock_ms(NULL) AS now)
                    INSERT INTO key_requests SELECT";
        server
            .run(&format!(
                "{fill} '{key}', n, now - 60000 + n * 200, 0, (now - 50200) / 86400000, n + 1 FROM clock, generate_series(0, 49) AS n"
            ))
            .await;
    }
    let keys: Arc<[KeyId]> = keys.into();
    let until = Instant::now() + time;
    let mut clients = JoinSet::new();
    for _ in 0..STORES {
        let store = server.store(6).await;
        for client in 0..6 {
            clients.spawn(ask(Arc::clone(&store), Arc::clone(&keys), client, until));
        }
    }
    let requests =
        clients.join_all().await.into_iter().fold((0, 0), |sum, (sent, admitted)| (sum.0 + sent, sum.1 + admitted));
    let mut result = Admissions { requests, over: 0, fewest: (u64::MAX, LIMITS.per_minute), unexplained: 0 };
    let mut recorded = 0;
    for key in keys.iter() {
        let rows = server.rows(&format!("SELECT at FROM public.admissions WHERE key_id = '{key}' ORDER BY at")).await;
        let times: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        recorded += times.len() as u64;
        result.over += over(&times, LIMITS.per_minute);
        result.fewest.0 = result.fewest.0.min(busiest(&times));
    }
    server.run("DROP TRIGGER admitted ON key_requests; DROP TABLE public.admissions").await;
    result.unexplained = recorded.abs_diff(requests.1 + 50 * KEYS);
    result
}

async fn ask(store: Arc<PostgresStore>, keys: Arc<[KeyId]>, client: usize, until: Instant) -> (u64, u64) {
    let (mut sent, mut admitted) = (0, 0);
    for key in keys.iter().cycle().skip(client) {
        if Instant::now() >= until {
            break;
        }
        let verdict = store.request_admit((*key).into(), LIMITS).await.expect("a database");
        sent += 1;
        if verdict.retry_after.is_none() {
            admitted += 1;
        } else {
            // Refusals are remembered and cost nothing.
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
    }
    (sent, admitted)
}

/// Admissions that came less than 60 seconds after the one `limit` places before.
fn over(sorted: &[i64], limit: u32) -> u64 {
    let limit = limit as usize;
    sorted.windows(limit + 1).filter(|window| window[limit] - window[0] < 60_000).count() as u64
}

/// The most admissions in any 60 seconds.
fn busiest(sorted: &[i64]) -> u64 {
    let within = |first: usize| sorted[first..].partition_point(|at| *at < sorted[first] + 60_000) as u64;
    (0..sorted.len()).map(within).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_too_many_in_any_minute_is_counted_to_the_millisecond() {
        assert_eq!(over(&[0, 1, 60_000], 2), 0);
        assert_eq!(over(&[0, 1, 59_999], 2), 1);
        assert_eq!(over(&[0, 0, 0, 0], 2), 2);
        assert_eq!((busiest(&[0, 1, 60_000]), busiest(&[0, 1, 59_999]), busiest(&[])), (2, 3, 0));
    }
}
