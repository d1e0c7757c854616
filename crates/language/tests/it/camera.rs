//! Camera prompts as people write them, and the share of them that is read rightly.

use std::collections::BTreeSet;

use aerie_language::camera::{CameraMove, CameraPrompt, Refusal};
use aerie_test_data::prompts::{Part, Reasons, Score, assert_read, assert_reasons_order_nothing};

/// Lines of "phrase = meanings"; "~" marks phrases that were kept aside while the rules were written.
const PROMPTS: &str = include_str!("camera.txt");

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

#[test]
fn a_move_that_shall_not_be_made_is_never_made() {
    let moves = [
        ("push in", "pushing in", "push_in"),
        ("zoom in", "zooming in", "push_in"),
        ("pull back", "pulling back", "pull_out"),
        ("pan", "panning", "pan_right"),
        ("tilt up", "tilting up", "tilt_up"),
        ("rise", "rising", "rise"),
        ("orbit", "orbiting", "orbit_right"),
    ];
    let before =
        ["don't", "the camera should not", "the camera won't", "no need to", "slide left, but never", "avoid:"];
    let beside = ["without {}", "instead of {}, slide left", "slide left rather than {}", "stop {}"];
    for (order, doing, meaning) in moves {
        let orders = before.map(|no| format!("{no} {order}"));
        for prompt in orders.into_iter().chain(beside.map(|frame| frame.replace("{}", doing))) {
            assert!(!meanings(&prompt).contains(meaning), "{prompt}: {:?}", meanings(&prompt));
        }
    }
}

#[test]
fn a_reason_never_turns_a_negation_into_an_order() {
    let sides: &[&str] = &["push_in", "pull_out", "pan_left", "pan_right", "slide_left", "slide_right", "orbit_left"];
    let cases: [Reasons<'_>; 4] = [
        (
            &["please do not pan left", "don't slide to the left", "no pan to the left", "never orbit left"],
            &[
                "the left side is ugly",
                "the neighbour's fence is on the left",
                "that left corner was damaged",
                "panning left makes my clients sick",
                "the portal rejects pans",
                "because the left is a mess",
                "there is nothing on the left",
                "on the left it is dark",
            ],
            sides,
        ),
        (
            &["don't zoom in", "no push in", "do not move closer"],
            &[
                "the close side of the sofa is worn",
                "the portal rejects zooms",
                "zooming makes people dizzy",
                "our clients hate zooms",
                "the photo is too soft up close",
                "the front is dirty",
            ],
            sides,
        ),
        (
            &["don't tilt up", "please do not look up", "no tilting up"],
            &["the ceiling is damaged", "up there is a stain", "the upper part is blown out", "buyers dislike tilts"],
            &["tilt_up", "tilt_down", "rise"],
        ),
        (
            &["locked-off camera", "static shot", "hold still"],
            &[
                "the portal rejects moving ones",
                "panning makes people seasick",
                "our clients hate zooms",
                "the left side is ugly",
            ],
            sides,
        ),
    ];
    let sentences = ["ORDER, REASON", "ORDER. REASON", "REASON, ORDER"];
    assert_reasons_order_nothing(&cases, &sentences, meanings);
}

#[test]
fn a_negation_holds_for_all_that_is_listed_after_it() {
    assert_read(
        &[
            ("don't pan left, tilt up or zoom in", "no_pan_left no_push_in no_tilt_up"),
            ("no pan, tilt or zoom", "no_pan_right no_push_in no_tilt_up"),
            ("slide left without zooming, panning or tilting", "slide_left"),
            ("nicht schwenken, neigen oder zoomen", "no_pan_right no_push_in no_tilt_up"),
            ("don't zoom in, just pan left or right", "pan_left pan_right"),
            ("don't zoom in, it is better to pan left", "pan_left"),
            ("don't zoom in. The camera is moving to the left", "slide_left"),
            ("don't zoom in, pan left and tilt up", "pan_left tilt_up"),
            ("no zoom, up along the facade", "rise"),
            ("the kitchen is on the left, pan right", "pan_right"),
        ],
        meanings,
    );
}

#[test]
fn an_instrument_that_is_named_for_a_move_adds_none() {
    assert_read(
        &[
            ("descend with a crane", "descend"),
            ("descend on a crane", "descend"),
            ("lower the camera with a jib arm", "descend"),
            ("orbit left with a drone", "orbit_left"),
            ("pan left with a slider", "pan_left"),
            ("mit dem Kran absenken", "descend"),
            ("crane up, then descend", "rise descend"),
            ("with a crane", "rise"),
            ("rise with a crane", "rise"),
        ],
        meanings,
    );
}

#[test]
fn a_manner_that_is_not_wanted_is_its_opposite_and_the_move_is_made() {
    assert_read(
        &[
            ("not too fast, pan right", "pan_right slow"),
            ("don't zoom in too quickly", "push_in slow"),
            ("less dramatic", "slow"),
            ("push in, but not slowly", "push_in"),
            ("nicht zu schnell nach links schwenken", "pan_left slow"),
            ("ohne Zoom nach rechts gleiten", "slide_right"),
            ("sin zoom, plano fijo", "hold"),
            ("rather pan than zoom", "pan_right"),
            ("pan from the bed on the left to the door on the right", "pan_right"),
            ("zoom is not wanted, slide left", "slide_left"),
            ("the camera should not move", "hold"),
            ("do nothing, keep it still", "hold"),
            ("the last one was too fast", "slow"),
            ("too slow, I fell asleep", "fast"),
            ("the orbit was nice, but go left this time", "orbit_left"),
            ("the pan was too fast", "slow"),
            ("too shaky", ""),
            ("don't move closer", "no_push_in"),
            ("don't move the camera", "hold"),
            ("sans mouvement de grue", "hold"),
            ("bloß nicht ranzoomen", "no_push_in"),
            ("ranfahren, aber nicht zu schnell", "push_in slow"),
        ],
        meanings,
    );
}

#[test]
fn common_phrases_are_recognized() {
    for (prompt, verbs) in [
        ("slow push in", vec![CameraMove::PushIn]),
        ("Slowly pushing in towards the window", vec![CameraMove::PushIn]),
        ("gentle pan left, then rise", vec![CameraMove::PanLeft, CameraMove::Rise]),
        ("The camera rises and slides to the right", vec![CameraMove::Rise, CameraMove::SlideRight]),
        ("dramatic orbit around the house", vec![CameraMove::OrbitRight]),
        ("pull-out", vec![CameraMove::PullOut]),
        ("fly through to the window", vec![CameraMove::FlyThrough]),
        ("cinematic reveal", vec![CameraMove::Reveal]),
        ("static shot", vec![CameraMove::Hold]),
    ] {
        let parsed = CameraPrompt::parse(Some(prompt));
        assert_eq!(parsed.verbs, verbs, "{prompt}: {parsed:?}");
        assert!(parsed.not_understood.is_empty(), "{prompt}: {parsed:?}");
    }
    assert!(CameraPrompt::parse(Some("slow push in")).strength < 1.0);
    assert!(CameraPrompt::parse(Some("dramatic push in")).strength > 1.0);
}

#[test]
fn unrecognized_and_refused_clauses_are_reported_and_change_nothing() {
    let parsed =
        CameraPrompt::parse(Some("Push in, add a swimming pool at sunset, handheld; purple monkey dishwasher"));
    assert_eq!(parsed.verbs, [CameraMove::PushIn]);
    let refused = [("add a swimming pool at sunset", Refusal::Add), ("handheld", Refusal::Shake)];
    assert_eq!(parsed.refused, refused.map(|(clause, why)| (clause.to_owned(), why)));
    assert_eq!(parsed.not_understood, ["purple monkey dishwasher"]);
    assert_eq!(CameraPrompt::parse(Some("the room")).not_understood, ["the room"]);
    assert_eq!(CameraPrompt::parse(None), CameraPrompt { strength: 1.0, ..CameraPrompt::default() });
}

#[test]
fn the_sign_of_a_move_is_as_it_was_written() {
    for (prompt, verb) in [
        ("slide from left to right", CameraMove::SlideRight),
        ("slide from right to left", CameraMove::SlideLeft),
        ("pan from right to left across the room", CameraMove::PanLeft),
        ("orbit clockwise", CameraMove::OrbitLeft),
        ("travel around the pool to the left", CameraMove::OrbitLeft),
        ("slow truck left, the camera moves sideways", CameraMove::SlideLeft),
        ("start wide and move closer", CameraMove::PushIn),
        ("start close, end wide", CameraMove::PullOut),
        ("crane down over the table", CameraMove::Descend),
        ("push in while zooming out", CameraMove::DollyZoom),
        ("Schwenk von rechts nach links", CameraMove::PanLeft),
    ] {
        assert_eq!(CameraPrompt::parse(Some(prompt)).verbs, [verb], "{prompt}");
    }
    let parsed = CameraPrompt::parse(Some("no zoom or pan, slide left"));
    assert_eq!(
        (parsed.verbs, parsed.avoided),
        (vec![CameraMove::SlideLeft], vec![CameraMove::PushIn, CameraMove::PanRight])
    );
}

#[test]
fn american_and_british_spellings_mean_the_same() {
    for (american, british) in
        [("push in toward the window", "push in towards the window"), ("orbit around it", "orbit round it")]
    {
        let [ours, theirs] = [american, british].map(|prompt| CameraPrompt::parse(Some(prompt)));
        assert_eq!((&ours.verbs, ours.strength), (&theirs.verbs, theirs.strength), "{american}");
        assert!(ours.not_understood.is_empty() && theirs.not_understood.is_empty(), "{american}");
    }
}
