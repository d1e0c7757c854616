//! Renders clips of photos and prints their motion, their disclosure and when each stage began:
//! `clips OUT_DIR OPTIONS_JSON IMAGE...`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use aerie_domain::kinds::video_clip::VideoClipRequest;
use aerie_engine_api::{Cancel, EngineContext, Sources};
use aerie_engines::video_clip;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, options, images @ ..] = arguments.as_slice() else { return Err("OUT_DIR OPTIONS_JSON IMAGE...".into()) };
    let options: serde_json::Value = serde_json::from_str(options)?;
    for image in images {
        let name = Path::new(image).file_stem().ok_or("a file")?;
        let out_dir = Path::new(out).join(name);
        std::fs::create_dir_all(&out_dir)?;
        let request = VideoClipRequest::from_body(&serde_json::json!({"image_url": "u", "options": options}))?;
        let inputs = BTreeMap::from([("image_url".to_owned(), PathBuf::from(image))]);
        let (started, stages) = (Instant::now(), Mutex::new(Vec::new()));
        let context = EngineContext {
            data_dir: &out_dir,
            pack_dir: &out_dir,
            sources: &Sources::default(),
            out_dir: &out_dir,
            inputs: &inputs,
            listing: &[],
            parent: None,
            progress: &|progress| {
                let mut stages = stages.lock().expect("the stages");
                if stages.last().is_none_or(|(stage, _): &(String, f64)| *stage != progress.stage) {
                    stages.push((progress.stage.to_owned(), started.elapsed().as_secs_f64()));
                }
            },
            cancel: &Cancel::default(),
        };
        let produced = video_clip::run(&request, &context)?;
        let fields = &produced.fields;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!(
            "{image}: {seconds:.1} s {:.1?} {} {}",
            stages.lock().expect("the stages"),
            fields["motion"],
            fields["disclosure"]
        );
    }
    Ok(())
}
