//! `aerie admin operator`: keys that open the operator console.

use aerie_domain::organization::check_name;
use aerie_domain::{OperatorKey, OperatorKeyId, OperatorKeyRecord, operator_key};
use anyhow::{anyhow, ensure};
use serde_json::json;

use super::lookup::{future_end, id, key_state};
use crate::arguments::{AdminOperator, Global};
use crate::config::Config;
use crate::data::Data;
use crate::escape::escape;
use crate::print;
use crate::table::table;

pub(super) async fn run(config: &Config, data: &Data, global: &Global, options: &AdminOperator) -> anyhow::Result<()> {
    match options {
        AdminOperator::Create { name, expires } => create(config, data, global, name, expires.as_deref()).await,
        AdminOperator::List => list(data, global).await,
        AdminOperator::Revoke { key_id } => {
            let key_id: OperatorKeyId = id("an operator key", key_id)?;
            ensure!(
                data.store.operator_key_revoke(key_id).await?,
                "no operator key has the id {key_id}; run `aerie admin operator list` to list them"
            );
            if global.json {
                return print::json(&json!({"key_id": key_id, "revoked": true}));
            }
            print::line(&format!("Revoked operator key {key_id}; its sessions are over"));
            Ok(())
        }
    }
}

async fn create(
    config: &Config,
    data: &Data,
    global: &Global,
    name: &str,
    expires: Option<&str>,
) -> anyhow::Result<()> {
    let name = check_name(name).map_err(|bad| anyhow!("the name of an operator key {bad}"))?;
    let most = operator_key::MAX_NAME;
    ensure!(name.chars().count() <= most, "the name of an operator key must have at most {most} characters");
    let expires = future_end(expires, &*data.clock)?;
    let key = OperatorKey::generate()?;
    let record = data.store.operator_key_create(&key, name, expires).await?;
    if global.json {
        return print::json(&json!({"key_id": record.id, "key": key.reveal()}));
    }
    print::line(&format!("Created operator key {} for {}. It is shown only once:", record.id, escape(&record.name)));
    print::line(key.reveal());
    match config.admin_address().filter(|_| config.console.enabled) {
        Some(address) => print::note(&format!("Sign in on the server's machine: http://{address}/operator/")),
        None => print::note(
            "To sign in, set [admin] listen (such as \"127.0.0.1:9464\") and leave [console] enabled = true",
        ),
    }
    Ok(())
}

async fn list(data: &Data, global: &Global) -> anyhow::Result<()> {
    let (found, now) = (data.store.operator_key_list().await?, data.clock.now());
    let state = |key: &OperatorKeyRecord| key_state(key.revoked_at, key.expires_at, now);
    if global.json {
        let rows = found.iter().map(|key| {
            json!({
                "key_id": key.id, "name": key.name, "hint": key.hint, "created_at": print::time(key.created_at),
                "expires_at": key.expires_at.map(print::time), "revoked_at": key.revoked_at.map(print::time),
                "state": state(key),
            })
        });
        return print::json(&rows.collect::<Vec<_>>());
    }
    let row = |key: &OperatorKeyRecord| {
        let ends = key.revoked_at.or(key.expires_at).map_or_else(|| "-".to_owned(), print::time);
        let (id, created) = (key.id.to_string(), print::time(key.created_at));
        vec![id, key.name.clone(), key.hint.clone(), created, ends, state(key).to_owned()]
    };
    let rows: Vec<_> = found.iter().map(row).collect();
    print::line(&table(&["KEY", "NAME", "BEGINS WITH", "CREATED", "ENDS", "STATE"], &rows));
    Ok(())
}
