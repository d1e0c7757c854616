//! `aerie generate video-clip`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::kinds::video_clip::{ClipGrade, CreativityLevel, FrameMode, MAX_FURTHER_PHOTOS};
use aerie_engine_api::{AspectRatio, Resolution, layers};
use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::film::video_files;
use super::generator::{Generator, Options};
use super::image_enhance::refusal;
use super::making::{Job, make};
use super::photo::LOCAL;
use crate::config::Config;
use crate::print;

/// Video clip from one photo, with a moving camera, or film from several photos
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Photo: JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG, at most 100 megapixels; several, at most 40, make a film in their order
    #[arg(value_name = "IMAGE", required = true, num_args = 1..=1 + MAX_FURTHER_PHOTOS)]
    images: Vec<PathBuf>,
    /// Caption of a photo of a film, such as the name of the room; once for each photo, in their order ("" for none)
    #[arg(long = "caption", value_name = "TEXT")]
    captions: Vec<String>,
    /// Camera move, in words ("slow push in, then rise"); unrecognized requests are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    prompt: Option<String>,
    /// How far the camera moves [default: medium]
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(CreativityLevel::ALL.map(|(name, _)| name)))]
    creativity_level: Option<String>,
    /// Which frame of the clip is the photo [default: first]
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(FrameMode::ALL.map(|(name, _)| name)))]
    frame_mode: Option<String>,
    /// Seconds: 3 to 10 [default: 5]; for a film, 15 to 60 [default: 4 for each photo]
    #[arg(long, value_name = "SECONDS")]
    duration: Option<i64>,
    /// Size; 1080p has a longer side of 1920 pixels [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    resolution: Option<String>,
    /// Aspect ratio [default: the photo's; for a film, 16:9]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    aspect_ratio: Option<String>,
    /// Color grade of the whole clip, including the photo's own frame [default: none]
    #[arg(long, value_name = "LOOK", value_parser = PossibleValuesParser::new(ClipGrade::ALL.map(|(name, _)| name)))]
    grade: Option<String>,
    /// Line of text at the top of every frame [default: none]
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let names = video_files(&self.output)?;
        if self.captions.len() > self.images.len() {
            bail!("{} captions for {} photos", self.captions.len(), self.images.len());
        }
        let caption = |number: usize| self.captions.get(number);
        let further = (1..self.images.len()).map(|at| json!({"image_url": LOCAL, "caption": caption(at)}));
        let photos: Vec<Value> = further.collect();
        let Self { prompt, creativity_level, frame_mode, duration, resolution, aspect_ratio, grade, label, .. } = self;
        let requested = json!({
            "prompt": prompt, "creativity_level": creativity_level, "frame_mode": frame_mode, "duration": duration,
            "resolution": resolution, "aspect_ratio": aspect_ratio, "grade": grade, "caption": caption(0), "label": label,
            "photos": Some(photos).filter(|photos| !photos.is_empty()),
        });
        let body = json!({"image_url": LOCAL, "options": requested});
        let input = JobInput::from_body(JobType::VideoClip, &body)?;
        let mut inputs = BTreeMap::new();
        for (link, image) in input.request().pictures().iter().zip(&self.images) {
            // `aerie generate virtual-staging` writes them next to the picture.
            let layers_file = image.with_extension(layers::ENDING);
            if layers_file.is_file() {
                inputs.insert(layers::input_of(link.input()), layers_file);
            }
            inputs.insert(link.input().to_owned(), image.clone());
        }
        let (code, fields) = make(config, options, &names, Job { input, inputs, parent: None })?;
        if !options.global.json
            && let Some(motion) = fields.get("motion")
        {
            print::note(motion["text"].as_str().unwrap_or_default());
            for limit in motion["limits"].as_array().into_iter().flatten() {
                print::note(limit.as_str().unwrap_or_default());
            }
            for refused in motion["refused"].as_array().into_iter().flatten() {
                print::note(&refusal(refused));
            }
            for clause in motion["not_understood"].as_array().into_iter().flatten() {
                print::note(&format!("not recognized, ignored: {clause}"));
            }
        }
        Ok(code)
    }
}
