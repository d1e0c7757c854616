//! Deliveries to receivers that answer, fail, stall, lie and redirect.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aerie_domain::{Clock, JobInput, JobLimits, JobType, OrgId, RequestId, SystemClock, WebhookId};
use aerie_fetch::{Lookup, Policy, Poster};
use aerie_storage::{Delivery, DeliveryState, JobQueue, NewJob, NewWebhook, TenantStore, WebhookSecret, WebhookStore};
use aerie_storage_sqlite::SqliteStore;
use aerie_webhooks::{Sender, sign};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How a receiver answers.
#[derive(Clone, Copy)]
enum Answers {
    With(&'static str),
    /// With a header line that never ends.
    Endlessly,
    Never,
}

/// What a receiver has got: heads in lower case, and bodies.
type Got = Arc<Mutex<Vec<(String, String)>>>;

/// Receives requests on loopback until the test ends; returns its port.
async fn receiver(answers: Answers) -> (u16, Got) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, got) = (listener.local_addr().unwrap().port(), Got::default());
    let kept = Arc::clone(&got);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let kept = Arc::clone(&kept);
            tokio::spawn(async move {
                let mut bytes = Vec::new();
                let mut buffer = [0; 4096];
                let (head, body) = loop {
                    let read = stream.read(&mut buffer).await.unwrap_or(0);
                    if read == 0 {
                        return;
                    }
                    bytes.extend_from_slice(&buffer[..read]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let head = head.to_lowercase();
                    let length =
                        head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().to_owned();
                    if body.len() >= length.parse().unwrap() {
                        break (head, body.to_owned());
                    }
                };
                kept.lock().unwrap().push((head, body));
                match answers {
                    Answers::With(answer) => {
                        let _ = stream.write_all(answer.as_bytes()).await;
                    }
                    Answers::Endlessly => {
                        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ").await;
                        while stream.write_all(&[b'a'; 1000]).await.is_ok() {
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                    }
                    Answers::Never => tokio::time::sleep(Duration::from_secs(600)).await,
                }
            });
        }
    });
    (port, got)
}

/// Gives every name the address that it is asked for first, or others later.
struct Names(Mutex<Vec<IpAddr>>);

#[async_trait::async_trait]
impl Lookup for Names {
    async fn lookup(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        let mut left = self.0.lock().unwrap();
        Ok(vec![if left.len() > 1 { left.remove(0) } else { left[0] }])
    }
}

struct Fixture {
    store: Arc<SqliteStore>,
    org: OrgId,
    _folder: tempfile::TempDir,
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("a.db"), Arc::new(SystemClock)).unwrap());
        let org = store.org_create("Acme", "starter").await.unwrap().id;
        Self { store, org, _folder: folder }
    }

    async fn webhook(&self, url: &str) -> WebhookId {
        let new = NewWebhook {
            id: WebhookId::new(SystemClock.now()),
            org_id: self.org,
            url: url.to_owned(),
            events: vec!["job.queued".into()],
            description: None,
            secret: WebhookSecret([7; 32]),
        };
        self.store.webhook_create(new, 10).await.unwrap().unwrap().id
    }

    async fn submit(&self) {
        let job = NewJob {
            id: aerie_domain::JobId::new(SystemClock.now()),
            org_id: self.org,
            input: JobInput::from_body(JobType::DroneFootage, &json!({"address": "1 Main St"})).unwrap(),
            input_media: Default::default(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(SystemClock.now()),
            idempotency_key: None,
            limits: JobLimits::default(),
        };
        self.store.job_submit(job).await.unwrap().unwrap();
    }

    /// The only delivery of a webhook.
    async fn delivery(&self, id: WebhookId) -> Delivery {
        self.store.delivery_list(self.org, id, 10, 0).await.unwrap().0.remove(0)
    }

    /// Sends until each of these webhooks has had an attempt.
    async fn send(&self, poster: Poster, webhooks: &[WebhookId]) {
        let (stop, stopped) = oneshot::channel::<()>();
        let sender = Sender { store: Arc::clone(&self.store) as _, poster, clock: Arc::new(SystemClock) };
        let running = tokio::spawn(sender.run(async {
            let _ = stopped.await;
        }));
        for id in webhooks {
            let attempted = async {
                while self.delivery(*id).await.last.is_none() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(20), attempted).await.expect("an attempt");
        }
        drop(stop);
        running.await.unwrap();
    }
}

/// Sends to loopback, by names, too.
fn poster(time: Duration) -> Poster {
    let names = Names(Mutex::new(vec![Ipv4Addr::LOCALHOST.into()]));
    Poster::new(Policy::new(vec!["127.0.0.0/8".parse().unwrap()]), Arc::new(names), time, true).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_is_signed_and_says_what_happened_without_links() {
    let f = Fixture::new().await;
    let (port, got) = receiver(Answers::With("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let id = f.webhook(&format!("http://hooks.example:{port}/aerie?a=b")).await;
    f.submit().await;
    f.send(poster(Duration::from_secs(5)), &[id]).await;
    let delivery = f.delivery(id).await;
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
    let got = got.lock().unwrap();
    let [(head, body)] = &got[..] else { panic!("{got:?}") };
    assert!(head.starts_with("post /aerie?a=b http/1.1\r\n"), "{head}");
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap().to_owned();
    let (message, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    assert_eq!(message, format!("msg_{}", delivery.id));
    let signature = sign(&WebhookSecret([7; 32]), &message, timestamp.parse().unwrap(), body);
    assert_eq!(header("webhook-signature"), signature.to_lowercase());
    let (job, kind) = delivery.job.unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let data = json!({"job_id": job, "job_type": kind, "status": "queued"});
    assert_eq!((&body["type"], &body["data"]), (&json!("job.queued"), &data));
    assert_eq!(body.as_object().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_that_fail_stall_lie_or_redirect_are_tried_again_and_keep_no_other_waiting() {
    let f = Fixture::new().await;
    let (target, reached) = receiver(Answers::With("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let redirect: &'static str = format!("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{target}/\r\n\r\n").leak();
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let cases = [
        (
            Answers::With("HTTP/1.1 500 Oops\r\nContent-Length: 99999999999\r\n\r\n"),
            Some(500),
            "returned HTTP status 500",
        ),
        (Answers::With(redirect), Some(302), "returned HTTP status 302; redirects are not followed"),
        (Answers::With("SSH-2.0-OpenSSH\r\n"), None, "cannot be reached"),
        (Answers::Endlessly, None, ""),
        (Answers::Never, None, "did not answer within 1 seconds"),
    ];
    let mut webhooks = Vec::new();
    for (answers, status, error) in cases {
        let (port, _) = receiver(answers).await;
        webhooks.push((f.webhook(&format!("http://127.0.0.1:{port}/")).await, status, error));
    }
    webhooks.push((f.webhook(&format!("http://127.0.0.1:{closed}/")).await, None, "cannot be reached"));
    let good = f.webhook(&format!("http://127.0.0.1:{target}/")).await;
    f.submit().await;
    let ids: Vec<WebhookId> = webhooks.iter().map(|(id, ..)| *id).chain([good]).collect();
    f.send(poster(Duration::from_secs(1)), &ids).await;
    for (id, status, error) in webhooks {
        let delivery = f.delivery(id).await;
        let (_, attempt) = delivery.last.unwrap();
        assert_eq!(attempt.status, status, "{error}");
        assert!(attempt.error.as_deref().is_some_and(|found| found.contains(error)), "{attempt:?}");
        assert!(matches!(delivery.state, DeliveryState::Pending(at) if at > SystemClock.now()), "{error}");
    }
    assert_eq!(f.delivery(good).await.state, DeliveryState::Delivered);
    assert_eq!(reached.lock().unwrap().len(), 1, "the redirect was not followed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_to_an_address_that_is_not_public_whatever_its_name_led_to_before() {
    let f = Fixture::new().await;
    let (port, got) = receiver(Answers::With("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let public = IpAddr::from([93, 184, 215, 14]);
    for (url, addresses) in [
        (format!("http://127.0.0.1:{port}/"), vec![public]),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), vec![public]),
        (format!("http://rebound.example:{port}/"), vec![Ipv4Addr::LOCALHOST.into()]),
    ] {
        let names = Arc::new(Names(Mutex::new(addresses)));
        let poster = Poster::new(Policy::default(), names, Duration::from_secs(2), true).unwrap();
        let id = f.webhook(&url).await;
        f.store.webhook_test(f.org, id).await.unwrap().unwrap();
        f.send(poster, &[id]).await;
        let (_, attempt) = f.delivery(id).await.last.unwrap();
        assert_eq!(attempt.error.as_deref(), Some("does not lead to a public address"), "{url}");
        assert!(f.store.webhook_delete(f.org, id).await.unwrap());
    }
    assert!(got.lock().unwrap().is_empty());
}

#[tokio::test]
async fn plain_http_is_refused_where_https_is_required() {
    let names = Arc::new(Names(Mutex::new(vec![IpAddr::from([93, 184, 215, 14])])));
    let poster = Poster::new(Policy::default(), names, Duration::from_secs(1), false).unwrap();
    let refused = |url: &str| poster.check(url).unwrap_err().to_string();
    assert_eq!(refused("http://example.com/"), "must use https://");
    assert_eq!(refused("https://a:b@example.com/"), "must not contain a user name or password");
    assert_eq!(refused("https://10.0.0.1/"), "does not lead to a public address");
    assert_eq!(refused("ftp://example.com/"), "must use http:// or https://");
    assert!(poster.check("https://example.com/hook").is_ok());
    let sent = poster.post("http://example.com/", &[], "{}".into()).await.unwrap_err();
    assert_eq!(sent.to_string(), "must use https://");
}
