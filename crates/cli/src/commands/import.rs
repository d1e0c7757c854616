//! `aerie import`: imports maps, elevation, imagery and measured surroundings into the data folder.

use std::process::ExitCode;
use std::sync::Mutex;

use aerie_engine_api::Progress;
use aerie_engine_api::messages::{Import, Task};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::arguments::{self, Global, HeightUnit};
use crate::config::Config;
use crate::engine_child::{Asked, ask_until};
use crate::escape::escape;
use crate::interrupt::{self, Interrupt};
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Import) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %  {eta}")?);
    let shown = Mutex::new(String::new());
    let progress = |Progress { stage, done, total }: Progress<'_>| {
        let mut shown = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *shown != stage {
            bar.reset_eta();
            bar.set_message(escape(stage).into_owned());
            stage.clone_into(&mut shown);
        }
        bar.set_length(total);
        bar.set_position(done);
    };
    let task = Task::Import(Import {
        files: options.files.clone(),
        data_dir: std::path::absolute(&config.data_dir)?,
        attribution: options.attribution.clone(),
        crs: options.crs.clone(),
        height_unit: options.height_unit.map(HeightUnit::meters),
        allow_partial: options.allow_partial,
    });
    let interrupt = Interrupt::listen()?;
    let asked = ask_until(task, &progress, &|| interrupt.is_raised());
    bar.finish_and_clear();
    let report: Value = match asked {
        Ok(Asked::Answered(report)) => report,
        Ok(Asked::Canceled) => {
            print::note("interrupted; the current file was not imported");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        Err(error) => return Err(error),
    };
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    report["files"].as_array().into_iter().flatten().for_each(print_counts);
    Ok(ExitCode::SUCCESS)
}

/// Prints the file's name, one line per count, and what was skipped and why.
fn print_counts(report: &Value) {
    let Some(fields) = report.as_object() else { return };
    print::line(&escape(fields.get("file").and_then(Value::as_str).unwrap_or_default()));
    for (name, value) in fields {
        match value {
            // Zero counts are not printed: files of other kinds have other counts.
            Value::Number(count) if count.as_u64() != Some(0) => {
                print::line(&format!("{:>12}  {}", count.to_string(), name.replace('_', " ")));
            }
            Value::Object(reasons) => {
                for (reason, count) in reasons {
                    print::line(&format!("{:>12}  {name}: {}", count.to_string(), escape(reason)));
                }
            }
            _ => {}
        }
    }
}
