//! `aerie admin usage`

use aerie_domain::UsageRange;
use serde_json::json;

use super::{organisation, time};
use crate::arguments::{AdminUsage, Global};
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminUsage) -> anyhow::Result<()> {
    let org = organisation(&*data.store, &options.org).await?;
    let range = UsageRange::parse(options.from.as_deref(), options.to.as_deref(), data.clock.now())?;
    let events = data.store.usage_list(org.id, range).await?;
    let total: i64 = events.iter().map(|event| event.unit_price_cents).sum();
    if global.json {
        let rows: Vec<_> = events
            .iter()
            .map(|event| {
                json!({
                    "id": event.id, "job_id": event.job_id, "event_type": event.event_type,
                    "unit_price_cents": event.unit_price_cents, "created_at": time(event.created_at),
                })
            })
            .collect();
        return print::json(&json!({
            "org_id": org.id, "from": range.from.to_string(), "to": range.to.to_string(),
            "total_events": events.len(), "total_cost_cents": total, "events": rows,
        }));
    }
    let rows: Vec<Vec<String>> = events
        .iter()
        .map(|event| {
            let cents = event.unit_price_cents.to_string();
            vec![time(event.created_at), event.event_type.clone(), cents, event.job_id.to_string()]
        })
        .collect();
    if options.csv {
        // None of these values can hold a comma or a quote.
        print::line("created_at,event_type,unit_price_cents,job_id");
        rows.iter().for_each(|row| print::line(&row.join(",")));
        return Ok(());
    }
    print::line(&format!("{}, {} to {}", org.name, range.from, range.to));
    print::line(&table(&["CREATED", "EVENT", "CENTS", "JOB"], &rows));
    print::line(&format!("{} events, {total} cents", events.len()));
    Ok(())
}
