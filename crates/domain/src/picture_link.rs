//! The pictures that a request links to.

use serde_json::Value;

/// A field of a request with the URL of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureLink {
    /// Names and indices that lead to the field (`options`, `photos`, `0`, `image_url`).
    steps: Vec<String>,
    /// The URL in it.
    pub url: String,
}

/// What links to uploads begin with.
pub const UPLOAD: &str = "aerie:upload/";

impl PictureLink {
    /// The link in a field of the body itself.
    #[must_use]
    pub fn of_field(name: &str, url: String) -> Self {
        Self { steps: vec![name.to_owned()], url }
    }

    /// The links of a request in the fields at `path`, in order. In a path, as [`crate::kind::Kind::pictures`] has it, `[]` stands
    /// for every entry of an array. Absent fields have no link.
    #[must_use]
    pub fn find(request: &Value, path: &str) -> Vec<Self> {
        let mut found: Vec<(Vec<String>, &Value)> = vec![(Vec::new(), request)];
        for step in path.split('.') {
            let name = step.trim_end_matches("[]");
            found = found
                .into_iter()
                .filter_map(|(steps, value)| Some(([steps, vec![name.to_owned()]].concat(), value.get(name)?)))
                .collect();
            if step.ends_with("[]") {
                found = found.into_iter().flat_map(entries).collect();
            }
        }
        let link = |(steps, value): (Vec<String>, &Value)| Some(Self { steps, url: value.as_str()?.to_owned() });
        found.into_iter().filter_map(link).collect()
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
        self.steps.iter().fold(String::new(), |path, step| match path.is_empty() {
            _ if is_index(step) => format!("{path}[{step}]"),
            true => step.clone(),
            false => format!("{path}.{step}"),
        })
    }

    /// The name of the picture among a job's inputs: `options/photos/0/image_url`. With a slash before it, a JSON Pointer.
    #[must_use]
    pub fn input(&self) -> String {
        self.steps.join("/")
    }

    /// A name for the picture's file, without an extension: `options-photos-0-image`.
    #[must_use]
    pub fn file_stem(&self) -> String {
        let name = self.steps.join("-");
        name.strip_suffix("_url").map(str::to_owned).unwrap_or(name)
    }
}

fn entries((steps, value): (Vec<String>, &Value)) -> Vec<(Vec<String>, &Value)> {
    let entries = value.as_array().into_iter().flatten().enumerate();
    entries.map(|(at, entry)| ([steps.clone(), vec![at.to_string()]].concat(), entry)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn links_are_found_in_fields_and_in_every_entry_of_an_array() {
        let request = json!({"image_url": "a", "options": {"photos": [{"image_url": "b"}, {"image_url": "c"}]}});
        let [first] = &PictureLink::find(&request, "image_url")[..] else { panic!("one link") };
        assert_eq!(
            (first.path(), first.input(), first.file_stem()),
            ("image_url".into(), "image_url".into(), "image".into())
        );
        let further = PictureLink::find(&request, "options.photos[].image_url");
        assert_eq!(further.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(further[1].path(), "options.photos[1].image_url");
        assert_eq!(further[1].input(), "options/photos/1/image_url");
        assert_eq!(further[1].file_stem(), "options-photos-1-image");
        let request = json!({"options": {"exposures": ["d", "e"]}});
        let exposures = PictureLink::find(&request, "options.exposures[]");
        assert_eq!(exposures.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), ["d", "e"]);
        assert_eq!(exposures[1].path(), "options.exposures[1]");
        assert_eq!(
            (exposures[1].input(), exposures[1].file_stem()),
            ("options/exposures/1".into(), "options-exposures-1".into())
        );
        for absent in [json!({}), json!({"options": null}), json!({"options": {"photos": null}})] {
            assert_eq!(PictureLink::find(&absent, "options.photos[].image_url"), []);
        }
    }
}
