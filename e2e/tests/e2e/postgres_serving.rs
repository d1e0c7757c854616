//! A server with workers of its own, on a PostgreSQL database.

use std::time::Duration;

use aerie_e2e::{Server, Signal, gradient_picture, run_json, serve_pictures, wait_until};
use serde_json::json;

use crate::database::Database;

#[test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
fn a_server_on_postgresql_runs_jobs_by_its_own_workers_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::create();
    let (config, data) = (folder.path().join("aerie.toml"), folder.path().join("data"));
    std::fs::write(&config, format!("[store]\nurl = '{}'\nconnections = 2\n", database.url)).unwrap();
    let config = config.to_str().unwrap();
    let org = run_json(&["admin", "org", "create", "Acme", "--config", config], &data);
    let org = org["org_id"].as_str().unwrap();
    let key = run_json(&["admin", "key", "create", "--org", org, "--config", config], &data);
    let mut server = Server::restart_with(&["--config", config], &data, 2, org, key["key"].as_str().unwrap());
    let url = serve_pictures([("photo.jpg", gradient_picture("s=96x64:c0=0x2a3a4a:c1=0x9a8a70", "mjpeg"))].into());
    let body = json!({"image_url": format!("{url}/photo.jpg")});
    let submit = |_| {
        let submitted = server.client.post("/v1/image-enhance/generate", &body);
        submitted.json()["data"]["job_id"].as_str().expect("an id").to_owned()
    };
    for id in (0..4).map(submit).collect::<Vec<_>>() {
        wait_until("the job is completed", Duration::from_secs(60), || {
            (server.client.job(&id)["status"] == "completed").then_some(())
        });
    }
    assert_eq!(server.metric("aerie_workers"), 2.0);
    assert!(server.stop(Signal::TERM).success());
    assert_eq!(database.query("SELECT 1 FROM aerie.nodes").len(), 0, "server and workers are registered no more");
}
