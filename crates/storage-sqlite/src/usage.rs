//! What was billed.

use aerie_domain::{OrgId, UsageEvent, UsageRange};
use aerie_storage::{UsageCursor, UsageSum};
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::rows::{parsed, time};

pub(crate) fn list(
    db: &Connection,
    org_id: OrgId,
    range: UsageRange,
    after: Option<UsageCursor>,
    limit: u32,
) -> Result<Vec<UsageEvent>> {
    let (start, end) = range.milliseconds();
    // No id sorts before the empty one: the first page begins with the last event before the range's end.
    let (before, id) = after.map_or((end, String::new()), |(time, id)| (time.as_millisecond(), id.to_string()));
    let events = db
        .prepare_cached(
            "SELECT id, job_id, event_type, unit_price_cents, created_at FROM usage_events
             WHERE org_id = ?1 AND created_at >= ?2 AND (created_at, id) < (?3, ?4)
             ORDER BY created_at DESC, id DESC LIMIT ?5",
        )?
        .query_map(params![org_id.to_string(), start, before, id, limit], |row| {
            Ok(UsageEvent {
                id: parsed(row, 0)?,
                job_id: parsed(row, 1)?,
                event_type: row.get(2)?,
                unit_price_cents: row.get(3)?,
                created_at: time(row, 4)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(events)
}

pub(crate) fn sums(db: &Connection, range: UsageRange) -> Result<Vec<UsageSum>> {
    let (start, end) = range.milliseconds();
    // By organization, because that is what the index begins with.
    let sums = db
        .prepare_cached(
            "SELECT org_id, event_type, count(*), sum(unit_price_cents) FROM usage_events
             WHERE org_id IN (SELECT id FROM organizations) AND created_at >= ?1 AND created_at < ?2
             GROUP BY org_id, event_type ORDER BY org_id, event_type",
        )?
        .query_map([start, end], |row| {
            let events = u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
            Ok(UsageSum { org_id: parsed(row, 0)?, event_type: row.get(1)?, events, cents: row.get(3)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(sums)
}
