//! The same statements from pgbench: its scripts are made of what the storage code sends.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use aerie_domain::JobType;
use aerie_storage::JobQueue;
use uuid::Uuid;

use crate::captured::{Statement, statements};
use crate::clients::{LEASE, WEIGHTS, completed, submitted};
use crate::jobs::{ORGANIZATIONS, new_job, organization, organization_sql, output};
use crate::server::Server;

/// An id like those of Aerie, which begin with the time, so that new rows are neighbors in indexes.
const NEW_ID: &str = "(lpad(to_hex(:now_ms::bigint), 12, '0') || '7' || lpad(to_hex(:r1::bigint), 3, '0') || '8' || lpad(to_hex(:r2::bigint), 15, '0'))::uuid";

/// Turns that a client tries, one after the other.
const TURNS: usize = 16;

const RANDOM: &str = "\\set r1 random(0, 4095)\n\\set r2 random(0, 1152921504606846975)\n";

/// The scripts.
pub struct Scripts {
    submit: String,
    life: String,
}

impl Scripts {
    /// Has a store submit, claim, renew and complete a job, and writes down what it sends.
    ///
    /// # Panics
    /// When the storage code does something that this does not expect.
    pub async fn capture(server: &Server) -> Self {
        let org = organization(1);
        let (job, submit) = statements(server, async |store| {
            store.job_submit(new_job(org, JobType::ImageEnhance)).await.expect("a database").expect("it is accepted")
        })
        .await;
        let known = BTreeMap::from([
            (org.to_string(), organization_sql(":org::int")),
            (job.created_at.as_millisecond().to_string(), ":now_ms".to_owned()),
        ]);
        let submit = submit.iter().map(|statement| {
            let text = inlined(statement, &known);
            let ending = if text.contains("now_ms(") { "\\gset" } else { ";" };
            format!("{text} {ending}\n")
        });
        let submit = format!("\\set org random(1, {ORGANIZATIONS})\n{RANDOM}{}", submit.collect::<String>());

        let (claim, life) = statements(server, async |store| {
            store.plan_weights_set(WEIGHTS.map(|(plan, weight)| (plan.to_owned(), weight)).into());
            let claim = store.job_claim(&JobType::ALL, "pgbench", LEASE).await.expect("a database").expect("a job");
            store.job_heartbeat(&claim.lease, LEASE).await.expect("the lease is held");
            let output = output(claim.job.org_id, claim.job.id, claim.lease.attempt);
            store.job_complete(&claim.lease, output).await.expect("the lease is held");
            store.job_get(None, claim.job.id).await.expect("a database").expect("it is there")
        })
        .await;
        let known = BTreeMap::from([
            (claim.org_id.to_string(), ":org_id".to_owned()),
            (claim.id.to_string(), ":id".to_owned()),
            (claim.job_type.to_string(), ":job_type".to_owned()),
            (claim.updated_at.as_millisecond().to_string(), ":now_ms".to_owned()),
        ]);
        let mut script = format!("{RANDOM}\\set attempt 0\n");
        for (number, statement) in life[..life.len() - 1].iter().enumerate() {
            let text = inlined(statement, &known);
            script += &match number {
                0 => turns(&text),
                1 => format!("{}\\if :attempt > 0\n", tries(&text)),
                _ if text.starts_with("SELECT now_ms(") => format!("{text} \\gset\n"),
                _ => format!("{text};\n"),
            };
        }
        Self { submit, life: script + "\\endif\n" }
    }

    /// The scripts, to be read.
    #[must_use]
    pub fn text(&self) -> String {
        format!("-- submit\n{}\n-- life\n{}", self.submit, self.life)
    }

    /// Submits per second of so many clients.
    pub async fn submits(&self, server: &Server, clients: usize, time: Duration) -> f64 {
        let (begun, before) = (Instant::now(), submitted(server).await);
        run(server, &self.submit, clients, time).await;
        (submitted(server).await - before) / begun.elapsed().as_secs_f64()
    }

    /// Jobs claimed, renewed and completed per second.
    pub async fn lives(&self, server: &Server, clients: usize, time: Duration) -> f64 {
        let (begun, before) = (Instant::now(), completed(server).await);
        run(server, &self.life, clients, time).await;
        (completed(server).await - before) / begun.elapsed().as_secs_f64()
    }
}

/// The turns that are next, in variables: pgbench keeps the columns of one row.
fn turns(statement: &str) -> String {
    let column = |turn: usize| {
        format!(
            "coalesce(orgs[{turn}], '00000000-0000-0000-0000-000000000000') AS org_{turn}, coalesce(kinds[{turn}], '') AS kind_{turn}"
        )
    };
    format!(
        "SELECT {} FROM (SELECT array_agg(org_id) AS orgs, array_agg(job_type) AS kinds FROM ({statement}) AS turns) AS turns \\gset\n",
        (1..=TURNS).map(column).collect::<Vec<_>>().join(", ")
    )
}

/// Takes the first turn that no other client is taking, as the storage code does.
fn tries(statement: &str) -> String {
    let of_turn = |turn: usize| {
        let text = statement.replace(":org_id", &format!(":org_{turn}")).replace(":job_type", &format!(":kind_{turn}"));
        format!("\\if :attempt = 0\n{text} \\aset\n\\endif\n")
    };
    (1..=TURNS).map(of_turn).collect()
}

/// A statement with its values in place: variables of pgbench for those that are known, a new id for any other id.
fn inlined(statement: &Statement, known: &BTreeMap<String, String>) -> String {
    let mut text = statement.text.clone();
    for (index, value) in statement.values.iter().enumerate().rev() {
        let value = match value {
            None => "NULL".to_owned(),
            Some(value) => known.get(value).cloned().unwrap_or_else(|| literal(value)),
        };
        text = text.replace(&format!("${}", index + 1), &value);
    }
    text
}

fn literal(value: &str) -> String {
    if Uuid::try_parse(value).is_ok() {
        return NEW_ID.to_owned();
    }
    let is_variable = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    assert!(!value.split(':').skip(1).any(is_variable), "pgbench would take a part of {value} for a variable");
    format!("'{}'", value.replace('\'', "''"))
}

async fn run(server: &Server, script: &str, clients: usize, time: Duration) {
    let file = std::env::temp_dir().join(format!("aerie-load-{}.sql", std::process::id()));
    std::fs::File::create(&file).and_then(|mut file| file.write_all(script.as_bytes())).expect("a file");
    let find = "command -v pgbench || ls -d /usr/lib/postgresql/*/bin/pgbench | tail -n 1";
    let found = Command::new("sh").args(["-c", find]).output().expect("sh starts").stdout;
    let mut command = Command::new(String::from_utf8_lossy(&found).trim());
    command.args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--client", &clients.to_string()]);
    command.args(["--time", &time.as_secs().to_string(), "--file"]).arg(&file).arg(server.url());
    command.env("PGOPTIONS", "-c search_path=aerie");
    let run = tokio::task::spawn_blocking(move || command.output()).await.expect("it is not canceled");
    let output = run.expect("pgbench starts: it comes with postgresql");
    let _ = std::fs::remove_file(&file);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("error:"), "{errors}\n{script}");
}
