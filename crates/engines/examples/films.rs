//! Makes a film of photos and prints its motion, its disclosure and the time it took: `films OUT_DIR OPTIONS_JSON IMAGE IMAGE...`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::{Cancel, EngineContext, Sources};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, options, images @ ..] = arguments.as_slice() else { return Err("OUT_DIR OPTIONS_JSON IMAGE...".into()) };
    let out_dir = Path::new(out);
    std::fs::create_dir_all(out_dir)?;
    let mut options: Value = serde_json::from_str(options)?;
    options["photos"] = images.iter().skip(1).map(|_| json!({"image_url": "u"})).collect();
    let input = JobInput::from_body(JobType::VideoClip, &json!({"image_url": "u", "options": options}))?;
    let links = input.pictures();
    let inputs: BTreeMap<String, PathBuf> =
        links.iter().zip(images).map(|(link, image)| (link.input().to_owned(), PathBuf::from(image))).collect();
    let started = Instant::now();
    let context = EngineContext {
        data_dir: out_dir,
        pack_dir: out_dir,
        sources: &Sources::default(),
        out_dir,
        inputs: &inputs,
        listing: &[],
        parent: None,
        progress: &|_| {},
        cancel: &Cancel::default(),
    };
    let produced = aerie_engines::run(&input, &context)?;
    let report = json!({"motion": produced.fields["motion"], "disclosure": produced.fields["disclosure"]});
    std::fs::write(out_dir.join("report.json"), serde_json::to_string_pretty(&report)?)?;
    eprintln!("{out}: {:.1} s {}", started.elapsed().as_secs_f64(), produced.fields["motion"]["text"]);
    Ok(())
}
