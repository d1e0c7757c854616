//! `aerie admin key`

use aerie_domain::{ApiKey, KeyId, KeyRecord};
use anyhow::ensure;
use jiff::Timestamp;
use serde_json::json;

use super::lookup::{end, future_end, id, key_state, organization};
use crate::arguments::{AdminKey, Global};
use crate::data::Data;
use crate::escape::escape;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global, options: &AdminKey) -> anyhow::Result<()> {
    match options {
        AdminKey::Create { org, scope, expires } => {
            let org = organization(&*data.store, org).await?;
            let expires = future_end(expires.as_deref(), &*data.clock)?;
            let key = ApiKey::generate()?;
            let record = data.store.key_create(org.id, &key, *scope, expires).await?;
            if global.json {
                return print::json(&json!({"key_id": record.id, "key": key.reveal()}));
            }
            print::line(&format!("Created key {} for {}. It is shown only once:", record.id, escape(&org.name)));
            print::line(key.reveal());
        }
        AdminKey::List { org } => {
            let org = match org {
                Some(org) => Some(organization(&*data.store, org).await?.id),
                None => None,
            };
            let (found, now) = (data.store.key_list(org).await?, data.clock.now());
            let state = |key: &KeyRecord| key_state(key.revoked_at, key.expires_at, now);
            if global.json {
                let rows = found.iter().map(|key| {
                    json!({
                        "key_id": key.id, "org_id": key.org_id, "hint": key.hint, "scopes": key.scopes.to_string(),
                        "created_at": print::time(key.created_at), "expires_at": key.expires_at.map(print::time),
                        "revoked_at": key.revoked_at.map(print::time), "state": state(key),
                    })
                });
                return print::json(&rows.collect::<Vec<_>>());
            }
            let row = |key: &KeyRecord| {
                let ends = key.revoked_at.or(key.expires_at).map_or_else(|| "-".to_owned(), print::time);
                let (id, org, state) = (key.id.to_string(), key.org_id.to_string(), state(key));
                let (hint, scopes) = (key.hint.clone(), key.scopes.to_string());
                vec![id, org, hint, scopes, print::time(key.created_at), ends, state.to_owned()]
            };
            let rows: Vec<_> = found.iter().map(row).collect();
            print::line(&table(&["KEY", "ORG", "BEGINS WITH", "SCOPES", "CREATED", "ENDS", "STATE"], &rows));
        }
        AdminKey::Revoke { key_id, at: Some(at) } => {
            let (key_id, at): (KeyId, Timestamp) = (id("a key", key_id)?, end(at)?);
            ensure!(
                data.store.key_expire(key_id, at).await?,
                "no key has the id {key_id}; run `aerie admin key list` to list them"
            );
            if global.json {
                return print::json(&json!({"key_id": key_id, "expires_at": print::time(at)}));
            }
            print::line(&format!("Key {key_id} expires at {}", print::time(at)));
        }
        AdminKey::Revoke { key_id, at: None } => {
            let key_id: KeyId = id("a key", key_id)?;
            ensure!(
                data.store.key_revoke(key_id).await?,
                "no key has the id {key_id}; run `aerie admin key list` to list them"
            );
            if global.json {
                return print::json(&json!({"key_id": key_id, "revoked": true}));
            }
            print::line(&format!("Revoked key {key_id}; requests with it are now refused"));
        }
    }
    Ok(())
}
