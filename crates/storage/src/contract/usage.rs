//! Usage events.

use aerie_domain::UsageRange;
use jiff::SignedDuration;

use super::fixture::{Fixture, output};
use crate::{JobOutput, UsageSum};

pub(super) async fn usage_is_listed_by_day_both_ends_included(f: Fixture) {
    for time in ["2026-03-09T23:59:59.999Z", "2026-03-10T00:00:00Z", "2026-03-11T23:59:59.999Z", "2026-03-12T00:00:00Z"]
    {
        f.clock.set(time.parse().unwrap());
        f.submit().await;
        let claim = f.claim("a").await.unwrap();
        f.store.job_complete(&claim.lease, output()).await.unwrap();
    }
    let range = UsageRange::parse(Some("2026-03-10"), Some("2026-03-11"), f.now()).unwrap();
    let times: Vec<String> = f
        .store
        .usage_list(f.org, range, None, 1000)
        .await
        .unwrap()
        .iter()
        .map(|event| event.created_at.to_string())
        .collect();
    assert_eq!(times, ["2026-03-11T23:59:59.999Z", "2026-03-10T00:00:00Z"]);
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert!(f.store.usage_list(other, range, None, 1000).await.unwrap().is_empty());
}

pub(super) async fn pages_of_usage_have_no_gaps_or_repetitions(f: Fixture) {
    for number in 0..25 {
        // Several in one millisecond, so that pages end between equal times.
        f.clock.advance(SignedDuration::from_millis(i64::from(number % 4 == 0)));
        f.submit_address("a").await.unwrap();
        f.store.job_complete(&f.claim_any().await.lease, JobOutput::default()).await.unwrap();
    }
    let range = UsageRange::parse(None, None, f.now()).unwrap();
    let whole = f.store.usage_list(f.org, range, None, 100).await.unwrap();
    assert_eq!(whole.len(), 25);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = f.store.usage_list(f.org, range, after, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.created_at, last.id));
        paged.extend(page);
    }
    assert_eq!(paged, whole);
}

pub(super) async fn usage_is_summed_by_organization_and_type(f: Fixture) {
    for time in ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00Z", "2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00Z"]
    {
        f.clock.set(time.parse().unwrap());
        f.submit().await;
        let claim = f.claim("a").await.unwrap();
        f.store.job_complete(&claim.lease, output()).await.unwrap();
    }
    f.store.org_create("Other", "starter").await.unwrap();
    let march = UsageRange::parse(Some("2026-03-01"), Some("2026-03-31"), f.now()).unwrap();
    let listed = f.store.usage_list(f.org, march, None, 10).await.unwrap();
    let cents = listed.iter().map(|event| event.unit_price_cents).sum();
    assert!(cents > 0);
    let expected = UsageSum { org_id: f.org, event_type: listed[0].event_type.clone(), events: 2, cents };
    assert_eq!(f.store.usage_sums(march).await.unwrap(), [expected]);
    let may = UsageRange::parse(Some("2026-05-01"), Some("2026-05-31"), f.now()).unwrap();
    assert!(f.store.usage_sums(may).await.unwrap().is_empty());
}
