//! Requests of prompts, and the reasons for refusals.

use strum::EnumString;

/// A property of the photo that a prompt can change or keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Property {
    /// Lightness of the whole photo.
    Exposure,
    /// From blue to yellow.
    Warmth,
    /// Local contrast.
    Contrast,
    /// Saturation.
    Color,
    /// All color, saturation and white balance; it can only be kept as a whole.
    Colors,
    /// Sharpness.
    Sharpness,
    /// Removal of noise.
    Noise,
    /// Lightness of dark areas.
    Shadows,
    /// Detail in light areas.
    Highlights,
    /// Neutral whites.
    WhiteBalance,
    /// Straight verticals and a level horizon.
    Upright,
    /// The view through windows.
    Windows,
    /// A clear sky.
    Sky,
    /// Day turned to dusk; refused, but it can be excluded ("no twilight").
    Dusk,
    /// A green lawn.
    Lawn,
    /// The photo shows a room.
    Indoors,
    /// The photo shows an exterior.
    Outdoors,
    /// The default enhancement, true to the scene.
    Natural,
    /// Content of the photo: nothing is ever added to or removed from it.
    Content,
    /// Less of what was requested before.
    Restraint,
}

/// Direction in which a property changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// More of it; for those without an amount, do it.
    More,
    /// Less of it.
    Less,
    /// Leave it as it is.
    Keep,
}

/// A recognized request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The clause, as it was written.
    pub clause: String,
    /// Property that it is about.
    pub property: Property,
    /// Direction of the change.
    pub direction: Direction,
    /// Factor by words of degree: "a bit" 0.5, "much" 1.75, otherwise 1.
    pub degree: f32,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// Removing things.
    Remove,
    /// Adding things.
    Add,
    /// Hiding damage.
    Conceal,
    /// Making a room look larger.
    Enlarge,
    /// Changing colors and materials of things.
    Alter,
    /// Switching lights on.
    Lights,
    /// Night, dawn, weather.
    TimeOfDay,
    /// Day turned to dusk.
    Dusk,
    /// Another season.
    Season,
    /// Art and film looks.
    Style,
    /// Cropping, turning, resizing.
    Frame,
    /// Blurring.
    Blur,
    /// More pixels.
    Resolution,
    /// Distortion and fringes of the lens.
    Lens,
    /// Changing one thing alone.
    Part,
}

impl Refusal {
    /// Returns the reason, for the report.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Remove => {
                "nothing is removed from a photo; clear the place and take the photo again, or have a photographer retouch it"
            }
            Self::Add => "nothing is added to a photo; virtual staging furnishes an empty room and says so",
            Self::Conceal => "nothing is hidden: buyers rely on the photo to show the condition of the property",
            Self::Enlarge => "a room is never made to look larger than it is: buyers rely on its proportions",
            Self::Alter => "colors and materials of things are not changed: the photo shows the property as it is",
            Self::Lights => "lamps and fires are not lit: the photo shows the light that was there",
            Self::TimeOfDay => "of time and weather, only a clear sky can be made: write \"blue sky\"",
            Self::Season => "the season is not changed: the photo shows the property as it was on that day",
            Self::Dusk => {
                "day is not turned into dusk: the results were not good enough to publish; use a photo that was taken at dusk, \
                 or write \"warmer\" or \"blue sky\""
            }
            Self::Style => "effects and styles of art and film are not applied: the result stays a true photo",
            Self::Frame => "the frame is kept: the photo is not cropped, turned or mirrored; `max_size` scales it down",
            Self::Blur => "nothing is blurred: the photo stays as sharp as it was taken",
            Self::Resolution => "no detail is invented: a photo is never scaled up",
            Self::Lens => {
                "distortion and fringes of the lens are not corrected; leaning verticals are: write \"straighten\""
            }
            Self::Part => "light and color are changed in the whole photo, not in one thing alone",
        }
    }
}
