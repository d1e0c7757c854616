//! A staged room and a clip of it, made once for all tests that look at them.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use aerie_e2e::{Client, Server, gradient_picture, serve_pictures, wait_until};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use serde_json::{Value, json};

/// See [`StagedRoom`].
pub(crate) static STAGED_ROOM: LazyLock<StagedRoom> = LazyLock::new(make);

/// Ended jobs of an organization that submitted no others.
pub(crate) struct StagedRoom {
    /// [`empty_room`], staged with two variations and a label.
    pub(crate) staged: Value,
    /// Staging of a picture that shows no room.
    pub(crate) refused: Value,
    /// A clip of the staged picture, by the link to it.
    pub(crate) clip: Value,
    /// Response of `/v1/usage` afterwards.
    pub(crate) usage: Value,
    /// Media by link.
    files: BTreeMap<String, Vec<u8>>,
}

impl StagedRoom {
    /// Returns the file that a link of an output leads to.
    pub(crate) fn file(&self, link: &Value) -> &[u8] {
        link.as_str()
            .and_then(|link| self.files.get(link))
            .unwrap_or_else(|| panic!("{link} is no link of the outputs"))
    }
}

/// Returns a photo of a synthetic empty room.
pub(crate) fn empty_room() -> Vec<u8> {
    let imagined = imagine(2, &Style { width: 480, height: 320, casual: 0.0, ..Style::default() });
    LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).jpeg(&Developing::default(), 92)
}

fn make() -> StagedRoom {
    let folder = tempfile::tempdir().unwrap();
    let no_room = gradient_picture("s=640x426:c0=0x2a3a4a:c1=0x9a8a70", "png");
    let pictures = serve_pictures([("room.jpg", empty_room()), ("photo.png", no_room)].into());
    let server = Server::start(&folder.path().join("data"), 1);
    let client = &server.client;

    let options = json!({"style_prompt": "coastal", "variations": 2, "quality": "draft", "label": "Virtually staged"});
    let body = json!({"image_url": format!("{pictures}/room.jpg"), "room_type": "living_room", "options": options});
    let staged = ended(client, &client.post("/v1/virtual-staging/generate", &body).json());
    assert_eq!(staged["status"], "completed", "{staged}");
    let body = json!({"image_url": format!("{pictures}/photo.png"), "room_type": "living_room"});
    let refused = ended(client, &client.post("/v1/virtual-staging/generate", &body).json());
    let options = json!({"prompt": "slow push in", "duration": 3, "resolution": "720p", "aspect_ratio": "1:1"});
    let body = json!({"image_url": staged["output"]["image_url"], "options": options});
    let clip = ended(client, &client.post("/v1/video-clip/generate", &body).json());
    let usage = client.get("/v1/usage").json();

    let mut files = BTreeMap::new();
    for job in [&staged, &clip] {
        download(client, &job["output"], &mut files);
    }
    StagedRoom { staged, refused, clip, usage, files }
}

fn ended(client: &Client, submitted: &Value) -> Value {
    let id = submitted["data"]["job_id"].as_str().expect("an id").to_owned();
    wait_until("the job ends", Duration::from_secs(120), || {
        let job = client.job(&id);
        matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
    })
}

/// Downloads every link in an output, without a key.
fn download(client: &Client, output: &Value, files: &mut BTreeMap<String, Vec<u8>>) {
    match output {
        Value::String(link) if link.starts_with(client.base_url()) => {
            let answer = client.with_key(None).get(link);
            assert_eq!(answer.status, 200, "{link}");
            files.insert(link.clone(), answer.bytes);
        }
        Value::Array(values) => values.iter().for_each(|value| download(client, value, files)),
        Value::Object(values) => values.values().for_each(|value| download(client, value, files)),
        _ => {}
    }
}
