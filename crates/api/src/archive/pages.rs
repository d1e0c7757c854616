//! Descriptions of the media of an archive: for programs, and for people.

use aerie_domain::Listing;
use maud::{DOCTYPE, PreEscaped, html};
use serde_json::{Value, json};

use crate::archive::files::MediaFile;
use crate::envelope::iso;

/// The media as resources `Media` of the RESO Data Dictionary.
pub(crate) fn media_json(listing: &Listing, files: &[MediaFile]) -> Result<Vec<u8>, serde_json::Error> {
    let media = |(at, file): (usize, &MediaFile)| {
        let mut media = json!({
            "MediaKey": file.job_id,
            "MediaURL": file.name,
            "MediaCategory": if file.is_video() { "Video" } else { "Photo" },
            "MediaType": file.extension(),
            "MediaModificationTimestamp": iso(file.made_at),
            "Order": at + 1,
            "PreferredPhotoYN": at == 0 && !file.is_video(),
            "Permission": ["Public"],
            "ResourceName": "Property",
            "ResourceRecordKey": listing.reference.clone().unwrap_or_else(|| listing.id.to_string()),
            "ShortDescription": file.title,
            "LongDescription": file.disclosure,
        });
        if let Some((width, height)) = file.pixels {
            media["ImageWidth"] = width.into();
            media["ImageHeight"] = height.into();
        }
        media
    };
    let all: Vec<Value> = files.iter().enumerate().map(media).collect();
    serde_json::to_vec_pretty(&json!({ "value": all }))
}

const STYLE: &str = "
body { font: 14px sans-serif; margin: 2em; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 1.5em; }
figure { margin: 0; break-inside: avoid; }
img, video { width: 100%; aspect-ratio: 3 / 2; object-fit: contain; background: #eee; }
small { color: #555; }
";

/// A web page with all media, which works without a network.
pub(crate) fn contact_sheet(listing: &Listing, files: &[MediaFile]) -> String {
    let name = listing.address.clone().or(listing.reference.clone()).unwrap_or_else(|| listing.id.to_string());
    html! {
        (DOCTYPE)
        html lang="en" {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width";
            title { (name) }
            style { (PreEscaped(STYLE)) }
            h1 { (name) }
            main {
                @for file in files {
                    figure {
                        @if file.is_video() {
                            video src=(file.name) controls preload="metadata" {}
                        } @else {
                            a href=(file.name) { img src=(file.name) alt=(file.title) loading="lazy"; }
                        }
                        figcaption { b { (file.title) } br; (file.name) br; small { (file.disclosure) } }
                    }
                }
            }
        }
    }
    .into_string()
}
