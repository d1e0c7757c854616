//! Measures clips without encoding them: `clip_motion [--stills FOLDER] [--level LEVEL] [--last] PROMPTS PHOTO...`, prompts separated by
//! semicolons. For each photo and prompt prints the kind of scene, the share of the move that the photo allows, how far things
//! move in the picture (95th percentile, % of the width), how far near things move apart from far ones, mean motion to the right and
//! down, the closing of the lens, the synthesized share, and how close the photo's own frame is to the photo before encoding. With
//! `--stills`, writes five frames of each clip.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]

use std::path::Path;
use std::time::Instant;

use aerie_clip::{Frame, Plate, compose};
use aerie_engine_api::kinds::video_clip::VideoClipRequest;
use aerie_engines::video_clip::Take;
use aerie_photo::Photo;
use aerie_render::{Gpu, still};

const STILLS: u32 = 5;
const USAGE: &str = "usage: clip_motion [--stills FOLDER] [--level LEVEL] [--last] PROMPTS PHOTO...";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut stills, mut level, mut mode) = (None, "medium".to_owned(), "first");
    let mut arguments = std::env::args().skip(1).peekable();
    while let Some(option) = arguments.next_if(|argument| argument.starts_with("--")) {
        match option.as_str() {
            "--stills" => stills = arguments.next(),
            "--level" => level = arguments.next().ok_or(USAGE)?,
            "--last" => mode = "last",
            _ => return Err(USAGE.into()),
        }
    }
    let prompts = arguments.next().ok_or(USAGE)?;
    let gpu = Gpu::open()?;
    for path in arguments {
        let photo = aerie_photo::decode_file(Path::new(&path))?;
        let name = Path::new(&path).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        for (number, prompt) in prompts.split(';').map(str::trim).enumerate() {
            let options = serde_json::json!({
                "prompt": Some(prompt).filter(|prompt| !prompt.is_empty()),
                "creativity_level": level,
                "frame_mode": mode,
                "resolution": "720p",
            });
            let request = VideoClipRequest::from_body(&serde_json::json!({"image_url": "u", "options": options}))?;
            let clock = Instant::now();
            let take = Take::of(&request, photo.clone(), None)?;
            let prepared = clock.elapsed().as_secs_f64();
            let folder = stills.as_ref().map(|folder| format!("{folder}/{name}-{number}"));
            let likeness = film(&take, &gpu, &photo, folder.as_deref())?;
            let percent = |share: f64| share * 100.0;
            let motion = take.motion;
            println!(
                "{name} {prompt:?} {:?} share {:.2} moves {:.1} % parallax {:.1} % mean {:+.1} {:+.1} closing {:.0} % filled {:.1} % \
                 own frame {likeness:.1} dB, {prepared:.1} s, verbs {:?}",
                take.model.kind(),
                take.course.share,
                percent(motion.displacement),
                percent(motion.parallax),
                percent(motion.mean[0]),
                percent(motion.mean[1]),
                percent(take.course.closing),
                percent(take.synthesized),
                take.course.verbs,
            );
        }
    }
    Ok(())
}

/// Draws five frames; the peak signal-to-noise ratio of the luma of the photo's own frame, dB.
fn film(take: &Take, gpu: &Gpu, photo: &Photo, folder: Option<&str>) -> Result<f64, Box<dyn std::error::Error>> {
    let picture = take.picture();
    let cut = Frame::cut(take.photo, take.size, compose::focus(photo));
    let fitted = Plate::of(photo, &cut)?.fitted;
    let mut likeness = 0.0;
    let moment = |number: u32| f64::from(number) / f64::from(STILLS - 1);
    let count = if folder.is_some() { STILLS } else { 1 };
    let own = if take.course.is_photo(0.0) { 0 } else { STILLS - 1 };
    let at = |number: u32| if folder.is_some() { number } else { own };
    take.renderer(gpu)?.render(
        count,
        |number| take.shot(moment(at(number)), 150),
        |number, nv12| {
            let frame = still::rgb_from_nv12(picture, nv12);
            if at(number) == own {
                let luma = |p: &[u8]| 0.2126 * f64::from(p[0]) + 0.7152 * f64::from(p[1]) + 0.0722 * f64::from(p[2]);
                let pairs = frame.chunks_exact(3).zip(fitted.chunks_exact(4));
                let squares: f64 = pairs.map(|(seen, truth)| (luma(seen) - luma(truth)).powi(2)).sum();
                likeness = 10.0 * (255.0 * 255.0 * (take.size[0] * take.size[1]) as f64 / squares.max(1e-9)).log10();
            }
            match folder {
                Some(folder) => still::write_jpeg(format!("{folder}-{number}.jpg").as_ref(), picture, nv12, 92, None),
                None => Ok(()),
            }
        },
    )?;
    Ok(likeness)
}
