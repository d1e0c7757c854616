//! `aerie admin` while the server runs: changes apply to the next request.

use aerie_e2e::{Server, run, run_json};
use serde_json::json;

const SUBMIT: &str = "/v1/drone-footage/generate";

#[test]
fn changed_settings_of_an_organization_apply_to_the_next_request() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 0);
    let (client, org) = (&server.client, server.org.as_str());
    let set = |options: &[&str]| run_json(&[&["admin", "org", "set", org], options].concat(), &data);
    let submit = || client.post(SUBMIT, &json!({"address": "1 Main St"}));

    assert_eq!(set(&["--disable", "drone_footage"])["disabled"], json!(["drone_footage"]));
    assert_eq!(submit().refusal(), (403, "FEATURE_DISABLED".into()));
    set(&["--enable", "drone_footage", "--monthly-quota", "1", "--price", "drone_footage=7"]);
    assert_eq!(submit().status, 202);
    assert_eq!(submit().refusal(), (403, "INSUFFICIENT_QUOTA".into()));
    set(&["--monthly-quota", "none", "--reject-duplicates", "on"]);
    assert_eq!(submit().refusal(), (409, "JOB_IN_PROGRESS".into()));
    let terms = set(&["--reject-duplicates", "off", "--plan", "starter"]);
    assert_eq!((&terms["jobs_this_month"], &terms["prices"]), (&json!(1), &json!({"drone_footage": 7})));
    assert_eq!(submit().status, 202);
    assert!(submit().header("ratelimit-policy").starts_with("\"minute\";q=30;w=60"));

    let listed = run(&["admin", "org", "list"], &data);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("3 of none") && listed.contains("drone_footage=7"), "{listed}");
    for wrong in [&["--plan", "gold"][..], &["--price", "balloon=1"], &["--monthly-quota", "-1"], &["--enable", "x"]] {
        assert!(!run(&[&["admin", "org", "set", org], wrong].concat(), &data).status.success(), "{wrong:?}");
    }
}

#[test]
fn keys_have_scopes_and_expire_and_may_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 0);
    let create = ["admin", "key", "create", "--org", &server.org, "--scope", "read", "--expires", "2999-12-31"];
    let second = run_json(&create, &data);
    let client = server.client.with_key(second["key"].as_str());
    assert_eq!(client.get("/v1/jobs").status, 200);
    assert_eq!(client.get("/v1/usage").refusal(), (403, "FORBIDDEN".into()));
    let id = second["key_id"].as_str().unwrap();
    let soon = run_json(&["admin", "key", "revoke", id, "--at", "2999-01-01T12:00:00Z"], &data);
    assert_eq!(soon["expires_at"], "2999-01-01T12:00:00.000Z");
    assert_eq!((client.get("/v1/jobs").status, server.client.get("/v1/jobs").status), (200, 200));
    let _ = run_json(&["admin", "key", "revoke", id, "--at", "2020-01-01"], &data);
    assert_eq!((client.get("/v1/jobs").status, server.client.get("/v1/jobs").status), (401, 200));
    let listed = run_json(&["admin", "key", "list", "--org", &server.org], &data);
    assert_eq!((&listed[1]["state"], &listed[1]["scopes"]), (&json!("expired"), &json!("read")));
    let past = ["admin", "key", "create", "--org", &server.org, "--expires", "2020-01-01"];
    assert_eq!(run(&past, &data).status.code(), Some(1));
}

#[test]
fn the_days_request_count_survives_a_restart_and_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start(&data, 0);
    let (org, key) = (server.org.clone(), server.key.clone());
    let mut used = Vec::new();
    for life in 0..3 {
        for _ in 0..15 {
            let answer = server.client.get("/v1/jobs");
            let left = answer.header("ratelimit").split("\"day\";r=").nth(1).unwrap().split(';').next().unwrap();
            used.push(100_000 - left.parse::<u32>().unwrap());
        }
        match life {
            0 => {
                assert!(server.stop(aerie_e2e::Signal::TERM).success());
                // Dropped, and so checked, before the next one runs on the same folder.
                drop(server);
            }
            1 => server.kill(),
            _ => break,
        }
        server = Server::restart(&data, 0, &org, &key);
    }
    assert_eq!(used, (1..=45).collect::<Vec<_>>());
}

#[test]
fn many_invalid_keys_from_one_address_slow_down_only_invalid_keys() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"), 0);
    let bad = server.client.with_key(Some("aerie_live_guess"));
    let timed = |client: &aerie_e2e::Client| {
        let started = std::time::Instant::now();
        let status = client.get("/v1/jobs").status;
        (status, started.elapsed().as_secs_f64())
    };
    let slow = (0..22).map(|_| timed(&bad)).inspect(|(status, _)| assert_eq!(*status, 401)).any(|(_, time)| time > 1.0);
    assert!(slow, "none of 22 bad keys was answered slowly");
    std::thread::scope(|scope| {
        scope.spawn(|| timed(&bad));
        let best = (0..5).map(|_| timed(&server.client)).inspect(|(status, _)| assert_eq!(*status, 200));
        assert!(best.map(|(_, time)| time).fold(f64::MAX, f64::min) < 0.5, "valid keys are slowed down, too");
    });
}
