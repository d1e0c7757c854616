//! Public pages that show altered photos beside their originals, and disclosure profiles.

use std::time::Duration;

use aerie_api::Transport;
use aerie_domain::OrgChanges;
use aerie_storage::JobOutput;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, Service};
use crate::served::Served;

const ENHANCE: &str = "/v1/image-enhance/generate";
const STAGE: &str = "/v1/virtual-staging/generate";
const CLIP: &str = "/v1/video-clip/generate";
const POSITION: &[u8] = b"GPSLatitude 47.1410";
const UNKNOWN: &str = "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";

fn segment(code: u8, contents: &[u8]) -> Vec<u8> {
    [&[0xFF, code][..], &(contents.len() as u16 + 2).to_be_bytes(), contents].concat()
}

/// A JPEG of 640 x 480 pixels, as a camera with a receiver for positions writes it.
fn photo_with_position() -> Vec<u8> {
    let exif = [b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0", POSITION].concat();
    [
        vec![0xFF, 0xD8],
        segment(0xE1, &exif),
        segment(0xFE, POSITION),
        segment(0xDB, &[0; 65]),
        segment(0xC0, &[8, 1, 0xE0, 2, 0x80, 1, 1, 0x11, 0]),
        segment(0xDA, &[1, 1, 0, 0, 63, 0]),
        vec![1, 2, 3, 0xFF, 0xD9],
        POSITION.to_vec(),
    ]
    .concat()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Service {
    async fn upload_photo(&self, bytes: Vec<u8>) -> Value {
        let request = self.request("POST", "/v1/uploads").header("Content-Type", "image/jpeg");
        let answer = self.send(request.body(Body::from(bytes)).unwrap()).await;
        answer.json()["data"]["image_url"].clone()
    }

    /// Completes the next job as a virtual staging would be; returns the media key of its result.
    async fn complete_altered(&self, fields: Value) -> String {
        let claim = self.claim().await;
        let mut output = JobOutput { fields: fields.as_object().unwrap().clone(), ..JobOutput::default() };
        for (pointer, name, content) in [
            ("/image_url", "image0.jpg", &b"\xFF\xD8 CreatorTool=\"Aerie 9.8.7\" c2pa result"[..]),
            ("/mask_url", "mask0.png", b"mask"),
        ] {
            let key = format!("{}/{}/1/{name}", self.org, claim.job.id);
            self.media.media_put_bytes(&key, content.to_vec()).await.unwrap();
            output.media.insert(pointer.into(), key);
        }
        let key = output.media["/image_url"].clone();
        self.store.job_complete(&claim.lease, output).await.unwrap();
        key
    }

    /// Completes the next job as a clip would be.
    async fn complete_clip(&self, fields: Value) {
        let claim = self.claim().await;
        let key = format!("{}/{}/1/video.mp4", self.org, claim.job.id);
        self.media.media_put_bytes(&key, b"video".to_vec()).await.unwrap();
        let media = [("/video_url".to_owned(), key)].into();
        let fields = fields.as_object().unwrap().clone();
        self.store.job_complete(&claim.lease, JobOutput { fields, media, ..JobOutput::default() }).await.unwrap();
    }

    /// A staged photo under a profile; returns the path of its job.
    async fn staged(&self, profile: &str) -> String {
        let url = self.upload_photo(photo_with_position()).await;
        let body = json!({"image_url": url, "room_type": "bedroom", "options": {"disclosure_profile": profile}});
        let id = self.accepted(STAGE, &body).await;
        self.complete_altered(json!({
            "furniture": [{"piece": "sofa"}, {"piece": "sofa"}],
            "disclosure": {"text": "Furniture was added.", "altered": true, "digital_source_type": "http://cv.iptc.org/x/compositeSynthetic"},
        }))
        .await;
        format!("/v1/jobs/{id}")
    }

    async fn publish(&self, job: &str, body: &Value) -> Answer {
        self.post(&format!("{job}/truth-page"), body).await
    }

    /// A published page: the path of its job, and that of the page.
    async fn published(&self) -> (String, String) {
        let job = self.staged("california-ab-723").await;
        let answer = self.publish(&job, &json!({})).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
        (job, path_of(&answer.json()["data"]["url"]))
    }

    async fn revoke(&self, job: &str, query: &str) -> Answer {
        let request = self.request("DELETE", &format!("{job}/truth-page{query}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// GETs as anybody.
    async fn public(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    async fn files_of_organization(&self) -> Vec<String> {
        let files = self.media.media_list(&self.org.to_string()).await.unwrap();
        files.into_iter().map(|file| file.key).collect()
    }
}

fn path_of(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("http://aerie.test").unwrap().to_owned()
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

#[tokio::test]
async fn a_page_shows_the_original_without_position_beside_the_result_and_says_what_was_done() {
    let service = Service::new().await;
    let job = service.staged("california-ab-723").await;
    let answer = service.publish(&job, &json!({})).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
    let data = answer.json()["data"].clone();
    let (url, path) = (data["url"].as_str().unwrap(), path_of(&data["url"]));
    assert_eq!((path.len(), &data["status"], &data["indexable"]), (3 + 22, &json!("public"), &json!(false)));
    let caption = "Digitally altered image (virtually staged). The original, unaltered image can be accessed at";
    assert_eq!(data["disclosure_text"], format!("{caption} {url}"));
    // A second request returns the same page.
    let again = service.publish(&job, &json!({"indexable": true})).await;
    assert_eq!((again.status, &again.json()["data"]), (StatusCode::OK, &data));
    assert_eq!(service.get(&format!("{job}/truth-page")).await.json()["data"], data);

    let original = service.public(&format!("{path}/original")).await;
    assert_eq!((original.status, original.header("Content-Type")), (StatusCode::OK, "image/jpeg"));
    assert!(!contains(&original.bytes, b"GPS") && !contains(&original.bytes, b"Exif"));
    assert!(contains(&original.bytes, &[1, 2, 3, 0xFF, 0xD9]), "the picture is as it was");
    let result = service.public(&format!("{path}/result")).await;
    assert!(contains(&result.bytes, b"c2pa result"));
    for (file, served) in [(0, &original), (1, &result)] {
        assert_eq!(data["files"][file]["sha256"], sha256(&served.bytes), "the hash is that of the file");
    }
    assert_eq!(service.public(&format!("{path}/mask")).await.bytes, b"mask");

    let page = service.public(&path).await;
    assert_eq!((page.status, page.header("Content-Type")), (StatusCode::OK, "text/html; charset=utf-8"));
    assert_eq!((page.header("Referrer-Policy"), page.header("X-Robots-Tag")), ("no-referrer", "noindex"));
    let policy = page.header("Content-Security-Policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let html = text(&page);
    let code = path.strip_prefix("/t/").unwrap();
    for part in [
        "name=\"robots\" content=\"noindex\"",
        &format!("src=\"{code}/original\""),
        &format!("src=\"{code}/result\""),
        &format!("src=\"{code}/mask\""),
        "Added by computer: sofa (2 pieces).",
        "Aerie 9.8.7",
        "compositeSynthetic",
        data["files"][0]["sha256"].as_str().unwrap(),
        "unchanged since it was published",
        "Content Credentials: intact, signed by a test",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("Tampered") && !html.contains("<script>") && !html.contains(" style="));
}

#[tokio::test]
async fn an_address_is_shown_and_search_engines_are_let_in_only_where_the_request_says_so() {
    let service = Service::new().await;
    let job = service.staged("california-ab-723").await;
    let body = json!({"address": "1 <Main> St", "indexable": true});
    let data = service.publish(&job, &body).await.json()["data"].clone();
    let page = service.public(&path_of(&data["url"])).await;
    assert!(text(&page).contains("1 &lt;Main&gt; St"));
    assert_eq!(page.header("X-Robots-Tag"), "");
    assert!(!text(&page).contains("noindex"));
}

#[tokio::test]
async fn the_address_of_a_page_is_also_a_qr_code() {
    let service = Service::new().await;
    let (_, path) = service.published().await;
    let svg = service.public(&format!("{path}/qr.svg")).await;
    assert_eq!((svg.status, svg.header("Content-Type")), (StatusCode::OK, "image/svg+xml"));
    assert!(text(&svg).contains("<svg"));
    let png = service.public(&format!("{path}/qr.png")).await;
    assert_eq!(png.header("Content-Type"), "image/png");
    assert!(png.bytes.starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn pages_with_a_path_of_their_own_are_found_whether_the_proxy_removes_it_or_not() {
    let service = Service::new().await.under("http://aerie.test/api").with_pages_under("http://aerie.test/pages");
    let (_, path) = service.published().await;
    let bare = path.strip_prefix("/pages").unwrap();
    for path in [&path, bare, &format!("/api{bare}")] {
        assert_eq!(service.public(path).await.status, StatusCode::OK, "{path}");
        assert_eq!(service.public(&format!("{path}/qr.svg")).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(service.public("/pages/t/assets/page.css").await.status, StatusCode::OK);
    assert_eq!(service.public(&format!("/other{bare}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_revoked_page_answers_410_and_the_next_has_another_address() {
    let service = Service::new().await;
    let (job, path) = service.published().await;
    let revoked = service.revoke(&job, "").await;
    assert_eq!((revoked.status, &revoked.json()["data"]["status"]), (StatusCode::OK, &json!("revoked")));
    for path in [path.clone(), format!("{path}/original"), format!("{path}/qr.svg")] {
        assert_eq!(service.public(&path).await.status, StatusCode::GONE, "{path}");
    }
    let next = service.publish(&job, &json!({})).await;
    assert_eq!(next.status, StatusCode::CREATED);
    assert_ne!(path_of(&next.json()["data"]["url"]), path);
    assert_eq!(service.public(&path).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn files_of_an_erased_page_are_gone_at_once() {
    let service = Service::new().await;
    let (job, path) = service.published().await;
    let before = service.files_of_organization().await.len();
    let erased = service.revoke(&job, "?erase=true").await;
    assert_eq!((erased.status, &erased.json()["data"]["status"]), (StatusCode::OK, &json!("erased")));
    assert_eq!(erased.json()["data"]["bytes"], 0);
    assert_eq!(service.files_of_organization().await.len(), before - 3);
    assert_eq!(service.public(&path).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn a_page_under_legal_hold_is_revoked_and_keeps_its_files() {
    let service = Service::new().await;
    let (job, path) = service.published().await;
    let before = service.files_of_organization().await;
    service.store.truth_page_hold(path.strip_prefix("/t/").unwrap(), true).await.unwrap().unwrap();
    let refused = service.revoke(&job, "?erase=true").await;
    refused.assert_refused(409, "LEGAL_HOLD", "under legal hold");
    assert_eq!(service.files_of_organization().await, before);
    assert_eq!(service.public(&path).await.status, StatusCode::GONE);
    let shown = service.get(&format!("{job}/truth-page")).await.json();
    assert_eq!((&shown["data"]["legal_hold"], &shown["data"]["status"]), (&json!(true), &json!("revoked")));
}

#[tokio::test]
async fn a_page_outlives_the_media_of_its_job_and_ends_when_its_own_time_is_over() {
    let service = Service::new().await.keeping_pages(Duration::from_secs(90 * 24 * 3600));
    let (job, path) = service.published().await;
    service.terms(OrgChanges { keep_days: Some(Some(1)), ..OrgChanges::default() }).await;
    service.clock.advance(SignedDuration::from_hours(24 * 60));
    let sweep = async || aerie_storage::retention::sweep(&*service.store, &service.media, Duration::ZERO).await;
    assert_eq!(sweep().await.unwrap().expired, 1);
    assert_eq!(service.public(&format!("{path}/original")).await.status, StatusCode::OK);
    // Its page stays, but another one cannot be made.
    service.revoke(&job, "").await;
    let refused = service.publish(&job, &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "The original is no longer kept");
    service.clock.advance(SignedDuration::from_hours(24 * 31));
    sweep().await.unwrap();
    assert_eq!(service.files_of_organization().await.iter().filter(|key| key.contains("original")).count(), 0);
    assert_eq!(service.public(&path).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn a_tampered_file_is_named_as_such() {
    let service = Service::new().await;
    let (job, path) = service.published().await;
    let page = service.store.truth_page_find(path.strip_prefix("/t/").unwrap()).await.unwrap().unwrap();
    assert!(!text(&service.public(&path).await).contains("Tampered"));
    let result = page.file("result").unwrap();
    // Of another length, so that the entity tag differs, too.
    service.media.media_put_bytes(&result.key, b"another picture altogether".to_vec()).await.unwrap();
    let html = text(&service.public(&path).await);
    assert!(html.contains("Tampered file") && html.contains("Result: the file was changed after this page"), "{html}");
    assert!(html.contains("CHANGED since it was published"));
    service.media.media_delete_files(&[page.file("mask").unwrap().key.clone()]).await.unwrap();
    assert!(text(&service.public(&path).await).contains("Changed places: the file is missing"));
    assert_eq!(service.get(&job).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_unknown_code_is_answered_as_a_malformed_one_is() {
    let service = Service::new().await;
    let (_, path) = service.published().await;
    let unknown = service.public("/t/0123456789abcdefghijkl").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    for path in ["/t/x", "/t/..%2F..%2Fetc%2Fpasswd", "/t/0123456789abcdefghijk-", "/t/0123456789abcdefghijkl/original"]
    {
        let other = service.public(path).await;
        assert_eq!((other.status, &other.bytes), (StatusCode::NOT_FOUND, &unknown.bytes), "{path}");
        assert_eq!(other.headers.keys().collect::<Vec<_>>(), unknown.headers.keys().collect::<Vec<_>>(), "{path}");
    }
    for file in ["original-2", "layers", "..%2Foriginal", "assets"] {
        assert_eq!(service.public(&format!("{path}/{file}")).await.status, StatusCode::NOT_FOUND, "{file}");
    }
}

#[tokio::test]
async fn another_organizations_job_is_answered_as_an_unknown_one_is() {
    let service = Service::new().await;
    let (job, _) = service.published().await;
    for path in [job.as_str(), &format!("/v1/jobs/{UNKNOWN}")] {
        let path = format!("{path}/truth-page");
        service.get_as_other(&path).await.assert_refused(404, "JOB_NOT_FOUND", "does not exist");
        service.post_as_other(&path, &json!({})).await.assert_refused(404, "JOB_NOT_FOUND", "does not exist");
        let request = Request::delete(&path).header("X-API-Key", &service.other_key);
        let answer = service.send(request.body(Body::empty()).unwrap()).await;
        answer.assert_refused(404, "JOB_NOT_FOUND", "does not exist");
    }
    assert_eq!(service.get(&format!("{job}/truth-page")).await.json()["data"]["status"], "public");
}

#[tokio::test]
async fn pages_are_off_until_a_profile_or_the_organization_turns_them_on() {
    let service = Service::new().await;
    let job = service.staged("metadata-only").await;
    let refused = service.publish(&job, &json!({})).await;
    refused.assert_refused(403, "FEATURE_DISABLED", "aerie admin org set ORG --truth-pages on");
    service.get(&format!("{job}/truth-page")).await.assert_refused(404, "NOT_FOUND", "has no truth page");
    service.terms(OrgChanges { truth_pages: Some(true), ..OrgChanges::default() }).await;
    assert_eq!(service.publish(&job, &json!({})).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn only_completed_jobs_that_alter_a_photo_have_pages() {
    let service = Service::new().await;
    service.terms(OrgChanges { truth_pages: Some(true), ..OrgChanges::default() }).await;
    let flight = service.completed().await;
    let refused = service.publish(&format!("/v1/jobs/{flight}"), &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "this is drone_footage");
    let url = service.upload_photo(photo_with_position()).await;
    let queued = service.accepted(ENHANCE, &json!({"image_url": url})).await;
    let refused = service.publish(&format!("/v1/jobs/{queued}"), &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "The job is queued");
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_told_when_to_come_again() {
    let served = Served::new(Transport::plain()).await;
    let (_, path) = served.service.published().await;
    let path = format!("{path}/qr.svg");
    for _ in 0..100 {
        let answer = served.ask(&path, "").await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let refused = served.ask(&path, "").await.to_lowercase();
    assert!(refused.starts_with("http/1.1 429") && refused.contains("retry-after: "), "{refused}");
    assert!(refused.contains("<h1>too many requests</h1>"), "{refused}");
    served.service.clock.advance(SignedDuration::from_secs(61));
    assert!(served.ask(&path, "").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn the_label_of_a_profile_is_written_into_the_request_unless_it_has_one() {
    let service = Service::new().await;
    let url = service.upload_photo(photo_with_position()).await;
    let options = async |path: &str, options: Value| {
        let id = service.accepted(path, &json!({"image_url": url, "room_type": "bedroom", "options": options})).await;
        service.get(&format!("/v1/jobs/{id}")).await.json()["data"]["input"]["options"].clone()
    };
    let bay_east = json!({"disclosure_profile": "bay-east-mls"});
    let label = "Digitally altered: virtually staged";
    assert_eq!(options(STAGE, bay_east.clone()).await["label"], label);
    let enhanced = options(ENHANCE, bay_east).await;
    assert_eq!((&enhanced["label"], &enhanced["label_if_altered"]), (&Value::Null, &json!("Digitally altered")));
    let clip = options(CLIP, json!({"disclosure_profile": "bay-east-mls"})).await;
    assert_eq!((&clip["label_if_staged"], &clip["label_if_altered"]), (&json!(label), &json!("Digitally altered")));
    let own = json!({"disclosure_profile": "bay-east-mls", "label": "Staged"});
    assert_eq!(options(CLIP, own.clone()).await, own);
    assert_eq!(options(STAGE, own).await["label"], "Staged");
    // Clients cannot set what only the service sets.
    assert_eq!(options(ENHANCE, json!({"label_if_altered": "x"})).await, json!({}));
    service
        .terms(OrgChanges { disclosure_profile: Some(Some("uk-consumer-law".into())), ..OrgChanges::default() })
        .await;
    let default = options(STAGE, json!({})).await;
    assert_eq!(default, json!({"disclosure_profile": "uk-consumer-law", "label": "Virtually staged image"}));
    assert_eq!(options(STAGE, json!({"disclosure_profile": "none"})).await, json!({"disclosure_profile": "none"}));
}

#[tokio::test]
async fn an_unknown_profile_and_a_forbidden_label_are_refused_by_name() {
    let service = Service::new().await;
    let url = service.upload_photo(photo_with_position()).await;
    let post = async |options: Value| {
        let body = json!({"image_url": url, "room_type": "bedroom", "options": options});
        service.post(STAGE, &body).await
    };
    let refused = post(json!({"disclosure_profile": "texas"})).await;
    let known =
        "`options.disclosure_profile` must be one of bay-east-mls, california-ab-723, metadata-only, none, san-diego";
    refused.assert_refused(400, "VALIDATION_ERROR", known);
    let refused = post(json!({"disclosure_profile": "san-diego-mls", "label": "Staged"})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "`options.label` must not be given");
}

#[tokio::test]
async fn a_clip_of_a_staged_photo_is_disclosed_with_the_truth_page_of_the_job_that_staged_it() {
    let service = Service::new().await;
    let (job, page) = service.published().await;
    let staged = service.get(&job).await.json()["data"]["output"]["image_url"].clone();
    let key = staged.as_str().unwrap().split_once("/media/").unwrap().1.split('?').next().unwrap();
    service.media.media_put_bytes(key, photo_with_position()).await.unwrap();
    let listing = service.post("/v1/listings", &json!({"photos": [{"image_url": staged}]})).await.json();
    let listing = format!("/v1/listings/{}", listing["data"]["listing_id"].as_str().unwrap());
    service
        .terms(OrgChanges { disclosure_profile: Some(Some("california-ab-723".into())), ..OrgChanges::default() })
        .await;
    let made = service.post(&format!("{listing}/generate"), &json!({"clip": true})).await;
    assert_eq!(made.status, StatusCode::ACCEPTED, "{}", made.json());
    let clip = format!("/v1/jobs/{}", made.json()["data"]["jobs"][0]["job_id"].as_str().unwrap());
    service.complete_clip(json!({"disclosure": {"text": "A clip.", "altered": true, "staged": true}})).await;
    let output = service.get(&clip).await.json()["data"]["output"]["disclosure_profile"].clone();
    assert_eq!((&output["altered"], &output["needs_truth_page"]), (&json!(true), &json!(true)), "{output}");

    let described = async || {
        let archive = service.get(&format!("{listing}/archive")).await;
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive.bytes)).unwrap();
        let described: Value = serde_json::from_reader(archive.by_name("media.json").unwrap()).unwrap();
        described["value"][0].clone()
    };
    let first = described().await;
    assert_eq!(first["MediaURL"], "01-photo-clip-digitally-altered.mp4");
    let text = "Digitally altered image (virtually staged).";
    let expected = format!("{text} The original, unaltered image can be accessed at ");
    let said = first["LongDescription"].as_str().unwrap();
    assert!(said.starts_with(&expected) && said.ends_with(&page), "{said}");
    service.revoke(&job, "").await;
    assert_eq!(described().await["LongDescription"], text);
    let refused = service.publish(&clip, &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "Publish the pages of the jobs that made its photos");
}

#[tokio::test]
async fn the_output_says_what_the_profile_asks_for() {
    let service = Service::new().await;
    let job = service.staged("california-ab-723").await;
    let output = service.get(&job).await.json()["data"]["output"].clone();
    let expected = json!({
        "name": "california-ab-723", "altered": true, "caption": "Digitally altered image (virtually staged).",
        "truth_page": "required", "needs_truth_page": true, "file_suffix": "-digitally-altered",
    });
    assert_eq!(output["disclosure_profile"], expected);
}

#[tokio::test]
async fn profiles_are_listed_with_their_texts_and_sources() {
    let service = Service::new().await;
    service.terms(OrgChanges { disclosure_profile: Some(Some("san-diego-mls".into())), ..OrgChanges::default() }).await;
    let listed = service.get("/v1/disclosure-profiles").await.json()["data"].clone();
    let profiles = listed.as_array().unwrap();
    assert_eq!(profiles.len(), 6);
    let default: Vec<_> = profiles.iter().filter(|profile| profile["is_default"] == true).collect();
    assert_eq!((default.len(), &default[0]["name"]), (1, &json!("san-diego-mls")));
    assert_eq!(default[0]["caption"]["text"], "Digitally Altered. Original image: {url}");
    assert!(default[0]["sources"][0]["url"].as_str().unwrap().starts_with("https://support.sdmls.com/"));
    // The manual has every text beside the rule that it follows.
    let manual = include_str!("../../../../docs/truth-pages.md");
    for profile in profiles {
        let mut texts = vec![&profile["name"], &profile["caption"]["text"], &profile["label"]["staged"]];
        texts.extend(profile["sources"].as_array().unwrap().iter().map(|source| &source["url"]));
        for text in texts.into_iter().filter_map(Value::as_str) {
            assert!(manual.contains(text), "docs/truth-pages.md lacks {text}");
        }
    }
}
