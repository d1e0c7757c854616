//! Counts of requests by key, and debts of networks, in the database.

use aerie_domain::RateLimits;
use aerie_storage::limiter::Counts;
use aerie_storage::{Counted, Debtor, StoreError};
use deadpool_postgres::GenericClient;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::rows::number;

/// Rows that one statement of [`sweep`] removes.
const BATCH: i64 = 10_000;

/// Admits and counts a request, or refuses it, by the clock of the database.
pub(crate) async fn admit(
    db: &impl GenericClient,
    counted: Counted,
    limits: RateLimits,
    given: Option<i64>,
) -> Result<Counts> {
    let statement = "SELECT is_admitted, counted_at, in_minute, in_day, frees_with FROM request_admit($1, $2, $3, $4)";
    let (per_minute, per_day) = (i64::from(limits.per_minute), i64::from(limits.per_day));
    let counts = row(db, statement, &[&counted.id(), &per_minute, &per_day, &given]).await?.ok_or_else(no_row)?;
    Ok(Counts {
        is_admitted: counts.try_get(0)?,
        now: counts.try_get(1)?,
        in_minute: number(&counts, 2)?,
        in_day: number(&counts, 3)?,
        frees_with: counts.try_get(4)?,
    })
}

/// Adds to the debt, in microseconds, and returns it.
pub(crate) async fn owe(
    db: &impl GenericClient,
    debtor: Debtor,
    (cost, most): (i64, i64),
    given: Option<i64>,
) -> Result<i64> {
    let statement = "INSERT INTO bad_keys AS known (network, debt_until)
                     SELECT $1, now + least($2::bigint, $3::bigint) FROM (SELECT clock_ms($4) * 1000 AS now) AS clock
                     ON CONFLICT (network) DO UPDATE SET debt_until =
                         least(greatest(known.debt_until, clock_ms($4) * 1000) + $2, clock_ms($4) * 1000 + $3)
                     RETURNING debt_until - clock_ms($4) * 1000";
    let debt = row(db, statement, &[&debtor.to_string(), &cost, &most, &given]).await?.ok_or_else(no_row)?;
    Ok(debt.try_get(0)?)
}

/// Removes debts that are paid, and requests of past days that left the minute; of today's, the last one of a key has the count
/// of the day. Rows that are in use are left for the next time.
pub(crate) async fn sweep(db: &impl GenericClient, given: Option<i64>) -> Result<()> {
    let requests = "DELETE FROM key_requests WHERE (key_id, number) IN (
                        SELECT key_id, number FROM key_requests
                        WHERE day < clock_ms($1) / 86400000 AND at <= clock_ms($1) - 60000
                        LIMIT $2 FOR UPDATE SKIP LOCKED)";
    let debts = "DELETE FROM bad_keys WHERE network IN (
                     SELECT network FROM bad_keys WHERE debt_until <= clock_ms($1) * 1000
                     LIMIT $2 FOR UPDATE SKIP LOCKED)";
    for statement in [requests, debts] {
        while execute(db, statement, &[&given, &BATCH]).await? == BATCH.unsigned_abs() {}
    }
    Ok(())
}

fn no_row() -> StoreError {
    StoreError::Backend("no row was returned".to_owned())
}
