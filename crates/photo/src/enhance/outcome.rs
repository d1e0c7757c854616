//! Requests that were understood but changed nothing, with the reason.

use crate::prompt::{Direction, EnhanceOptions, Property, Request};
use crate::setting::Scene;

use super::analysis::Analysis;
use super::strengths::Strengths;

/// Notes on the requests of a prompt that had no effect. Geometry, sky, lawn and time of day have notes of their own.
pub(crate) fn notes(options: &EnhanceOptions, analysis: &Analysis, strengths: &Strengths) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for request in &options.requests {
        if let Some(reason) = reason(request, options, analysis, strengths) {
            let note = format!("\"{}\" changed nothing: {reason}", request.clause);
            if notes.last() != Some(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

/// Why a request had no effect; `None` if it had one.
fn reason(
    request: &Request,
    options: &EnhanceOptions,
    analysis: &Analysis,
    strengths: &Strengths,
) -> Option<&'static str> {
    const OPPOSITE: &str = "another request asks for the opposite";
    const HARM: &str = "highlights, halos or noise would have become visible";
    const TINT: &str = "grays would have become tinted";
    let more = request.direction == Direction::More;
    if request.direction == Direction::Keep {
        return None;
    }
    let unless = |is_done: bool, reason| (!is_done).then_some(reason);
    // The sum of what the prompt asks for, and whether a change in its direction is left.
    let opposed = |sum: f32| ((sum > 0.0) != more || sum == 0.0).then_some(OPPOSITE);
    match request.property {
        Property::Exposure => opposed(options.exposure).or(unless(!more || strengths.exposure >= 0.02, HARM)),
        Property::Warmth => opposed(options.warmth).or(unless(strengths.shift >= 0.3, TINT)),
        Property::Contrast => opposed(options.contrast - 1.0).or(unless(!more || strengths.detail >= 1.02, HARM)),
        Property::Color => opposed(options.vibrance).or(unless(!more || strengths.vibrance >= 0.01, TINT)),
        Property::Sharpness => opposed(options.sharpness - 1.0).or(unless(!more || strengths.sharpening >= 0.02, HARM)),
        Property::Shadows => opposed(options.shadows).or(unless(!more || strengths.shadows >= 0.02, HARM)),
        Property::Highlights => opposed(options.highlights).or(unless(!more || strengths.highlights >= 0.02, HARM)),
        Property::Noise => unless(strengths.noise >= 0.01, "no noise was measured"),
        Property::WhiteBalance => {
            unless(strengths.shift >= 0.3 || strengths.whites >= 0.02, "the light of the photo is neutral already")
        }
        Property::Windows => unless(analysis.scene == Scene::Indoors, "the photo does not show a room"),
        Property::Restraint => unless(options.requests.len() > 1, "it restrains other requests, and there are none"),
        Property::Upright | Property::Sky | Property::Dusk | Property::Lawn => None,
        Property::Indoors | Property::Outdoors | Property::Natural | Property::Content | Property::Colors => None,
    }
}
