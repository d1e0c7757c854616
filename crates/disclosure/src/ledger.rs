//! What was done to a picture, in words.

use aerie_engine_api::JobType;
use serde_json::{Map, Value};

/// What a job did to its picture, one sentence or phrase for each step, from the job's `output`.
#[must_use]
pub fn ledger(kind: JobType, output: &Map<String, Value>) -> Vec<String> {
    match kind {
        JobType::ImageEnhance => enhancement(output),
        JobType::VirtualStaging => staging(output),
        _ => Vec::new(),
    }
}

fn enhancement(output: &Map<String, Value>) -> Vec<String> {
    let mut steps = Vec::new();
    if let Some(merged) = output.get("exposures").and_then(|report| report["merged"].as_u64()) {
        steps.push(format!("Merged {merged} exposures of one view."));
    }
    let adjustments = output.get("adjustments");
    let list = |name: &str| adjustments.and_then(|report| report[name].as_array()).into_iter().flatten();
    for change in list("changes") {
        let (Some(name), Some(amount)) = (change["name"].as_str(), change["amount"].as_f64()) else { continue };
        let unit = change["unit"].as_str().unwrap_or_default();
        let material = change["material"].as_bool().unwrap_or(false);
        let note = if material { " This changes what the photo depicts." } else { "" };
        let amount = format!("{amount:+.2} {unit}");
        steps.push(format!("{}: {}.{note}", sentence_case(name), amount.trim()));
    }
    steps.extend(list("stepped_back").filter_map(Value::as_str).map(|why| format!("Held back: {}", ended(why))));
    if steps.is_empty() {
        steps.push("Nothing was changed but the file format.".to_owned());
    }
    steps
}

fn staging(output: &Map<String, Value>) -> Vec<String> {
    let mut pieces: Vec<(&str, usize)> = Vec::new();
    for piece in output.get("furniture").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = piece["piece"].as_str() else { continue };
        match pieces.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => pieces.push((name, 1)),
        }
    }
    let mut steps: Vec<String> = pieces
        .iter()
        .map(|(name, count)| match count {
            1 => format!("Added by computer: {}.", name.replace('_', " ")),
            _ => format!("Added by computer: {} ({count} pieces).", name.replace('_', " ")),
        })
        .collect();
    steps.push("The room itself, its floor, walls, windows and view, was not changed.".to_owned());
    let doubts = output.get("doubts").and_then(Value::as_array).into_iter().flatten();
    steps.extend(doubts.filter_map(Value::as_str).map(|doubt| format!("Uncertain: {}", ended(doubt))));
    steps
}

fn sentence_case(name: &str) -> String {
    let name = name.replace('_', " ");
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The text with a period at its end.
fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps(kind: JobType, output: Value) -> Vec<String> {
        let Value::Object(output) = output else { panic!("an object") };
        ledger(kind, &output)
    }

    #[test]
    fn every_adjustment_is_named_with_its_amount_and_material_ones_as_such() {
        let output = json!({"exposures": {"merged": 3}, "adjustments": {
            "changes": [
                {"name": "exposure", "amount": 0.312, "unit": "EV", "material": false},
                {"name": "sky_replaced", "amount": 1.0, "unit": "", "material": true},
            ],
            "stepped_back": ["the window is clipped"],
        }});
        let expected = [
            "Merged 3 exposures of one view.",
            "Exposure: +0.31 EV.",
            "Sky replaced: +1.00. This changes what the photo depicts.",
            "Held back: the window is clipped.",
        ];
        assert_eq!(steps(JobType::ImageEnhance, output), expected);
        assert_eq!(steps(JobType::ImageEnhance, json!({})), ["Nothing was changed but the file format."]);
    }

    #[test]
    fn furniture_is_counted_by_kind() {
        let output =
            json!({"furniture": [{"piece": "sofa"}, {"piece": "floor_lamp"}, {"piece": "sofa"}], "doubts": ["scale"]});
        let listed = steps(JobType::VirtualStaging, output);
        assert_eq!(listed[..2], ["Added by computer: sofa (2 pieces).", "Added by computer: floor lamp."]);
        assert_eq!(listed[3], "Uncertain: scale.");
    }
}
