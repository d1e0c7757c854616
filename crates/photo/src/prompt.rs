//! Enhancement options from a preset and a free-text prompt.
//!
//! [`aerie_language::photo`] reads the prompt.

pub use aerie_language::RefusedRequest;
use aerie_language::photo::PhotoPrompt;
pub use aerie_language::photo::{Direction, Property, Refusal, Request};
use serde::{Deserialize, Serialize};

/// A preset look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Well exposed, true to the scene.
    #[default]
    Natural,
    /// A third of a stop lighter.
    Bright,
    /// Slightly warm white balance.
    Warm,
    /// Sky replaced by a clear one; a material change.
    BlueSky,
}

/// Options of enhancement. Factors and offsets apply to what the photo's analysis calls for.
#[derive(Debug, Clone, PartialEq)]
pub struct EnhanceOptions {
    /// Additional exposure, stops.
    pub exposure: f32,
    /// Disables automatic exposure.
    pub keep_exposure: bool,
    /// Additional warmth, b* of white.
    pub warmth: f32,
    /// Disables automatic white balance.
    pub keep_white: bool,
    /// Factor on local tone mapping and clarity.
    pub contrast: f32,
    /// Additional saturation, as a share.
    pub vibrance: f32,
    /// Disables automatic saturation.
    pub keep_vibrance: bool,
    /// Factor on sharpening.
    pub sharpness: f32,
    /// Factor on noise reduction; 0 disables it.
    pub noise: f32,
    /// Enables the correction of perspective.
    pub upright: bool,
    /// True if the prompt asked for it, so that a failure is reported.
    pub asks_upright: bool,
    /// Share of the exposure from which bright windows of rooms are spared.
    pub windows: f32,
    /// Replaces the sky by a clear one.
    pub sky: bool,
    /// Makes the lawn greener.
    pub lawn: bool,
    /// Scene stated in the prompt: `Some(true)` for indoors.
    pub indoors: Option<bool>,
    /// Additional lift of dark areas, as a share.
    pub shadows: f32,
    /// Additional compression of light areas, as a share.
    pub highlights: f32,
    /// Disables the lift of dark areas.
    pub keep_shadows: bool,
    /// Disables the compression of light areas.
    pub keep_highlights: bool,
    /// Requests, in the order of the prompt.
    pub requests: Vec<Request>,
    /// Recognized clauses, as they were written.
    pub understood: Vec<String>,
    /// Refused clauses, with the reason.
    pub refused: Vec<(String, Refusal)>,
    /// Unrecognized clauses, which are ignored.
    pub not_understood: Vec<String>,
}

impl Default for EnhanceOptions {
    fn default() -> Self {
        Self::new(Preset::Natural, None)
    }
}

impl EnhanceOptions {
    /// Options of a preset, modified by a prompt.
    #[must_use]
    pub fn new(preset: Preset, prompt: Option<&str>) -> Self {
        let mut options = Self {
            exposure: 0.0,
            keep_exposure: false,
            warmth: 0.0,
            keep_white: false,
            contrast: 1.0,
            vibrance: 0.0,
            keep_vibrance: false,
            sharpness: 1.0,
            noise: 1.0,
            upright: true,
            asks_upright: false,
            windows: 0.0,
            sky: false,
            lawn: false,
            indoors: None,
            shadows: 0.0,
            highlights: 0.0,
            keep_shadows: false,
            keep_highlights: false,
            requests: Vec::new(),
            understood: Vec::new(),
            refused: Vec::new(),
            not_understood: Vec::new(),
        };
        match preset {
            Preset::Natural => {}
            Preset::Bright => options.exposure = 0.33,
            Preset::Warm => options.warmth = 4.0,
            Preset::BlueSky => options.sky = true,
        }
        let PhotoPrompt { requests, understood, refused, not_understood } = PhotoPrompt::parse(prompt);
        for (property, direction, degree) in strongest(&requests) {
            options.apply(property, direction, degree);
        }
        Self { requests, understood, refused, not_understood, ..options.clamped() }
    }

    /// Returns the refused clauses with their reasons.
    #[must_use]
    pub fn refused_requests(&self) -> Vec<RefusedRequest> {
        let refused = self.refused.iter();
        refused.map(|(request, why)| RefusedRequest { request: request.clone(), reason: why.reason() }).collect()
    }

    fn clamped(mut self) -> Self {
        self.exposure = self.exposure.clamp(-1.0, 1.0);
        self.warmth = self.warmth.clamp(-8.0, 8.0);
        self.contrast = self.contrast.clamp(0.0, 1.75);
        self.sharpness = self.sharpness.clamp(0.0, 1.75);
        self.vibrance = self.vibrance.clamp(-0.4, 0.25);
        self
    }

    /// Applies a request.
    fn apply(&mut self, property: Property, direction: Direction, degree: f32) {
        let signed = if direction == Direction::More { degree } else { -degree };
        let is_kept = direction == Direction::Keep;
        let is_wanted = direction == Direction::More;
        match property {
            Property::Exposure if is_kept => self.keep_exposure = true,
            Property::Warmth | Property::WhiteBalance if is_kept => self.keep_white = true,
            Property::Contrast if is_kept => self.contrast = 0.0,
            Property::Color if is_kept => self.keep_vibrance = true,
            Property::Colors => (self.keep_vibrance, self.keep_white) = (true, true),
            Property::Sharpness if is_kept => self.sharpness = 0.0,
            Property::Shadows if is_kept => self.keep_shadows = true,
            Property::Highlights if is_kept => self.keep_highlights = true,
            Property::Exposure => self.exposure += 0.33 * signed,
            Property::Warmth => self.warmth += 4.0 * signed,
            Property::Contrast => self.contrast += 0.5 * signed,
            Property::Color => self.vibrance += if is_wanted { 0.12 } else { 0.2 } * signed,
            Property::Sharpness => self.sharpness += 0.5 * signed,
            Property::Shadows => self.shadows += 0.2 * signed,
            Property::Highlights => self.highlights += 0.25 * signed,
            Property::Noise => self.noise = if is_wanted { self.noise.max(1.0 + 0.5 * degree.min(2.0)) } else { 0.0 },
            Property::Upright => (self.upright, self.asks_upright) = (is_wanted, is_wanted),
            Property::Windows => {
                self.windows = if is_wanted { self.windows.max(f32::min(0.7 * degree, 1.0)) } else { 0.0 }
            }
            Property::Sky => self.sky = is_wanted,
            Property::Lawn => self.lawn = is_wanted,
            Property::Indoors => self.indoors = Some(true),
            Property::Outdoors => self.indoors = Some(false),
            // Done by default, always, never, or by the degrees of other requests.
            Property::WhiteBalance | Property::Natural | Property::Content | Property::Restraint | Property::Dusk => {}
        }
    }
}

/// Greatest factor by words of degree.
const MOST_DEGREE: f32 = 1.75;

/// Requests with the degree of the strongest one of their kind, as repetition adds nothing.
fn strongest(requests: &[Request]) -> Vec<(Property, Direction, f32)> {
    let mut strongest: Vec<(Property, Direction, f32)> = Vec::new();
    for request in requests {
        let degree = request.degree.min(MOST_DEGREE);
        match strongest.iter_mut().find(|kind| (kind.0, kind.1) == (request.property, request.direction)) {
            Some(kind) => kind.2 = kind.2.max(degree),
            None => strongest.push((request.property, request.direction, degree)),
        }
    }
    strongest
}
