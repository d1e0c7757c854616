//! `aerie admin truth-pages`

use aerie_storage::TruthPage;
use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::lookup::organization;
use crate::arguments::{AdminTruthPages, Global};
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminTruthPages) -> anyhow::Result<()> {
    match options {
        AdminTruthPages::List { org, limit } => {
            let org_id = match org {
                Some(org) => Some(organization(&*data.store, org).await?.id),
                None => None,
            };
            let pages = data.store.truth_page_list(org_id, *limit).await?;
            let bytes = data.store.truth_page_bytes(org_id).await?;
            if global.json {
                let pages: Vec<Value> = pages.iter().map(described).collect();
                return print::json(&json!({"pages": pages, "bytes": bytes}));
            }
            let rows: Vec<Vec<String>> = pages.iter().map(row).collect();
            print::line(&table(&["CODE", "JOB", "STATUS", "HELD", "MIB", "PUBLISHED", "KEPT UNTIL", "ORG"], &rows));
            print::line(&format!("{} MiB in the files of truth pages", bytes >> 20));
        }
        AdminTruthPages::Hold { code } => hold(data, global, code, true).await?,
        AdminTruthPages::Release { code } => hold(data, global, code, false).await?,
        AdminTruthPages::Erase { code } => {
            let page = find(data, code).await?;
            let job = page.job_id;
            // The job may have another page by now.
            if data.store.truth_page_of_job(page.org_id, job).await?.is_none_or(|shown| shown.id != page.id) {
                bail!("job {job} has a newer truth page: revoke that first, then erase both with `erase-all`");
            }
            match data.store.truth_page_revoke(page.org_id, job, true).await?.context("the page is gone")? {
                Err(_) => bail!("the page is under legal hold: it was revoked, and its files stay; see `release`"),
                Ok(page) => erased(data, global, &[page]).await?,
            }
        }
        AdminTruthPages::EraseAll { org } => {
            let org = organization(&*data.store, org).await?;
            let pages = data.store.truth_page_erase_all(org.id).await?;
            erased(data, global, &pages).await?;
        }
    }
    Ok(())
}

async fn find(data: &Data, code: &str) -> anyhow::Result<TruthPage> {
    let code = code.rsplit('/').next().unwrap_or(code);
    let page = data.store.truth_page_find(code).await?;
    page.context("no truth page has this code; run `aerie admin truth-pages list` to list them")
}

async fn hold(data: &Data, global: &Global, code: &str, is_held: bool) -> anyhow::Result<()> {
    let page = find(data, code).await?;
    let page = data.store.truth_page_hold(&page.code, is_held).await?.context("the page is gone")?;
    if global.json {
        return print::json(&described(&page));
    }
    let (code, kept) = (&page.code, page.erased_at.is_none());
    print::line(&match (is_held, kept) {
        (true, true) => format!("{code} is under legal hold: its files stay until it is released"),
        (true, false) => format!("{code} is under legal hold, but its files were erased before"),
        (false, _) => format!("{code} is no longer under legal hold"),
    });
    Ok(())
}

/// Deletes the files of erased pages, and says so.
async fn erased(data: &Data, global: &Global, pages: &[TruthPage]) -> anyhow::Result<()> {
    let mut files = 0;
    for page in pages {
        files += data.media.media_delete(&format!("{}/{}", page.org_id, page.id), &[]).await?;
    }
    if global.json {
        return print::json(&json!({"pages": pages.len(), "files": files}));
    }
    print::line(&format!("Erased {} truth pages and {files} files", pages.len()));
    Ok(())
}

fn status(page: &TruthPage) -> &'static str {
    match (page.revoked_at, page.erased_at) {
        (_, Some(_)) => "erased",
        (Some(_), None) => "revoked",
        (None, None) => "public",
    }
}

fn described(page: &TruthPage) -> Value {
    json!({
        "code": page.code, "job_id": page.job_id, "org_id": page.org_id, "status": status(page), "bytes": page.bytes,
        "indexable": page.indexable, "created_at": print::time(page.created_at),
        "expires_at": page.expires_at.map(print::time), "revoked_at": page.revoked_at.map(print::time),
        "erased_at": page.erased_at.map(print::time), "held_at": page.held_at.map(print::time),
    })
}

fn row(page: &TruthPage) -> Vec<String> {
    vec![
        page.code.clone(),
        page.job_id.to_string(),
        status(page).to_owned(),
        if page.held_at.is_some() { "yes" } else { "no" }.to_owned(),
        (page.bytes >> 20).to_string(),
        print::time(page.created_at),
        page.expires_at.map_or_else(|| "erased".to_owned(), print::time),
        page.org_id.to_string(),
    ]
}
