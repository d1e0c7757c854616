//! The server with its own TLS, and behind a proxy.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aerie_e2e::{Server, run_json, wait_until};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// Writes a self-signed certificate for `localhost` to `cert.pem` and `key.pem`.
fn certificate(folder: &Path) -> RootCertStore {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap()).unwrap();
    roots
}

fn get(address: &str, key: &str, roots: &RootCertStore) -> std::io::Result<String> {
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots.clone())
        .with_no_client_auth();
    let session = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap();
    let mut stream = StreamOwned::new(session, TcpStream::connect(address)?);
    let request = format!("GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Starts a server with an organization, a key and a configuration file.
fn start(folder: &Path, config: &str) -> Server {
    let data = folder.join("data");
    let org = run_json(&["admin", "org", "create", "Acme"], &data)["org_id"].as_str().unwrap().to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], &data)["key"].as_str().unwrap().to_owned();
    let file = folder.join("aerie.toml");
    std::fs::write(&file, config).unwrap();
    Server::restart_with(&["--config", file.to_str().unwrap()], &data, 0, &org, &key)
}

#[test]
fn https_is_served_and_a_renewed_certificate_needs_no_restart() {
    let folder = tempfile::tempdir().unwrap();
    let first = certificate(folder.path());
    let path = folder.path().display();
    let config = format!("environment = 'production'\n[tls]\ncert = '{path}/cert.pem'\nkey = '{path}/key.pem'");
    let server = start(folder.path(), &config);
    let address = server.client.base_url().strip_prefix("https://").expect("https").to_owned();
    let answer = get(&address, &server.key, &first).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("strict-transport-security"), "{answer}");
    let second = certificate(folder.path());
    wait_until("the new certificate is served", Duration::from_secs(20), || get(&address, &server.key, &second).ok());
    assert!(get(&address, &server.key, &first).is_err());
}

#[test]
fn behind_a_proxy_only_https_requests_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "environment = 'staging'\n[proxy]\ntrusted = ['127.0.0.1/32']");
    let ask = |protocol| server.client.send("GET", "/v1/jobs", &[("X-Forwarded-Proto", protocol)], &[]);
    assert_eq!(ask("https").status, 200);
    assert_eq!(ask("http").refusal(), (403, "FORBIDDEN".into()));
    assert_eq!(server.client.get("/healthz").json()["environment"], "staging");
}
