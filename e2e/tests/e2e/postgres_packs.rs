//! Published packs: workers without maps of their own, on one database and one media store.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use aerie_e2e::{Server, Signal, aerie, run, run_json, signal, wait_until};
use serde_json::{Value, json};

use crate::database::Database;

const MINUTE: Duration = Duration::from_secs(60);

/// A worker process with a data folder of its own; killed when dropped.
struct Worker {
    child: Child,
    data: PathBuf,
}

impl Worker {
    fn start(data: PathBuf, config: &str) -> Self {
        fs::create_dir_all(&data).unwrap();
        let log = File::create(data.with_extension("log")).unwrap();
        let mut command = Command::new(aerie());
        command.args(["worker", "--config", config, "--data"]).arg(&data).stdin(Stdio::null()).stderr(log);
        Self { child: command.spawn().expect("aerie starts"), data }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.data.with_extension("log")).unwrap()
    }

    /// The published packs of which it has a copy.
    fn packs(&self) -> Vec<String> {
        let entries = fs::read_dir(self.data.join("packs")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).filter(|name| name.len() == 64).collect()
    }

    fn stop(mut self) {
        assert!(signal(self.child.id(), Signal::TERM));
        assert!(self.child.wait().unwrap().success(), "{}", self.log());
        assert!(!self.log().contains("panicked"), "{}", self.log());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A database, a media folder, an API node, and maps to publish.
struct Fleet {
    folder: tempfile::TempDir,
    config: String,
    server: Server,
}

impl Fleet {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::create();
        let (config, media) = (folder.path().join("aerie.toml"), folder.path().join("media"));
        fs::write(&config, format!("[store]\nurl = '{}'\n[media]\nurl = 'file:{}'\n", database.url, media.display()))
            .unwrap();
        let config = config.to_str().unwrap().to_owned();
        let node = folder.path().join("node");
        let org = run_json(&["admin", "org", "create", "Acme", "--config", &config], &node);
        let org = org["org_id"].as_str().unwrap();
        let key = run_json(&["admin", "key", "create", "--org", org, "--config", &config], &node);
        let server = Server::restart_with(&["--config", &config], &node, 0, org, key["key"].as_str().unwrap());
        Self { folder, config, server }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn worker(&self, name: &str) -> Worker {
        Worker::start(self.path(name), &self.config)
    }

    /// Runs a command on the machine of the API node.
    fn aerie(&self, arguments: &[&str]) -> Value {
        run_json(&[arguments, &["--config", &self.config]].concat(), &self.path("node"))
    }

    /// Imports a village with one house into a data folder: 7 STREET, in the file STREET.osm.
    fn import(&self, data: &str, street: &str) {
        let map = format!(
            r#"<osm version="0.6">
            <node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
            <node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"/>
            <node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
            <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
            <tag k="building" v="house"/><tag k="addr:street" v="{street}"/><tag k="addr:housenumber" v="7"/></way>
            <way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="{street}"/></way>
            </osm>"#
        );
        let file = self.path(&format!("{street}.osm"));
        fs::write(&file, map).unwrap();
        let _ = run_json(&["import", file.to_str().unwrap()], &self.path(data));
    }

    /// Publishes the maps of a data folder; returns the name of the pack and the report.
    fn publish(&self, data: &str) -> (String, Value) {
        let from = self.path(data);
        let report = self.aerie(&["pack", "publish", "--from", from.to_str().unwrap()]);
        (report["pack"].as_str().unwrap().to_owned(), report)
    }

    fn ended(&self, job: &str) -> Value {
        wait_until("the job ends", 5 * MINUTE, || {
            let shown = self.server.client.job(job);
            ["completed", "failed"].contains(&shown["status"].as_str().unwrap()).then_some(shown)
        })
    }

    /// Asks for a flight at an address that no map has; returns which maps the worker looked at, and which pack the job records.
    fn maps_in_use(&self) -> (String, Value) {
        let job = self.server.client.submit("1 Nowhere Street", "north");
        let ended = self.ended(&job);
        assert_eq!(ended["output"]["error"]["code"], "ADDRESS_NOT_FOUND", "{ended}");
        let message = ended["output"]["error"]["message"].as_str().unwrap().to_owned();
        (message, self.aerie(&["admin", "job", "show", &job])["pack"].clone())
    }

    /// The pack that each worker has used last.
    fn packs_in_use(&self) -> Vec<Value> {
        let nodes = self.aerie(&["admin", "nodes"]);
        let workers = nodes.as_array().unwrap().iter().filter(|node| node["role"] == "worker");
        workers.map(|node| node["pack"].clone()).collect()
    }

    /// Submits jobs until every worker has used this pack.
    fn until_all_use(&self, pack: &str) {
        wait_until("all workers use the pack", 3 * MINUTE, || {
            let jobs = [(); 4].map(|()| self.server.client.submit("1 Nowhere Street", "north"));
            for job in &jobs {
                self.ended(job);
                assert_eq!(self.aerie(&["admin", "job", "show", job])["pack"], pack);
            }
            self.packs_in_use().iter().all(|used| used == pack).then_some(())
        });
    }

    /// The object with the region of a data folder's maps.
    fn region_object(&self, data: &str) -> PathBuf {
        let sum = Command::new("sha256sum").arg(self.path(data).join("pack/region.gpkg")).output().unwrap();
        let sum = String::from_utf8(sum.stdout).unwrap();
        self.path("media/pack").join(&sum[..64])
    }
}

fn databases_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(databases_in(&path)),
            path if path.to_str().is_some_and(|path| path.contains(".db")) => found.push(path),
            _ => {}
        }
    }
    found
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn workers_fetch_the_published_pack_and_use_a_new_one_without_a_restart() {
    let fleet = Fleet::start();
    fleet.import("maps", "Lindenweg");
    let (first, report) = fleet.publish("maps");
    assert_eq!((report["files"].as_u64(), report["sent_files"].as_u64()), (Some(1), Some(1)), "{report}");
    assert!(fleet.path("media/pack").join(&first).is_file(), "the manifest is stored under the name of the pack");
    let workers = ["a", "b"].map(|name| fleet.worker(name));

    // Neither has maps of its own. A preview reads the same maps as a film.
    let answer =
        fleet.server.client.post("/v1/drone-footage/generate?preview=true", &json!({"address": "Lindenweg 7"}));
    let job = answer.json()["data"]["job_id"].as_str().unwrap().to_owned();
    let ended = fleet.ended(&job);
    assert_eq!(ended["status"], "completed", "{ended}");
    assert_eq!(fleet.aerie(&["admin", "job", "show", &job])["pack"], first);
    fleet.until_all_use(&first);
    assert!(workers.iter().all(|worker| worker.packs() == [first.clone()]));

    fleet.import("maps", "Ulmenweg");
    let (second, report) = fleet.publish("maps");
    assert_ne!(first, second);
    assert_eq!(report["sent_files"], 1, "{report}");
    let (maps, pack) = fleet.maps_in_use();
    assert!(maps.contains("Ulmenweg.osm"), "{maps}");
    assert_eq!(pack, second);
    fleet.until_all_use(&second);
    assert!(workers.iter().all(|worker| worker.packs() == [second.clone()]), "the earlier pack is removed");

    // And back.
    let _ = fleet.aerie(&["pack", "use", &first]);
    let (maps, pack) = fleet.maps_in_use();
    assert!(maps.contains("Lindenweg.osm") && !maps.contains("Ulmenweg.osm"), "{maps}");
    assert_eq!(pack, first);
    let statuses = |fleet: &Fleet| {
        let listed = fleet.aerie(&["pack", "list"]);
        let listed = listed.as_array().unwrap().iter();
        listed.map(|pack| (pack["pack"].clone(), pack["status"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(statuses(&fleet), [(json!(second), json!("published")), (json!(first), json!("current"))]);
    let removed = fleet.aerie(&["pack", "remove", &second]);
    assert_eq!(removed["files"], 2, "its region and its manifest");
    assert_eq!(statuses(&fleet), [(json!(first), json!("current"))]);
    assert_eq!(fs::read_dir(fleet.path("media/pack")).unwrap().count(), 2, "those of the other pack stay");
    let refused = run(&["pack", "remove", &first, "--config", &fleet.config], &fleet.path("node"));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("workers use this pack"), "{refused:?}");

    for worker in workers {
        worker.stop();
    }
    let databases: Vec<PathBuf> = ["node", "a", "b"].iter().flat_map(|data| databases_in(&fleet.path(data))).collect();
    assert_eq!(databases, Vec::<PathBuf>::new(), "with a PostgreSQL URL, no node creates a SQLite database");
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_truncated_file_of_a_pack_is_refused_and_fetched_again_after_it_was_repaired() {
    let fleet = Fleet::start();
    fleet.import("maps", "Lindenweg");
    let (pack, _) = fleet.publish("maps");
    let object = fleet.region_object("maps");
    let size = object.metadata().unwrap().len();
    File::options().write(true).open(&object).unwrap().set_len(size / 2).unwrap();

    let worker = fleet.worker("a");
    let job = fleet.server.client.submit("1 Nowhere Street", "north");
    wait_until("the pack is refused", MINUTE, || worker.log().contains("cannot be fetched").then_some(()));
    assert!(worker.log().contains("pack/region.gpkg"), "{}", worker.log());
    assert_eq!(fleet.server.client.job(&job)["status"], "running", "the job waits");
    assert!(worker.packs().is_empty(), "nothing of it is used");

    let (same, report) = fleet.publish("maps");
    assert_eq!((same.as_str(), report["sent_files"].as_u64()), (pack.as_str(), Some(1)), "{report}");
    let ended = fleet.ended(&job);
    assert!(ended["output"]["error"]["message"].as_str().unwrap().contains("Lindenweg.osm"), "{ended}");
    assert_eq!(fleet.aerie(&["admin", "job", "show", &job])["pack"], pack);

    // A damaged copy is noticed, too.
    let copy = fleet.path("a/packs").join(&pack).join("pack/region.gpkg");
    File::options().write(true).open(&copy).unwrap().set_len(size / 2).unwrap();
    assert!(fleet.maps_in_use().0.contains("Lindenweg.osm"));
    assert!(worker.log().contains("is damaged: it is fetched again"), "{}", worker.log());
    assert_eq!(copy.metadata().unwrap().len(), size);
    worker.stop();
}

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_pack_in_the_data_folder_is_used_where_none_is_published() {
    let fleet = Fleet::start();
    fleet.import("a", "Eigenweg");
    let worker = fleet.worker("a");
    let (maps, pack) = fleet.maps_in_use();
    assert!(maps.contains("Eigenweg.osm"), "{maps}");
    assert_eq!(pack, Value::Null);
    fleet.import("maps", "Lindenweg");
    let (published, _) = fleet.publish("maps");
    let (maps, pack) = fleet.maps_in_use();
    assert!(maps.contains("Lindenweg.osm") && !maps.contains("Eigenweg.osm"), "{maps}");
    assert_eq!(pack, published);
    let _ = fleet.aerie(&["pack", "use", "none"]);
    let (maps, pack) = fleet.maps_in_use();
    assert!(maps.contains("Eigenweg.osm"), "{maps}");
    assert_eq!(pack, Value::Null);
    worker.stop();
}
