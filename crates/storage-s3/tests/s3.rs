//! Media in a bucket, on the server that `AERIE_TEST_S3` names, with a prefix for each test in the bucket `aerie`:
//! `e2e/s3.sh` starts one.

#![cfg(test)]

use std::path::Path;

use aerie_storage::{MediaError, MediaStore};
use aerie_storage_s3::{Access, Bucket, explain, open};

const NEEDS: &str = "AERIE_TEST_S3 is the URL of an S3 server";

fn access(endpoint: &str) -> Access {
    let key = Some(("test".to_owned(), "test".to_owned()));
    Access { endpoint: Some(endpoint.to_owned()), region: Some("us-east-1".to_owned()), key, allow_http: true }
}

fn server() -> Access {
    access(&std::env::var("AERIE_TEST_S3").expect(NEEDS))
}

/// Media below a prefix of their own: the name of a temporary folder is unique.
fn media(folder: &Path) -> MediaStore {
    let name = folder.parent().and_then(Path::file_name).unwrap().to_str().unwrap().replace('.', "");
    open(&Bucket::parse(&format!("s3://aerie/{name}")).unwrap(), &server()).unwrap()
}

mod s3 {
    use super::*;

    async fn open(folder: &Path) -> MediaStore {
        media(folder)
    }

    aerie_storage::media_contract_tests!(
        #[ignore = "needs an S3 server: AERIE_TEST_S3=http://..."]
        open
    );

    #[tokio::test]
    #[ignore = "needs an S3 server: AERIE_TEST_S3=http://..."]
    async fn a_direct_link_gets_the_file_its_type_and_ranges_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let (media, file) = (media(&folder.path().join("media")), folder.path().join("file"));
        std::fs::write(&file, "0123456789").unwrap();
        media.media_put("o/j/1/video.mp4", &file).await.unwrap();
        let link = media.media_direct_link("o/j/1/video.mp4", false).await.unwrap().unwrap();
        assert!(link.contains("X-Amz-Expires=300"), "{link}");
        let client = reqwest::Client::new();
        let got = client.get(&link).send().await.unwrap();
        assert_eq!(got.status(), 200);
        for (name, value) in [("content-type", "video/mp4"), ("content-disposition", "inline; filename=\"video.mp4\"")]
        {
            assert_eq!(got.headers()[name], value);
        }
        assert_eq!(got.text().await.unwrap(), "0123456789");
        let part = client.get(&link).header("range", "bytes=2-4").send().await.unwrap();
        assert_eq!((part.status().as_u16(), part.text().await.unwrap().as_str()), (206, "234"));
    }

    #[tokio::test]
    #[ignore = "needs an S3 server: AERIE_TEST_S3=http://..."]
    async fn an_object_that_was_changed_is_reported_as_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (media, file) = (media(&folder.path().join("media")), folder.path().join("file"));
        std::fs::write(&file, "0123456789").unwrap();
        media.media_put("o/j/1/video.mp4", &file).await.unwrap();
        // What a client with the bucket's own credentials does: other bytes under the same description.
        let link = media.media_direct_link("o/j/1/video.mp4", false).await.unwrap().unwrap();
        let client = reqwest::Client::new();
        let described = client.get(&link).send().await.unwrap();
        let sum = described.headers()["x-amz-meta-sha256"].clone();
        let place = link.split('?').next().unwrap();
        let credential = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request";
        let put = client.put(place).header("authorization", credential).header("x-amz-meta-sha256", sum);
        assert!(put.body("0123456788").send().await.unwrap().status().is_success());
        let error = media.media_fetch("o/j/1/video.mp4", &folder.path().join("copy")).await.unwrap_err();
        assert!(matches!(error, MediaError::Damaged(_)), "{error}");
    }

    #[tokio::test]
    #[ignore = "needs an S3 server: AERIE_TEST_S3=http://..."]
    async fn a_bucket_that_is_there_can_be_used_and_one_that_is_missing_is_named() {
        let used = open(&tempfile::tempdir().unwrap().path().join("media")).await;
        used.media_check_use().await.unwrap();
        used.media_check_upkeep().await.unwrap();
        assert_eq!(used.media_list("aerie-probes").await.unwrap(), []);
        let bucket = Bucket::parse("s3://missing").unwrap();
        let missing = super::open(&bucket, &server()).unwrap();
        let error = missing.media_check_use().await.unwrap_err();
        let why = explain(&bucket, Some("http://s3.example"), &error);
        assert!(why.contains("no bucket missing") && why.contains("[media] url"), "{why}");
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named_with_the_keys_to_check() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let bucket = Bucket::parse("s3://aerie").unwrap();
    let error = open(&bucket, &access(&endpoint)).unwrap().media_check().await.unwrap_err();
    let why = explain(&bucket, Some(&endpoint), &error);
    assert!(why.contains(&endpoint) && why.contains("[media] endpoint"), "{why}");
    assert!(!why.contains("secret"), "{why}");
}

#[test]
fn an_endpoint_without_encryption_has_to_be_allowed() {
    let refused =
        open(&Bucket::parse("s3://aerie").unwrap(), &Access { allow_http: false, ..access("http://s3.example") });
    assert!(refused.unwrap_err().to_string().contains("allow_http"));
}
