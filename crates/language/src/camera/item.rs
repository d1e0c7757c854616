//! Meanings of words in a camera prompt.

use std::sync::LazyLock;

use strum::{EnumString, IntoStaticStr};

use crate::class::Class;
use crate::clause::Splitting;
use crate::lexicon::Lexicon;
use crate::words::{checked, list, word_files};

/// Where prompts are split into clauses.
pub(super) const SPLITTING: Splitting = Splitting {
    conjunctions: &[Class::Conjunction, Class::CameraConjunction],
    openers: &[Class::Opener, Class::CameraOpener],
};

/// Words of all languages.
pub(super) static WORDS: LazyLock<Lexicon<Item>> =
    LazyLock::new(|| checked(Lexicon::parse(&word_files!("camera"), Item::parse)));

/// A move of a camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CameraMove {
    /// Move toward the scene.
    PushIn,
    /// Move away from the scene.
    PullOut,
    /// Turn to the left.
    PanLeft,
    /// Turn to the right.
    PanRight,
    /// Turn up.
    TiltUp,
    /// Turn down.
    TiltDown,
    /// Move up.
    Rise,
    /// Move down.
    Descend,
    /// Circle the scene to the left.
    OrbitLeft,
    /// Circle the scene to the right.
    OrbitRight,
    /// Move to the left.
    SlideLeft,
    /// Move to the right.
    SlideRight,
    /// Move to the left while turning to the right, so that what is near and what is far shift against each other.
    ParallaxLeft,
    /// Move to the right while turning to the left.
    ParallaxRight,
    /// Move forward while the lens widens, or back while it closes, so that the backdrop keeps its size.
    DollyZoom,
    /// Bring hidden parts into view.
    Reveal,
    /// Push in as far as the photo allows.
    FlyThrough,
    /// Do not move.
    Hold,
}

impl CameraMove {
    /// Its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the same to the other side.
    pub(super) const fn mirrored(self) -> Option<Self> {
        Some(match self {
            Self::PanLeft => Self::PanRight,
            Self::PanRight => Self::PanLeft,
            Self::OrbitLeft => Self::OrbitRight,
            Self::OrbitRight => Self::OrbitLeft,
            Self::SlideLeft => Self::SlideRight,
            Self::SlideRight => Self::SlideLeft,
            _ => return None,
        })
    }

    /// Returns whether it moves the camera to another place.
    pub(super) const fn is_travel(self) -> bool {
        !matches!(self, Self::PanLeft | Self::PanRight | Self::TiltUp | Self::TiltDown | Self::Reveal | Self::Hold)
    }
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// A shaking camera.
    Shake,
    /// A horizon that is not level.
    Roll,
    /// Blur and changes of focus.
    Focus,
    /// Things that move.
    Motion,
    /// Things that are not in the photo.
    Add,
    /// Sound.
    Sound,
    /// Another viewpoint.
    View,
    /// Light and color.
    Grade,
    /// Cuts, loops and changes of speed.
    Cut,
}

impl Refusal {
    /// Returns the reason, for the report.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Shake => "the camera is always steady",
            Self::Roll => "the horizon stays level",
            Self::Focus => "everything stays as sharp as in the photo",
            Self::Motion => "only the camera moves: what the photo shows stands still, in the light of the photo",
            Self::Add => "nothing is added to or removed from the photo",
            Self::Sound => "a clip has no sound",
            Self::View => "the camera starts or ends where the photo was taken and cannot show another viewpoint",
            Self::Grade => "the prompt moves the camera; choose light and color with the option `grade`",
            Self::Cut => "a clip is one continuous move at an even speed, with eased ends",
        }
    }
}

/// Where a verb moves the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Direction {
    In,
    Out,
    Left,
    Right,
    Up,
    Down,
    /// From left to right.
    Rightward,
    /// From right to left.
    Leftward,
    /// Sideways.
    Across,
    /// Over something.
    Over,
    /// Through something.
    Through,
    Around,
    Clockwise,
    Counterclockwise,
}

/// A kind of verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Verb {
    /// Move, glide, drift: any way.
    Go,
    /// Push, approach, enter: forward by itself.
    Push,
    /// Fly: any way, and through something.
    Fly,
    /// Zoom: forward by itself.
    Zoom,
    /// Pull, retreat: back by itself.
    Pull,
    /// Slide, truck, track: sideways by itself.
    Slide,
    /// Pan, sweep: turns.
    Pan,
    /// Turn, look: turns if a direction is given.
    Look,
    Tilt,
    /// Crane, boom: up by itself.
    Crane,
    /// Lower, descend.
    Sink,
    Orbit,
    Parallax,
}

/// Contribution of a word or phrase to its clause.
#[derive(Debug, Clone, Copy, PartialEq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Item {
    /// A move by name.
    #[strum(disabled)]
    Move(CameraMove),
    /// A move that is fast by itself ("race through").
    #[strum(disabled)]
    Rapid(CameraMove),
    /// A way to move, with the moves that are meant unless the clause says others ("drone shot").
    #[strum(disabled)]
    Usual(&'static [CameraMove]),
    #[strum(disabled)]
    Verb(Verb),
    #[strum(disabled)]
    Direction(Direction),
    /// Wide at one end, close at the other.
    Wide,
    Close,
    /// Where the clip begins.
    Start,
    /// Where it ends.
    End,
    /// Factor on how far the camera goes.
    #[strum(disabled)]
    Manner(f32),
    /// Strengthens a manner ("very").
    Very,
    /// "No", "don't".
    No,
    /// "Too": what is negated is the manner, not the move ("don't pan too fast").
    Too,
    /// "Less": the other manner ("less dramatic").
    Less,
    #[strum(disabled)]
    Refused(Refusal),
    /// A high target: whoever looks at it looks up.
    High,
    /// A low target.
    Low,
    /// The next words name a target or a place ("of the kitchen").
    Target,
    /// The next words name what the move shows ("revealing").
    Showing,
    Filler,
}

impl Item {
    /// Parses a meaning of the files of words: "wide", "verb pan", "usual push_in rise".
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let Some((kind, of)) = name.split_once(' ') else { return name.parse().ok() };
        Some(match kind {
            "move" => Self::Move(of.parse().ok()?),
            "rapid" => Self::Rapid(of.parse().ok()?),
            "usual" => Self::Usual(list(of, |name| name.parse().ok())?),
            "verb" => Self::Verb(of.parse().ok()?),
            "direction" => Self::Direction(of.parse().ok()?),
            "manner" => Self::Manner(of.parse().ok()?),
            "refused" => Self::Refused(of.parse().ok()?),
            _ => return None,
        })
    }
}
