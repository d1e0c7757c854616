//! Camera prompts as people write them, and the share of them that is read rightly.

use std::collections::BTreeSet;

use aerie_clip::CameraPrompt;
use aerie_clip::prompt::Refusal;
use aerie_test_data::prompts::{Part, Score};

/// Lines of "phrase = meanings"; "~" marks phrases that were kept aside while the rules were written.
const PROMPTS: &str = include_str!("prompts.txt");

/// What a prompt asks for, as it is named in the list.
fn meanings(prompt: &str) -> BTreeSet<String> {
    let parsed = CameraPrompt::parse(Some(prompt));
    let moves = parsed.verbs.iter().map(|verb| verb.as_str().to_owned());
    let avoided = parsed.avoided.iter().filter(|_| parsed.verbs.is_empty()).map(|verb| format!("no_{}", verb.as_str()));
    let refused = parsed.refused.iter().map(|(_, refusal)| format!("refused:{}", name(*refusal)));
    let unknown = parsed.not_understood.iter().map(|_| "unknown".to_owned());
    let manner = match parsed.strength {
        strength if strength < 0.95 => Some("slow"),
        strength if strength > 1.05 => Some("fast"),
        _ => None,
    };
    moves.chain(avoided).chain(refused).chain(unknown).chain(manner.map(str::to_owned)).collect()
}

fn name(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Shake => "shake",
        Refusal::Roll => "roll",
        Refusal::Focus => "focus",
        Refusal::Motion => "motion",
        Refusal::Add => "add",
        Refusal::Sound => "sound",
        Refusal::View => "view",
        Refusal::Grade => "grade",
        Refusal::Cut => "cut",
    }
}

#[track_caller]
fn assert_read_rightly(part: Part) {
    let score = Score::of(PROMPTS, part, meanings);
    assert!(score.count > 50, "{} phrases", score.count);
    assert!(score.share() >= 0.95, "{:.3}: {:#?}", score.share(), score.wrong);
}

#[test]
fn prompts_are_understood_or_refused_as_they_are_meant() {
    assert_read_rightly(Part::Tuned);
}

#[test]
fn prompts_that_no_rule_was_written_for_are_understood_or_refused_as_they_are_meant() {
    assert_read_rightly(Part::Aside);
}
