//! Names, addresses and file names made to control the operator's terminal or to forge lines.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use aerie_domain::{JobId, JobInput, JobLimits, JobType, RequestId};
use aerie_storage::{JobOutput, NewJob};
use serde_json::{Value, json};

use crate::campaigns::{Finding, Tenant};
use crate::run;
use crate::store::open_store;

const HOSTILE: &str = "Acme\u{1b}]0;owned\u{7}\u{1b}[2J\r\u{9b}1A\u{202e}evil\u{2066}\u{8}";

/// Stores them as an earlier version would have, and looks for what a terminal obeys in the output of every command that shows them.
pub(super) fn check(data: &Path) -> Finding {
    let tenant = Tenant::new(data, "");
    let created = run(&["admin", "org", "create", &HOSTILE.replace('\0', "")], data);
    let is_refused = !created.status.success() && text(&created).contains("control characters");
    let org = store(data);
    let file = format!("{}/{}.osm.pbf", data.display(), HOSTILE.replace('\r', ""));
    let commands: &[&[&str]] = &[
        &["admin", "org", "list"],
        &["admin", "org", "list", "--json"],
        &["admin", "org", "set", &org, "--plan", "starter"],
        &["admin", "key", "create", "--org", &org],
        &["admin", "key", "list"],
        &["admin", "usage", "--org", &org],
        &["admin", "usage", "--org", &org, "--json"],
        &["admin", "usage", "--csv"],
        &["admin", "job", "list"],
        &["admin", "job", "list", "--json"],
        &["admin", "job", "show", HOSTILE],
        &["admin", "org", "set", HOSTILE, "--plan", "starter"],
        &["admin", "org", "create", "Acme", "--plan", HOSTILE],
        &["geocode", HOSTILE],
        &["geocode", HOSTILE, "--json"],
        &["import", &file],
        &["generate", "drone-footage", "--address", HOSTILE, "--output", "/dev/null/x.mp4"],
        &["inspect", "room", &file],
        &["restore", &file],
    ];
    let mut wrong = Vec::new();
    for arguments in commands {
        let output = run(arguments, data);
        let shown = text(&output);
        if let Some(obeyed) = shown.chars().find(|character| is_obeyed(*character)) {
            wrong.push(format!("`{}` prints U+{:04X}", shown_as(arguments), u32::from(obeyed)));
        }
        let is_json = arguments.contains(&"--json") && output.status.success();
        if is_json && serde_json::from_slice::<Value>(&output.stdout).is_err() {
            wrong.push(format!("`{}` prints invalid JSON", shown_as(arguments)));
        }
    }
    drop(tenant);
    Finding {
        held: is_refused && wrong.is_empty(),
        measured: format!(
            "an organization named with control characters is refused: {is_refused}; {} commands that show such text from earlier \
             versions or from arguments: {} pass it on{}",
            commands.len(),
            wrong.len(),
            wrong.first().map(|first| format!(", first {first}")).unwrap_or_default(),
        ),
    }
}

/// Stores an organization and a completed job with hostile texts; returns the organization's id.
fn store(data: &Path) -> String {
    let store = open_store(data);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let org = store.org_create(HOSTILE, "starter").await.expect("an organization");
        let now = jiff::Timestamp::now();
        let job = NewJob {
            id: JobId::new(now),
            org_id: org.id,
            // Not as a body, which is refused.
            input: JobInput::read(JobType::DroneFootage, &json!({"address": HOSTILE})).expect("a request"),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(now),
            idempotency_key: None,
            limits: JobLimits::default(),
        };
        store.job_submit(job).await.expect("the store works").expect("a job");
        let claim = store.job_claim(&JobType::ALL, "worker", Duration::from_secs(60)).await.expect("the store works");
        store.job_complete(&claim.expect("the job").lease, JobOutput::default()).await.expect("the lease is held");
        org.id.to_string()
    })
}

/// The first words of a command, for the report.
fn shown_as(arguments: &[&str]) -> String {
    arguments[..2].join(" ").escape_debug().to_string()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), output.stderr.as_slice()].concat()).into_owned()
}

/// Whether a terminal does something other than show a character.
fn is_obeyed(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
