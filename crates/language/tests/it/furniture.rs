//! Style prompts.

use aerie_language::furniture::{Style, StylePrompt};

#[test]
fn a_prompt_is_read_word_by_word_and_unrecognized_words_are_reported() {
    let parsed = StylePrompt::parse(Some("Scandinavian, light oak and a sage accent, unicorns"));
    assert_eq!(parsed.style, Style::Scandinavian);
    assert_eq!(parsed.understood, ["scandinavian", "light oak", "sage"]);
    assert_eq!(parsed.not_understood, ["unicorns"]);
    assert_eq!(StylePrompt::parse(None).style, Style::Modern);
}

#[test]
fn what_is_denied_has_no_effect() {
    for prompt in ["boho, no red or blue", "boho without any red", "do not use red, boho"] {
        let parsed = StylePrompt::parse(Some(prompt));
        assert_eq!((parsed.style, parsed.changes.len()), (Style::Boho, 0), "{prompt}: {parsed:?}");
        assert!(parsed.not_understood.contains(&"red".to_owned()), "{prompt}: {parsed:?}");
    }
    assert_eq!(StylePrompt::parse(Some("no-frills industrial")).style, Style::Industrial);
}

#[test]
fn american_and_british_spellings_mean_the_same() {
    for (american, british) in
        [("gray", "grey"), ("cozy farmhouse", "cosy farmhouse"), ("colors of sage", "colours of sage")]
    {
        let [ours, theirs] = [american, british].map(|prompt| StylePrompt::parse(Some(prompt)));
        assert_eq!((ours.style, &ours.changes), (theirs.style, &theirs.changes), "{american}");
        assert_eq!((ours.not_understood.len(), theirs.not_understood.len()), (0, 0), "{american}");
    }
    assert_eq!(StylePrompt::parse(Some("grey")).understood, ["grey"]);
}
