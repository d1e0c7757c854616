//! `aerie admin nodes`: the servers and workers that use the database.

use aerie_domain::JobType;
use aerie_storage::{NodeRole, SeenNode};
use serde_json::{Value, json};

use crate::arguments::Global;
use crate::config::capabilities::path_name;
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(data: &Data, global: &Global) -> anyhow::Result<()> {
    let nodes = data.store.node_list().await?;
    if global.json {
        return print::json(&Value::Array(nodes.iter().map(described).collect()));
    }
    let headings = ["NODE", "ROLE", "STATUS", "VERSION", "HOST", "KINDS", "STARTED", "LAST SEEN", "PACK", "JOB"];
    print::line(&table(&headings, &nodes.iter().map(row).collect::<Vec<_>>()));
    Ok(())
}

fn described(seen: &SeenNode) -> Value {
    json!({
        "node": seen.node.name,
        "role": seen.node.role.as_str(),
        "status": status(seen),
        "version": seen.node.version,
        "host": seen.node.host,
        "kinds": seen.node.kinds.iter().copied().map(path_name).collect::<Vec<_>>(),
        "started_at": print::time(seen.started_at),
        "seen_at": print::time(seen.seen_at),
        "pack": seen.node.pack,
        "job_id": seen.job,
    })
}

fn row(seen: &SeenNode) -> Vec<String> {
    let kinds = match seen.node.role {
        NodeRole::Api => "-".to_owned(),
        NodeRole::Worker if seen.node.kinds == JobType::ALL => "all".to_owned(),
        NodeRole::Worker => seen.node.kinds.iter().copied().map(path_name).collect::<Vec<_>>().join(","),
    };
    vec![
        seen.node.name.clone(),
        seen.node.role.as_str().to_owned(),
        status(seen).to_owned(),
        seen.node.version.clone(),
        seen.node.host.clone(),
        kinds,
        print::time(seen.started_at),
        print::time(seen.seen_at),
        seen.node.pack.map_or_else(|| "-".to_owned(), |pack| pack.to_string()[..12].to_owned()),
        seen.job.map_or_else(|| "-".to_owned(), |job| job.to_string()),
    ]
}

fn status(seen: &SeenNode) -> &'static str {
    if seen.is_live { "running" } else { "lost" }
}
