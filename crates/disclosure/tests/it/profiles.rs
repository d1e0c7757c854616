//! The profiles of the program and those of operators.

use aerie_disclosure::{BadProfile, Profile, Profiles, Use};
use aerie_engine_api::JobType;
use serde_json::{Map, Value, json};

const PAGE: &str = "https://media.example.com/t/code";

fn output(is_altered: bool) -> Map<String, Value> {
    let output = json!({"disclosure": {"text": "Furniture was added (sofa).", "altered": is_altered}});
    output.as_object().unwrap().clone()
}

fn caption(profile: &Profile, page: Option<&str>) -> Option<String> {
    profile.disclose(JobType::VirtualStaging, &output(true), page).caption
}

#[test]
fn six_profiles_are_built_in_and_those_with_rules_name_their_sources() {
    let profiles = Profiles::built_in();
    let names = "bay-east-mls, california-ab-723, metadata-only, none, san-diego-mls, uk-consumer-law";
    assert_eq!(profiles.names(), names);
    for profile in profiles.iter().filter(|profile| profile.name != "none") {
        assert!(!profile.sources.is_empty(), "{}", profile.name);
        for source in &profile.sources {
            assert!(source.url.starts_with("http") && source.seen.len() == 10 && source.says.len() > 20, "{source:?}");
        }
    }
}

/// The text of each profile beside the rule that it cites.
#[test]
fn the_texts_of_the_profiles_follow_the_rules_that_they_cite() {
    let profiles = Profiles::built_in();
    let of = |name: &str| profiles.get(name).unwrap();
    // "a statement disclosing that the image has been altered and a link ... language indicating that the unaltered images can be
    // accessed on the linked internet website"
    let california = of("california-ab-723");
    let text = caption(california, Some(PAGE)).unwrap();
    let expected = "Digitally altered image (virtually staged). The original, unaltered image can be accessed at ";
    assert_eq!(text, format!("{expected}{PAGE}"));
    assert_eq!(california.truth_page, Use::Required);
    assert!(california.disclose(JobType::VirtualStaging, &output(true), None).lacks_page);
    // "marked in a reasonably conspicuous manner"
    let bay_east = of("bay-east-mls");
    assert_eq!(bay_east.required_label(true), Some("Digitally altered: virtually staged"));
    assert_eq!(bay_east.required_label(false), Some("Digitally altered"));
    // "Include the label 'Digitally Altered' ... URL of the original image ... not permitted to watermark or embed"
    let san_diego = of("san-diego-mls");
    assert_eq!((san_diego.label.rule, san_diego.required_label(true)), (Use::Forbidden, None));
    assert_eq!(caption(san_diego, Some(PAGE)).unwrap(), format!("Digitally Altered. Original image: {PAGE}"));
    // "disclaimers in small print ... won't be effective": in the picture and beside it.
    let uk = of("uk-consumer-law");
    assert_eq!(uk.required_label(true), Some("Virtually staged image"));
    let text = caption(uk, None).unwrap();
    assert!(text.ends_with("not in the property. Furniture was added (sofa)."), "{text}");
    for name in ["metadata-only", "none"] {
        assert_eq!((caption(of(name), Some(PAGE)), of(name).has_page()), (None, false), "{name}");
    }
}

#[test]
fn a_clip_of_a_staged_photo_is_captioned_as_staged_and_one_of_another_altered_photo_as_altered() {
    let profiles = Profiles::built_in();
    let california = profiles.get("california-ab-723").unwrap();
    for (is_staged, expected) in
        [(true, "Digitally altered image (virtually staged)."), (false, "Digitally altered image.")]
    {
        let output = json!({"disclosure": {"text": "A clip.", "altered": true, "staged": is_staged}});
        let disclosed = california.disclose(JobType::VideoClip, output.as_object().unwrap(), None);
        assert_eq!((disclosed.caption.as_deref(), disclosed.lacks_page), (Some(expected), true));
    }
}

#[test]
fn nothing_is_disclosed_of_a_picture_that_was_not_altered() {
    for profile in Profiles::built_in().iter() {
        let disclosed = profile.disclose(JobType::ImageEnhance, &output(false), None);
        assert_eq!((disclosed.caption, disclosed.lacks_page, disclosed.file_suffix), (None, false, None));
    }
}

#[test]
fn an_operators_profile_is_added_or_replaces_one_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let text = |title: &str| {
        format!(
            "title = \"{title}\"\nrule = \"r\"\n[label]\nuse = \"allowed\"\n[caption]\nuse = \"required\"\ntext = \"{{changes}}\"\n\
             [truth_page]\nuse = \"forbidden\"\n"
        )
    };
    std::fs::write(folder.path().join("own-mls.toml"), text("Own")).unwrap();
    std::fs::write(folder.path().join("none.toml"), text("Other")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a profile").unwrap();
    let profiles = Profiles::with_own(folder.path()).unwrap();
    assert_eq!(profiles.iter().count(), 7);
    assert_eq!(caption(profiles.get("own-mls").unwrap(), None).unwrap(), "Furniture was added (sofa).");
    assert_eq!(profiles.get("none").unwrap().title, "Other");
}

#[test]
fn a_profile_that_cannot_be_used_is_named_with_the_reason() {
    let good = include_str!("../../profiles/bay-east-mls.toml");
    let cases = [
        ("Bad.toml", good.to_owned(), "lower-case letters"),
        ("a.toml", good.replace("use = \"required\"", "use = \"always\""), "always"),
        ("a.toml", good.replace("altered = \"Digitally altered\"\n", ""), "[label] needs `staged` and `altered`"),
        ("a.toml", good.replace("Digitally altered: virtually staged\"", "家具\""), "[label] texts must be one line"),
        ("a.toml", good.replace("file_suffix = \"-", "file_suffix = \"../"), "file_suffix must consist of"),
        ("a.toml", format!("{good}\n[more]\n"), "unknown field"),
    ];
    for (name, text, why) in cases {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let error = Profiles::with_own(folder.path()).unwrap_err();
        assert!(matches!(error, BadProfile::File(..)), "{error}");
        let error = error.to_string();
        assert!(error.contains(name) && error.contains(why), "{error}");
    }
    let missing = Profiles::with_own(std::path::Path::new("/nowhere")).unwrap_err().to_string();
    assert!(missing.contains("/nowhere cannot be read"), "{missing}");
}
