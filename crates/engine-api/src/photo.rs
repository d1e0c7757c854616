//! Options that several photo kinds share.

use serde::{Deserialize, Serialize};

use crate::{Fields, ValidationError};

/// Longest prompt, in characters.
pub const MAX_PROMPT: usize = 2000;

/// Longest name of a disclosure profile, in characters.
pub const MAX_PROFILE: usize = 64;

/// Longest label, in characters.
const MAX_LABEL: usize = 80;

/// File format of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PhotoFormat {
    /// JPEG without chroma subsampling.
    #[default]
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
}

impl PhotoFormat {
    /// Every format with its name in the API.
    pub const ALL: [(&str, PhotoFormat); 3] =
        [("jpeg", PhotoFormat::Jpeg), ("png", PhotoFormat::Png), ("webp", PhotoFormat::Webp)];
}

/// Reads the option `label` of a request.
pub(crate) fn label(options: &Fields<'_>) -> Result<Option<String>, ValidationError> {
    let Some(label) = options.text("label", MAX_LABEL)? else { return Ok(None) };
    match label.chars().find(|c| !is_printable(*c)) {
        None => Ok(Some(label.to_owned())),
        Some(c) => {
            let message = "must be one line of Latin, Greek or Cyrillic letters, digits and punctuation";
            Err(options.wrong("label", &format!("{message}, but has {}", c.escape_debug())))
        }
    }
}

/// Whether a label may have this character: one that stands on one line and has a glyph in the built-in font.
#[must_use]
pub fn is_printable(c: char) -> bool {
    let is_unused = matches!(c, '\u{38b}' | '\u{38d}' | '\u{3a2}' | '\u{3cf}');
    let is_letter = matches!(c, ' '..'\u{370}' | '\u{384}'..'\u{528}') && !c.is_control() && !is_unused;
    is_letter || "–—‘’“”„†‡•…‰‹›€№™".contains(c)
}
