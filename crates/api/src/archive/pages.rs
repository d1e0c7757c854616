//! Descriptions of the media of an archive: for programs, and for people.

use std::fmt::Write as _;

use aerie_domain::Listing;
use serde_json::{Value, json};

use crate::archive::files::MediaFile;
use crate::envelope::iso;
use crate::html::escaped;

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

/// A web page with all media, which works without a network.
pub(crate) fn contact_sheet(listing: &Listing, files: &[MediaFile]) -> String {
    let name = [&listing.address, &listing.reference].into_iter().flatten().next().cloned();
    let name = escaped(&name.unwrap_or_else(|| listing.id.to_string()));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name}</title>\n<style>\n\
         body {{ font: 14px sans-serif; margin: 2em; }}\n\
         main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 1.5em; }}\n\
         figure {{ margin: 0; break-inside: avoid; }}\n\
         img, video {{ width: 100%; aspect-ratio: 3 / 2; object-fit: contain; background: #eee; }}\n\
         small {{ color: #555; }}\n</style>\n<h1>{name}</h1>\n<main>\n"
    );
    for file in files {
        let (name, title, disclosure) = (&file.name, escaped(&file.title), escaped(&file.disclosure));
        let medium = match file.is_video() {
            true => format!("<video src=\"{name}\" controls preload=\"metadata\"></video>"),
            false => format!("<a href=\"{name}\"><img src=\"{name}\" alt=\"{title}\" loading=\"lazy\"></a>"),
        };
        let _ = writeln!(
            page,
            "<figure>{medium}<figcaption><b>{title}</b><br>{name}<br><small>{disclosure}</small></figcaption></figure>"
        );
    }
    page + "</main>\n</html>\n"
}
