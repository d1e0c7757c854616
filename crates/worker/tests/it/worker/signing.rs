//! Content Credentials of what engines make.

use std::io::Write;

use aerie_credentials::messages::ToSign;
use aerie_engine_api::{Cancel, Origin};
use aerie_worker::Signed;
use serde_json::Value;

use super::*;

/// A picture that no test decodes.
const JPEG: &[u8] = b"\xff\xd8\xff\xd9";

/// An engine that makes a picture, and a file in a format of its own.
fn picture_and_data() -> Arc<FakeEngine> {
    engine(|_, context| {
        let write = |name: &str, bytes: &[u8]| {
            let path = context.out_dir.join(name);
            std::fs::write(&path, bytes).map(|()| path).map_err(|error| EngineError::Retry(error.to_string()))
        };
        let files = vec![
            ProducedFile::new("thumbnail_url", write("thumbnail.jpg", JPEG)?, "image/jpeg"),
            ProducedFile::new("layers_url", write("layers.tif", b"layers")?, "image/tiff"),
        ];
        let origin = Origin {
            text: "drawn from map data".to_owned(),
            digital_source_type: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia".into(),
            attributions: vec!["© OpenStreetMap contributors".to_owned()],
            shown: Vec::new(),
        };
        Ok(Produced { files, origin: Some(Box::new(origin)), ..Produced::default() })
    })
}

/// Appends each statement to its file.
struct Appending;

impl Signing for Appending {
    fn sign(&self, files: &[ToSign], _: &Cancel) -> Result<Signed, String> {
        for ToSign { path, statement } in files {
            let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(&serde_json::to_vec(statement).unwrap()).unwrap();
        }
        Ok(Signed { signer: "Acme".to_owned(), failures: vec![None; files.len()] })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn media_are_published_with_content_credentials_and_the_output_says_which_and_why_others_not() {
    let f = Fixture::new().await;
    let id = f.submit().await;
    let worker = f.start_signing("a", picture_and_data(), quick(), Some(Arc::new(Appending)));
    let job = f.ended(id).await;
    worker.stop().await;
    let credentials = &job.output["credentials"];
    assert_eq!(credentials["signed_by"], "Acme");
    assert_eq!(credentials["embedded"], json!(["thumbnail_url"]));
    assert_eq!(credentials["without"][0]["field"], "layers_url");
    let copy = f.folder.path().join("copy.jpg");
    f.media.media_fetch(&job.media["/thumbnail_url"], &copy).await.unwrap();
    let signed = std::fs::read(&copy).unwrap();
    let statement: Value = serde_json::from_slice(signed.strip_prefix(JPEG).unwrap()).unwrap();
    assert_eq!(statement["actions"][0]["name"], "c2pa.created");
    assert_eq!(statement["disclosure"]["attributions"], json!(["© OpenStreetMap contributors"]));
    let layers = f.folder.path().join("layers.tif");
    f.media.media_fetch(&job.media["/layers_url"], &layers).await.unwrap();
    assert_eq!(std::fs::read(&layers).unwrap(), b"layers");
}

/// Signs nothing, for one of two reasons.
struct Failing {
    is_complete: bool,
}

impl Signing for Failing {
    fn sign(&self, files: &[ToSign], _: &Cancel) -> Result<Signed, String> {
        match self.is_complete {
            true => Err("the certificate has expired".to_owned()),
            false => {
                let failures = files.iter().map(|_| Some("it is too large".to_owned())).collect();
                Ok(Signed { signer: "Acme".to_owned(), failures })
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn media_that_cannot_be_signed_are_published_as_they_are_and_the_output_says_why() {
    for (is_complete, why) in [(true, "the certificate has expired"), (false, "it is too large")] {
        let f = Fixture::new().await;
        let id = f.submit().await;
        let worker = f.start_signing("a", picture_and_data(), quick(), Some(Arc::new(Failing { is_complete })));
        let job = f.ended(id).await;
        worker.stop().await;
        assert_eq!(job.status, JobStatus::Completed);
        let credentials = &job.output["credentials"];
        assert_eq!((&credentials["embedded"], credentials.get("signed_by")), (&json!([]), None));
        let without = credentials["without"].as_array().unwrap();
        let thumbnail = without.iter().find(|entry| entry["field"] == "thumbnail_url").unwrap();
        assert_eq!(thumbnail["reason"], why);
        assert_eq!(f.media.media_head(&job.media["/thumbnail_url"]).await.unwrap().size, JPEG.len() as u64);
    }
}

/// Replaces the first file with a link to another, as a process that was taken over could.
struct Linking;

impl Signing for Linking {
    fn sign(&self, files: &[ToSign], _: &Cancel) -> Result<Signed, String> {
        std::fs::remove_file(&files[0].path).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &files[0].path).unwrap();
        Ok(Signed { signer: "Acme".to_owned(), failures: vec![None; files.len()] })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_replaced_by_a_link_is_not_published() {
    let f = Fixture::new().await;
    let id = f.submit().await;
    let worker = f.start_signing("a", picture_and_data(), quick(), Some(Arc::new(Linking)));
    let job = f.ended(id).await;
    worker.stop().await;
    assert_eq!((job.status, f.media_files()), (JobStatus::Failed, Vec::new()));
}
