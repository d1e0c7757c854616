//! Counts of requests by key and debts of networks, in the database for all nodes, and the verdicts that a node remembers.
//!
//! A node remembers refusals while they cannot change, and networks whose debt cannot grow, so that a flood of such requests costs
//! the database no more than looking up their keys: that is never remembered, so that a revoked key is refused at once.
//!
//! # Invariants
//!
//! - No key makes more requests than its plan allows, in any 60 seconds or UTC day, over all nodes: `request_admit` decides and counts
//!   under a lock of the key, by the clock of the database. Counts do not wait for the disk, so a crash of the database may lose the
//!   last ones. Tests: `nodes_that_hammer_one_key_get_each_place_in_the_minute_once_and_soon_after_it_is_free`,
//!   `a_days_requests_are_admitted_once_over_all_nodes_and_a_restart_loses_none`.
//! - A node remembers a refusal only while another verdict is impossible. Tests:
//!   `a_refusal_is_repeated_from_memory_with_the_right_figures_but_not_for_another_plan`,
//!   `nodes_share_the_debt_of_a_network_and_a_flood_of_bad_keys_costs_few_statements`.

use std::time::{Duration, Instant};

use aerie_domain::RateLimits;
use aerie_storage::limiter::Counts;
use aerie_storage::{Counted, Debtor, Limiter, StoreError, Verdict};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::rows::number;
use crate::{PostgresStore, with_client};

#[async_trait]
impl Limiter for PostgresStore {
    async fn request_admit(&self, counted: Counted, limits: RateLimits) -> Result<Verdict, StoreError> {
        if let Some(verdict) = self.remembered.verdict(counted, limits) {
            return Ok(verdict);
        }
        let client = self.client().await?;
        // Others may have been refused while this one waited for a connection.
        if let Some(verdict) = self.remembered.verdict(counted, limits) {
            return Ok(verdict);
        }
        let asked = Instant::now();
        let counts = self.noting(admit(&client, counted, limits, self.time.given()).await)?;
        if self.may_remember() {
            self.remembered.counted(counted, limits, counts, asked);
        }
        Ok(counts.verdict(limits))
    }

    async fn debt_add(&self, debtor: Debtor, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        if self.remembered.owes_most(debtor) {
            return Ok(most);
        }
        let client = self.client().await?;
        if self.remembered.owes_most(debtor) {
            return Ok(most);
        }
        let asked = Instant::now();
        let amounts = (microseconds(cost), microseconds(most));
        let debt = self.noting(owe(&client, debtor, amounts, self.time.given()).await)?;
        let debt = Duration::from_micros(u64::try_from(debt).unwrap_or(0)).min(most);
        if self.may_remember() {
            self.remembered.owes(debtor, debt, (cost, most), asked);
        }
        Ok(debt)
    }

    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        with_client!(self, db => sweep(db, self.time.given()))
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Rows that one statement of [`sweep`] removes.
const BATCH: i64 = 10_000;

/// Admits and counts a request, or refuses it, by the clock of the database.
async fn admit(db: &impl GenericClient, counted: Counted, limits: RateLimits, given: Option<i64>) -> Result<Counts> {
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
async fn owe(db: &impl GenericClient, debtor: Debtor, (cost, most): (i64, i64), given: Option<i64>) -> Result<i64> {
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
async fn sweep(db: &impl GenericClient, given: Option<i64>) -> Result<()> {
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
