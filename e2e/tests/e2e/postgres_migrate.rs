//! `aerie migrate` from a SQLite file and a media folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use aerie_domain::{Clock, JobId, JobStatus, JobType, SystemClock, UsageRange};
use aerie_e2e::{ChildGuard, Server, Signal, aerie, run, run_json, signal};
use aerie_storage::{JobFilter, JobOutput, JobQueue, LocalMedia, StoreError};
use aerie_storage_postgres::{PostgresStore, PostgresUrl, TimeSource};
use aerie_storage_sqlite::testing::{StoredJob, insert_jobs};
use serde_json::{Value, json};

use crate::database::{Database, runtime};
use crate::installation::{FILMS, Installation, OLD_JOBS, old_job, shown, submit_again, text};

#[track_caller]
fn assert_refused(output: &Output, reasons: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for reason in reasons {
        assert!(stderr.contains(reason), "`{reason}` is not in: {stderr}");
    }
    assert!(!stderr.contains(":test@"), "the password is shown: {stderr}");
}

/// Every file of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let content = fs::read(&path).unwrap();
                    found.insert(path.strip_prefix(folder).unwrap().to_owned(), content);
                }
            }
        }
    }
    found
}

/// How far a migration is.
#[derive(Debug, Clone, Copy)]
enum Step {
    Media,
    Rows,
}

fn has_film(folder: &Path) -> bool {
    let mut paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.any(|path| path.ends_with("video.mp4") || has_film(&path))
}

/// Waits until a migration has begun a step.
fn wait_for(step: Step, database: &Database, media: &Path) {
    let locks = "SELECT 1 FROM pg_locks WHERE mode = 'ShareRowExclusiveLock' AND granted
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let began = Instant::now();
    while match step {
        Step::Media => !has_film(media),
        Step::Rows => database.query(locks).is_empty(),
    } {
        assert!(began.elapsed() < Duration::from_secs(60), "no {step:?} are being copied");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the server has noticed that a migration ended, and asserts that it left nothing.
fn assert_empty(database: &Database) {
    let connected =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'aerie%'";
    aerie_e2e::wait_until("the migration has disconnected", Duration::from_secs(60), || {
        database.query(connected).is_empty().then_some(())
    });
    for table in ["organizations", "jobs", "job_counts", "secrets"] {
        assert!(database.query(&format!("SELECT 1 FROM aerie.{table} LIMIT 1")).is_empty(), "{table}");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn an_installation_is_migrated_whole_although_the_migration_is_killed_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let installation = Installation::create(folder.path());
    let before = files(&installation.data);
    let database = Database::create();
    let config = installation.config(&database);
    let config = config.to_str().unwrap();

    for (step, by) in [(Step::Media, Signal::KILL), (Step::Rows, Signal::KILL), (Step::Rows, Signal::INT)] {
        let child = installation.migrate(&database);
        wait_for(step, &database, &installation.media);
        assert!(signal(child.id(), by));
        let output = child.wait_with_output();
        match by {
            Signal::INT => {
                assert_eq!(output.status.code(), Some(130), "{output:?}");
                assert!(text(&output.stderr).contains("run the same command again"), "{output:?}");
            }
            _ => assert_eq!(output.status.signal(), Some(9), "{step:?}: {output:?}"),
        }
        assert_empty(&database);
    }
    let (first, _) = installation.migrated(&database);
    assert_eq!(first["media"]["copied"], 0, "the media were copied by the runs that were killed");
    let (report, stderr) = installation.migrated(&database);
    assert!(stderr.contains("has finished before"), "{stderr}");
    assert_eq!(report, first);
    let events = "SELECT (SELECT count(*) FROM aerie.events) + (SELECT count(*) FROM aerie.review_events)";
    assert_eq!(database.query(events)[0].get::<_, i64>(0), 0, "nothing has happened to what was copied");
    assert!(files(&installation.data) == before, "the source is unchanged");

    let rows: BTreeMap<&str, u64> = report["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| {
            assert_eq!(table["sha256"].as_str().unwrap().len(), 64);
            (table["table"].as_str().unwrap(), table["rows"].as_u64().unwrap())
        })
        .collect();
    let jobs = u64::from(OLD_JOBS) + FILMS as u64 + 6;
    let billed = u64::from(OLD_JOBS - OLD_JOBS.div_ceil(7)) + FILMS as u64 + 2;
    for (table, expected) in [
        ("organizations", 2),
        ("api_keys", 1),
        ("jobs", jobs),
        ("usage_events", billed),
        ("quota_use", 2),
        ("failed_jobs", 1),
        ("answers", 3),
        ("engine_time", 2),
        // That of links to media, and the authority of Content Credentials.
        ("secrets", 2),
        ("uploads", 1),
        ("upload_use", 1),
        ("listings", 1),
        ("listing_jobs", 1),
        ("listing_uploads", 1),
        ("share_links", 1),
        ("reviews", 1),
    ] {
        assert_eq!(rows[table], expected, "{table}");
        let name = format!("SELECT count(*) FROM aerie.{table}");
        assert_eq!(database.query(&name)[0].get::<_, i64>(0), i64::try_from(expected).unwrap(), "{table}");
    }
    assert_eq!(rows.len(), 21);
    // The photo of the listing, too.
    assert_eq!(report["media"]["files"], FILMS + 1);
    assert_eq!(report["media"]["missing"], json!([installation.missing]));
    assert!(!report["store_url"].as_str().unwrap().contains("test@"), "{report}");
    // A killed run may leave an unfinished file, which a server sweeps.
    runtime().block_on(LocalMedia::open(&installation.media).unwrap().leftovers_sweep(Duration::ZERO)).unwrap();
    let mut copied = files(&installation.media);
    // What checks whether the place can be used.
    copied.remove(Path::new("aerie-probe"));
    assert_eq!(copied.len(), FILMS + 1);
    assert!(copied.iter().all(|(key, content)| before[&Path::new("media").join(key)] == *content));

    served(&installation, folder.path(), config);
    continued(&installation, &database);
}

/// A server on the new database answers as the old one did.
fn served(installation: &Installation, folder: &Path, config: &str) {
    let node = folder.join("node");
    let server = Server::restart_with(&["--config", config], &node, 0, &installation.org, &installation.key);
    let now = shown(&server.client);
    assert_eq!(now.newest, installation.shown.newest);
    assert_eq!(now.usage, installation.shown.usage);
    assert_eq!(now.jobs, installation.shown.jobs);
    assert_eq!(submit_again(&server.client), installation.submitted, "the idempotency key is known");
    assert_eq!(server.client.get(&installation.link).bytes, installation.film, "the old link works");
    assert!(!node.join("aerie.db").exists());
}

/// The lost job is run again and billed once, and so is the queued one.
fn continued(installation: &Installation, database: &Database) {
    let url = PostgresUrl::parse(&database.url).unwrap();
    runtime().block_on(async {
        let store = PostgresStore::open(&url, 4, TimeSource::Database).await.unwrap();
        let mut claims = BTreeMap::new();
        while let Some(claim) = store.job_claim(&JobType::ALL, "new", Duration::from_secs(60)).await.unwrap() {
            claims.insert(claim.job.id, claim);
        }
        let queued: JobId = installation.submitted["job_id"].as_str().unwrap().parse().unwrap();
        let lost = &installation.lost;
        assert_eq!(claims.keys().copied().collect::<BTreeSet<_>>(), [queued, lost.job.id].into());
        assert_eq!((claims[&lost.job.id].lease.attempt, claims[&lost.job.id].run), (2, 2));
        let late = store.job_complete(&lost.lease, JobOutput::default()).await;
        assert!(matches!(late, Err(StoreError::LeaseLost)), "{late:?}");
        for claim in claims.values() {
            store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
        }
        let stats = aerie_storage::MaintenanceStore::queue_stats(&store).await.unwrap().jobs;
        let all = JobFilter { org_id: None, status: None, job_type: None, limit: u32::MAX, offset: 0 };
        let jobs = store.job_list(all).await.unwrap().jobs;
        for (kind, status, counted) in stats {
            let found = jobs.iter().filter(|job| (job.job_type, job.status) == (kind, status)).count();
            assert_eq!(counted, found as u64, "{kind} {status}");
        }
        let range = UsageRange::parse(Some("1970-01-01"), Some("9999-12-31"), SystemClock.now()).unwrap();
        let mut billed = BTreeSet::new();
        for org in aerie_storage::TenantStore::org_list(&store).await.unwrap() {
            for event in aerie_storage::TenantStore::usage_list(&store, org.id, range, None, u32::MAX).await.unwrap() {
                assert!(billed.insert(event.job_id), "{} is billed twice", event.job_id);
            }
        }
        let is_billed = |status| matches!(status, JobStatus::Completed | JobStatus::AwaitingInput);
        assert!(jobs.iter().all(|job| billed.contains(&job.id) == is_billed(job.status)));
    });
}

/// An installation with one organization that has a key, whose server has stopped.
fn small(folder: &Path) -> PathBuf {
    let data = folder.join("data");
    let org = run_json(&["admin", "org", "create", "Acme"], &data);
    let _ = run_json(&["admin", "key", "create", "--org", org["org_id"].as_str().unwrap()], &data);
    data
}

fn migrate(data: &Path, url: &str, more: &[&str]) -> Output {
    run(&[&["migrate", "--to", url], more].concat(), data)
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_source_that_is_in_use_and_a_target_that_is_not_empty_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let database = Database::create();
    let mut server = Server::start(&data, 1);
    assert_refused(
        &migrate(&data, &database.url, &[]),
        &["is using the database", "aerie.db", "stop servers and workers"],
    );
    server.stop(Signal::TERM);
    drop(server);
    let mut worker =
        ChildGuard::spawn(Command::new(aerie()).args(["worker", "--data"]).arg(&data).stderr(Stdio::null()));
    aerie_e2e::wait_until("the worker has opened the database", Duration::from_secs(20), || {
        let refused = migrate(&data, "postgres://nobody@127.0.0.1:9/none", &[]);
        text(&refused.stderr).contains(&format!("process {}", worker.id())).then_some(())
    });
    assert!(signal(worker.id(), Signal::TERM));
    worker.wait().unwrap();

    // Of another installation.
    let config = folder.path().join("other.toml");
    fs::write(&config, format!("[store]\nurl = '{}'\n", database.url)).unwrap();
    let config = config.to_str().unwrap();
    let create = ["admin", "org", "create", "Stranger", "--config", config];
    let _ = run_json(&create, &folder.path().join("other"));
    let refused = migrate(&data, &database.url, &[]);
    assert_refused(&refused, &["--to", "organizations", "empty database", "DROP SCHEMA aerie CASCADE"]);
    assert_eq!(database.query("SELECT name FROM aerie.organizations")[0].get::<_, String>(0), "Stranger");

    // By a server that waits for the rows.
    let empty = Database::create();
    fs::write(config, format!("[store]\nurl = '{}'\n", empty.url)).unwrap();
    let node = Server::restart_with(&["--config", config], &folder.path().join("node"), 0, "", "");
    assert_refused(&migrate(&data, &empty.url, &[]), &["--to", "already using this database", "stop its servers"]);
    drop(node);
    assert!(migrate(&data, &empty.url, &[]).status.success());
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn wrong_options_and_unusable_databases_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = small(folder.path());
    let database = Database::create();
    let wrong = database.url.replace(":test@", ":other@");
    assert_refused(&migrate(&data, &wrong, &[]), &["--to: ", "password"]);
    assert_refused(&migrate(&data, "sqlite:a.db", &[]), &["--to: ", "postgres://"]);
    assert_refused(&run(&["migrate"], &data), &["--to URL", "AERIE_STORE_URL=postgres://"]);
    assert_refused(&migrate(&data, &database.url, &["--media", "ftp://x"]), &["--media", "s3://BUCKET/PREFIX"]);
    let same = format!("file:{}", data.join("media").display());
    fs::create_dir_all(data.join("media")).unwrap();
    assert_refused(&migrate(&data, &database.url, &["--media", &same]), &["--media", "another place"]);
    assert_refused(&migrate(&folder.path().join("none"), &database.url, &[]), &["no database", "--data"]);
    assert!(!folder.path().join("none").exists());
    let config = folder.path().join("aerie.toml");
    fs::write(&config, format!("[store]\nurl = '{}'\n", database.url)).unwrap();
    let from_postgres = migrate(&data, &database.url, &["--config", config.to_str().unwrap()]);
    assert_refused(&from_postgres, &["[store] url", "--config"]);

    let newer = Database::create();
    assert!(migrate(&data, &newer.url, &[]).status.success());
    newer.execute("UPDATE aerie.schema_version SET version = 99, oldest = 99");
    assert_refused(&migrate(&data, &newer.url, &[]), &["schema version 99", "--to"]);
    newer.execute("DROP SCHEMA aerie CASCADE; CREATE SCHEMA aerie; CREATE TABLE aerie.nests (birds text)");
    assert_refused(&migrate(&data, &newer.url, &[]), &["another program", "--to"]);
}

/// Adds jobs to a small installation; returns its organization.
fn add_jobs(data: &Path, jobs: impl Iterator<Item = StoredJob>) -> String {
    let org = run_json(&["admin", "org", "list"], data)[0]["org_id"].as_str().unwrap().to_owned();
    insert_jobs(&data.join("aerie.db"), &org, jobs).unwrap();
    org
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_row_that_the_target_stores_differently_is_named_and_nothing_stays() {
    let folder = tempfile::tempdir().unwrap();
    let data = small(folder.path());
    let database = Database::create();
    assert!(migrate(&data, &database.url, &[]).status.success());
    database.execute("DELETE FROM aerie.api_keys; DELETE FROM aerie.organizations; DELETE FROM aerie.secrets");
    add_jobs(&data, (0..5000).map(old_job));
    let id = old_job(3001).id;
    database.execute(&format!(
        "CREATE FUNCTION aerie.discount() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN NEW.unit_price_cents = 1; RETURN NEW; END $$;
         CREATE TRIGGER discount BEFORE INSERT ON aerie.usage_events FOR EACH ROW
             WHEN (NEW.job_id = '{id}') EXECUTE FUNCTION aerie.discount();"
    ));
    let refused = migrate(&data, &database.url, &[]);
    assert_refused(&refused, &[&format!("usage_events: source and target differ from the row id {id} on")]);
    assert_empty(&database);
    database.execute("DROP TRIGGER discount ON aerie.usage_events");
    assert!(migrate(&data, &database.url, &[]).status.success());
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_source_that_changes_meanwhile_or_afterwards_is_not_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let data = small(folder.path());
    let org = add_jobs(&data, (0..20_000).map(old_job));
    let database = Database::create();
    let mut command = Command::new(aerie());
    command.args(["migrate", "--to", &database.url, "--data"]).arg(&data);
    let child = ChildGuard::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    wait_for(Step::Rows, &database, &data);
    assert!(signal(child.id(), Signal::STOP));
    insert_jobs(&data.join("aerie.db"), &org, std::iter::once(old_job(30_000))).unwrap();
    assert!(signal(child.id(), Signal::CONT));
    assert_refused(&child.wait_with_output(), &["aerie.db changed during the migration", "stop servers and workers"]);
    assert_empty(&database);

    // The next run has the new job, too. After that, the new database has a life of its own.
    assert!(migrate(&data, &database.url, &[]).status.success());
    assert_eq!(database.query("SELECT count(*) FROM aerie.jobs")[0].get::<_, i64>(0), 20_001);
    let _ = run_json(&["admin", "org", "set", &org, "--plan", "growth"], &data);
    assert_refused(&migrate(&data, &database.url, &[]), &["--to", "organizations", "differ", "DROP SCHEMA"]);
    assert_ne!(database.query("SELECT plan FROM aerie.organizations")[0].get::<_, String>(0), "growth");
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_migration_does_not_finish_while_media_are_missing_unless_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let data = small(folder.path());
    let org = run_json(&["admin", "org", "list"], &data)[0]["org_id"].as_str().unwrap().to_owned();
    let keys: Vec<String> = (1..=6).map(|number| format!("{org}/{}/1/video.mp4", old_job(number).id)).collect();
    let jobs =
        (1..=6).map(|number| StoredJob { media: json!({"/video_url": keys[number as usize - 1]}), ..old_job(number) });
    insert_jobs(&data.join("aerie.db"), &org, jobs).unwrap();
    let (database, target) = (Database::create(), folder.path().join("target"));
    let media = format!("file:{}", target.display());
    let migrate = |more: &[&str]| migrate(&data, &database.url, &[&["--media", &media, "--json"], more].concat());

    // No folder; then the empty folder of a disk that is not mounted.
    let source = data.join("media");
    let _ = fs::remove_dir_all(&source);
    assert_refused(&migrate(&["--allow-missing"]), &["6 media files", "does not exist", "mount its disk"]);
    assert_empty(&database);
    fs::create_dir(&source).unwrap();
    assert_refused(&migrate(&[]), &["6 media files", &keys[0], &keys[4], "and 1 more", "--allow-missing"]);
    assert_empty(&database);
    let put = |key: &str| {
        let file = source.join(key);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, key).unwrap();
    };
    put(&keys[0]);
    let allowed = migrate(&["--allow-missing"]);
    assert!(allowed.status.success(), "{}", text(&allowed.stderr));
    let report: Value = serde_json::from_slice(&allowed.stdout).unwrap();
    assert_eq!((&report["media"]["files"], &report["media"]["missing"]), (&json!(1), &json!(keys[1..6])));

    // Found later.
    keys[1..5].iter().for_each(|key| put(key));
    let again = migrate(&["--allow-missing"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let report: Value = serde_json::from_slice(&again.stdout).unwrap();
    let media = &report["media"];
    assert_eq!((&media["files"], &media["copied"], &media["missing"]), (&json!(5), &json!(4), &json!([keys[5]])));
    let mut copied = files(&target);
    copied.remove(Path::new("aerie-probe"));
    assert_eq!(copied.into_keys().collect::<BTreeSet<_>>(), keys[..5].iter().map(PathBuf::from).collect());
}
