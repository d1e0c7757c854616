//! Invoice lines as CSV (RFC 4180).

use aerie_domain::{Job, Organization, UsageEvent, UsageRange};

use crate::commands::admin::lookup::USAGE_PAGE;
use crate::data::Data;
use crate::print;

const HEADINGS: &str = "created_at,event_type,unit_price_cents,job_id,event_id,org_id,organization,reference";

/// Prints a line for each event of one organization, or of all organizations.
pub(super) async fn lines(data: &Data, org: Option<Organization>, range: UsageRange) -> anyhow::Result<()> {
    let orgs = match org {
        Some(org) => vec![org],
        None => data.store.org_list().await?,
    };
    print::line(HEADINGS);
    for org in orgs {
        let mut after = None;
        loop {
            let page = data.store.usage_list(org.id, range, after, USAGE_PAGE).await?;
            for event in &page {
                let job = data.store.job_get(Some(org.id), event.job_id).await?;
                print::line(&line(event, &org, job.as_ref()));
            }
            match page.last() {
                Some(last) if page.len() == USAGE_PAGE as usize => after = Some((last.created_at, last.id)),
                _ => break,
            }
        }
    }
    Ok(())
}

fn line(event: &UsageEvent, org: &Organization, job: Option<&Job>) -> String {
    let UsageEvent { id, job_id, event_type, unit_price_cents, created_at } = event;
    let reference = job.map(reference).unwrap_or_default();
    let (created_at, name) = (print::time(*created_at), cell(&org.name));
    format!("{created_at},{event_type},{unit_price_cents},{job_id},{id},{},{name},{}", org.id, cell(&reference))
}

/// Returns what the job was for, as submitted: an address, a listing id, or an image URL without its query, which may
/// contain a signature.
fn reference(job: &Job) -> String {
    let text = |pointer: &str| job.input.pointer(pointer).and_then(|value| value.as_str());
    let url = || text("/image_url").map(|url| url.split(['?', '#']).next().unwrap_or_default());
    text("/address").or_else(|| text("/options/listing_id")).or_else(url).unwrap_or_default().to_owned()
}

/// Escapes a value so that a spreadsheet reads it as text and never as a formula.
fn cell(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    // Spreadsheets of some languages take the full-width signs for formulas too, and separate cells at semicolons or tabs.
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠']);
    let text = if is_formula { format!("'{text}") } else { text };
    if text.contains([',', ';', '\t', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_may_contain_commas_and_quotes_and_is_never_a_formula() {
        for (text, expected) in [
            ("12 Larkspur Lane", "12 Larkspur Lane"),
            ("12 Larkspur Lane, Vale", "\"12 Larkspur Lane, Vale\""),
            ("the \"Old\" Mill", "\"the \"\"Old\"\" Mill\""),
            ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
            ("＝HYPERLINK(1)", "'＝HYPERLINK(1)"),
            ("1 Main St;=HYPERLINK(1)", "\"1 Main St;=HYPERLINK(1)\""),
            ("two\nlines", "two lines"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
