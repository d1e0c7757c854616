//! `aerie admin usage`: usage for invoices. Events are read page by page, so memory use stays constant.

mod invoice;

use std::collections::BTreeMap;

use aerie_domain::{OrgId, UsageEvent, UsageRange};
use anyhow::Context;
use serde_json::json;

use super::lookup::{USAGE_PAGE, organization};
use crate::arguments::{AdminUsage, Global};
use crate::data::Data;
use crate::escape::escape;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminUsage) -> anyhow::Result<()> {
    let range = UsageRange::parse(options.from.as_deref(), options.to.as_deref(), data.clock.now())?;
    let org = match &options.org {
        Some(org) => Some(organization(&*data.store, org).await?),
        None => None,
    };
    if options.csv {
        return invoice::lines(data, org, range).await;
    }
    let org = org.context("give --org, or --csv to list all organizations")?;
    let mut total = Total::default();
    if global.json {
        print::json_part("{\"events\":[");
        each(data, org.id, range, |event| {
            print::json_part(if total.events == 0 { "" } else { "," });
            total.add(event);
            print::json_part(&serde_json::to_string(&json!({
                "id": event.id, "job_id": event.job_id, "event_type": event.event_type,
                "unit_price_cents": event.unit_price_cents, "created_at": print::time(event.created_at),
            }))?);
            Ok(())
        })
        .await?;
        let rest = json!({
            "org_id": org.id, "from": range.from.to_string(), "to": range.to.to_string(),
            "total_events": total.events, "total_cost_cents": total.cents,
        });
        // Events come first, because the totals are only known after them.
        print::json_line(&format!("],{}", rest.to_string().trim_start_matches('{')));
        return Ok(());
    }
    each(data, org.id, range, |event| {
        total.add(event);
        Ok(())
    })
    .await?;
    print::line(&format!("{} ({}), {} to {}", escape(&org.name), org.id, range.from, range.to));
    let row = |((event_type, price), events): (&(String, i64), &i64)| {
        vec![event_type.clone(), price.to_string(), events.to_string(), (price * events).to_string()]
    };
    print::line(&table(&["EVENT", "CENTS EACH", "EVENTS", "CENTS"], &total.lines.iter().map(row).collect::<Vec<_>>()));
    print::line(&format!("{} events, {} cents; use --csv to list each", total.events, total.cents));
    Ok(())
}

#[derive(Default)]
struct Total {
    events: u64,
    cents: i64,
    /// Events by type and price.
    lines: BTreeMap<(String, i64), i64>,
}

impl Total {
    fn add(&mut self, event: &UsageEvent) {
        self.events += 1;
        self.cents += event.unit_price_cents;
        *self.lines.entry((event.event_type.clone(), event.unit_price_cents)).or_default() += 1;
    }
}

/// Calls `take` for each event, newest first.
async fn each(
    data: &Data,
    org: OrgId,
    range: UsageRange,
    mut take: impl FnMut(&UsageEvent) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut after = None;
    loop {
        let page = data.store.usage_list(org, range, after, USAGE_PAGE).await?;
        page.iter().try_for_each(&mut take)?;
        match page.last() {
            Some(last) if page.len() == USAGE_PAGE as usize => after = Some((last.created_at, last.id)),
            _ => return Ok(()),
        }
    }
}
