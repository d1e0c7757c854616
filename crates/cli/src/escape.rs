//! Escapes text for terminals. Names, addresses and errors may come from customers, and a terminal obeys what they contain: escape
//! sequences move its cursor, and bidirectional overrides reorder its lines.

use std::borrow::Cow;
use std::fmt::Write;

/// A text with every character that a terminal would obey as `\u{..}`, line breaks included.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    replace(text, is_obeyed, |character, escaped| escaped.extend(character.escape_unicode()))
}

/// Like [`escape`], for text of several lines: line breaks are kept.
pub(crate) fn escape_lines(text: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_obeyed(character) && character != '\n';
    replace(text, is_escaped, |character, escaped| escaped.extend(character.escape_unicode()))
}

/// JSON with the same characters escaped as JSON has it. Such characters occur within its strings only, apart from line breaks.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_obeyed(character) && character != '\n';
    replace(json, is_escaped, |character, escaped| {
        let _ = write!(escaped, "\\u{:04x}", u32::from(character));
    })
}

fn is_obeyed(character: char) -> bool {
    // Line and paragraph separators; bidirectional embeddings and overrides; bidirectional isolates.
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn replace(text: &str, is_escaped: impl Fn(char) -> bool, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_escaped(character) {
            true => escape(character, &mut escaped),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;x\u{7}\r\u{8}\u{9b}2J\u{202e}b\u{2066}\u{7f}\0";

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        let shown = r"a\u{1b}]0;x\u{7}\u{d}\u{8}\u{9b}2J\u{202e}b\u{2066}\u{7f}\u{0}";
        assert_eq!(escape(HOSTILE), shown);
        assert_eq!(escape_lines(HOSTILE), shown);
        assert_eq!(escape("two\nlines\t"), r"two\u{a}lines\u{9}");
        assert_eq!(escape_lines("two\nlines"), "two\nlines");
    }

    #[test]
    fn other_text_is_left_as_it_is() {
        for text in ["", "Zürich, 東京", "רחוב הרצל\u{200f} 12", "🏡 \\u{1b}"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn escaped_json_means_the_same() {
        let value = serde_json::json!({HOSTILE: [HOSTILE, "Zürich"]});
        for json in [serde_json::to_string(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap()] {
            let escaped = escape_json(&json);
            assert!(!escaped.contains(|character| is_obeyed(character) && character != '\n'), "{escaped}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
        }
    }
}
