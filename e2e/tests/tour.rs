//! Pages of `docs/`, run as written: the commands of each in one shell, and each answer beside the one that the page shows.

use std::path::Path;
use std::process::Command;

use aerie_e2e::{Server, aerie};
use serde_json::Value;

/// What stands between the outputs of two blocks.
const NEXT: &str = "=== next block ===";

/// A block of commands, and what the page shows after it.
struct Step {
    commands: String,
    shown: Option<(String, String)>,
}

/// The `sh` blocks of the page, each with the block that follows it at once.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // What lies between fences is prose and a block in turn.
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a block has lines");
        match kind {
            "sh" => steps.push(Step { commands: text.to_owned(), shown: None }),
            "json" | "text" => {
                let step = steps.last_mut().expect("an answer has a question");
                assert!(step.shown.is_none(), "two answers to one question: {text}");
                step.shown = Some((kind.to_owned(), text.to_owned()));
            }
            "console" | "toml" => {}
            other => panic!("the test does not know what to do with a block of `{other}`"),
        }
    }
    steps
}

#[test]
fn the_tour_does_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../docs/api.md"), folder.path());
    for file in ["film.mp4", "film.jpg"] {
        assert!(std::fs::metadata(folder.path().join(file)).unwrap().len() > 10_000, "{file}");
    }
}

#[test]
fn a_boundary_is_marked_as_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../docs/markup.md"), folder.path());
}

fn run_page(page: &str, folder: &Path) {
    let server = Server::start(&folder.join("data"), 1);
    let steps = steps(page);
    let mut script = String::from("set -euo pipefail\n");
    for step in &steps {
        script += &format!("{}echo\necho '{NEXT}'\n", step.commands);
    }
    let path = format!("{}:{}", folder_of(aerie()).display(), std::env::var("PATH").unwrap_or_default());
    // A page that waits for what does not come is to fail, not to wait for ever.
    let output = Command::new("timeout")
        .args(["600", "bash", "-c", &script])
        .current_dir(folder)
        .env("BASE", server.client.base_url())
        .env("PATH", path)
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .expect("timeout and bash start");
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the tour stops:\n{said}\n{complained}");
    let outputs: Vec<&str> = said.split(NEXT).collect();
    assert_eq!(outputs.len(), steps.len() + 1);
    for (step, output) in steps.iter().zip(outputs) {
        match &step.shown {
            None => {}
            Some((kind, shown)) if kind == "json" => {
                let given: Value = serde_json::from_str(output).unwrap_or_else(|error| panic!("{error}: {output}"));
                let shown = serde_json::from_str(shown).expect("the page shows JSON");
                assert!(alike(&shown, &given), "the page shows\n{shown:#}\nand this came\n{given:#}");
            }
            Some((_, shown)) => assert_eq!(shown.trim(), output.trim(), "after {}", step.commands),
        }
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().expect("a folder")
}

/// Whether two values are the same but for what is another each time: ids, times, days, links.
fn alike(shown: &Value, given: &Value) -> bool {
    match (shown, given) {
        (Value::Object(shown), Value::Object(given)) => {
            shown.len() == given.len()
                && shown.iter().all(|(name, value)| given.get(name).is_some_and(|given| alike(value, given)))
        }
        (Value::Array(shown), Value::Array(given)) => {
            shown.len() == given.len() && shown.iter().zip(given).all(|(shown, given)| alike(shown, given))
        }
        (Value::String(shown), Value::String(given)) => {
            shown == given || (kind(shown).is_some() && kind(shown) == kind(given))
        }
        // Some versions of jq write 10.0 as 10.
        (Value::Number(shown), Value::Number(given)) => shown.as_f64() == given.as_f64(),
        _ => shown == given,
    }
}

/// What kind of changing text this is, if it is one; of a link, with the file that it ends in.
fn kind(text: &str) -> Option<String> {
    let shape: String = text.chars().map(|c| if c.is_ascii_hexdigit() { '0' } else { c }).collect();
    let link = || text.starts_with("http").then(|| text.split('?').next().unwrap_or_default().rsplit('/').next());
    match shape.as_str() {
        "00000000-0000-0000-0000-000000000000" => Some("an id".into()),
        "0000-00-00T00:00:00.000Z" => Some("a time".into()),
        "0000-00-00" => Some("a day".into()),
        _ => link().flatten().map(|file| format!("a link to {file}")),
    }
}

#[test]
fn values_that_differ_in_more_than_ids_and_times_are_told_apart() {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let shown = value(r#"{"id": "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27", "at": "2026-03-10T11:58:30.120Z", "n": [1]}"#);
    let given = value(r#"{"id": "01980c7f-5d2b-7c41-9f0e-3a6b1d8e4f00", "at": "2027-01-01T00:00:00.000Z", "n": [1]}"#);
    assert!(alike(&shown, &given));
    for other in [
        r#"{"id": "x", "at": "2027-01-01T00:00:00.000Z", "n": [1]}"#,
        r#"{"id": "01980c7f-5d2b-7c41-9f0e-3a6b1d8e4f00", "at": "2027-01-01T00:00:00Z", "n": [1]}"#,
        r#"{"id": "01980c7f-5d2b-7c41-9f0e-3a6b1d8e4f00", "at": "2027-01-01T00:00:00.000Z", "n": [2]}"#,
        r#"{"id": "01980c7f-5d2b-7c41-9f0e-3a6b1d8e4f00", "at": "2027-01-01T00:00:00.000Z"}"#,
    ] {
        assert!(!alike(&shown, &value(other)), "{other}");
    }
    assert!(alike(&value(r#""http://a/b/film.mp4?x""#), &value(r#""http://c/film.mp4?y""#)));
    assert!(!alike(&value(r#""http://a/film.mp4""#), &value(r#""http://a/film.jpg""#)));
}
