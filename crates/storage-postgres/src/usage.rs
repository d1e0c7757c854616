//! What was billed.

use aerie_domain::{EventId, JobId, OrgId, UsageEvent, UsageRange};
use aerie_storage::{UsageCursor, UsageSum};
use deadpool_postgres::GenericClient;
use uuid::Uuid;

use crate::error::Result;
use crate::pool::rows;
use crate::rows::{number, time};

pub(crate) async fn list(
    db: &impl GenericClient,
    org_id: OrgId,
    range: UsageRange,
    after: Option<UsageCursor>,
    limit: u32,
) -> Result<Vec<UsageEvent>> {
    let (start, end) = range.milliseconds();
    // No id sorts before the nil one: the first page begins with the last event before the range's end.
    let (before, id) = after.map_or((end, Uuid::nil()), |(time, id)| (time.as_millisecond(), id.0));
    let statement = "SELECT id, job_id, event_type, unit_price_cents, created_at FROM usage_events
                     WHERE org_id = $1 AND created_at >= $2 AND (created_at, id) < ($3, $4)
                     ORDER BY created_at DESC, id DESC LIMIT $5";
    let found = rows(db, statement, &[&org_id.0, &start, &before, &id, &i64::from(limit)]).await?;
    found
        .iter()
        .map(|row| {
            Ok(UsageEvent {
                id: EventId(row.try_get(0)?),
                job_id: JobId(row.try_get(1)?),
                event_type: row.try_get(2)?,
                unit_price_cents: row.try_get(3)?,
                created_at: time(row, 4)?,
            })
        })
        .collect()
}

pub(crate) async fn sums(db: &impl GenericClient, range: UsageRange) -> Result<Vec<UsageSum>> {
    let (start, end) = range.milliseconds();
    // By organization, because that is what the index begins with.
    let statement = "SELECT organizations.id, summed.* FROM organizations, LATERAL (
                         SELECT event_type, count(*), sum(unit_price_cents)::bigint FROM usage_events
                         WHERE org_id = organizations.id AND created_at >= $1 AND created_at < $2
                         GROUP BY event_type) AS summed
                     ORDER BY organizations.id, event_type";
    let found = rows(db, statement, &[&start, &end]).await?;
    let sum = |row: &tokio_postgres::Row| {
        let (org_id, events) = (OrgId(row.try_get(0)?), number(row, 2)?);
        Ok(UsageSum { org_id, event_type: row.try_get(1)?, events, cents: row.try_get(3)? })
    };
    found.iter().map(sum).collect()
}
