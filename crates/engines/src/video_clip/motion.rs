//! Report of a clip: what the camera does, and what was added.

use aerie_clip::{Grade, Kind};
use aerie_photo::report::COMPOSITE;
use serde_json::{Value, json};

use super::alteration::Alteration;
use super::take::Take;

/// IPTC NewsCodes: a picture changed algorithmically, with nothing generated.
const DIGITAL_SOURCE_TYPE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced";

/// IPTC digital source type of a clip.
pub(super) fn source_type(is_altered: bool) -> &'static str {
    if is_altered { COMPOSITE } else { DIGITAL_SOURCE_TYPE }
}

/// Smaller moves are not reported.
const LEAST: f64 = 1e-4;

/// What a clip's output and metadata say about it.
pub(super) struct Report {
    pub(super) motion: Value,
    pub(super) disclosure: String,
}

/// Reports what the camera does: in meters in a room, otherwise in shares of the distance to the backdrop.
pub(super) fn report(take: &Take, alteration: Alteration) -> Report {
    let Take { model, course, wanted, photo, size, is_staged, .. } = take;
    let (photo, size, is_staged) = (*photo, *size, *is_staged);
    let (unit, length) = match (model.kind(), model.room) {
        (Kind::Room, Some((meters, _))) => ("m", meters),
        _ => ("of the distance", 1.0 / model.proxy.depth()),
    };
    // As seen in the clip: one that ends with the photo runs the path backward.
    let sign = if wanted.ends_in_photo { -1.0 } else { 1.0 };
    let m = &course.moves;
    let mut moves = Vec::new();
    for (amount, unit, [plus, minus]) in [
        (m.forward * length * sign, unit, ["push_in", "pull_out"]),
        (m.right * length * sign, unit, ["slide_right", "slide_left"]),
        (m.up * length * sign, unit, ["rise", "descend"]),
        (m.pan.to_degrees() * sign, "degrees", ["pan_right", "pan_left"]),
        (m.tilt.to_degrees() * sign, "degrees", ["tilt_up", "tilt_down"]),
        (m.orbit.to_degrees() * sign, "degrees", ["orbit_right", "orbit_left"]),
        (m.zoom * 100.0 * sign, "percent", ["zoom_in", "zoom_out"]),
        (course.closing * 100.0 * sign, "percent", ["lens_closes", "lens_opens"]),
        (m.light * 100.0 * sign, "percent", ["light_rises", "light_falls"]),
    ] {
        if amount.abs() > LEAST {
            let rounded = (amount.abs() * 1000.0).round() / 1000.0;
            moves.push(json!({"move": if amount > 0.0 { plus } else { minus }, "amount": rounded, "unit": unit}));
        }
    }
    let is_estimated = model.interior.as_ref().is_some_and(|interior| interior.is_estimated);
    let (geometry, about) = match model.kind() {
        Kind::Room if is_staged => {
            ("staged_room", "on the floor, ceiling and walls of the room, its virtual furniture as bodies before them")
        }
        Kind::Room if is_estimated && take.bodies.is_some() => {
            ("room", "on an estimate of the room's floor, ceiling and walls, with what stands on the floor before them")
        }
        Kind::Room if is_estimated => ("room", "on an estimate of the room's floor, ceiling and walls"),
        Kind::Room if take.bodies.is_some() => {
            ("room", "on the floor, ceiling and walls that the photo shows, with what stands on the floor before them")
        }
        Kind::Room => ("room", "on the floor, ceiling and walls that the photo shows"),
        Kind::Facades if model.trees() > 0 => (
            "facades",
            "on the façades of the house before the sky, with the trees that surely stand before it as layers",
        ),
        Kind::Facades => ("facades", "on the façades of the house, which stand before the sky"),
        Kind::Exterior if model.trees() > 0 => (
            "exterior",
            "on the ground and on upright planes where the ground ends, an estimate, with the plants that surely stand before them as \
             layers",
        ),
        Kind::Exterior => ("exterior", "on the ground and on upright planes where the ground ends, an estimate"),
        Kind::Flat => ("flat", "on a flat backdrop, because the photo does not reveal its depths"),
    };
    let mut limits = course.limits.clone();
    limits.extend(model.doubt.map(str::to_owned));
    if photo[0] * 2 < size[0] && photo[1] * 2 < size[1] {
        limits.push(format!("the photo has only {} x {} pixels and is enlarged", photo[0], photo[1]));
    }
    let asked: Vec<&str> = course.verbs.iter().map(|verb| verb.as_str()).collect();
    let motion = json!({
        "text": text(&moves),
        "moves": moves,
        "chosen": asked,
        "share": course.share,
        "displacement_percent": percent(take.motion.displacement),
        "parallax_percent": percent(take.motion.parallax),
        "geometry": geometry,
        "confidence": model.room.map(|(_, confidence)| (confidence * 1000.0).round() / 1000.0),
        "understood": wanted.prompt.understood,
        "refused": wanted.prompt.refused_requests(),
        "not_understood": wanted.prompt.not_understood,
        "limits": limits,
    });
    let of = if is_staged { "virtually staged photo" } else { "photo" };
    let edge = if wanted.ends_in_photo { "last" } else { "first" };
    let light = if m.light.abs() > LEAST { " The light rises slightly away from it." } else { "" };
    let photo = match take.grade {
        Some(grade) => {
            format!("the photo in the look \"{}\", which changes light and color of the whole clip", name(grade))
        }
        None => "the photo".to_owned(),
    };
    let before = match alteration {
        Alteration::Declared => " The photo says of itself that it shows things that were not there.",
        Alteration::Staged if !is_staged => " The photo was virtually staged: its furniture was added by computer.",
        Alteration::Staged | Alteration::Unaltered => "",
    };
    let nothing = if before.is_empty() { "Nothing" } else { "Nothing else" };
    let filled = match percent(take.synthesized) {
        share if is_staged => format!(
            "The furniture was added by computer, as in the photo; what comes into view behind it, at most {share} % of a frame, \
             is the photo of the room before it was furnished, or furniture that other pieces hid"
        ),
        0.0 => format!("{nothing} was added, removed or generated: 0 % of the picture is synthesized"),
        share => format!(
            "{nothing} was added or removed; what comes into view behind things, at most {share} % of a frame, was filled with \
             the colors round it"
        ),
    };
    let rest = if is_staged { "" } else { "; objects that were not flat are shown flat" };
    let disclosure = format!(
        "Camera motion made from one {of}, seen {about}. The {edge} frame is {photo}.{light}{before} {filled}{rest}."
    );
    Report { motion, disclosure }
}

/// In percent, to two decimal places.
pub(super) fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 100.0
}

fn name(grade: Grade) -> &'static str {
    match grade {
        Grade::Warm => "warm",
        Grade::Cool => "cool",
        Grade::Vivid => "vivid",
        Grade::Soft => "soft",
    }
}

fn text(moves: &[Value]) -> String {
    if moves.is_empty() {
        return "the camera stays".into();
    }
    let phrases = moves.iter().map(|m| {
        let name = m["move"].as_str().unwrap_or_default().replace('_', " ");
        format!("{name} {} {}", m["amount"], m["unit"].as_str().unwrap_or_default())
    });
    phrases.collect::<Vec<_>>().join(", ")
}
