//! `aerie admin org`

use anyhow::ensure;
use serde_json::json;

use super::time;
use crate::arguments::{AdminOrg, Global};
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminOrg) -> anyhow::Result<()> {
    match options {
        AdminOrg::Create { name } => {
            ensure!(!name.trim().is_empty(), "an organization needs a name");
            let created = data.store.org_create(name.trim()).await?;
            if global.json {
                return print::json(&json!({"org_id": created.id}));
            }
            print::line(&format!("Created organization {} ({})", created.id, created.name));
            print::line(&format!("Next: aerie admin key create --org {}", created.id));
        }
        AdminOrg::List => {
            let found = data.store.org_list().await?;
            if global.json {
                let rows = found
                    .iter()
                    .map(|org| json!({"org_id": org.id, "name": org.name, "created_at": time(org.created_at)}));
                return print::json(&rows.collect::<Vec<_>>());
            }
            let rows: Vec<_> =
                found.iter().map(|org| vec![org.id.to_string(), org.name.clone(), time(org.created_at)]).collect();
            print::line(&table(&["ORG", "NAME", "CREATED"], &rows));
        }
    }
    Ok(())
}
