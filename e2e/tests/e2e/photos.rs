//! Photos through every layer: fetched, enhanced, published and billed, or refused.

use std::process::Command;
use std::time::Duration;

use aerie_e2e::{Client, Server, serve_pictures, wait_until};
use serde_json::{Value, json};

use crate::staged_room::{STAGED_ROOM, empty_room};

/// Returns a PNG with smooth colors, 640 x 426.
fn picture() -> Vec<u8> {
    encoded("png")
}

/// Encodes a picture with smooth colors, 640 x 426, with this encoder.
fn encoded(codec: &str) -> Vec<u8> {
    let gradient = "gradients=s=640x426:c0=0x2a3a4a:c1=0x9a8a70:x0=0:y0=0:x1=639:y1=425:seed=7";
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", gradient, "-frames:v", "1", "-f", "image2pipe", "-c:v", codec, "-"];
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
fn a_photo_is_enhanced_disclosed_linked_with_its_original_and_billed_once() {
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
    let mut fields: Vec<&String> = output.as_object().unwrap().keys().collect();
    fields.sort();
    let expected =
        ["adjustments", "credentials", "disclosure", "height", "image_url", "original_url", "thumbnail_url", "width"];
    assert_eq!(fields, expected);
    assert_eq!((&output["width"], &output["height"]), (&json!(640), &json!(426)));
    assert_eq!(output["adjustments"]["refused"][0]["request"], "add a pool", "{output}");
    assert!(download(client, &output["original_url"]) == photo, "the original is unchanged");
    assert!(download(client, &output["image_url"]).starts_with(&[0xff, 0xd8, 0xff]));
    assert!(download(client, &output["thumbnail_url"]).starts_with(&[0xff, 0xd8, 0xff]));

    // The header is valid, which is all that the API checks; the engine finds the rest missing.
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
fn a_photo_has_the_requested_format_size_and_label() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = serve_pictures([("photo.png", picture())].into());
    let server = Server::start(&folder.path().join("data"), 1);
    let client = &server.client;
    let body = |options: Value| json!({"image_url": format!("{pictures}/photo.png"), "options": options});
    for (format, media_type, magic) in [
        ("jpeg", "image/jpeg", &b"\xff\xd8\xff"[..]),
        ("png", "image/png", b"\x89PNG"),
        ("webp", "image/webp", b"RIFF"),
    ] {
        let options = json!({"format": format, "max_size": 320, "label": "Digitally altered", "listing_id": "a"});
        let submitted = client.post("/v1/image-enhance/generate", &body(options));
        let output = ended(client, &submitted.json())["output"].take();
        assert_eq!((&output["width"], &output["height"]), (&json!(320), &json!(213)), "{output}");
        let path = output["image_url"].as_str().and_then(|url| url.strip_prefix(client.base_url())).expect("our link");
        let answer = client.with_key(None).get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, media_type));
        assert!(answer.bytes.starts_with(magic), "{format}");
    }
    let refused = client.post("/v1/image-enhance/generate", &body(json!({"max_size": 20}))).refusal();
    assert_eq!(refused.0, 400);
}

#[test]
fn an_empty_room_is_staged_twice_for_one_usage_event_and_then_made_into_a_clip() {
    let made = &*STAGED_ROOM;
    let output = &made.staged["output"];
    assert!(made.file(&output["original_url"]) == empty_room(), "{output}");
    assert!(made.file(&output["mask_url"]).starts_with(b"\x89PNG"));
    let [first, second] = [0, 1].map(|i| made.file(&output["variations"][i]["image_url"]));
    assert!(first != second && first == made.file(&output["image_url"]));
    assert!(output["furniture"].as_array().is_some_and(|pieces| pieces.iter().any(|p| p["piece"] == "sofa")));

    // A picture that shows no room fails with the reason and is not billed.
    let refused = &made.refused;
    assert_eq!((&refused["status"], &refused["output"]["error"]["code"]), (&json!("failed"), &json!("NOT_A_ROOM")));

    let clip = &made.clip["output"];
    assert!(made.file(&clip["video_url"])[4..].starts_with(b"ftyp"), "{clip}");
    assert!(made.file(&clip["thumbnail_url"]).starts_with(&[0xff, 0xd8, 0xff]));
    assert!(made.file(&output["layers_url"]).starts_with(b"II*\0"));
    assert_eq!(clip["motion"]["geometry"], "staged_room", "the clip uses the layers of the staged picture");

    let mut events: Vec<_> =
        made.usage["data"]["events"].as_array().unwrap().iter().filter_map(|e| e["event_type"].as_str()).collect();
    events.sort_unstable();
    assert_eq!(events, ["video_clip.generate", "virtual_staging.generate"]);
}

/// Malicious files, and whether their header already gives them away.
fn hostile() -> Vec<(Vec<u8>, bool)> {
    let (png, jpeg, webp) = (picture(), encoded("mjpeg"), encoded("libwebp"));
    let mut files: Vec<(Vec<u8>, bool)> = Vec::new();
    // Truncated.
    for whole in [&png, &jpeg, &webp] {
        files.extend((2..9).map(|part| (whole[..whole.len() * part / 9].to_vec(), false)));
    }
    // Noise in place of the pixels, after a valid header.
    for (whole, from) in [(&png, 60), (&jpeg, 700), (&webp, 60)] {
        let noise = |i: usize| (i.wrapping_mul(2_654_435_761) >> 13) as u8;
        files.push((whole.iter().enumerate().map(|(i, b)| if i < from { *b } else { noise(i) }).collect(), false));
    }
    // A flipped bit, which the checksums reveal.
    files.extend((1..21).map(|part| {
        let mut flipped = png.clone();
        flipped[60 + (png.len() - 100) * part / 21] ^= 0x10;
        (flipped, false)
    }));
    // False sizes: a decompression bomb, zero, and more pixels than the file has.
    for (width, height, is_seen) in
        [(60_000_u32, 60_000_u32, true), (2_147_483_647, 1, true), (0, 426, true), (5_000, 5_000, false)]
    {
        let mut lie = png.clone();
        lie[16..20].copy_from_slice(&width.to_be_bytes());
        lie[20..24].copy_from_slice(&height.to_be_bytes());
        let sum = crc32(&lie[12..29]);
        lie[29..33].copy_from_slice(&sum.to_be_bytes());
        files.push((lie, is_seen));
    }
    // SOF0: length, precision, then height and width.
    let frame = jpeg.windows(2).position(|w| w == [0xff, 0xc0]).expect("a frame's header");
    for (width, height, is_seen) in [(65_535_u16, 65_535_u16, true), (0, 426, true), (5_000, 5_000, false)] {
        let mut lie = jpeg.clone();
        lie[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        lie[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        files.push((lie, is_seen));
    }
    // Not an image, or an unsupported format.
    for bytes in [
        &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
        b"GIF89a",
        b"%PDF-1.7",
        b"\0\0\0\x20ftypavif",
        b"",
        b"MZ",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"RIFF\x10\0\0\0WEBPVP8 ",
        b"II*\0\x08\0\0\0",
        b"MM\0*\xff\xff\xff\xff",
    ] {
        files.push((bytes.to_vec(), true));
    }
    assert!(files.len() >= 60, "{} files", files.len());
    files
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
    })
}

#[test]
fn malicious_files_are_refused_with_a_reason_and_kill_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = hostile();
    let names: Vec<&'static str> = (0..hostile.len()).map(|i| &*format!("{i}.jpg").leak()).collect();
    let files = names.iter().zip(&hostile).map(|(name, (bytes, _))| (*name, bytes.clone()));
    let pictures = serve_pictures(files.collect());
    let server = Server::start(&folder.path().join("data"), 1);
    let client = &server.client;
    for (name, (_, is_seen)) in names.iter().zip(&hostile) {
        let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": format!("{pictures}/{name}")}));
        if *is_seen {
            let (status, code) = submitted.refusal();
            assert_eq!((status, code.as_str()), (400, "INVALID_URL"), "{name}");
            continue;
        }
        assert_eq!(submitted.status, 202, "{name}: {:?}", submitted.json());
        let job = ended(client, &submitted.json());
        let (status, code) = (&job["status"], &job["output"]["error"]["code"]);
        assert_eq!((status, code), (&json!("failed"), &json!("IMAGE_UNREADABLE")), "{name}: {job}");
        assert!(job["output"]["error"]["message"].as_str().is_some_and(|message| message.len() > 20), "{name}: {job}");
    }
    assert_eq!(server.metric("aerie_worker_restarts_total"), 0.0);
    assert_eq!(client.get("/v1/usage").json()["data"]["events"], json!([]));
}

#[test]
fn a_photo_does_not_wait_behind_a_video() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let pictures = serve_pictures([("photo.png", picture())].into());
    let server = Server::start(&data, 2);
    let client = &server.client;
    let film = client.submit(aerie_sample_town::SAMPLE_ADDRESSES[0], "original");
    wait_until("the video job runs", Duration::from_secs(60), || {
        (client.job(&film)["status"] == "running").then_some(())
    });
    let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": format!("{pictures}/photo.png")}));
    assert_eq!(ended(client, &submitted.json())["status"], "completed");
    assert_eq!(client.job(&film)["status"], "running", "a video takes longer than a photo");
}

#[test]
fn an_input_photo_is_never_overwritten_by_its_output() {
    let folder = tempfile::tempdir().expect("a folder");
    // The mask of `room.png` would have this name.
    let photo = folder.path().join("room.mask.png");
    std::fs::write(&photo, empty_room()).expect("written");
    let (image, out) = (photo.display().to_string(), folder.path().join("room.png").display().to_string());
    let arguments = ["generate", "virtual-staging", &image, "--room-type", "living_room", "-o", &out];
    let ended = aerie_e2e::run(&arguments, &folder.path().join("data"));
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && stderr.contains("would be overwritten"), "{stderr}");
    assert_eq!(std::fs::read(&photo).expect("the photo"), empty_room());
}
