//! What the service asks of a request, whatever its kind.

use serde_json::{Map, Value};

use crate::{JobInput, PictureLink};

impl JobInput {
    /// Returns whether the job makes a preview, which is not billed and counts against the quota only until it ends.
    #[must_use]
    pub fn is_preview(&self) -> bool {
        matches!(self, Self::DroneFootage(request) if request.preview)
    }

    /// Makes the job a preview, if its kind has previews.
    pub fn make_preview(&mut self) {
        if let Self::DroneFootage(request) = self {
            request.preview = true;
        }
    }

    /// The address of the property.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::DroneFootage(request) => Some(&request.address),
            Self::Markup(request) => Some(&request.address),
            Self::MarkupVideo(request) => Some(&request.address),
            Self::ImageEnhance(_) | Self::VirtualStaging(_) | Self::VideoClip(_) => None,
        }
    }

    /// The client's identifier of the listing that it belongs to.
    #[must_use]
    pub fn listing_id(&self) -> Option<&str> {
        match self {
            Self::ImageEnhance(request) => request.options.as_ref()?.listing_id.as_deref(),
            Self::Markup(request) => kept_listing_id(request.options.as_ref()),
            Self::MarkupVideo(request) => kept_listing_id(request.options.as_ref()),
            Self::DroneFootage(_) | Self::VirtualStaging(_) | Self::VideoClip(_) => None,
        }
    }

    /// The links to pictures. They are fetched before the request is answered.
    #[must_use]
    pub fn pictures(&self) -> Vec<PictureLink> {
        match self {
            Self::ImageEnhance(request) => request.pictures(),
            Self::VirtualStaging(request) => request.pictures(),
            Self::VideoClip(request) => request.pictures(),
            Self::DroneFootage(_) | Self::Markup(_) | Self::MarkupVideo(_) => Vec::new(),
        }
    }

    /// The label to show.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::ImageEnhance(request) => request.options.as_ref()?.label.as_deref(),
            Self::VirtualStaging(request) => request.options.as_ref()?.label.as_deref(),
            Self::VideoClip(request) => request.options.as_ref()?.label.as_deref(),
            Self::DroneFootage(_) | Self::Markup(_) | Self::MarkupVideo(_) => None,
        }
    }

    /// The name of the disclosure profile to follow.
    #[must_use]
    pub fn disclosure_profile(&self) -> Option<&str> {
        match self {
            Self::ImageEnhance(request) => request.options.as_ref()?.disclosure_profile.as_deref(),
            Self::VirtualStaging(request) => request.options.as_ref()?.disclosure_profile.as_deref(),
            Self::VideoClip(request) => request.options.as_ref()?.disclosure_profile.as_deref(),
            Self::DroneFootage(_) | Self::Markup(_) | Self::MarkupVideo(_) => None,
        }
    }

    /// Sets the disclosure profile to follow, and the labels that it asks for where a staged photo is seen, and where one is seen that
    /// was altered otherwise. A label of the request stays the only one.
    pub fn follow_profile(&mut self, name: String, if_staged: Option<String>, if_altered: Option<String>) {
        match self {
            Self::ImageEnhance(request) => {
                let options = request.options.get_or_insert_default();
                options.disclosure_profile = Some(name);
                options.label_if_altered = if_altered.filter(|_| options.label.is_none());
            }
            Self::VirtualStaging(request) => {
                let options = request.options.get_or_insert_default();
                options.disclosure_profile = Some(name);
                options.label = options.label.take().or(if_staged);
            }
            Self::VideoClip(request) => {
                let options = request.options.get_or_insert_default();
                options.disclosure_profile = Some(name);
                options.label_if_staged = if_staged.filter(|_| options.label.is_none());
                options.label_if_altered = if_altered.filter(|_| options.label.is_none());
            }
            Self::DroneFootage(_) | Self::Markup(_) | Self::MarkupVideo(_) => {}
        }
    }
}

fn kept_listing_id(options: Option<&Map<String, Value>>) -> Option<&str> {
    options?.get("listing_id")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::JobType;

    fn read(kind: JobType, body: &Value) -> JobInput {
        JobInput::from_body(kind, body).unwrap()
    }

    /// Requests of each kind, together with every known field, and the texts that are stored for them.
    fn examples() -> Vec<(JobInput, &'static str)> {
        let photo = "https://example.com/b.jpg?x=1";
        let mut preview = read(JobType::DroneFootage, &json!({"address": "1 Main St", "options": null, "preview": 1}));
        preview.make_preview();
        let mut followed = read(JobType::ImageEnhance, &json!({"image_url": photo}));
        followed.follow_profile("strict".into(), Some("Staged".into()), Some("Altered".into()));
        let mut staged = read(JobType::VirtualStaging, &json!({"room_type": "kitchen", "image_url": photo}));
        staged.follow_profile("strict".into(), Some("Staged".into()), Some("Altered".into()));
        let mut clip = read(JobType::VideoClip, &json!({"image_url": photo, "options": {}}));
        clip.follow_profile("strict".into(), Some("Staged".into()), Some("Altered".into()));
        let mut labeled = read(JobType::VideoClip, &json!({"image_url": photo, "options": {"label": "Own"}}));
        labeled.follow_profile("strict".into(), Some("Staged".into()), None);
        vec![
            (
                read(
                    JobType::DroneFootage,
                    &json!({"options": {
                        "resolution": "720p", "label": false, "highlight": true, "duration": 8.0, "direction": "south",
                        "aspect_ratio": "9:16", "other": 1,
                    }, "address": " é \"1\" ", "other": {}}),
                ),
                r#"{"address":" é \"1\" ","options":{"aspect_ratio":"9:16","direction":"south","duration":8,"highlight":true,"label":false,"resolution":"720p"}}"#,
            ),
            (preview, r#"{"address":"1 Main St","preview":true}"#),
            (
                read(
                    JobType::ImageEnhance,
                    &json!({"options": {
                        "prompt": "warm\nand bright", "preset": "blue_sky", "mls": false, "max_size": 64, "listing_id": "l",
                        "label": "Own", "format": "png", "exposures": ["b", "a"], "disclosure_profile": "none",
                    }, "image_url": photo}),
                ),
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"none","exposures":["b","a"],"format":"png","label":"Own","listing_id":"l","max_size":64,"mls":false,"preset":"blue_sky","prompt":"warm\nand bright"}}"#,
            ),
            (
                followed,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label_if_altered":"Altered"}}"#,
            ),
            (
                read(
                    JobType::VirtualStaging,
                    &json!({"room_type": "bedroom", "image_url": photo, "options": {
                        "style_prompt": "light oak", "seed": 4_294_967_295_i64, "room_id": "r", "room_is_empty": true,
                        "quality": "draft", "mls": true, "known_length": {"to": [3, 4.5], "meters": 2, "from": [0.1, 2]},
                        "floor_polygon": [[1, 2], [3, 4], [0.1, 1e3]], "first_view_url": "f", "label": "Own",
                        "format": "webp", "disclosure_profile": "none", "arrangement": [{
                            "turn": 90, "position": [0.1, 2, 3], "piece": "rug", "elevation": 0,
                            "colors": {"wood": "#C8a070", "metal": "#000000"},
                        }],
                    }}),
                ),
                r##"{"image_url":"https://example.com/b.jpg?x=1","options":{"arrangement":[{"colors":{"metal":"#000000","wood":"#c8a070"},"elevation":0.0,"piece":"rug","position":[0.1,2.0,3.0],"turn":90.0}],"disclosure_profile":"none","first_view_url":"f","floor_polygon":[[1.0,2.0],[3.0,4.0],[0.1,1000.0]],"format":"webp","known_length":{"from":[0.1,2.0],"meters":2.0,"to":[3.0,4.5]},"label":"Own","mls":true,"quality":"draft","room_id":"r","room_is_empty":true,"seed":4294967295,"style_prompt":"light oak"},"room_type":"bedroom"}"##,
            ),
            (
                read(
                    JobType::VirtualStaging,
                    &json!({"room_type": "bedroom", "image_url": photo, "options": {
                        "variations": 3, "room_corners": [[0, 500], [300, 400.5]],
                    }}),
                ),
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"room_corners":[[0.0,500.0],[300.0,400.5]],"variations":3},"room_type":"bedroom"}"#,
            ),
            (
                staged,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label":"Staged"},"room_type":"kitchen"}"#,
            ),
            (
                read(
                    JobType::VideoClip,
                    &json!({"image_url": "a", "options": {
                        "resolution": "2160p", "prompt": "orbit", "photos": [{"image_url": "b", "caption": "Hall"}, {"image_url": "c"}],
                        "label": "Own", "grade": "warm", "frame_mode": "last", "duration": 15, "creativity_level": "high",
                        "caption": "Bath", "aspect_ratio": "1:1", "disclosure_profile": "none",
                    }}),
                ),
                r#"{"image_url":"a","options":{"aspect_ratio":"1:1","caption":"Bath","creativity_level":"high","disclosure_profile":"none","duration":15,"frame_mode":"last","grade":"warm","label":"Own","photos":[{"caption":"Hall","image_url":"b"},{"image_url":"c"}],"prompt":"orbit","resolution":"2160p"}}"#,
            ),
            (
                clip,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label_if_altered":"Altered","label_if_staged":"Staged"}}"#,
            ),
            (
                labeled,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label":"Own"}}"#,
            ),
            (
                read(
                    JobType::Markup,
                    &json!({"options": {"z": {"b": [null, 2.50], "a": 1}, "scale_bar": true, "north_arrow": null}, "address": "a"}),
                ),
                r#"{"address":"a","options":{"north_arrow":null,"scale_bar":true,"z":{"a":1,"b":[null,2.5]}}}"#,
            ),
            (
                read(JobType::MarkupVideo, &json!({"options": {"labels": false, "color": "#FFD400", "b": {}}})),
                r##"{"address":"","options":{"b":{},"color":"#FFD400","labels":false}}"##,
            ),
        ]
    }

    #[test]
    fn what_is_stored_is_sorted_and_reads_as_the_same_request() {
        for (input, stored) in examples() {
            let kind = input.job_type();
            assert_eq!(input.to_stored().to_string(), stored, "{kind}");
            let read = JobInput::read(kind, &serde_json::from_str(stored).unwrap()).unwrap();
            assert_eq!((read.to_stored().to_string(), read), (stored.to_owned(), input), "{kind}");
        }
        for kind in JobType::ALL {
            assert!(examples().iter().any(|(input, _)| input.job_type() == kind), "{kind}");
        }
    }

    #[test]
    fn a_photo_and_a_markup_name_their_listing() {
        let body = json!({"image_url": "u", "room_type": "kitchen", "address": "1", "options": {"listing_id": "l"}});
        let named = JobType::ALL.into_iter().filter(|kind| read(*kind, &body).listing_id() == Some("l"));
        assert!(named.eq([JobType::ImageEnhance, JobType::Markup, JobType::MarkupVideo]));
    }

    #[test]
    fn a_request_is_sent_to_the_engine_under_the_name_of_its_kind() {
        for (input, _) in examples() {
            let sent = serde_json::to_string(&input).unwrap();
            assert!(sent.starts_with(&format!("{{\"{}\":", input.job_type())), "{sent}");
            assert_eq!(serde_json::from_str::<JobInput>(&sent).unwrap(), input);
        }
    }

    #[test]
    fn an_input_with_a_value_that_another_version_knows_is_refused_with_the_reason() {
        let stored = json!({"image_url": "u", "options": {"preset": "twilight"}});
        let error = JobInput::read(JobType::ImageEnhance, &stored).unwrap_err().to_string();
        assert!(error.starts_with("the stored input is not a request: unknown variant `twilight`"), "{error}");
    }
}
