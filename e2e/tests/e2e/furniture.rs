//! The operator's own furniture on the command line.

use std::path::Path;

use aerie_e2e::{run, run_json};
use aerie_test_data::models::plain_box;

/// Writes a model of a sofa.
fn sofa(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, plain_box([1.9, 0.8, 0.85], [0.5, 0.1, 0.1, 1.0])).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs `aerie furniture` and returns what it prints to stderr, if it fails.
fn refusal(arguments: &[&str], data: &Path) -> String {
    let output = run(&[&["furniture"], arguments].concat(), data);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_model_is_added_pictured_listed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), sofa(folder.path(), "oslo.glb"));
    let terms = ["--license", "CC-BY-4.0", "--attribution", "Ada Maker", "--source", "https://example.com/oslo"];
    let add =
        [&["furniture", "add", &file, "--kind", "sofa", "--styles", "modern,coastal", "--width", "2.0"], &terms[..]];
    let added = run_json(&add.concat(), &data);
    let piece = &added["added"][0];
    assert_eq!((&piece["name"], &piece["kind"], &piece["triangles"]), (&"oslo".into(), &"sofa".into(), &12.into()));
    assert!((piece["size"][0].as_f64().unwrap() - 2.0).abs() < 1e-3, "{piece}");
    let picture = std::fs::read(data.join("furniture/thumbnails/oslo.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5000, "{} bytes", picture.len());

    let listed = run_json(&["furniture", "list"], &data);
    assert_eq!(listed["pieces"][0]["attribution"], "Ada Maker");
    assert_eq!(listed["pieces"][0]["styles"], serde_json::json!(["modern", "coastal"]));
    let again = refusal(&["add", &file, "--kind", "sofa", "--license", "own work"], &data);
    assert!(again.contains("a piece named oslo already"), "{again}");
    assert!(run(&["furniture", "check"], &data).status.success());

    // A file that is damaged later is found by the check.
    std::fs::write(data.join("furniture/oslo.glb"), b"glTF").unwrap();
    let damaged = refusal(&["check"], &data);
    assert!(damaged.contains("oslo.glb: the file is not valid glTF"), "{damaged}");

    assert!(refusal(&["remove", "bergen"], &data).contains("no piece named bergen"));
    assert_eq!(run_json(&["furniture", "remove", "oslo"], &data)["removed"], serde_json::json!(["oslo"]));
    assert_eq!(run_json(&["furniture", "list"], &data)["pieces"], serde_json::json!([]));
    assert!(!data.join("furniture/oslo.glb").exists() && !data.join("furniture/thumbnails/oslo.png").exists());
}

#[test]
fn models_without_a_kind_a_license_or_a_name_to_credit_are_refused_with_the_option_to_give() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), sofa(folder.path(), "oslo.glb"));
    for (arguments, expected) in [
        (&["add", &file, "--license", "CC0-1.0"][..], "--kind"),
        (&["add", &file, "--kind", "sofa"], "--license"),
        (&["add", &file, "--kind", "sofa", "--license", "CC-BY-4.0"], "--attribution"),
        (&["add", &file, "--kind", "throne", "--license", "own work"], "must be one of: armchair"),
        (&["add", "/nowhere.glb", "--kind", "sofa", "--license", "own work"], "/nowhere.glb"),
    ] {
        let complaint = refusal(arguments, &data);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    assert_eq!(run_json(&["furniture", "list"], &data)["pieces"], serde_json::json!([]));
}

#[test]
fn one_hostile_file_among_good_ones_adds_none_of_them_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (data, good) = (folder.path().join("data"), sofa(folder.path(), "good.glb"));
    let mut bytes = std::fs::read(&good).unwrap();
    let length = bytes.len();
    bytes.truncate(length / 2);
    let bad = folder.path().join("bad.glb");
    std::fs::write(&bad, bytes).unwrap();
    let bad = bad.to_str().unwrap();
    let complaint = refusal(&["add", &good, bad, "--kind", "sofa", "--license", "own work"], &data);
    assert!(complaint.contains("bad.glb: ") && complaint.contains("nothing was added"), "{complaint}");
    let left: Vec<_> = std::fs::read_dir(data.join("furniture")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_catalog_of_another_is_added_with_its_terms() {
    let folder = tempfile::tempdir().unwrap();
    let (data, catalog) = (folder.path().join("data"), folder.path().join("catalog"));
    std::fs::create_dir_all(catalog.join("models")).unwrap();
    sofa(&catalog.join("models"), "oslo.glb");
    let manifest = "[catalog]\nlicense = 'CC0-1.0'\nsource = 'https://example.com'\n\
                    [[piece]]\nfile = 'models/oslo.glb'\nkind = 'sofa'\nsize = [9, 9, 9]\n";
    std::fs::write(catalog.join("pieces.toml"), manifest).unwrap();
    assert_eq!(run_json(&["furniture", "add", catalog.to_str().unwrap()], &data)["added"][0]["name"], "oslo");
    let listed = run_json(&["furniture", "list"], &data);
    let piece = &listed["pieces"][0];
    assert_eq!((&piece["license"], &piece["source"]), (&"CC0-1.0".into(), &"https://example.com".into()), "{piece}");
    assert!((piece["size"][0].as_f64().unwrap() - 1.9).abs() < 1e-3, "{piece}");
}
