//! The pictures that a request links to.

/// A field of a request with the URL of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureLink {
    /// Names and indices that lead to the field, with slashes between them: `options/photos/0/image_url`.
    input: String,
    /// The URL in it.
    pub url: String,
}

/// What links to uploads begin with.
pub const UPLOAD: &str = "aerie:upload/";

impl PictureLink {
    /// The link in the field with this [`PictureLink::input`].
    #[must_use]
    pub fn new(input: impl Into<String>, url: impl Into<String>) -> Self {
        Self { input: input.into(), url: url.into() }
    }

    /// What names the upload, if the link is to a photo that the organization uploaded: `aerie:upload/ID`.
    #[must_use]
    pub fn upload(&self) -> Option<&str> {
        self.url.trim().strip_prefix(UPLOAD)
    }

    /// The field as error messages name it: `options.photos[0].image_url`.
    #[must_use]
    pub fn path(&self) -> String {
        let is_index = |step: &str| step.bytes().all(|byte| byte.is_ascii_digit());
        self.input.split('/').fold(String::new(), |path, step| match path.is_empty() {
            _ if is_index(step) => format!("{path}[{step}]"),
            true => step.to_owned(),
            false => format!("{path}.{step}"),
        })
    }

    /// The name of the picture among a job's inputs: `options/photos/0/image_url`. With a slash before it, a JSON Pointer.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.input
    }

    /// A name for the picture's file, without an extension: `options-photos-0-image`.
    #[must_use]
    pub fn file_stem(&self) -> String {
        self.input.strip_suffix("_url").unwrap_or(&self.input).replace('/', "-")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{JobInput, JobType};

    #[test]
    fn links_are_found_in_fields_and_in_every_entry_of_an_array() {
        let links = |kind: JobType, options| {
            let body = json!({"image_url": "a", "room_type": "kitchen", "address": "1", "options": options});
            let links = JobInput::from_body(kind, &body).unwrap().request().pictures();
            links
                .into_iter()
                .map(|link| (link.path(), link.input().to_owned(), link.file_stem(), link.url))
                .collect::<Vec<_>>()
        };
        let link = |path: &str, input: &str, stem: &str, url: &str| {
            (path.to_owned(), input.to_owned(), stem.to_owned(), url.to_owned())
        };
        let first = link("image_url", "image_url", "image", "a");
        let film = links(JobType::VideoClip, json!({"photos": [{"image_url": "b"}, {"image_url": "c"}]}));
        let further = |at: usize, url| {
            let (path, input) = (format!("options.photos[{at}].image_url"), format!("options/photos/{at}/image_url"));
            link(&path, &input, &format!("options-photos-{at}-image"), url)
        };
        assert_eq!(film, [first.clone(), further(0, "b"), further(1, "c")]);
        let merged = links(JobType::ImageEnhance, json!({"exposures": ["d", "e"]}));
        let exposure = |at: usize, url| {
            let (path, input) = (format!("options.exposures[{at}]"), format!("options/exposures/{at}"));
            link(&path, &input, &format!("options-exposures-{at}"), url)
        };
        assert_eq!(merged, [first.clone(), exposure(0, "d"), exposure(1, "e")]);
        let staged = links(JobType::VirtualStaging, json!({"first_view_url": "f"}));
        let view = link("options.first_view_url", "options/first_view_url", "options-first_view", "f");
        assert_eq!(staged, [first.clone(), view]);
        for kind in [JobType::ImageEnhance, JobType::VirtualStaging, JobType::VideoClip] {
            assert_eq!(links(kind, json!(null)), std::slice::from_ref(&first), "{kind}");
        }
        for kind in [JobType::DroneFootage, JobType::Markup, JobType::MarkupVideo] {
            assert!(links(kind, json!({})).is_empty(), "{kind}");
        }
    }
}
