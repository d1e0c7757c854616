//! Runs pages of `docs/` as written: the commands of a page in one shell, comparing each output with what the page shows.

use std::path::Path;
use std::process::Command;

use aerie_e2e::{Server, aerie, lay_town};
use serde_json::Value;

/// Separates the outputs of two blocks.
const SEPARATOR: &str = "=== next block ===";

/// A block of commands, and the output that the page shows for it.
struct Step {
    commands: String,
    shown: Option<(String, String)>,
}

/// Returns the `sh` blocks of a page, each with the output block that follows it.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // Prose and blocks alternate between the fences.
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a block has lines");
        match kind {
            "sh" => steps.push(Step { commands: text.to_owned(), shown: None }),
            "json" | "text" => {
                let step = steps.last_mut().expect("an output follows a command");
                assert!(step.shown.is_none(), "two outputs for one block: {text}");
                step.shown = Some((kind.to_owned(), text.to_owned()));
            }
            "console" | "toml" => {}
            other => panic!("unsupported block type `{other}`"),
        }
    }
    steps
}

#[test]
fn the_api_page_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../../docs/api.md"), folder.path());
    for file in ["film.mp4", "film.jpg"] {
        assert!(std::fs::metadata(folder.path().join(file)).unwrap().len() > 10_000, "{file}");
    }
}

#[test]
fn the_markup_page_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../../docs/markup.md"), folder.path());
}

#[test]
fn the_page_on_addresses_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../../docs/addresses.md"), folder.path());
}

#[test]
fn the_page_on_sharing_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    run_page(include_str!("../../../docs/sharing.md"), folder.path());
}

fn run_page(page: &str, folder: &Path) {
    lay_town(&folder.join("data"));
    let server = Server::start(&folder.join("data"), 1);
    let steps = steps(page);
    let mut script = String::from("set -euo pipefail\n");
    for step in &steps {
        script += &format!("{}echo\necho '{SEPARATOR}'\n", step.commands);
    }
    let path = format!("{}:{}", folder_of(aerie()).display(), std::env::var("PATH").unwrap_or_default());
    // A page that waits forever fails by timeout.
    let output = Command::new("timeout")
        .args(["600", "bash", "-c", &script])
        .current_dir(folder)
        .env("BASE", server.client.base_url())
        .env("PATH", path)
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .expect("timeout and bash start");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the page fails:\n{stdout}\n{stderr}");
    let outputs: Vec<&str> = stdout.split(SEPARATOR).collect();
    assert_eq!(outputs.len(), steps.len() + 1);
    for (step, output) in steps.iter().zip(outputs) {
        match &step.shown {
            None => {}
            Some((kind, shown)) if kind == "json" => {
                let given: Value = serde_json::from_str(output).unwrap_or_else(|error| panic!("{error}: {output}"));
                let shown = serde_json::from_str(shown).expect("the page shows JSON");
                assert!(alike(&shown, &given), "the page shows\n{shown:#}\nbut the output is\n{given:#}");
            }
            Some((_, shown)) => assert_eq!(shown.trim(), output.trim(), "after {}", step.commands),
        }
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().expect("a folder")
}

/// Returns whether two values are equal except for ids, times, days and links.
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

/// Returns the kind of a text that changes between runs (for a link with its file name), or `None` for other text.
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
fn values_that_differ_in_more_than_ids_and_times_are_not_alike() {
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
