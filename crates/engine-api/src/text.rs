//! Text from clients and operators: which characters it may contain.
//!
//! Control characters have no place in an address or a name. They end the arguments of child processes early (NUL), move a terminal's
//! cursor (ESC), and are refused by some databases. Line separators and bidirectional overrides are treated like them: they break or
//! reorder the lines in which a text is shown. Other format characters are allowed, because scripts written from right to left need them.

/// Layout of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One line: no tabs or line breaks either.
    Line,
    /// Prose: tabs and line breaks (carriage return, line feed) are allowed.
    Prose,
}

/// A text with a character that its layout does not allow. The message is a predicate that follows the name of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} but has U+{:04X}", layout.requirement(), u32::from(*character))]
pub struct BadCharacter {
    layout: Layout,
    character: char,
}

impl Layout {
    /// Checks every character of a text.
    ///
    /// # Errors
    /// Names the first character that is not allowed.
    pub fn check(self, text: &str) -> Result<(), BadCharacter> {
        match text.chars().find(|character| !self.allows(*character)) {
            None => Ok(()),
            Some(character) => Err(BadCharacter { layout: self, character }),
        }
    }

    /// The characters that are not allowed, as ranges of a character class in a regular expression (ECMA-262).
    #[must_use]
    pub const fn refused_class(self) -> &'static str {
        match self {
            Layout::Line => r"\x00-\x1F\x7F-\x9F\u2028\u2029\u202D\u202E",
            Layout::Prose => r"\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u2028\u2029\u202D\u202E",
        }
    }

    fn allows(self, character: char) -> bool {
        match character {
            '\t' | '\n' | '\r' => self == Layout::Prose,
            '\u{2028}' | '\u{2029}' | '\u{202d}' | '\u{202e}' => false,
            _ => !character.is_control(),
        }
    }

    const fn requirement(self) -> &'static str {
        match self {
            Layout::Line => "must be one line without control characters,",
            Layout::Prose => "must not contain control characters other than tabs and line breaks,",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranges of a class of `refused_class`, as their first and last characters.
    fn ranges(class: &str) -> Vec<u32> {
        let mut codes = Vec::new();
        let mut rest = class;
        while !rest.is_empty() {
            let digits = if rest.starts_with(r"\x") { 2 } else { 4 };
            codes.push(u32::from_str_radix(&rest[2..2 + digits], 16).unwrap());
            rest = &rest[2 + digits..];
            if let Some(after) = rest.strip_prefix('-') {
                codes.push(u32::from_str_radix(&after[2..4], 16).unwrap());
                rest = &after[4..];
            } else {
                codes.push(codes[codes.len() - 1]);
            }
        }
        codes
    }

    #[test]
    fn exactly_the_characters_of_the_documented_class_are_refused() {
        for layout in [Layout::Line, Layout::Prose] {
            let ranges = ranges(layout.refused_class());
            for character in char::MIN..=char::MAX {
                let refused = layout.check(&format!("a{character}b")).is_err();
                let listed = ranges.chunks(2).any(|range| (range[0]..=range[1]).contains(&u32::from(character)));
                assert_eq!(refused, listed, "{layout:?} {character:?}");
            }
        }
    }

    #[test]
    fn tabs_and_line_breaks_are_allowed_in_prose_alone() {
        assert_eq!(Layout::Prose.check("warm,\tbright\r\nand\nstraight"), Ok(()));
        for text in ["a\tb", "a\nb", "a\rb"] {
            assert!(Layout::Line.check(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn addresses_of_every_script_are_allowed() {
        for text in
            ["Zürich, Rue de l’Été 5", "רחוב הרצל\u{200f} 12", "شارع\u{200c} 5", "東京都千代田区1-1", "🏡 1 Main St"]
        {
            assert_eq!(Layout::Line.check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_message_names_the_character() {
        let message = Layout::Line.check("1 Main\0St").unwrap_err().to_string();
        assert_eq!(message, "must be one line without control characters, but has U+0000");
        let message = Layout::Prose.check("warm\u{1b}[2J").unwrap_err().to_string();
        assert_eq!(message, "must not contain control characters other than tabs and line breaks, but has U+001B");
    }
}
