//! Report of a film: what the camera does in each photo, how one goes over into the next, and what was added.

use std::ops::Range;

use aerie_clip::CameraPrompt;
use aerie_engine_api::kinds::video_clip::VideoClipRequest;
use serde_json::{Map, Value, json};

use super::super::alteration::Alteration;
use super::super::motion;
use super::super::take::{RATE, Take};
use super::joins::{NOT_SHOWN, PlannedJoin};
use super::reel::Ways;
use super::timeline::{Join, Timeline};

/// Fields of a clip's motion that describe one photo.
const OF_A_PHOTO: [&str; 9] = [
    "text",
    "moves",
    "chosen",
    "share",
    "displacement_percent",
    "parallax_percent",
    "geometry",
    "confidence",
    "limits",
];

/// What is reported about a film, photo by photo.
pub(super) struct FilmReport {
    prompt: CameraPrompt,
    look: Option<String>,
    alterations: Vec<Alteration>,
    joins: Vec<PlannedJoin>,
    photos: Vec<Value>,
    synthesized: f64,
}

impl FilmReport {
    /// `alterations` are those of each photo.
    pub(super) fn of(request: &VideoClipRequest, alterations: &[Alteration], joins: &[PlannedJoin]) -> Self {
        let options = request.options.as_ref();
        let prompt = CameraPrompt::parse(options.and_then(|options| options.prompt.as_deref()));
        let grade = options.and_then(|options| options.grade);
        let look = serde_json::to_value(grade).ok().and_then(|grade| grade.as_str().map(str::to_owned));
        let (alterations, joins) = (alterations.to_vec(), joins.to_vec());
        Self { prompt, look, alterations, joins, photos: Vec::new(), synthesized: 0.0 }
    }

    /// Adds the next photo.
    pub(super) fn add(&mut self, take: &Take, caption: Option<&str>, frames: &Range<u32>) {
        let number = self.photos.len() + 1;
        let whole = motion::report(take, self.alterations[number - 1]).motion;
        let mut photo = Map::new();
        photo.insert("photo".into(), json!(number));
        photo.insert("caption".into(), json!(caption));
        photo.insert("starts_at".into(), seconds(frames.start));
        photo.insert("ends_at".into(), seconds(frames.end));
        photo.extend(OF_A_PHOTO.iter().map(|field| ((*field).to_owned(), whole[*field].clone())));
        self.photos.push(Value::Object(photo));
        self.synthesized = self.synthesized.max(take.synthesized);
    }

    /// What the film is made of, for its metadata.
    pub(super) fn summary(&self) -> String {
        let mut text = format!(
            "Silent film made from {} photos, in their order; only the camera moves, on what each photo shows, and cross-fades join \
             the photos. Where two photos show the same place, the camera may move from one to the other along the geometry that \
             they share, and every picture between is mixed from both.",
            self.alterations.len()
        );
        if let Some(look) = &self.look {
            text += &format!(" The look \"{look}\" changes light and color of the whole film.");
        }
        for (alteration, what) in [
            (Alteration::Staged, "Virtually staged, with furniture added by computer"),
            (Alteration::Declared, "Altered before, as their metadata say"),
        ] {
            let numbers = (1..).zip(&self.alterations).filter(|(_, is)| **is == alteration);
            let numbers: Vec<String> = numbers.map(|(number, _)| number.to_string()).collect();
            if !numbers.is_empty() {
                text += &format!(" {what}: photo {}.", numbers.join(", "));
            }
        }
        text
    }

    /// Which photos are joined along their geometry.
    fn ways(&self) -> String {
        let geometric = (1..).zip(&self.joins).filter(|(_, join)| matches!(join.join, Join::Geometric(_)));
        let geometric: Vec<String> = geometric.map(|(number, _)| format!("{number} to {}", number + 1)).collect();
        if geometric.is_empty() {
            String::new()
        } else {
            format!(" Joined along their geometry: photos {}.", geometric.join(", "))
        }
    }

    /// `motion` and `disclosure` of the finished film.
    pub(super) fn finished(mut self, timeline: &Timeline, ways: &Ways) -> (Value, Value) {
        for at in &ways.lost {
            let Some(join) = self.joins.get_mut(*at) else { continue };
            *join = PlannedJoin { join: Join::CrossFade, reason: Some(NOT_SHOWN), ..*join };
        }
        let is_altered = self.alterations.iter().any(|alteration| *alteration != Alteration::Unaltered);
        let synthesized = motion::percent(self.synthesized.max(ways.continued));
        let filled = match synthesized {
            0.0 if is_altered => {
                "Nothing else was added, removed or generated: 0 % of the picture is synthesized".to_owned()
            }
            0.0 => "Nothing was added, removed or generated: 0 % of the picture is synthesized".to_owned(),
            share => format!(
                "Nothing else was added or removed; what comes into view behind things or at an edge, at most {share} % of a frame, \
                 was filled with the colors round it"
            ),
        };
        let disclosure = json!({
            "text": format!("{}{} {filled}; objects that were not flat are shown flat.", self.summary(), self.ways()),
            "digital_source_type": motion::source_type(is_altered),
            "altered": is_altered,
            "staged": self.alterations.contains(&Alteration::Staged),
            "synthesized_percent": synthesized,
        });
        let joins: Vec<Value> = timeline
            .joins
            .iter()
            .zip(&self.joins)
            .enumerate()
            .map(|(at, ((_, frames), join))| {
                let is_geometric = matches!(join.join, Join::Geometric(_));
                json!({
                    "photos": [at + 1, at + 2],
                    "kind": if is_geometric { "geometric" } else { "cross_fade" },
                    "starts_at": seconds(frames.start),
                    "ends_at": seconds(frames.end),
                    "shared_points": join.matches,
                    "reason": join.reason,
                })
            })
            .collect();
        let texts = self.photos.iter().map(|photo| format!("photo {}: {}", photo["photo"], text(&photo["text"])));
        let limits = self.photos.iter().flat_map(|photo| {
            let limits = photo["limits"].as_array().into_iter().flatten();
            limits.map(|limit| format!("photo {}: {}", photo["photo"], text(limit)))
        });
        let motion = json!({
            "text": texts.collect::<Vec<_>>().join("; "),
            "limits": limits.collect::<Vec<_>>(),
            "photos": self.photos,
            "joins": joins,
            "understood": self.prompt.understood,
            "refused": self.prompt.refused_requests(),
            "not_understood": self.prompt.not_understood,
        });
        (motion, disclosure)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The time of a frame, seconds, to milliseconds.
fn seconds(frame: u32) -> Value {
    json!((f64::from(frame) / f64::from(RATE) * 1000.0).round() / 1000.0)
}
