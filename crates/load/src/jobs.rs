//! Jobs like those of a service, of a thousand organizations.

use std::collections::BTreeMap;

use aerie_domain::{Clock, JobId, JobInput, JobLimits, JobType, OrgId, PictureLink, RequestId, SystemClock};
use aerie_math::Rng;
use aerie_storage::{JobOutput, NewJob};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Organizations that share the kept jobs and the load.
pub const ORGANIZATIONS: u64 = 1000;

/// Share of each kind, as in the capacity model of `docs/operate-fleet.md`.
pub const MIX: [(JobType, f64); 4] = [
    (JobType::ImageEnhance, 0.70),
    (JobType::VirtualStaging, 0.15),
    (JobType::VideoClip, 0.10),
    (JobType::DroneFootage, 0.05),
];

/// The organization with this number, from 1. [`organization_sql`] computes the same.
#[must_use]
pub fn organization(number: u64) -> OrgId {
    OrgId(Uuid::from_u128(0x7000_8000_0000_0000_0000 | u128::from(number)))
}

/// SQL for the organization whose number is the value of an SQL expression.
#[must_use]
pub fn organization_sql(number: &str) -> String {
    format!("('00000000-0000-7000-8000-' || lpad(to_hex({number}), 12, '0'))::uuid")
}

/// One of the thousand.
#[must_use]
pub fn any_organization(rng: &mut Rng) -> OrgId {
    organization(1 + rng.next_u64() % ORGANIZATIONS)
}

/// A kind, as often as [`MIX`] says.
#[must_use]
pub fn any_kind(rng: &mut Rng) -> JobType {
    let mut left = rng.unit_f64();
    for (kind, share) in MIX {
        left -= share;
        if left < 0.0 {
            return kind;
        }
    }
    MIX[0].0
}

/// A job to submit. Its JSON has no values but texts: pgbench would take `:1` for a variable.
#[must_use]
pub fn new_job(org_id: OrgId, kind: JobType) -> NewJob {
    let now = SystemClock.now();
    let id = JobId::new(now);
    // Each kind reads its own fields.
    let body = json!({
        "address": "4711 Long Meadow Lane, Springfield", "room_type": "living_room",
        "image_url": format!("https://photos.example.com/listings/{id}/front-of-the-house.jpg"),
        "options": {"direction": "north", "preset": "natural", "prompt": "brighter, straight verticals"},
    });
    let input = JobInput::from_body(kind, &body).expect("it has the fields of every kind");
    let keep = |link: PictureLink| (format!("/{}", link.input()), format!("{org_id}/{id}/input/0"));
    NewJob {
        id,
        org_id,
        input_media: input.request().pictures().into_iter().map(keep).collect(),
        input,
        parent_id: None,
        unit_price_cents: 100,
        request_id: RequestId::new(now),
        idempotency_key: None,
        // As `config.default.toml`, and a limit on failed jobs, so that both are read.
        limits: JobLimits { queued_jobs: Some(1_000_000), failed_per_day: Some(1_000_000) },
    }
}

/// The output of a run.
#[must_use]
pub fn output(org_id: OrgId, id: JobId, attempt: u32) -> JobOutput {
    let fields = Map::from_iter([
        ("width".to_owned(), json!("4032")),
        ("height".to_owned(), json!("3024")),
        (
            "report".to_owned(),
            Value::from("exposure raised, white balance corrected, verticals straightened, highlights kept"),
        ),
        ("warnings".to_owned(), json!([])),
    ]);
    let key = |name: &str| format!("{org_id}/{id}/{attempt}/{name}");
    let media = BTreeMap::from([
        ("/image_url".to_owned(), key("enhanced.jpg")),
        ("/thumbnail_url".to_owned(), key("thumbnail.jpg")),
    ]);
    JobOutput { fields, media, notes: Map::new() }
}
