//! From the output of a job to what is said about each of its files. The one place that knows what each kind of job does.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_engine_api::kinds::video_clip::{ClipGrade, VideoClipRequest};
use aerie_engine_api::{JobInput, layers};
use serde_json::{Map, Value};

use crate::statement::{Action, ActionName, Disclosure, Ingredient, Relationship, Statement};

/// IPTC digital source type of a picture that an algorithm drew, without learned content.
const ALGORITHMIC: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia";
/// IPTC digital source type of a photo with a generated part.
const COMPOSITE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic";
/// The field of a request that holds the photo, and its name for viewers.
const PHOTO: &str = "image_url";
/// Changes of `adjustments` that are geometry.
const GEOMETRY: [&str; 3] = ["upright_pitch", "upright_roll", "crop"];

/// A finished job.
#[derive(Debug, Clone, Copy)]
pub struct MadeJob<'a> {
    /// The request.
    pub input: &'a JobInput,
    /// `output`, without links.
    pub output: &'a Map<String, Value>,
    /// Where the pictures come from, for kinds without a `disclosure`.
    pub origin: Option<&'a Origin>,
    /// Copies of the pictures that it read, by field.
    pub pictures: &'a BTreeMap<String, PathBuf>,
}

/// Where pictures come from that show a place, rather than a photo.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// A description: what is measured, and what is inferred.
    pub text: String,
    /// IPTC digital source type, a URI.
    pub source_type: String,
    /// Credits of map data and imagery.
    pub attributions: Vec<String>,
    /// The pictures among those that it read which the files show.
    pub shown: Vec<Cow<'static, str>>,
}

/// A file that a job made.
#[derive(Debug, Clone, Copy)]
pub struct MadeFile<'a> {
    /// The field of `output` that links to it ("variations/0/image_url").
    pub field: &'a str,
    /// Its path.
    pub path: &'a Path,
}

/// Returns what is said about each file of a job, in the same order.
#[must_use]
pub fn statements(job: &MadeJob<'_>, files: &[MadeFile<'_>]) -> Vec<Statement> {
    files.iter().map(|file| statement(job, file)).collect()
}

fn statement(job: &MadeJob<'_>, file: &MadeFile<'_>) -> Statement {
    let name = file.field.rsplit('/').next().unwrap_or(file.field);
    let title = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (actions, ingredients) = match (job.input, name) {
        (_, "mask_url") => mask(job),
        (JobInput::ImageEnhance(_), _) => enhanced(job, name),
        (JobInput::VirtualStaging(_), _) => staged(job, file.field, name),
        (JobInput::VideoClip(request), _) => clip(job, request),
        (JobInput::DroneFootage(_) | JobInput::Markup(_) | JobInput::MarkupVideo(_), _) => place(job, name),
    };
    Statement { title, actions, ingredients, disclosure: disclosure(job, name) }
}

/// An enhanced photo: the original, and each group of its `adjustments`.
fn enhanced(job: &MadeJob<'_>, name: &str) -> (Vec<Action>, Vec<Ingredient>) {
    let mut actions = vec![opened(job)];
    let changes = job.output.get("adjustments").and_then(|report| report["changes"].as_array());
    let changes: Vec<&Value> = changes.into_iter().flatten().collect();
    let is_material = |change: &Value| change["material"].as_bool() == Some(true);
    let is_geometry = |change: &Value| change["name"].as_str().is_some_and(|name| GEOMETRY.contains(&name));
    let group = |which: &dyn Fn(&Value) -> bool| {
        let lines: Vec<String> = changes.iter().filter(|change| which(change)).map(|change| line(change)).collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    };
    let source_type = source_type(job);
    if let Some(text) = group(&|change| !is_material(change) && !is_geometry(change)) {
        actions.push(action(ActionName::ColorAdjustments, text));
    }
    if let Some(text) = group(&|change| !is_material(change) && is_geometry(change)) {
        actions.push(action(ActionName::Cropped, text));
    }
    if let Some(text) = group(&is_material) {
        actions.push(Action { source_type: source_type.clone(), ..action(ActionName::Edited, text) });
    }
    actions.extend(label(job));
    actions.extend(resized(job, name));
    if actions.len() == 1 {
        actions.push(action(ActionName::Transcoded, "encoded anew, without changes"));
    }
    // The whole is what the disclosure says, whichever action made it so.
    if let Some(last) = actions.iter_mut().rev().find(|action| action.name != ActionName::Opened) {
        last.source_type = source_type;
    }
    (actions, ingredients(job, PHOTO, Relationship::ParentOf))
}

/// A staged photo: the original, and the furniture that was added.
fn staged(job: &MadeJob<'_>, field: &str, name: &str) -> (Vec<Action>, Vec<Ingredient>) {
    // Each variation has its own furniture.
    let variation = field.strip_prefix("variations/").and_then(|rest| rest.split('/').next());
    let listed = variation
        .and_then(|at| Value::Object(job.output.clone()).pointer(&format!("/variations/{at}/furniture")).cloned())
        .or_else(|| job.output.get("furniture").cloned());
    let mut pieces: Vec<String> = Vec::new();
    for piece in listed.iter().filter_map(Value::as_array).flatten().filter_map(|piece| piece["piece"].as_str()) {
        if !pieces.iter().any(|known| known == piece) {
            pieces.push(piece.to_owned());
        }
    }
    let text = match pieces.is_empty() {
        true => "furniture and decoration added by computer".to_owned(),
        false => format!("furniture and decoration added by computer: {}", pieces.join(", ")),
    };
    let source_type = source_type(job).or_else(|| Some(COMPOSITE.to_owned()));
    let mut actions = vec![opened(job), Action { source_type, ..action(ActionName::Edited, text) }];
    actions.extend(label(job));
    actions.extend(resized(job, name));
    (actions, ingredients(job, PHOTO, Relationship::ParentOf))
}

/// How the file that a field links to was scaled, if it was or may have been.
fn resized(job: &MadeJob<'_>, name: &str) -> Option<Action> {
    let max_size = match job.input {
        JobInput::ImageEnhance(request) => request.options.as_ref().and_then(|options| options.max_size),
        _ => None,
    };
    let text = match (name, max_size) {
        ("thumbnail_url", _) => "a thumbnail".to_owned(),
        ("mls_url", _) if job.output.get("mls_width") != job.output.get("width") => {
            "the size for listing services".to_owned()
        }
        (_, Some(side)) => format!("a longer side of at most {side} pixels"),
        (_, None) => return None,
    };
    Some(action(ActionName::Resized, text))
}

/// The label in a photo, if one was requested.
fn label(job: &MadeJob<'_>) -> Option<Action> {
    let label = job.input.request().label()?;
    Some(action(ActionName::Drawing, format!("a strip at the bottom of the photo with the text \"{label}\"")))
}

/// A video that shows photos.
fn clip(job: &MadeJob<'_>, request: &VideoClipRequest) -> (Vec<Action>, Vec<Ingredient>) {
    let ingredients = ingredients(job, PHOTO, Relationship::ComponentOf);
    let shown = ingredients.iter().filter(|ingredient| ingredient.relationship == Relationship::ComponentOf);
    let shown: Vec<String> = shown.map(|ingredient| ingredient.id.clone()).collect();
    let mut actions =
        vec![Action { source_type: source_type(job), ..action(ActionName::Created, "a video of photos") }];
    if !shown.is_empty() {
        actions.push(Action { ingredients: shown, ..action(ActionName::Placed, "the photos that the video shows") });
    }
    let text = disclosed(job).unwrap_or_else(|| "the camera moves over the photo".to_owned());
    actions.push(action(ActionName::Edited, text));
    let options = request.options.as_ref();
    let grade = options.and_then(|options| options.grade);
    if let Some((name, _)) = ClipGrade::ALL.iter().find(|(_, known)| Some(*known) == grade) {
        actions.push(action(ActionName::ColorAdjustments, format!("color grade {name}")));
    }
    let mut further = request.further_photos().iter();
    if options.is_some_and(|options| options.caption.is_some()) || further.any(|photo| photo.caption.is_some()) {
        actions.push(action(ActionName::Drawing, "captions over the photos"));
    }
    (actions, ingredients)
}

/// A picture or video of a place, drawn from map data.
fn place(job: &MadeJob<'_>, name: &str) -> (Vec<Action>, Vec<Ingredient>) {
    let origin = job.origin.cloned().unwrap_or_default();
    let source_type = Some(origin.source_type).filter(|uri| !uri.is_empty()).unwrap_or_else(|| ALGORITHMIC.to_owned());
    let what = match name {
        "video_url" => "a video of the property and its surroundings",
        _ => "a picture of the property and its surroundings",
    };
    let mut actions = vec![Action { source_type: Some(source_type), ..action(ActionName::Created, what) }];
    let shown: Vec<Ingredient> = origin
        .shown
        .iter()
        .filter_map(|field| Some((field, job.pictures.get(&**field)?)))
        .map(|(field, path)| ingredient(field, path, Relationship::ComponentOf))
        .collect();
    if !shown.is_empty() {
        let ingredients = shown.iter().map(|ingredient| ingredient.id.clone()).collect();
        actions
            .push(Action { ingredients, ..action(ActionName::Placed, "the picture that the boundary was drawn on") });
    }
    if job.output.get("boundary_shown") == Some(&Value::Bool(true)) {
        actions.push(action(ActionName::Drawing, "the boundary of the property, as it was marked"));
    }
    if name == "enhanced_url" {
        actions.push(action(ActionName::ColorAdjustments, "tones adjusted"));
    }
    (actions, shown)
}

/// The mask of a staged photo.
fn mask(job: &MadeJob<'_>) -> (Vec<Action>, Vec<Ingredient>) {
    let text = "mask of what was added to the photo";
    let created = Action { source_type: Some(ALGORITHMIC.to_owned()), ..action(ActionName::Created, text) };
    (vec![created], ingredients(job, PHOTO, Relationship::InputTo))
}

/// The ingredients: the pictures named `shown`, at any depth, as `relationship` says, all others as inputs.
fn ingredients(job: &MadeJob<'_>, shown: &str, relationship: Relationship) -> Vec<Ingredient> {
    let is_layers = |field: &str| field.rsplit('/').next() == Some(layers::INPUT);
    let pictures = job.pictures.iter().filter(|(field, _)| !is_layers(field));
    let how = |field: &str| {
        let is_shown = match relationship {
            Relationship::ComponentOf => field.rsplit('/').next() == Some(shown),
            Relationship::ParentOf | Relationship::InputTo => field == shown,
        };
        if is_shown { relationship } else { Relationship::InputTo }
    };
    pictures.map(|(field, path)| ingredient(field, path, how(field))).collect()
}

fn ingredient(field: &str, path: &Path, relationship: Relationship) -> Ingredient {
    let title = if field == PHOTO { "original photo".to_owned() } else { field.replace('/', " ") };
    Ingredient { id: field.to_owned(), path: path.to_owned(), title, relationship }
}

/// The original photo as the parent.
fn opened(job: &MadeJob<'_>) -> Action {
    let ingredients = job.pictures.keys().filter(|field| *field == PHOTO).cloned().collect();
    Action { name: ActionName::Opened, description: None, source_type: None, ingredients }
}

fn action(name: ActionName, description: impl Into<String>) -> Action {
    Action { name, description: Some(description.into()), source_type: None, ingredients: Vec::new() }
}

/// A change of `adjustments`, such as "exposure +0.31 EV".
fn line(change: &Value) -> String {
    let text = |member: &str| change[member].as_str().unwrap_or_default().replace('_', " ");
    format!("{} {:+.2} {}", text("name"), change["amount"].as_f64().unwrap_or_default(), text("unit"))
}

/// The digital source type that the output discloses.
fn source_type(job: &MadeJob<'_>) -> Option<String> {
    let disclosed = job.output.get("disclosure").and_then(|disclosure| disclosure["digital_source_type"].as_str());
    disclosed.map(str::to_owned)
}

/// The text that the output discloses.
fn disclosed(job: &MadeJob<'_>) -> Option<String> {
    Some(job.output.get("disclosure")?["text"].as_str()?.to_owned())
}

fn disclosure(job: &MadeJob<'_>, name: &str) -> Option<Disclosure> {
    if name == "mask_url" {
        return None;
    }
    match (disclosed(job), job.origin) {
        (Some(text), _) => Some(Disclosure { text, attributions: Vec::new() }),
        (None, Some(origin)) => {
            Some(Disclosure { text: origin.text.clone(), attributions: origin.attributions.clone() })
        }
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use aerie_engine_api::JobType;
    use serde_json::json;

    use super::*;

    const ENHANCED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced";

    fn about(kind: JobType, output: &Value, origin: Option<&Origin>, fields: &[&str], file: &str) -> Statement {
        about_request(kind, &json!({}), output, (origin, fields), file)
    }

    fn about_request(
        kind: JobType,
        options: &Value,
        output: &Value,
        (origin, fields): (Option<&Origin>, &[&str]),
        file: &str,
    ) -> Statement {
        let pictures = fields.iter().map(|field| ((*field).to_owned(), PathBuf::from("in"))).collect();
        let output = output.as_object().unwrap();
        let body = json!({"image_url": "…", "room_type": "bedroom", "address": "…", "options": options});
        let input = JobInput::from_body(kind, &body).unwrap();
        let job = MadeJob { input: &input, output, origin, pictures: &pictures };
        statements(&job, &[MadeFile { field: file, path: Path::new("out/a.jpg") }]).remove(0)
    }

    fn names(statement: &Statement) -> Vec<ActionName> {
        statement.actions.iter().map(|action| action.name).collect()
    }

    #[test]
    fn an_enhanced_photo_names_its_changes_by_what_they_change() {
        let output = json!({
            "adjustments": {"changes": [
                {"name": "exposure", "amount": 0.31, "unit": "EV", "material": false},
                {"name": "crop", "amount": -0.02, "unit": "share of the area", "material": false},
                {"name": "sky", "amount": 0.3, "unit": "share of the picture replaced", "material": true},
            ]},
            "disclosure": {"text": "Digitally altered", "digital_source_type": COMPOSITE},
        });
        let statement = about(JobType::ImageEnhance, &output, None, &["image_url"], "image_url");
        let expected = [ActionName::Opened, ActionName::ColorAdjustments, ActionName::Cropped, ActionName::Edited];
        assert_eq!(names(&statement), expected);
        assert_eq!(statement.actions[1].description.as_deref(), Some("exposure +0.31 EV"));
        assert_eq!(statement.actions[1].source_type, None);
        assert_eq!(statement.actions[3].source_type.as_deref(), Some(COMPOSITE));
        assert_eq!(statement.ingredients[0].relationship, Relationship::ParentOf);
        assert_eq!(statement.disclosure.unwrap().text, "Digitally altered");
    }

    #[test]
    fn labels_captions_and_smaller_copies_are_named() {
        let output = json!({"width": 4000, "mls_width": 2048, "furniture": []});
        let names_of = |kind, options: &Value, output: &Value, file| {
            let statement = about_request(kind, options, output, (None, &["image_url"]), file);
            statement.actions[1..].iter().map(|action| action.name).collect::<Vec<_>>()
        };
        let labeled = json!({"label": "Virtually staged"});
        for (file, more) in
            [("image_url", &[][..]), ("mls_url", &[ActionName::Resized]), ("thumbnail_url", &[ActionName::Resized])]
        {
            let expected = [&[ActionName::Edited, ActionName::Drawing][..], more].concat();
            assert_eq!(names_of(JobType::VirtualStaging, &labeled, &output, file), expected, "{file}");
            let expected = [&[ActionName::Drawing][..], more].concat();
            assert_eq!(names_of(JobType::ImageEnhance, &labeled, &output, file), expected, "{file}");
        }
        let small = json!({"width": 1600, "mls_width": 1600});
        assert_eq!(names_of(JobType::ImageEnhance, &json!({}), &small, "mls_url"), [ActionName::Transcoded]);
        let scaled = json!({"max_size": 1024});
        assert_eq!(names_of(JobType::ImageEnhance, &scaled, &small, "image_url"), [ActionName::Resized]);
        let film = json!({"photos": [{"image_url": "…"}, {"image_url": "…", "caption": "Kitchen"}]});
        let expected = [ActionName::Placed, ActionName::Edited, ActionName::Drawing];
        assert_eq!(names_of(JobType::VideoClip, &film, &json!({}), "video_url"), expected);
    }

    #[test]
    fn each_variation_of_a_staged_photo_names_its_own_furniture() {
        let output = json!({
            "furniture": [{"piece": "sofa"}, {"piece": "sofa"}, {"piece": "rug"}],
            "variations": [{"furniture": [{"piece": "sofa"}]}, {"furniture": [{"piece": "bed"}]}],
            "disclosure": {"text": "staged", "digital_source_type": COMPOSITE},
        });
        let text = |file| {
            let statement = about(JobType::VirtualStaging, &output, None, &["image_url", "options/room"], file);
            assert_eq!(names(&statement), [ActionName::Opened, ActionName::Edited]);
            assert_eq!(statement.actions[0].ingredients, ["image_url"]);
            assert_eq!(statement.actions[1].source_type.as_deref(), Some(COMPOSITE));
            assert_eq!(statement.ingredients[1].relationship, Relationship::InputTo);
            statement.actions[1].description.clone().unwrap()
        };
        assert!(text("image_url").ends_with(": sofa, rug"));
        assert!(text("variations/1/image_url").ends_with(": bed"));
        let mask = about(JobType::VirtualStaging, &output, None, &["image_url"], "variations/1/mask_url");
        assert_eq!(names(&mask), [ActionName::Created]);
        assert_eq!(mask.disclosure, None);
    }

    #[test]
    fn a_clip_shows_its_photos_and_its_layers_are_no_ingredient() {
        let output = json!({"disclosure": {"text": "moves", "digital_source_type": ENHANCED}});
        let fields = ["image_url", "layers", "options/photos/0/image_url", "options/photos/0/layers"];
        let statement = about(JobType::VideoClip, &output, None, &fields, "video_url");
        assert_eq!(names(&statement), [ActionName::Created, ActionName::Placed, ActionName::Edited]);
        assert_eq!(statement.actions[0].source_type.as_deref(), Some(ENHANCED));
        assert_eq!(statement.actions[1].ingredients, ["image_url", "options/photos/0/image_url"]);
        assert_eq!(statement.ingredients.len(), 2);
    }

    #[test]
    fn a_flight_names_its_sources_and_the_picture_that_a_boundary_was_drawn_on() {
        let origin = Origin {
            text: "drawn from map data".to_owned(),
            source_type: ALGORITHMIC.to_owned(),
            attributions: vec!["© OpenStreetMap contributors".to_owned()],
            shown: Vec::new(),
        };
        let flight = about(JobType::DroneFootage, &json!({}), Some(&origin), &[], "video_url");
        assert_eq!(names(&flight), [ActionName::Created]);
        assert_eq!(flight.disclosure.unwrap().attributions, origin.attributions);
        let origin = Origin { shown: vec!["clean_image_url".into()], ..origin };
        let fields = ["annotated_image_url", "clean_image_url"];
        let video = about(JobType::MarkupVideo, &json!({"boundary_shown": true}), Some(&origin), &fields, "video_url");
        assert_eq!(names(&video), [ActionName::Created, ActionName::Placed, ActionName::Drawing]);
        assert_eq!(video.ingredients.len(), 1);
    }
}
