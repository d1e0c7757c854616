//! A server that counts requests on Redis.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use aerie_e2e::{Server, aerie, wait_until};

use crate::redis_server::Redis;

fn doctor(data: &Path, url: &str) -> Output {
    let mut doctor = Command::new(aerie());
    doctor.args(["doctor", "--data"]).arg(data).env("AERIE_LIMITER_URL", url).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Asks for the jobs and returns how many requests are left in the minute.
fn ask(server: &Server) -> u32 {
    let answer = server.client.get("/v1/jobs");
    assert_eq!(answer.status, 200);
    let left = answer.header("ratelimit").split_once("\"minute\";r=").unwrap().1;
    left.split_once(';').unwrap().0.parse().unwrap()
}

/// Waits until the metric of the limiter has this value. Metrics are not under `/v1` and do not count.
fn wait_for_metric(server: &Server, value: &str) {
    let line = format!("aerie_limiter_up {value}");
    wait_until(&line, Duration::from_secs(20), || {
        let metrics = server.client.get("/metrics").bytes;
        String::from_utf8(metrics).unwrap().lines().any(|found| found == line).then_some(())
    });
}

#[test]
#[ignore = "needs redis-server: e2e/redis.sh"]
fn a_server_goes_on_counting_and_is_ready_while_redis_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut redis = Redis::start(folder.path().join("redis"));
    let url = redis.url("s3cr3t");
    let (org, key) = {
        let server = Server::start(&data, 0);
        (server.org.clone(), server.key.clone())
    };
    let server = Server::restart_in(&[("AERIE_LIMITER_URL", &url)], &[], &data, 0, &org, &key);
    wait_for_metric(&server, "1");
    let left = ask(&server);
    assert!(
        !data.join("requests.today").exists() || std::fs::metadata(data.join("requests.today")).unwrap().len() == 0
    );
    redis.kill();
    assert_eq!((ask(&server), ask(&server)), (left - 1, left - 2), "what was counted on Redis still counts");
    wait_for_metric(&server, "0");
    assert_eq!(server.client.get("/readyz").status, 200);
    let found = text(&doctor(&data, &url));
    assert!(found.contains("MISSING  rate limits") && found.contains("correct [limiter] url, or start"), "{found}");
    redis.restart();
    wait_for_metric(&server, "1");
    assert_eq!(ask(&server), left - 3, "and what was counted elsewhere as well");
    let found_again = text(&doctor(&data, &url));
    assert!(found_again.contains("ok       rate limits"), "{found_again}");
    let log = server.log();
    assert_eq!(log.matches("[limiter] url is away").count(), 1, "{log}");
    assert_eq!(log.matches("[limiter] url is back").count(), 1, "{log}");
    for shown in [log, found, found_again] {
        assert!(!shown.contains("s3cr3t"), "{shown}");
    }
}

#[test]
#[ignore = "needs redis-server: e2e/redis.sh"]
fn a_server_with_the_wrong_password_for_redis_does_not_start_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let redis = Redis::start(folder.path().join("redis"));
    let config = folder.path().join("aerie.toml");
    std::fs::write(&config, format!("[limiter]\nurl = '{}'", redis.url("wr0ng"))).unwrap();
    let Err(log) = Server::try_restart(&["--config", config.to_str().unwrap()], &data, 0, "", "") else {
        panic!("it started");
    };
    assert!(log.contains("[limiter] url: cannot count on redis://127.0.0.1:"), "{log}");
    assert!(log.contains("user or password in the URL are wrong") && !log.contains("wr0ng"), "{log}");
}
