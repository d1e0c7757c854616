//! The files of a job in an archive.

use aerie_disclosure::Disclosed;
use aerie_domain::{Job, JobType, ListingPhoto};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Longest part of a file name that a title becomes, characters.
const MAX_NAME: usize = 40;

/// Which of the sizes of photos an archive has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Size {
    /// JPEGs whose longer side has at most 2048 pixels.
    #[default]
    Mls,
    /// As the engines made them.
    Original,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MediaFile {
    /// Its name in the archive.
    pub(crate) name: String,
    /// Its media key.
    pub(crate) key: String,
    /// Its size, bytes; 0 until it is known.
    pub(crate) bytes: u64,
    /// Identifier of the job that made it.
    pub(crate) job_id: String,
    pub(crate) job_type: JobType,
    /// Width and height, pixels, if the job's output has them.
    pub(crate) pixels: Option<(u64, u64)>,
    /// Title of its photo, or what it is.
    pub(crate) title: String,
    /// How it was made: the caption of its disclosure profile, if it has one.
    pub(crate) disclosure: String,
    pub(crate) made_at: Timestamp,
}

impl MediaFile {
    pub(crate) fn is_video(&self) -> bool {
        matches!(self.job_type, JobType::DroneFootage | JobType::VideoClip)
    }

    /// Ending of its name.
    pub(crate) fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// The file of a finished job; `photo` with its place in the listing, `disclosed` by its profile, if it has one.
pub(crate) fn files_of(
    job: &Job,
    photo: Option<(usize, &ListingPhoto)>,
    disclosed: Option<Disclosed>,
    size: Size,
) -> Option<MediaFile> {
    let (pointer, widths) = match (job.job_type, size) {
        (JobType::DroneFootage | JobType::VideoClip, _) => ("/video_url", ["width", "height"]),
        (_, Size::Mls) if job.media.contains_key("/mls_url") => ("/mls_url", ["mls_width", "mls_height"]),
        _ => ("/image_url", ["width", "height"]),
    };
    let key = job.media.get(pointer)?.clone();
    let (_, extension) = key.rsplit_once('.')?;
    let what = match job.job_type {
        JobType::ImageEnhance => "enhanced",
        JobType::VirtualStaging => "staged",
        JobType::VideoClip => "clip",
        _ => "flight",
    };
    let suffix = disclosed.as_ref().and_then(|disclosed| disclosed.file_suffix.as_deref()).unwrap_or_default();
    let name = match photo {
        Some((at, photo)) => format!("{:02}-{}-{what}{suffix}.{extension}", at + 1, name_of(photo)),
        None => format!("{what}.{extension}"),
    };
    let pixels = widths.map(|name| job.output.get(name).and_then(Value::as_u64));
    let disclosure = job.output.get("disclosure");
    let disclosure = disclosure.and_then(|it| it.as_str().or_else(|| it.get("text")?.as_str())).unwrap_or_default();
    let caption = disclosed.and_then(|disclosed| disclosed.caption);
    Some(MediaFile {
        name,
        bytes: 0,
        job_id: job.id.to_string(),
        job_type: job.job_type,
        pixels: pixels[0].zip(pixels[1]),
        title: photo.and_then(|(_, photo)| photo.title.clone()).unwrap_or_else(|| what.to_owned()),
        disclosure: caption.unwrap_or_else(|| disclosure.to_owned()),
        made_at: job.completed_at.unwrap_or(job.updated_at),
        key,
    })
}

/// What a photo shows, as a part of a file name: its room type, or else its title.
fn name_of(photo: &ListingPhoto) -> String {
    let text = photo.room_type.as_deref().or(photo.title.as_deref()).unwrap_or_default().to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_NAME).collect();
    if name.is_empty() { "photo".to_owned() } else { name.trim_end_matches('-').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_named_by_its_room_or_its_title_in_plain_letters() {
        let name = |room_type: Option<&str>, title: Option<&str>| {
            let [room_type, title] = [room_type, title].map(|text| text.map(str::to_owned));
            name_of(&ListingPhoto { room_type, title, ..ListingPhoto::default() })
        };
        assert_eq!(name(Some("living_room"), Some("x")), "living-room");
        assert_eq!(name(None, Some("Küche & Bad, 2. Stock")), "k-che-bad-2-stock");
        assert_eq!(name(None, Some("../../etc/passwd")), "etc-passwd");
        assert_eq!(name(None, Some("東京")), "photo");
        assert_eq!(name(None, None), "photo");
        assert_eq!(name(None, Some(&"a".repeat(90))).len(), 40);
    }
}
