//! `aerie verify`: shows the Content Credentials of a file, and whether it was changed since it was signed.

use std::process::ExitCode;

use aerie_credentials::messages::Checked;
use aerie_credentials::{Report, State};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use crate::arguments::{Global, Verify};
use crate::config::Config;
use crate::escape::escape;
use crate::print;
use crate::verifying::check;

/// Exit code for a file that was changed, is not signed by a trusted signer, or could not be checked.
const CHANGED: u8 = 1;
/// Exit code for a file without Content Credentials.
const NONE: u8 = 2;

pub(crate) fn run(config: &Config, global: &Global, options: &Verify) -> anyhow::Result<ExitCode> {
    let Verify { file, trust } = options;
    let trusted = match trust {
        Some(path) => {
            let pem = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            if !pem.contains("-----BEGIN CERTIFICATE-----") {
                bail!("{} has no certificate in PEM format", path.display());
            }
            Some(pem)
        }
        None => None,
    };
    let metadata = std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
    ensure!(metadata.is_file(), "{} is not a regular file; save it to one", file.display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let checked = runtime
        .block_on(check(file, trusted.as_deref(), config.job_memory(), &std::env::temp_dir()))
        .with_context(|| format!("cannot check {}", file.display()))?;
    let unreadable = |state: Value, text: &str, code: u8| {
        if global.json {
            print::json(&state)?;
        } else {
            print::line(&format!("{}: {text}", escape(&file.display().to_string())));
        }
        Ok(ExitCode::from(code))
    };
    let report = match checked {
        Checked::Report(report) => report,
        Checked::None => return unreadable(json!({"state": "none"}), "the file has no Content Credentials", NONE),
        Checked::Remote(url) => {
            let text = format!(
                "the Content Credentials are kept at {}, not fetched: nothing is requested over the network",
                escape(&url)
            );
            return unreadable(json!({"state": "remote", "url": url}), &text, CHANGED);
        }
        Checked::Damaged(why) => {
            return unreadable(json!({"state": "invalid", "problems": [why]}), &why, CHANGED);
        }
        Checked::Failed(why) => bail!("{}: {why}", file.display()),
    };
    if global.json {
        print::json(&report)?;
    } else {
        print::line(&describe(&report, &file.display().to_string(), trust.is_some()));
    }
    let is_good = match report.state {
        State::Trusted => true,
        State::Valid => trust.is_none(),
        State::Changed | State::Invalid => false,
    };
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(CHANGED) })
}

/// The report as text. All of it comes from a file.
fn describe(report: &Report, file: &str, checks_signer: bool) -> String {
    let verdict = match (report.state, checks_signer) {
        (State::Trusted, _) => "unchanged since it was signed, by a trusted signer",
        (State::Valid, true) => "unchanged since it was signed, but NOT by a signer of the certificates in --trust",
        (State::Valid, false) => "unchanged since it was signed; the signer is not checked (use --trust CERTIFICATE)",
        (State::Changed, _) => "CHANGED after it was signed",
        (State::Invalid, _) => "the Content Credentials are NOT VALID",
    };
    let mut lines = vec![format!("{}: {verdict}", escape(file))];
    let mut line = |name: &str, text: &str| lines.push(format!("{name:<14}{}", escape(text)));
    if let Some(signer) = &report.signer {
        let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
        let (name, serial) = (known(&signer.name), known(&signer.serial_number));
        line("signed by", &format!("{name}, organization {}, certificate {serial}", known(&signer.organization)));
        line("signed at", &signer.time.clone().unwrap_or_else(|| "unknown: no time stamp".to_owned()));
    }
    for (name, text) in [("made with", &report.generator), ("file name", &report.title)] {
        if let Some(text) = text {
            line(name, text);
        }
    }
    for action in &report.actions {
        let source = action.digital_source_type.as_ref().and_then(|uri| uri.rsplit('/').next());
        let source = source.map(|source| format!(" [{source}]")).unwrap_or_default();
        let text = action.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        line("action", &format!("{}{text}{source}", action.action));
    }
    for ingredient in &report.ingredients {
        let known = |text: &Option<String>| text.clone().unwrap_or_default();
        let (title, format) = (known(&ingredient.title), known(&ingredient.format));
        let about = known(&ingredient.description);
        let own = match (ingredient.has_credentials, ingredient.is_intact) {
            // The description says where they are, or why they were not passed on.
            (false, _) if about.contains("Content Credentials") => ", none embedded",
            (false, _) => ", without Content Credentials",
            (true, true) => ", with intact Content Credentials",
            (true, false) => ", with Content Credentials that are not valid",
        };
        line("made from", &format!("{title} ({format}, {}){own}. {about}", ingredient.relationship));
    }
    if let Some(disclosure) = &report.disclosure {
        line("disclosure", &disclosure.text);
        disclosure.attributions.iter().for_each(|credit| line("credit", credit));
    }
    report.problems.iter().for_each(|problem| line("problem", problem));
    lines.join("\n")
}
