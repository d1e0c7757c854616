//! Servers that cannot be used as they are configured: the message names the key and the remedy, and never the password.

use std::sync::Arc;

use aerie_limiter_redis::{RedisLimiter, RedisUrl};

use crate::server::{Nowhere, PASSWORD, PATIENT, Server, free_port};

async fn refusal(url: &str) -> String {
    let url = RedisUrl::parse(url).unwrap();
    let opened = RedisLimiter::open(&url, Arc::new(Nowhere), PATIENT).await.err().unwrap().to_string();
    let checked = RedisLimiter::check(&url).await.err().unwrap().to_string();
    assert_eq!(opened, checked);
    for secret in ["wr0ng", "s3cr3t", PASSWORD] {
        assert!(!opened.contains(secret), "{opened}");
    }
    opened
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_wrong_or_missing_password_user_or_database_is_named() {
    let server = Server::start().await;
    let port = server.port;
    server.ask::<()>(&["ACL", "SETUSER", "reader", "on", ">wr0ng", "~*", "+@read"]).await;
    for (url, remedy) in [
        (format!("redis://127.0.0.1:{port}"), "user or password in the URL are wrong, or missing"),
        (format!("redis://:wr0ng@127.0.0.1:{port}"), "user or password in the URL are wrong, or missing"),
        (format!("redis://nobody:wr0ng@127.0.0.1:{port}"), "user or password in the URL are wrong, or missing"),
        (format!("redis://reader:wr0ng@127.0.0.1:{port}"), "lacks a permission"),
        (format!("redis://:s3cr3t%40%3A%2F@127.0.0.1:{port}/99"), "99"),
    ] {
        let error = refusal(&url).await;
        let start = format!("[limiter] url: cannot count on redis://127.0.0.1:{port}");
        assert!(error.starts_with(&start) && error.contains(remedy), "{error}");
    }
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_user_with_the_documented_permissions_can_count() {
    let server = Server::start().await;
    server
        .ask::<()>(&[
            "ACL",
            "SETUSER",
            "aerie",
            "on",
            ">pass",
            "~aerie:*",
            "+@read",
            "+@write",
            "+@scripting",
            "+@connection",
            "+time",
            "+info",
        ])
        .await;
    let url = RedisUrl::parse(&format!("valkey://aerie:pass@127.0.0.1:{}/3", server.port)).unwrap();
    let found = RedisLimiter::check(&url).await.unwrap();
    assert!(found.version.contains('.') && found.advice.is_empty(), "{found:?}");
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_server_with_tls_is_trusted_only_with_a_certificate_of_a_known_authority_for_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let authority = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(path("cert.pem"), authority.cert.pem()).unwrap();
    std::fs::write(path("key.pem"), authority.signing_key.serialize_pem()).unwrap();
    let port = free_port().to_string();
    let (cert, key) = (path("cert.pem"), path("key.pem"));
    let files = ["--tls-cert-file", &cert, "--tls-key-file", &key, "--tls-ca-cert-file", &cert];
    let options = [&files[..], &["--tls-port", &port, "--tls-auth-clients", "no", "--requirepass", "s3cr3t"]].concat();
    let _server = Server::start_with(&options).await;
    let url = |host: &str, roots: &str| format!("rediss://:s3cr3t@{host}:{port}{roots}");
    let trusting = format!("?sslrootcert={cert}");
    let found = RedisLimiter::check(&RedisUrl::parse(&url("localhost", &trusting)).unwrap()).await;
    assert!(found.is_ok(), "{found:?}");
    for untrusted in [url("localhost", ""), url("127.0.0.1", &trusting)] {
        let error = refusal(&untrusted).await;
        assert!(error.contains("certificate"), "{error}");
    }
    let error = refusal(&url("localhost", "?sslrootcert=/nowhere.pem")).await;
    assert!(error.contains("cannot read sslrootcert") && error.contains("/nowhere.pem"), "{error}");
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_server_that_keeps_nothing_over_a_restart_is_reported() {
    let server = Server::start_with(&["--appendonly", "no"]).await;
    let url = RedisUrl::parse(&format!("redis://127.0.0.1:{}", server.port)).unwrap();
    let advice = RedisLimiter::check(&url).await.unwrap().advice;
    assert!(advice.len() == 1 && advice[0].contains("appendonly"), "{advice:?}");
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_server_that_cannot_be_reached_is_reported_by_the_check() {
    let mut server = Server::start().await;
    server.kill();
    let error = RedisLimiter::check(&server.url()).await.err().unwrap().to_string();
    assert!(
        error.starts_with("[limiter] url: cannot count on redis://127.0.0.1:") && error.contains("refused"),
        "{error}"
    );
}
