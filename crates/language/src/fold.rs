//! Words in one spelling: lowercase, without accents.

/// Returns a word in lowercase without accents: "Wärmer" becomes "warmer", "Größe" "grosse".
#[must_use]
pub(crate) fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' => folded.push('a'),
            'ç' => folded.push('c'),
            'è'..='ë' | 'ē' => folded.push('e'),
            'ì'..='ï' => folded.push('i'),
            'ñ' => folded.push('n'),
            'ò'..='ö' | 'ø' => folded.push('o'),
            'ù'..='ü' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ß' => folded.push_str("ss"),
            // Combining accents, as file names and some keyboards produce them.
            '\u{300}'..='\u{36f}' => {}
            c => folded.push(c),
        }
    }
    folded
}

/// Returns the word with umlauts written as two letters ("waermer"), if it has any.
pub(crate) fn without_umlauts(word: &str) -> Option<String> {
    let spelled = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    (spelled != word).then(|| folded(&spelled))
}

/// Returns the phrase in British spelling, if that differs.
pub(crate) fn british(phrase: &str) -> Option<String> {
    let spelled = phrase.replace("color", "colour").replace("gray", "grey").replace("center", "centre");
    (spelled != phrase).then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_case_do_not_matter() {
        for (word, expected) in
            [("Wärmer", "warmer"), ("ÉCLAIRCIS", "eclaircis"), ("größer", "grosser"), ("a\u{308}", "a")]
        {
            assert_eq!(folded(word), expected);
        }
        assert_eq!(without_umlauts("wärmer").as_deref(), Some("waermer"));
        assert_eq!(without_umlauts("warm"), None);
        assert_eq!((british("gray color").as_deref(), british("warm")), (Some("grey colour"), None));
    }
}
