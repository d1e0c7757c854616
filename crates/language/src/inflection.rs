//! Base forms of inflected words of English, German, French and Spanish.
//!
//! Only rules of endings, without a dictionary: a form counts if it is a word of the lexicon.

/// Shortest base form, letters.
const SHORTEST: usize = 3;
/// Shortest base form by rules of other languages than English, letters: their endings are short.
const SHORTEST_FOREIGN: usize = 4;

/// Endings of English, with what the base form has instead.
const ENGLISH: [(&str, &str); 9] =
    [("s", ""), ("es", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("d", ""), ("ly", ""), ("ies", "y"), ("ish", "")];

/// Endings of German, French and Spanish: of adjectives, of verbs in the imperative, the present and the participle, and pronouns
/// that are written as one word with the verb before them.
const FOREIGN: [(&str, &str); 50] = [
    // German: "schiefes", "entfernt", "entfernst", "entferne".
    ("es", ""),
    ("er", ""),
    ("en", ""),
    ("em", ""),
    ("e", ""),
    ("n", ""),
    ("t", "en"),
    ("et", "en"),
    ("st", "en"),
    ("e", "en"),
    // French: "redressez", "penchent", "redressés", "éclaircissez", "brillante".
    ("ez", "er"),
    ("e", "er"),
    ("es", "er"),
    ("ent", "er"),
    ("ons", "er"),
    ("ee", "er"),
    ("ees", "er"),
    ("issez", "ir"),
    ("is", "ir"),
    ("it", "ir"),
    ("ie", "ir"),
    ("ez", "re"),
    ("s", "re"),
    ("x", ""),
    // Spanish: "aclare", "aclaren", "aclarado", "oscuras".
    ("a", "ar"),
    ("as", "ar"),
    ("an", "ar"),
    ("e", "ar"),
    ("es", "ar"),
    ("en", "ar"),
    ("ando", "ar"),
    ("ado", "ar"),
    ("ada", "ar"),
    ("ados", "ar"),
    ("adas", "ar"),
    ("ido", "ir"),
    ("ida", "ir"),
    ("e", "ir"),
    ("a", "ir"),
    ("a", "er"),
    ("a", "o"),
    ("as", "o"),
    ("os", "o"),
    ("es", ""),
    ("amos", "ar"),
    ("isimo", "o"),
    ("isima", "o"),
    ("ito", "o"),
    ("ita", "o"),
    ("que", "car"),
];

/// Pronouns that Spanish verbs end in: "aclárala", "quítamelo".
const CLITICS: [&str; 13] =
    ["melo", "mela", "melos", "melas", "los", "las", "les", "nos", "lo", "la", "le", "me", "se"];

/// Prefixes of German words that strengthen them: "stockdunkel", "knallgelb".
const INTENSIFIERS: [&str; 13] = [
    "super", "mega", "ultra", "stock", "knall", "quietsch", "knack", "extra", "total", "blitz", "gift", "eis", "quitte",
];

/// Base forms that a word may have, the likeliest first.
pub(crate) fn base_forms(word: &str) -> impl Iterator<Item = String> {
    let plain = ENGLISH.iter().filter_map(move |ending| replaced(word, ending)).filter(|base| base.len() >= SHORTEST);
    // "panning", "dimmed".
    let doubled = ["ing", "ed"].into_iter().filter_map(move |ending| {
        let stem = word.strip_suffix(ending)?;
        let mut last = stem.chars().rev();
        let letter = last.next()?;
        (last.next() == Some(letter)).then(|| stem[..stem.len() - letter.len_utf8()].to_owned())
    });
    plain.chain(doubled).filter(|base| base.len() >= SHORTEST).chain(foreign_forms(word))
}

fn foreign_forms(word: &str) -> impl Iterator<Item = String> {
    let word = if word.len() < SHORTEST_FOREIGN { "" } else { word };
    let inflected = move |word: &str| -> Vec<String> {
        let forms = FOREIGN.iter().filter_map(|ending| replaced(word, ending));
        forms.filter(|base| base.len() >= SHORTEST_FOREIGN).collect()
    };
    // "aufzuhellen", "aufgehellt", "ausgerichtet".
    let infix = move |infix: &'static str| {
        let inner = word.match_indices(infix).map(|(at, _)| at).find(|at| *at >= 2)?;
        let joined = format!("{}{}", &word[..inner], &word[inner + infix.len()..]);
        (joined.len() >= SHORTEST_FOREIGN).then_some(joined)
    };
    let participles = ["zu", "ge"].into_iter().filter_map(infix).flat_map(move |joined| {
        let forms = inflected(&joined);
        std::iter::once(joined).chain(forms)
    });
    let without_pronoun = CLITICS.into_iter().filter_map(move |clitic| word.strip_suffix(clitic));
    let imperatives = without_pronoun.filter(|base| base.len() >= SHORTEST_FOREIGN).flat_map(move |base| {
        let forms = inflected(base);
        std::iter::once(base.to_owned()).chain(forms)
    });
    let plain = INTENSIFIERS.into_iter().filter_map(move |prefix| word.strip_prefix(prefix));
    let plain = plain.filter(|base| base.len() >= SHORTEST_FOREIGN).map(str::to_owned);
    inflected(word).into_iter().chain(participles).chain(imperatives).chain(plain)
}

fn replaced(word: &str, (ending, instead): &(&str, &str)) -> Option<String> {
    Some(format!("{}{instead}", word.strip_suffix(ending)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_have_their_base_form_among_the_candidates() {
        for (word, base) in [
            ("panning", "pan"),
            ("dimmed", "dim"),
            ("skies", "sky"),
            ("aufzuhellen", "aufhellen"),
            ("aufgehellt", "aufhellen"),
            ("entfernt", "entfernen"),
            ("schiefes", "schief"),
            ("stockdunkel", "dunkel"),
            ("redressez", "redresser"),
            ("penchent", "pencher"),
            ("eclaircissez", "eclaircir"),
            ("aclarala", "aclarar"),
            ("quitamelo", "quitar"),
            ("borrosas", "borroso"),
        ] {
            assert!(base_forms(word).any(|form| form == base), "{word}: {:?}", base_forms(word).collect::<Vec<_>>());
        }
    }

    #[test]
    fn short_words_have_no_base_form() {
        assert_eq!(base_forms("is").chain(base_forms("les")).chain(base_forms("")).next(), None);
    }
}
