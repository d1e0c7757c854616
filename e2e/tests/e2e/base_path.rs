//! The service under a path of another site, behind a proxy that removes the path, and one that does not.

use std::io::{BufRead, BufReader, Write, copy};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aerie_e2e::{Client, Server, gradient_picture, run_json, wait_until};
use serde_json::json;

const PATH: &str = "/aerie";

/// A proxy to the server of this address, once it is known. Returns its own address.
fn proxy(to: Arc<OnceLock<SocketAddr>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let to = Arc::clone(&to);
            // A client may close its connection early.
            std::thread::spawn(move || forward(client, *to.get().expect("the server has started")));
        }
    });
    address
}

/// Forwards one request, without the path, and its response.
fn forward(client: TcpStream, to: SocketAddr) -> std::io::Result<()> {
    let mut request = BufReader::new(client.try_clone()?);
    let (mut head, mut line) = (String::new(), String::new());
    while request.read_line(&mut line)? > 2 {
        if !line.to_ascii_lowercase().starts_with("connection:") {
            head.push_str(&line);
        }
        line.clear();
    }
    let mut client = client;
    if !head.split(' ').nth(1).is_some_and(|target| target.starts_with(&format!("{PATH}/"))) {
        return client
            .write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 10\r\n\r\nother site");
    }
    let mut server = TcpStream::connect(to)?;
    write!(server, "{}Connection: close\r\n\r\n", head.replacen(PATH, "", 1))?;
    let (mut back, mut out) = (server.try_clone()?, client.try_clone()?);
    let sending = std::thread::spawn(move || copy(&mut request, &mut server));
    copy(&mut back, &mut out)?;
    client.shutdown(Shutdown::Both)?;
    let _ = sending.join();
    Ok(())
}

#[test]
fn under_a_path_of_another_site_uploads_media_and_the_console_are_reached_through_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let org = run_json(&["admin", "org", "create", "Acme"], &data)["org_id"].as_str().unwrap().to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], &data)["key"].as_str().unwrap().to_owned();
    let address = Arc::default();
    let site = format!("http://{}", proxy(Arc::clone(&address)));
    let config = folder.path().join("aerie.toml");
    std::fs::write(&config, format!("base_url = \"{site}{PATH}\"\n")).unwrap();
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 1, &org, &key);
    address.set(server.client.base_url().strip_prefix("http://").unwrap().parse().unwrap()).unwrap();
    let client = Client::new(&format!("{site}{PATH}"), Some(key.clone()));
    assert_eq!(client.get(&format!("{site}/v1/jobs")).status, 404, "another site");

    let photo = gradient_picture("s=640x480:c0=red:c1=blue", "png");
    let length = photo.len().to_string();
    let begun = client.send("POST", "/v1/uploads", &[("Tus-Resumable", "1.0.0"), ("Upload-Length", &length)], &[]);
    let location = begun.header("location");
    assert!(location.starts_with("/aerie/v1/uploads/"), "{location}");
    let headers = [("Upload-Offset", "0"), ("Content-Type", "application/offset+octet-stream")];
    assert_eq!(client.send("PATCH", &format!("{site}{location}"), &headers, &photo).status, 204);
    let image = begun.json()["data"]["image_url"].clone();
    let job = client.post("/v1/image-enhance/generate", &json!({"image_url": image})).json();
    let id = job["data"]["job_id"].as_str().unwrap().to_owned();
    let job = wait_until("the job ends", Duration::from_secs(120), || {
        let job = client.job(&id);
        matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
    });
    let link = job["output"]["image_url"].as_str().unwrap_or_else(|| panic!("{job}"));
    assert!(link.starts_with(&format!("{site}{PATH}/media/")), "{link}");
    let visitor = client.with_key(None);
    assert_eq!(visitor.get(link).status, 200);
    // As from a proxy that leaves the path.
    let direct = Client::new(&format!("{}{PATH}", server.client.base_url()), Some(key.clone()));
    assert_eq!(direct.get(&format!("/v1/jobs/{id}")).json()["data"]["status"], job["status"]);
    assert_eq!(direct.with_key(None).get(&format!("/v1/jobs/{id}")).status, 401);
    assert_eq!(direct.with_key(None).get(&link.replacen(&site, server.client.base_url(), 1)).status, 200);

    assert_eq!(client.get("/openapi.json").json()["servers"], json!([{"url": PATH}]));

    assert_eq!(visitor.get("/").header("content-type"), "text/html; charset=utf-8", "redirected to the console");
    let signed_in = visitor.post("/console/api/session", &json!({"key": key}));
    assert_eq!(signed_in.status, 201, "{}", signed_in.json());
    let (cookie, attributes) = signed_in.header("set-cookie").split_once(';').unwrap();
    // Without a path, a browser sends it to `/aerie/console/api/`, from where it was set.
    assert!(!attributes.contains("Path"), "{attributes}");
    assert_eq!(visitor.send("GET", "/console/api/session", &[("Cookie", cookie)], &[]).status, 200);
}
