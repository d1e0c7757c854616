//! `aerie admin key`

use aerie_domain::{ApiKey, KeyId};
use anyhow::ensure;
use serde_json::json;

use super::{id, organisation, time};
use crate::arguments::{AdminKey, Global};
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminKey) -> anyhow::Result<()> {
    match options {
        AdminKey::Create { org } => {
            let org = organisation(&*data.store, org).await?;
            let key = ApiKey::generate()?;
            let record = data.store.key_create(org.id, &key).await?;
            if global.json {
                return print::json(&json!({"key_id": record.id, "key": key.reveal()}));
            }
            print::line(&format!("Created key {} for {}. It is shown this once:", record.id, org.name));
            print::line(key.reveal());
        }
        AdminKey::List { org } => {
            let org = match org {
                Some(org) => Some(organisation(&*data.store, org).await?.id),
                None => None,
            };
            let found = data.store.key_list(org).await?;
            if global.json {
                let rows = found.iter().map(|key| {
                    json!({
                        "key_id": key.id, "org_id": key.org_id, "hint": key.hint,
                        "created_at": time(key.created_at), "revoked_at": key.revoked_at.map(time),
                    })
                });
                return print::json(&rows.collect::<Vec<_>>());
            }
            let row = |key: &aerie_domain::KeyRecord| {
                let state = key.revoked_at.map_or_else(|| "good".to_owned(), |at| format!("revoked {}", time(at)));
                vec![key.id.to_string(), key.org_id.to_string(), key.hint.clone(), time(key.created_at), state]
            };
            let rows: Vec<_> = found.iter().map(row).collect();
            print::line(&table(&["KEY", "ORG", "BEGINS WITH", "CREATED", "STATE"], &rows));
        }
        AdminKey::Revoke { key_id } => {
            let key_id: KeyId = id("a key", key_id)?;
            ensure!(
                data.store.key_revoke(key_id).await?,
                "there is no key {key_id}; `aerie admin key list` lists them"
            );
            if global.json {
                return print::json(&json!({"key_id": key_id, "revoked": true}));
            }
            print::line(&format!("Revoked key {key_id}; requests with it are refused from now on"));
        }
    }
    Ok(())
}
