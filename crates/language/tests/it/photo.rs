//! Prompts as people write them, and the share of them that is read rightly.

use std::collections::BTreeSet;

use aerie_language::photo::{Direction, PhotoPrompt, Property, Refusal};
use aerie_test_data::prompts::{Part, Reasons, Score, assert_read, assert_reasons_order_nothing};

/// Lines of "phrase = meanings"; "~" marks phrases that were kept aside while the rules were written.
const PROMPTS: &str = include_str!("photo.txt");

/// What a prompt asks for, as it is named in the list.
fn meanings(prompt: &str) -> BTreeSet<String> {
    let parsed = PhotoPrompt::parse(Some(prompt));
    let requests = parsed.requests.iter().map(|request| name(request.property, request.direction));
    let refused = parsed.refused.iter().map(|(_, refusal)| refused_name(*refusal));
    let unknown = parsed.not_understood.iter().map(|_| "unknown");
    requests.chain(refused).chain(unknown).map(str::to_owned).collect()
}

fn name(property: Property, direction: Direction) -> &'static str {
    let [more, less, keep] = match property {
        Property::Exposure => ["brighter", "darker", "keep_exposure"],
        Property::Warmth => ["warmer", "cooler", "keep_white"],
        Property::Contrast => ["contrast", "flatter", "keep_contrast"],
        Property::Color => ["vivid", "muted", "keep_color"],
        Property::Colors => ["vivid", "muted", "keep_color"],
        Property::Sharpness => ["sharper", "softer", "keep_sharp"],
        Property::Noise => ["denoise", "noisier", "keep_noise"],
        Property::Shadows => ["shadows", "deeper_shadows", "keep_shadows"],
        Property::Highlights => ["highlights", "brighter_highlights", "keep_highlights"],
        Property::WhiteBalance => ["white", "tinted", "keep_white"],
        Property::Upright => ["upright", "tilted", "keep_upright"],
        Property::Windows => ["windows", "no_windows", "keep_windows"],
        Property::Sky => ["sky", "no_sky", "keep_sky"],
        Property::Dusk => ["dusk", "no_dusk", "keep_dusk"],
        Property::Lawn => ["lawn", "no_lawn", "keep_lawn"],
        Property::Indoors => ["indoors"; 3],
        Property::Outdoors => ["outdoors"; 3],
        Property::Natural => ["natural"; 3],
        Property::Content => ["keep_objects"; 3],
        Property::Restraint => ["milder"; 3],
    };
    match direction {
        Direction::More => more,
        Direction::Less => less,
        Direction::Keep => keep,
    }
}

fn refused_name(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Remove => "refused:remove",
        Refusal::Add => "refused:add",
        Refusal::Conceal => "refused:conceal",
        Refusal::Enlarge => "refused:bigger",
        Refusal::Alter | Refusal::Season => "refused:alter",
        Refusal::Lights => "refused:lights",
        Refusal::TimeOfDay => "refused:night",
        Refusal::Dusk => "refused:dusk",
        Refusal::Style => "refused:style",
        Refusal::Frame => "refused:frame",
        Refusal::Blur => "refused:blur",
        Refusal::Resolution => "refused:enlarge",
        Refusal::Lens => "refused:lens",
        Refusal::Part => "refused:part",
    }
}

#[track_caller]
fn assert_read_rightly(part: Part) {
    let score = Score::of(PROMPTS, part, meanings);
    assert!(score.count > 100, "{} phrases", score.count);
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
fn what_shall_not_be_done_is_never_done() {
    let orders = [
        ("brighten", "brighter"),
        ("make it darker", "darker"),
        ("make it warmer", "warmer"),
        ("make it cooler", "cooler"),
        ("boost the colors", "vivid"),
        ("increase the contrast", "contrast"),
        ("straighten", "upright"),
        ("replace the sky", "sky"),
        ("turn it into dusk", "dusk"),
        ("green the lawn", "lawn"),
        ("remove the noise", "denoise"),
        ("lift the shadows", "shadows"),
    ];
    let before = [
        "don't",
        "please do not",
        "never",
        "no need to",
        "you shouldn't",
        "you must not",
        "it is not necessary to",
        "I would rather not",
        "sharpen, but don't",
    ];
    for (order, meaning) in orders {
        for no in before {
            let prompt = format!("{no} {order}");
            assert!(!meanings(&prompt).contains(meaning), "{prompt}: {:?}", meanings(&prompt));
        }
    }
}

#[test]
fn a_reason_never_turns_a_negation_into_an_order() {
    let cases: [Reasons<'_>; 7] = [
        (
            &["don't touch the sky", "please dont replace the sky", "no sky replacement", "leave the sky alone"],
            &[
                "those clouds are real",
                "the clouds are lovely",
                "that sky was there on the day",
                "the portal rejects fake skies",
                "our MLS forbids edited clouds",
                "buyers know the weather here",
                "I like the clouds",
                "the sky is not the problem",
                "because the clouds are real",
                "the overcast sky suits the house",
                "it is a cloudy region",
            ],
            &["sky"],
        ),
        (
            &["don't green the lawn", "do not touch the grass", "never change the lawn"],
            &[
                "the grass is artificial",
                "that lawn really is brown in summer",
                "the portal rejects painted grass",
                "the lawn looks dry because of the drought",
            ],
            &["lawn"],
        ),
        (
            &["don't straighten it", "please do not correct the verticals", "no perspective correction"],
            &[
                "the lines are slanted by design",
                "the walls really are crooked",
                "the tilt is what the client likes",
                "that building is leaning",
            ],
            &["upright"],
        ),
        (
            &["don't brighten it", "do not make it brighter", "never increase the exposure"],
            &[
                "the light is the mood of the place",
                "my client hates bright photos",
                "the room is dark in reality",
                "it was dark when we took it",
                "the brightness was chosen by the owner",
            ],
            &["brighter"],
        ),
        (
            &["don't make it warmer", "no warming please", "please don't warm it up"],
            &[
                "the walls are warm already",
                "the cold light is original",
                "it is a blue room",
                "the owner hates warm tones",
            ],
            &["warmer"],
        ),
        (
            &["don't lift the shadows", "leave the shadows as they are"],
            &[
                "the shadows are deep on purpose",
                "those dark corners are part of the look",
                "the dark areas were wanted",
            ],
            &["shadows"],
        ),
        (
            &["don't remove the noise", "no noise reduction"],
            &["the grain is intended", "that noise is film grain", "the editor likes grain"],
            &["denoise"],
        ),
    ];
    let sentences = [
        "ORDER, REASON",
        "ORDER. REASON",
        "ORDER - REASON",
        "ORDER because REASON",
        "ORDER REASON",
        "ORDER, and REASON",
        "REASON, ORDER",
    ];
    assert_reasons_order_nothing(&cases, &sentences, meanings);
}

#[test]
fn what_somebody_forbids_is_kept() {
    assert_read(
        &[
            ("the MLS forbids sky replacement", "keep_sky"),
            ("the MLS forbids retouched skies, so no sky replacement", "keep_sky"),
            ("our portal rejects fake grass, brighter please", "brighter keep_lawn"),
            ("my client hates the grey sky", "sky"),
        ],
        meanings,
    );
}

#[test]
fn a_negation_holds_for_all_that_is_listed_after_it() {
    assert_read(
        &[
            ("don't brighten it, warm it or sharpen it", "keep_exposure keep_sharp keep_white"),
            ("do not brighten, warm or sharpen", "keep_exposure keep_sharp keep_white"),
            (
                "without brightening the room, boosting the colors or straightening it",
                "keep_color keep_exposure keep_upright",
            ),
            (
                "never touch the sky, green the lawn, lift the shadows or sharpen it",
                "keep_lawn keep_shadows keep_sharp keep_sky",
            ),
            ("bitte nicht aufhellen, schärfen oder begradigen", "keep_exposure keep_sharp keep_upright"),
            ("don't brighten it, just warm it or sharpen it", "keep_exposure sharper warmer"),
            ("don't brighten it but warm it or sharpen it", "keep_exposure sharper warmer"),
            ("don't touch the sky. Warm it or sharpen it", "keep_sky sharper warmer"),
            ("don't touch the sky, warm it and sharpen it", "keep_sky sharper warmer"),
        ],
        meanings,
    );
}

#[test]
fn a_greeting_alone_is_reported_and_with_a_request_it_is_not() {
    assert_read(
        &[
            ("hello?", "unknown"),
            ("gracias y un saludo", "unknown"),
            ("Kind regards, Martha", "unknown"),
            ("hello, brighter please. Kind regards, Martha", "brighter"),
            ("hola, quita el coche, gracias", "refused:remove"),
            ("thanks!", "unknown"),
            ("", ""),
        ],
        meanings,
    );
}

#[test]
fn what_is_left_or_said_to_be_fine_is_kept_whatever_it_looks_like() {
    assert_read(
        &[
            ("leave the shadows dark", "keep_shadows"),
            ("leave the windows white", "keep_windows"),
            ("leave the tilt, it's intentional", "keep_upright"),
            ("the exposure is perfect, just warm it up", "keep_exposure warmer"),
            ("sky and lawn are fine as they are", "keep_lawn keep_sky"),
            ("Farben so lassen, aber heller", "brighter keep_color"),
            ("laissez le ciel gris", "keep_sky"),
            ("make sure the exposure is fine", "natural"),
            ("no contrast changes", "keep_contrast"),
            ("bitte nicht gerade rücken", "keep_upright"),
        ],
        meanings,
    );
}

#[test]
fn a_reason_asks_for_nothing_but_a_question_or_nonsense_is_reported() {
    assert_read(
        &[
            ("brighter, the neighbours are ugly", "brighter"),
            ("keep it true to life, buyers hate fake photos", "natural"),
            ("remove the bins, the car belongs to my sister", "refused:remove"),
            ("brighter, and the car should be gone", "brighter refused:remove"),
            ("brighter, when do I get the invoice?", "brighter unknown"),
            ("brighter, asdfgh", "brighter unknown"),
            ("the neighbours are ugly", "unknown"),
            ("purple monkey dishwasher", "unknown"),
        ],
        meanings,
    );
}

#[test]
fn what_the_photo_shall_not_become_is_never_asked_for() {
    let looks = [
        ("bright", "brighter"),
        ("dark", "darker"),
        ("moody", "darker"),
        ("warm", "warmer"),
        ("orange", "warmer"),
        ("cold", "cooler"),
        ("blue", "cooler"),
        ("vivid", "vivid"),
        ("flat", "flatter"),
        ("sharp", "sharper"),
    ];
    let frames = [
        "don't make it {}",
        "straighten without making it too {}",
        "straighten, but not too {}",
        "not so {}",
        "it should not look {}",
        "nothing too {}",
        "make sure it isn't {}",
        "I don't want it {}",
        "it's too {}",
    ];
    for (look, meaning) in looks {
        for frame in frames {
            let prompt = frame.replace("{}", look);
            assert!(!meanings(&prompt).contains(meaning), "{prompt}: {:?}", meanings(&prompt));
        }
    }
    assert_read(
        &[
            ("warmer, but without turning it orange", "milder warmer"),
            ("cooler but not blue", "cooler milder"),
            ("more contrast without making it too dark", "contrast milder"),
            ("the photo looks darker than in reality", "brighter"),
            ("gemütlicher wirken lassen", "warmer"),
            ("undo the yellow tone", "cooler"),
            ("get rid of the orange glow", "cooler"),
        ],
        meanings,
    );
}
