//! Requests that make media for a whole listing: which jobs they become.

use std::collections::BTreeSet;

use aerie_domain::listing::{MAX_PHOTOS, PHOTO_ID, is_photo_id};
use aerie_domain::{Fields, JobInput, JobType, Listing, ListingPhoto, PhotoId, ValidationError};
use aerie_engine_api::kinds::drone_footage::{DroneFootageOptions, DroneFootageRequest};
use aerie_engine_api::kinds::image_enhance::{ImageEnhanceOptions, ImageEnhanceRequest};
use aerie_engine_api::kinds::video_clip::{VideoClipOptions, VideoClipRequest};
use aerie_engine_api::kinds::virtual_staging::{VirtualStagingOptions, VirtualStagingRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// `POST /v1/listings/{listingId}/generate`, as it is documented. At least one of `enhance`, `stage`, `flight` and `clip` is there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ListingGenerateRequest)]
pub(crate) struct GenerateBody {
    /// Identifiers of the photos to enhance and to stage. Defaults to all photos of the listing.
    #[schema(min_items = 1, max_items = 100)]
    pub(crate) photos: Option<Vec<PhotoId>>,
    /// Enhances each photo. The photos get a common white balance and exposure as far as each allows.
    pub(crate) enhance: Option<Choice<EnhanceTask>>,
    /// Stages each photo that has `room_type` and `"empty": true`, all in one style and with one seed. `style_prompt` defaults to that
    /// of the listing.
    pub(crate) stage: Option<Choice<StageTask>>,
    /// Makes drone footage of the listing's address.
    pub(crate) flight: Option<Choice<FlightTask>>,
    /// Makes a clip from one photo.
    pub(crate) clip: Option<Choice<ClipTask>>,
}

/// `true`, or the details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Choice<T> {
    /// Whether to do it, with default options.
    Plain(bool),
    /// How to do it.
    Detailed(T),
}

/// How to enhance the photos.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct EnhanceTask {
    /// As for an image enhancement. `exposures` needs `photos` to select one photo.
    pub(crate) options: Option<ImageEnhanceOptions>,
}

/// How to stage the photos.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct StageTask {
    /// As for a virtual staging. Those that describe one photo, such as `floor_polygon`, need `photos` to select it.
    pub(crate) options: Option<VirtualStagingOptions>,
}

/// How to film the property.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct FlightTask {
    /// As for drone footage.
    pub(crate) options: Option<DroneFootageOptions>,
}

/// How to make the clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ClipTask {
    /// Identifier of the photo. Defaults to the first of the selected photos.
    pub(crate) photo_id: Option<PhotoId>,
    /// As for a video clip.
    pub(crate) options: Option<VideoClipOptions>,
}

/// A request for media of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GenerateRequest {
    photos: Option<Vec<String>>,
    enhance: Option<ImageEnhanceOptions>,
    stage: Option<VirtualStagingOptions>,
    flight: Option<DroneFootageOptions>,
    clip: Option<Clip>,
}

/// The clip to make.
#[derive(Debug, Clone, Default, PartialEq)]
struct Clip {
    options: VideoClipOptions,
    photo_id: Option<String>,
}

/// A job that a request becomes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlannedJob {
    /// The photo that it is made from.
    pub(crate) photo_id: Option<String>,
    /// Its request.
    pub(crate) input: JobInput,
}

/// Why a request cannot become jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanRefusal {
    /// The photo that is the reason, if one is.
    pub(crate) photo_id: Option<String>,
    /// The reason.
    pub(crate) error: ValidationError,
}

impl GenerateRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid, or nothing is to be made.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let photos = fields.formed_list("photos", 1..=MAX_PHOTOS, is_photo_id, PHOTO_ID)?;
        let request = Self {
            photos: photos.map(|photos| photos.into_iter().map(str::to_owned).collect()),
            enhance: task(&fields, "enhance", options(ImageEnhanceOptions::read))?,
            stage: task(&fields, "stage", options(VirtualStagingOptions::read))?,
            flight: task(&fields, "flight", options(DroneFootageOptions::read))?,
            clip: task(&fields, "clip", |own| {
                let options = own.options(VideoClipOptions::read)?.unwrap_or_default();
                let photo_id = own.formed("photo_id", is_photo_id, PHOTO_ID)?.map(str::to_owned);
                Ok(Clip { options, photo_id })
            })?,
        };
        if request.kinds().next().is_none() {
            return Err(ValidationError::new(
                "",
                "At least one of `enhance`, `stage`, `flight` and `clip` is required",
            ));
        }
        Ok(request)
    }

    /// The kinds of jobs that it asks for.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = JobType> + '_ {
        let tasks = [
            (JobType::ImageEnhance, self.enhance.is_some()),
            (JobType::VirtualStaging, self.stage.is_some()),
            (JobType::DroneFootage, self.flight.is_some()),
            (JobType::VideoClip, self.clip.is_some()),
        ];
        tasks.into_iter().filter_map(|(kind, is_wanted)| is_wanted.then_some(kind))
    }

    /// The jobs that it becomes for a listing: those of each photo in the order of the listing, then the flight and the clip.
    ///
    /// # Errors
    /// Every reason why it cannot.
    pub(crate) fn plan(&self, listing: &Listing) -> Result<Vec<PlannedJob>, Vec<PlanRefusal>> {
        let mut refusals = self.unknown_photos(listing);
        let selected: Vec<&ListingPhoto> = listing
            .photos
            .iter()
            .filter(|photo| self.photos.as_ref().is_none_or(|ids| ids.iter().any(|id| id == photo.id())))
            .collect();
        let mut refuse = |name: &str, why: &str| {
            refusals.push(PlanRefusal { photo_id: None, error: ValidationError::new(name, why) });
        };
        if listing.photos.is_empty() {
            let of_photos =
                [("enhance", self.enhance.is_some()), ("stage", self.stage.is_some()), ("clip", self.clip.is_some())];
            for (name, _) in of_photos.into_iter().filter(|(_, is_wanted)| *is_wanted) {
                refuse(name, "needs photos, and the listing has none: add some with PATCH");
            }
        }
        let describes_one = "describes one photo: select that photo alone with `photos`";
        if let Some(options) = &self.enhance
            && selected.len() > 1
            && options.exposures.is_some()
        {
            refuse("enhance.options.exposures", describes_one);
        }
        let stageable = selected.iter().filter(|photo| photo.is_stageable()).count();
        if let Some(options) = &self.stage {
            if stageable == 0 && !selected.is_empty() {
                refuse("stage", "needs a selected photo with `room_type` and `\"empty\": true`");
            }
            if let Some(name) = of_one_photo(options).filter(|_| stageable > 1) {
                refuse(&format!("stage.options.{name}"), describes_one);
            }
        }
        if self.flight.is_some() && listing.address.is_none() {
            refuse("flight", "needs the `address` of the listing: add it with PATCH");
        }
        let clip_photo = self.clip.as_ref().and_then(|clip| match &clip.photo_id {
            Some(id) => listing.photos.iter().find(|photo| photo.id() == id),
            None => selected.first().copied(),
        });
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let mut jobs = Vec::new();
        let mut plan = |photo: Option<&ListingPhoto>, input| {
            jobs.push(PlannedJob { photo_id: photo.map(|photo| photo.id().to_owned()), input });
        };
        for photo in selected {
            if let Some(options) = &self.enhance {
                plan(Some(photo), enhancement(options, listing, photo));
            }
            if let (Some(options), Some(room_type), true) = (&self.stage, &photo.room_type, photo.is_stageable()) {
                plan(Some(photo), staging(options, listing, photo, room_type));
            }
        }
        if let (Some(options), Some(address)) = (&self.flight, &listing.address) {
            let (address, options) = (address.clone(), unless_default(options));
            plan(None, JobInput::DroneFootage(DroneFootageRequest { address, options, preview: false }));
        }
        if let (Some(clip), Some(photo)) = (&self.clip, clip_photo) {
            let (image_url, options) = (photo.image_url.clone(), unless_default(&clip.options));
            plan(Some(photo), JobInput::VideoClip(VideoClipRequest { image_url, options }));
        }
        Ok(jobs)
    }

    fn unknown_photos(&self, listing: &Listing) -> Vec<PlanRefusal> {
        let known: BTreeSet<&str> = listing.photos.iter().map(ListingPhoto::id).collect();
        let selected = self.photos.iter().flatten().enumerate().map(|(at, id)| (format!("photos[{at}]"), id));
        let of_clip = self.clip.iter().filter_map(|clip| clip.photo_id.as_ref());
        let named = selected.chain(of_clip.map(|id| ("clip.photo_id".to_owned(), id)));
        let unknown = named.filter(|(_, id)| !known.contains(id.as_str()));
        let refusal = |(path, id): (String, &String)| PlanRefusal {
            photo_id: Some(id.clone()),
            error: ValidationError::new(path, "names no photo of the listing"),
        };
        unknown.map(refusal).collect()
    }
}

/// The first option of a staging that describes one photo.
fn of_one_photo(options: &VirtualStagingOptions) -> Option<&'static str> {
    let of_one = [
        ("floor_polygon", options.floor_polygon.is_some()),
        ("room_corners", options.room_corners.is_some()),
        ("known_length", options.known_length.is_some()),
        ("arrangement", options.arrangement.is_some()),
        ("room_id", options.room_id.is_some()),
        ("first_view_url", options.first_view_url.is_some()),
    ];
    of_one.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}

/// Reads a task, if it is asked for.
fn task<'a, T: Default>(
    fields: &Fields<'a>,
    name: &str,
    read: impl FnOnce(&Fields<'a>) -> Result<T, ValidationError>,
) -> Result<Option<T>, ValidationError> {
    match fields.value(name) {
        None | Some(Value::Bool(false)) => Ok(None),
        Some(Value::Bool(true)) => Ok(Some(T::default())),
        Some(Value::Object(_)) => fields.object(name)?.as_ref().map(read).transpose(),
        Some(_) => Err(fields.wrong(name, "must be true, false or an object with `options`")),
    }
}

/// Reads a task that has only options.
fn options<'a, T: Default>(
    read: impl FnOnce(&Fields<'a>) -> Result<T, ValidationError>,
) -> impl FnOnce(&Fields<'a>) -> Result<T, ValidationError> {
    |own| own.options(read).map(Option::unwrap_or_default)
}

fn enhancement(options: &ImageEnhanceOptions, listing: &Listing, photo: &ListingPhoto) -> JobInput {
    let mut options = options.clone();
    options.listing_id.get_or_insert_with(|| listing.id.to_string());
    options.mls.get_or_insert(true);
    JobInput::ImageEnhance(ImageEnhanceRequest { image_url: photo.image_url.clone(), options: Some(options) })
}

fn staging(options: &VirtualStagingOptions, listing: &Listing, photo: &ListingPhoto, room_type: &str) -> JobInput {
    let mut options = options.clone();
    options.style_prompt = options.style_prompt.or_else(|| listing.style_prompt.clone());
    // The client says so of the photo.
    options.room_is_empty.get_or_insert(true);
    options.mls.get_or_insert(true);
    let (image_url, room_type) = (photo.image_url.clone(), room_type.to_owned());
    JobInput::VirtualStaging(VirtualStagingRequest { image_url, room_type, options: Some(options) })
}

/// Options of a request, which has none rather than empty ones.
fn unless_default<T: Clone + Default + PartialEq>(options: &T) -> Option<T> {
    (*options != T::default()).then(|| options.clone())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use aerie_domain::{ListingId, ListingRequest, OrgId};

    fn listing(body: &Value) -> Listing {
        let ListingRequest { reference, address, style_prompt, photos } = ListingRequest::from_body(body).unwrap();
        let (id, now) = (ListingId(uuid::Uuid::nil()), Timestamp::UNIX_EPOCH);
        let org_id = OrgId(uuid::Uuid::nil());
        Listing { id, org_id, reference, address, style_prompt, photos, created_at: now, updated_at: now }
    }

    fn three_photos() -> Listing {
        listing(&json!({
            "address": "1 Main St", "style_prompt": "light oak",
            "photos": [
                {"id": "front", "image_url": "https://a/front.jpg"},
                {"id": "kitchen", "image_url": "https://a/kitchen.jpg", "room_type": "kitchen"},
                {"id": "bed", "image_url": "https://a/bed.jpg", "room_type": "bedroom", "empty": true},
            ],
        }))
    }

    fn plan(body: &Value, listing: &Listing) -> Vec<(String, Option<String>, Value)> {
        let jobs = GenerateRequest::from_body(body).unwrap().plan(listing).unwrap();
        jobs.into_iter().map(|job| (job.input.job_type().to_string(), job.photo_id, job.input.to_stored())).collect()
    }

    fn refused(body: &Value, listing: &Listing) -> Vec<String> {
        let refusals = GenerateRequest::from_body(body).unwrap().plan(listing).unwrap_err();
        refusals.into_iter().map(|refusal| refusal.error.to_string()).collect()
    }

    #[test]
    fn every_photo_is_enhanced_and_the_empty_room_is_staged_in_the_style_of_the_listing() {
        let jobs = plan(&json!({"enhance": {"options": {"preset": "warm"}}, "stage": true}), &three_photos());
        let names: Vec<_> = jobs.iter().map(|(kind, photo, _)| (kind.as_str(), photo.as_deref().unwrap())).collect();
        let enhance = "image_enhance";
        assert_eq!(names, [(enhance, "front"), (enhance, "kitchen"), (enhance, "bed"), ("virtual_staging", "bed")]);
        let listing_id = "00000000-0000-0000-0000-000000000000";
        let expected = json!({
            "image_url": "https://a/front.jpg", "options": {"preset": "warm", "listing_id": listing_id, "mls": true},
        });
        assert_eq!(jobs[0].2, expected);
        let options = json!({"style_prompt": "light oak", "room_is_empty": true, "mls": true});
        assert_eq!(jobs[3].2, json!({"image_url": "https://a/bed.jpg", "room_type": "bedroom", "options": options}));
        let own =
            plan(&json!({"stage": {"options": {"style_prompt": "loft", "seed": 7, "mls": false}}}), &three_photos());
        assert_eq!(
            own[0].2["options"],
            json!({"style_prompt": "loft", "seed": 7, "room_is_empty": true, "mls": false})
        );
    }

    #[test]
    fn every_input_is_one_that_its_kind_reads_unchanged() {
        let body = json!({"enhance": true, "stage": true, "flight": {"options": {"direction": "south"}}, "clip": {"photo_id": "kitchen"}});
        let jobs = GenerateRequest::from_body(&body).unwrap().plan(&three_photos()).unwrap();
        assert_eq!(jobs.len(), 6);
        for job in jobs {
            assert_eq!(JobInput::from_body(job.input.job_type(), &job.input.to_stored()), Ok(job.input));
        }
    }

    #[test]
    fn photos_are_selected_and_a_clip_is_of_the_first_selected_one_or_any() {
        let ids = |body: &Value| -> Vec<Option<String>> {
            plan(body, &three_photos()).into_iter().map(|(_, photo, _)| photo).collect()
        };
        let some = |id: &str| Some(id.to_owned());
        assert_eq!(ids(&json!({"photos": ["bed", "kitchen"], "enhance": true})), [some("kitchen"), some("bed")]);
        assert_eq!(ids(&json!({"photos": ["bed"], "clip": true})), [some("bed")]);
        assert_eq!(ids(&json!({"photos": ["bed"], "clip": {"photo_id": "front"}})), [some("front")]);
        assert_eq!(plan(&json!({"flight": true}), &three_photos())[0].2, json!({"address": "1 Main St"}));
    }

    #[test]
    fn every_reason_against_a_request_is_returned() {
        let bare = listing(&json!({"photos": [{"id": "a", "image_url": "https://a/1"}]}));
        let all = json!({"photos": ["a", "b"], "stage": true, "flight": true, "clip": {"photo_id": "c"}});
        let reasons = [
            "`photos[1]` names no photo of the listing",
            "`clip.photo_id` names no photo of the listing",
            "`stage` needs a selected photo with `room_type` and `\"empty\": true`",
            "`flight` needs the `address` of the listing: add it with PATCH",
        ];
        assert_eq!(refused(&all, &bare), reasons);
        let none = refused(&json!({"enhance": true, "stage": true, "clip": true}), &listing(&json!({})));
        assert!(none.len() == 3 && none.iter().all(|reason| reason.contains("needs photos")), "{none:?}");
        let mut two = three_photos();
        two.photos[1].empty = true;
        let of_one = json!({"stage": {"options": {"room_id": "x"}}});
        assert!(refused(&of_one, &two)[0].starts_with("`stage.options.room_id` describes one photo"));
        assert_eq!(plan(&json!({"photos": ["bed"], "stage": {"options": {"room_id": "x"}}}), &two).len(), 1);
    }

    #[test]
    fn a_wrong_option_is_named_by_its_path_and_nothing_to_do_is_refused() {
        let wrong = |body: Value| GenerateRequest::from_body(&body).unwrap_err().to_string();
        let message = wrong(json!({"enhance": {"options": {"format": "gif"}}}));
        assert_eq!(message, "`enhance.options.format` must be one of jpeg, png, webp");
        assert!(
            wrong(json!({"clip": {"options": {"duration": 1}}}))
                .starts_with("`clip.options.duration` must be an integer")
        );
        assert_eq!(wrong(json!({"stage": {"options": 1}})), "`stage.options` must be an object");
        assert_eq!(wrong(json!({"flight": 1})), "`flight` must be true, false or an object with `options`");
        assert!(wrong(json!({"clip": {"photo_id": "a b"}})).starts_with("`clip.photo_id` must be 1 to 64 letters"));
        assert!(wrong(json!({"photos": ["a b"], "clip": true})).starts_with("`photos[0]` must be 1 to 64 letters"));
        assert_eq!(wrong(json!({"photos": [], "clip": true})), "`photos` must be an array of 1 to 100 strings");
        assert!(wrong(json!({"enhance": false, "photos": ["a"]})).starts_with("At least one of `enhance`"));
    }
}
