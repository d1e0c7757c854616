//! An example response of each operation.

use aerie_domain::{Failure, UPLOAD};
use serde_json::{Value, json};

const JOB: &str = "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";
const LISTING: &str = "01980c7e-5d2e-7f10-a2c4-5b7d9e1f3a60";
const SHARE_LINK: &str = "01980c7e-5d2f-7a31-b3d5-6c8e0f2a4b71";
const TOKEN: &str = "Yb2wQxT0m4Vd8kRnC6sLf1JpZ9uHeG3a";
const MEDIA: &str = "https://media.example/media/org/job/1";

/// A complete response.
pub(super) fn example(operation: &str) -> Option<Value> {
    let data = match operation {
        "list_jobs" => {
            let mut job = drone_footage();
            job["output"] = json!({"video_url": format!("{MEDIA}/video.mp4?expires=1780000000&signature=5d2b")});
            let pagination = json!({"total": 1, "limit": 50, "offset": 0, "has_more": false});
            return Some(json!({"data": [job], "pagination": pagination, "meta": meta()}));
        }
        "get_job" => drone_footage(),
        "cancel_job" => canceled(),
        "get_markup" => markup(),
        "select_markup" => json!({"status": "selected", "selected_url": link("bottom.jpg")}),
        "annotate_markup" => json!({"status": "completed"}),
        "list_listings" => {
            let pagination = json!({"total": 1, "limit": 50, "offset": 0, "has_more": false});
            return Some(json!({"data": [listing_summary()], "pagination": pagination, "meta": meta()}));
        }
        "create_listing" => listing(json!([])),
        "get_listing" | "change_listing" => listing(json!([listing_job()])),
        "generate_listing" => generated(),
        "create_share_link" => {
            let mut link = share_link();
            link["token"] = json!(TOKEN);
            link["url"] = json!(format!("https://media.example/s/{TOKEN}"));
            link
        }
        "list_share_links" => json!([share_link()]),
        "list_reviews" => {
            let pagination = json!({"total": 1, "limit": 50, "offset": 0, "has_more": false});
            return Some(json!({"data": [review()], "pagination": pagination, "meta": meta()}));
        }
        "get_shared_listing" => shared_listing(),
        "approve_shared_photo" => shared_approval(),
        "comment_on_shared_listing" => shared_comment(),
        "list_addresses" => addresses(),
        "get_usage" => usage(),
        "create_upload" | "get_upload" => upload(),
        "publish_truth_page" | "get_truth_page" => truth_page("public"),
        "revoke_truth_page" => truth_page("revoked"),
        "list_disclosure_profiles" => json!([disclosure_profile()]),
        "list_webhooks" => json!([webhook()]),
        "get_webhook" | "change_webhook" => webhook(),
        "create_webhook" | "rotate_webhook_secret" => {
            let mut webhook = webhook();
            webhook["secret"] = json!("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=");
            webhook
        }
        "test_webhook" | "replay_delivery" => delivery(),
        "list_deliveries" => {
            let pagination = json!({"total": 1, "limit": 50, "offset": 0, "has_more": false});
            return Some(json!({"data": [delivery()], "pagination": pagination, "meta": meta()}));
        }
        _ if operation.starts_with("submit_") => json!({"job_id": JOB, "status": "queued"}),
        _ => return None,
    };
    Some(json!({"data": data, "meta": meta()}))
}

pub(super) fn meta() -> Value {
    json!({"request_id": "01980c7e-5d2c-7a10-8c55-0b9f6e2d7a31", "timestamp": "2026-03-10T12:00:00.250Z"})
}

fn link(file: &str) -> String {
    format!("{MEDIA}/{file}?expires=1780000000&signature=5d2b")
}

fn drone_footage() -> Value {
    json!({
        "id": JOB,
        "job_type": "drone_footage",
        "status": "completed",
        "input": {"address": "Dorfstrasse 24, 9495 Triesen", "options": {"direction": "original"}},
        "output": {"video_url": link("video.mp4"), "thumbnail_url": link("thumbnail.jpg"), "duration": 10.0},
        "created_at": "2026-03-10T11:58:30.120Z",
        "updated_at": "2026-03-10T11:59:24.480Z",
        "completed_at": "2026-03-10T11:59:24.480Z",
    })
}

fn canceled() -> Value {
    let mut job = drone_footage();
    job["status"] = json!("failed");
    job["output"] = Value::Object(Failure::canceled().output());
    job["completed_at"] = Value::Null;
    job
}

fn markup() -> Value {
    let variant = |key: &str| json!({"key": key, "preview_url": link(&format!("{key}-preview.jpg")), "enhanced_url": link(&format!("{key}.jpg"))});
    let variants = ["bottom", "left", "top", "right"].map(variant);
    json!({
        "id": JOB,
        "job_type": "markup",
        "status": "awaiting_input",
        "input": {"address": "Dorfstrasse 24, 9495 Triesen"},
        "output": {"orientation_variants": variants},
        "created_at": "2026-03-10T11:58:30.120Z",
        "updated_at": "2026-03-10T11:59:24.480Z",
        "completed_at": null,
    })
}

fn upload() -> Value {
    json!({
        "upload_id": JOB,
        "image_url": format!("{UPLOAD}{JOB}"),
        "status": "complete",
        "size": 6_291_456,
        "received": 6_291_456,
        "filename": "kitchen.jpg",
        "format": "jpg",
        "width": 6000,
        "height": 4000,
        "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "created_at": "2026-03-10T11:58:30.120Z",
        "expires_at": "2026-03-17T11:58:31.480Z",
    })
}

fn truth_page(status: &str) -> Value {
    let url = "https://media.example/t/0Jx3kq9RkT7bWn2LmPzYvC";
    let file = |name: &str, size: u64| {
        let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        json!({"name": name, "url": format!("{url}/{name}"), "sha256": sha256, "size": size})
    };
    json!({
        "job_id": JOB,
        "url": url,
        "qr_svg_url": format!("{url}/qr.svg"),
        "qr_png_url": format!("{url}/qr.png"),
        "status": status,
        "disclosure_text": format!("Digitally altered image (virtually staged). The original, unaltered image can be accessed at {url}"),
        "indexable": false,
        "address": null,
        "files": [file("original", 6_291_456), file("result", 5_242_880), file("mask", 31_457)],
        "bytes": 11_565_793,
        "legal_hold": false,
        "created_at": "2026-03-10T12:00:00.250Z",
        "expires_at": null,
        "revoked_at": if status == "public" { Value::Null } else { json!("2026-04-01T09:00:00.000Z") },
        "erased_at": null,
    })
}

fn disclosure_profile() -> Value {
    json!({
        "name": "san-diego-mls",
        "title": "San Diego MLS, rule 7.4.3: no mark in the picture",
        "is_default": false,
        "rule": "The picture itself must not carry the disclosure. Its description has the label \"Digitally Altered\" and the public URL of the original image.",
        "label": {"use": "forbidden", "staged": null, "altered": null, "text": null},
        "caption": {"use": "required", "staged": null, "altered": null, "text": "Digitally Altered. Original image: {url}"},
        "truth_page": "required",
        "file_suffix": null,
        "sources": [{
            "title": "San Diego MLS: rules and policy change summary, January 2026",
            "url": "https://support.sdmls.com/support/solutions/articles/150000219383-rules-and-policy-change-summary-january-2026-",
            "seen": "2026-11-27",
            "says": "7.4.3: the listing broker is not permitted to watermark or embed the disclosure directly onto the photo itself.",
        }],
    })
}

fn webhook() -> Value {
    json!({
        "webhook_id": JOB,
        "url": "https://example.com/aerie",
        "events": ["job.completed", "job.failed"],
        "description": "orders",
        "enabled": true,
        "disabled_because": null,
        "disabled_at": null,
        "failing_since": null,
        "old_secret_until": null,
        "created_at": "2026-03-10T11:58:30.120Z",
    })
}

fn delivery() -> Value {
    json!({
        "delivery_id": JOB,
        "event": "job.completed",
        "job_id": JOB,
        "status": "delivered",
        "attempts": 1,
        "next_attempt_at": null,
        "last_attempt_at": "2026-03-10T11:59:25.010Z",
        "last_status": 204,
        "last_error": null,
        "last_duration_ms": 84,
        "created_at": "2026-03-10T11:59:24.480Z",
    })
}

fn listing_summary() -> Value {
    json!({
        "listing_id": LISTING,
        "reference": "RX-4711",
        "address": "Dorfstrasse 24, 9495 Triesen",
        "photo_count": 2,
        "created_at": "2026-03-10T11:58:30.120Z",
        "updated_at": "2026-03-10T11:58:30.120Z",
    })
}

fn listing(jobs: Value) -> Value {
    let mut listing = listing_summary();
    if let Some(members) = listing.as_object_mut() {
        members.remove("photo_count");
    }
    listing["style_prompt"] = json!("Scandinavian, light oak");
    listing["photos"] = json!([
        {"id": "front", "image_url": "https://example.com/front.jpg", "title": "Street front"},
        {"id": "bedroom", "image_url": format!("{UPLOAD}{JOB}"), "room_type": "bedroom", "empty": true},
    ]);
    listing["jobs"] = jobs;
    listing
}

fn listing_job() -> Value {
    json!({
        "job_id": JOB,
        "job_type": "image_enhance",
        "photo_id": "front",
        "status": "completed",
        "created_at": "2026-03-10T11:59:24.480Z",
    })
}

fn generated() -> Value {
    json!({
        "listing_id": LISTING,
        "dry_run": false,
        "jobs": [
            {"job_id": JOB, "job_type": "image_enhance", "photo_id": "front", "status": "queued", "price_cents": 100},
        ],
        "total_price_cents": 100,
    })
}

fn share_link() -> Value {
    json!({
        "share_link_id": SHARE_LINK,
        "listing_id": LISTING,
        "name": "The sellers",
        "show_address": true,
        "allow_approval": true,
        "allow_comments": true,
        "status": "active",
        "created_at": "2026-03-10T12:00:00.120Z",
        "expires_at": "2026-04-09T12:00:00.120Z",
        "revoked_at": null,
    })
}

fn review() -> Value {
    json!({
        "review_id": "01980c7e-5d30-7b42-a4e6-7d9f1a3b5c82",
        "share_link_id": SHARE_LINK,
        "photo_id": "front",
        "decision": "approved",
        "text": null,
        "name": "Maria Miller",
        "created_at": "2026-03-10T12:30:00.120Z",
    })
}

fn shared_approval() -> Value {
    json!({"photo_id": "front", "decision": "approved", "name": "Maria Miller", "created_at": "2026-03-10T12:30:00.120Z"})
}

fn shared_comment() -> Value {
    json!({
        "photo_id": "front",
        "text": "Please brighten the lawn a little.",
        "name": "Maria Miller",
        "created_at": "2026-03-10T12:31:00.120Z",
    })
}

fn shared_listing() -> Value {
    let media = json!({
        "job_type": "image_enhance",
        "url": link("enhanced-mls.jpg"),
        "poster_url": null,
        "width": 2048,
        "height": 1365,
        "disclosure": "Light and color were corrected.",
    });
    let photo = json!({
        "photo_id": "front",
        "title": "Street front",
        "room_type": null,
        "media": [media],
        "approval": shared_approval(),
    });
    json!({
        "address": "Dorfstrasse 24, 9495 Triesen",
        "allow_approval": true,
        "allow_comments": true,
        "expires_at": "2026-04-09T12:00:00.120Z",
        "photos": [photo],
        "videos": [],
        "comments": [shared_comment()],
    })
}

fn addresses() -> Value {
    let house = json!({
        "address": "Dorfstrasse 24, 9495 Triesen",
        "id": "way/160541245",
        "lat": 47.107,
        "lon": 9.528,
        "precision": "building",
        "locality": "Triesen",
        "postcode": "9495",
    });
    let map = json!({"source": "OpenStreetMap", "is_sample": false, "attributions": ["© OpenStreetMap contributors"]});
    json!({"addresses": [house], "map": map, "hint": null})
}

fn usage() -> Value {
    json!({
        "events": [{
            "id": "01980c7e-5d2d-7e02-b1a4-6c8d2f0e9b53",
            "event_type": "drone_footage.generate",
            "unit_price_cents": 1500,
            "status": "completed",
            "created_at": "2026-03-10T11:59:24.480Z",
        }],
        "summary": {"total_events": 1, "total_cost_cents": 1500, "from": "2026-03-01", "to": "2026-03-10"},
    })
}
