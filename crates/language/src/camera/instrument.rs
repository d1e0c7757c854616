//! Instruments that a camera is moved with: beside a move they only say how it is made ("descend with a crane").

/// Instruments, folded.
const INSTRUMENTS: [&str; 23] = [
    "crane",
    "jib",
    "boom",
    "drone",
    "dolly",
    "slider",
    "gimbal",
    "steadicam",
    "rails",
    "rail",
    "track",
    "helicopter",
    "lift",
    "elevator",
    "kran",
    "kamerakran",
    "drohne",
    "schiene",
    "schienen",
    "grue",
    "dron",
    "grua",
    "railes",
];

/// Whether a clause names an instrument.
pub(super) fn has_instrument(words: &[String]) -> bool {
    words.iter().any(|word| INSTRUMENTS.contains(&word.as_str()))
}
