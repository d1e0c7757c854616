//! Options that prompts ask for.

use aerie_photo::prompt::{EnhanceOptions, Preset, Refusal};

fn read(prompt: &str) -> EnhanceOptions {
    EnhanceOptions::new(Preset::Natural, Some(prompt))
}

#[test]
fn clauses_are_recognized_with_words_of_degree() {
    let options = read("Please make it much brighter, and a bit warmer.");
    assert!((options.exposure - 0.33 * 1.75).abs() < 1e-6 && (options.warmth - 2.0).abs() < 1e-6, "{options:?}");
    assert_eq!(options.understood, ["Please make it much brighter", "a bit warmer"]);
    assert!(options.not_understood.is_empty());
}

#[test]
fn unrecognized_and_refused_clauses_are_reported_and_change_nothing() {
    let options = read("purple monkey dishwasher; Remove the bright car; remove the sky, paint the walls");
    assert_eq!(options.not_understood, ["purple monkey dishwasher"]);
    let refused = [
        ("Remove the bright car", Refusal::Remove),
        ("remove the sky", Refusal::Remove),
        ("paint the walls", Refusal::Alter),
    ];
    assert_eq!(options.refused, refused.map(|(clause, refusal)| (clause.to_owned(), refusal)));
    let nothing = EnhanceOptions { not_understood: Vec::new(), refused: Vec::new(), ..options };
    assert_eq!(nothing, EnhanceOptions::default());
}

#[test]
fn a_negated_phrase_leaves_that_property_alone() {
    let options = read("don't brighten, no sharpening, without HDR");
    assert!(options.keep_exposure && options.keep_shadows && options.keep_highlights);
    assert_eq!((options.exposure, options.sharpness), (0.0, 0.0));
    assert!(options.not_understood.is_empty(), "{options:?}");
}

#[test]
fn a_repeated_request_adds_nothing_and_a_restrained_one_is_halved() {
    assert_eq!(read("warm, cozy and inviting").warmth, 4.0);
    assert_eq!(read("much warmer, cozy").warmth, 7.0);
    assert_eq!(read("warmer, but not too much").warmth, 2.0);
    assert_eq!(
        read("warmer, brighter, just a little"),
        EnhanceOptions { exposure: 0.165, ..read("warmer, brighter, just a little") }
    );
}

#[test]
fn a_verb_holds_for_the_things_that_are_named_after_or_before_it() {
    let options = read("increase brightness, contrast and sharpness; remove the car and the tarpaulin");
    assert!(options.exposure > 0.0 && options.contrast > 1.0 && options.sharpness > 1.0, "{options:?}");
    assert_eq!(options.refused.len(), 2);
    let kept = read("sky and lawn should not be changed; don't sharpen or straighten");
    assert!(!kept.sky && !kept.lawn && !kept.upright && kept.sharpness == 0.0, "{kept:?}");
}

#[test]
fn all_color_is_kept_with_the_white_balance_and_saturation_alone_without_it() {
    let all = read("don't touch the colors");
    let saturation = read("leave the saturation as it is");
    assert!(all.keep_vibrance && all.keep_white, "{all:?}");
    assert!(saturation.keep_vibrance && !saturation.keep_white, "{saturation:?}");
}

#[test]
fn shadows_and_highlights_go_both_ways() {
    assert!(read("lift the shadows").shadows > 0.0 && read("deeper shadows").shadows < 0.0);
    assert!(read("recover the highlights").highlights > 0.0 && read("brighter highlights").highlights < 0.0);
}

#[test]
fn the_longest_phrase_wins() {
    assert_eq!(read("less warm").warmth, -4.0);
    assert_eq!(read("less bright").exposure, -0.33);
}

#[test]
fn british_and_american_spellings_mean_the_same() {
    for (british, american) in [
        ("more colour", "more color"),
        ("a bit less colour", "a bit less color"),
        ("no more colour", "no more color"),
        ("brighter colours", "brighter colors"),
        ("fix the white balance of the colours", "fix the white balance of the colors"),
        ("replace the dull grey sky", "replace the dull gray sky"),
        ("brighten the grey house", "brighten the gray house"),
        ("fix the colour cast", "fix the color cast"),
    ] {
        let without_quotes = |options: EnhanceOptions| {
            assert!(options.not_understood.is_empty(), "{options:?}");
            EnhanceOptions { understood: Vec::new(), requests: Vec::new(), ..options }
        };
        let (british, american) = (read(british), read(american));
        assert_ne!(british.understood, american.understood, "clauses are quoted as they were spelled");
        assert_eq!(without_quotes(british), without_quotes(american));
    }
}

#[test]
fn material_changes_are_made_only_on_request() {
    assert!(!EnhanceOptions::default().sky && !EnhanceOptions::default().lawn);
    let options = read("replace the grey sky, greener lawn, straight verticals, show the view");
    assert!(options.sky && options.lawn && options.asks_upright && options.windows > 0.5, "{options:?}");
    let kept = EnhanceOptions::new(Preset::BlueSky, Some("do not straighten, no sky replacement"));
    assert!(!kept.sky && !kept.upright && kept.not_understood.is_empty(), "{kept:?}");
}

#[test]
fn dusk_is_refused_with_a_way_out_and_may_be_excluded() {
    for prompt in ["turn day to dusk", "virtual twilight", "Dämmerung", "crépuscule", "atardecer"] {
        let refused = read(prompt).refused_requests();
        assert!(refused.len() == 1 && refused[0].reason.contains("taken at dusk"), "{prompt}: {refused:?}");
    }
    let excluded = read("no twilight, brighter");
    assert!(excluded.refused.is_empty() && excluded.not_understood.is_empty(), "{excluded:?}");
}
