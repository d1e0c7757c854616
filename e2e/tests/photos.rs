//! Photos through every layer: fetched, enhanced, published, billed; and refused.

use std::process::Command;
use std::time::Duration;

use aerie_e2e::{Client, Server, serve_pictures, wait_until};
use serde_json::{Value, json};

/// A PNG of smooth colours, 640 x 426.
fn picture() -> Vec<u8> {
    let gradient = "gradients=s=640x426:c0=0x2a3a4a:c1=0x9a8a70:x0=0:y0=0:x1=639:y1=425:seed=7";
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", gradient, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"];
    let made = Command::new("ffmpeg").args(arguments).output().expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}

fn ended(client: &Client, submitted: &Value) -> Value {
    let id = submitted["data"]["job_id"].as_str().expect("an id").to_owned();
    wait_until("the job ends", Duration::from_secs(60), || {
        let job = client.job(&id);
        matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
    })
}

fn download(client: &Client, url: &Value) -> Vec<u8> {
    let path = url.as_str().expect("a link").strip_prefix(client.base_url()).expect("our own link");
    let answer = client.with_key(None).get(path);
    assert_eq!(answer.status, 200, "{path}");
    answer.bytes
}

#[test]
fn a_photo_is_enhanced_told_of_linked_beside_its_original_and_billed_once() {
    let folder = tempfile::tempdir().unwrap();
    let photo = picture();
    let half = photo[..photo.len() / 2].to_vec();
    let pictures = serve_pictures([("photo.png", photo.clone()), ("half.png", half)].into());
    let server = Server::start(&folder.path().join("data"), 1);
    let client = &server.client;

    let body =
        json!({"image_url": format!("{pictures}/photo.png"), "options": {"prompt": "a bit brighter, add a pool"}});
    let submitted = client.post("/v1/image-enhance/generate", &body);
    assert_eq!(submitted.status, 202, "{:?}", submitted.json());
    let job = ended(client, &submitted.json());
    assert_eq!(
        (&job["status"], &job["job_type"], &job["input"]),
        (&json!("completed"), &json!("image_enhance"), &body)
    );
    let output = &job["output"];
    let fields: Vec<&String> = output.as_object().unwrap().keys().collect();
    let promised = ["adjustments", "disclosure", "height", "image_url", "original_url", "thumbnail_url", "width"];
    assert_eq!(fields, promised);
    assert_eq!((&output["width"], &output["height"]), (&json!(640), &json!(426)));
    assert_eq!(output["adjustments"]["not_understood"], json!(["add a pool"]), "{output}");
    assert!(download(client, &output["original_url"]) == photo, "the original is as it came");
    assert!(download(client, &output["image_url"]).starts_with(&[0xff, 0xd8, 0xff]));
    assert!(download(client, &output["thumbnail_url"]).starts_with(&[0xff, 0xd8, 0xff]));

    // Its header is good, which is all that the API looks at; the rest is found to be missing by the engine.
    let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": format!("{pictures}/half.png")}));
    assert_eq!(submitted.status, 202);
    let job = ended(client, &submitted.json());
    assert_eq!((&job["status"], &job["output"]["error"]["code"]), (&json!("failed"), &json!("IMAGE_UNREADABLE")));
    assert!(job["output"]["error"]["message"].as_str().is_some_and(|message| message.len() > 20), "{job}");

    let usage = client.get("/v1/usage").json();
    let events: Vec<_> = usage["data"]["events"].as_array().unwrap().iter().map(|e| &e["event_type"]).collect();
    assert_eq!(events, ["image_enhance.generate"]);
}

#[test]
fn a_photo_does_not_wait_behind_a_film() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let pictures = serve_pictures([("photo.png", picture())].into());
    let server = Server::start(&data, 2);
    let client = &server.client;
    let film = client.submit(aerie_world::SAMPLE_ADDRESSES[0], "original");
    wait_until("the film is begun", Duration::from_secs(60), || {
        (client.job(&film)["status"] == "running").then_some(())
    });
    let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": format!("{pictures}/photo.png")}));
    assert_eq!(ended(client, &submitted.json())["status"], "completed");
    assert_eq!(client.job(&film)["status"], "running", "the film takes longer than a photo");
}
