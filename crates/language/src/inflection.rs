//! Base forms of inflected words of English, German, French and Spanish.
//!
//! Only rules of endings, without a dictionary: a form counts if it is a word of the lexicon.

use crate::class::Class;

/// Minimum length of a base form, letters.
const SHORTEST: usize = 3;
/// Minimum length of a base form by rules of other languages than English, letters: their endings are short.
const SHORTEST_FOREIGN: usize = 4;

/// Returns base forms that a word may have, the likeliest first.
pub(crate) fn base_forms(word: &str) -> impl Iterator<Item = String> {
    let plain = replaced(word, Class::Ending);
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
    // "aufzuhellen", "aufgehellt", "ausgerichtet".
    let without_infix = move |infix: &'static str| {
        let inner = word.match_indices(infix).map(|(at, _)| at).find(|at| *at >= 2)?;
        Some(format!("{}{}", &word[..inner], &word[inner + infix.len()..]))
    };
    let participles = ["zu", "ge"].into_iter().filter_map(without_infix);
    // "aclárala", "quítamelo".
    let imperatives = Class::Clitic.list().iter().filter_map(move |clitic| word.strip_suffix(clitic.as_str()));
    let inner = participles.chain(imperatives.map(str::to_owned));
    let inner = inner.flat_map(|word| {
        let forms: Vec<String> = replaced(&word, Class::LongEnding).collect();
        std::iter::once(word).chain(forms)
    });
    // "stockdunkel", "knallgelb".
    let plain = Class::Intensifier.list().iter().filter_map(move |prefix| word.strip_prefix(prefix.as_str()));
    let forms = replaced(word, Class::LongEnding).chain(inner).chain(plain.map(str::to_owned));
    forms.filter(|base| base.len() >= SHORTEST_FOREIGN)
}

/// Returns a word with each ending of a class that it has replaced by what its base form has: "ies>y".
fn replaced(word: &str, endings: Class) -> impl Iterator<Item = String> {
    endings.list().iter().filter_map(move |rule| {
        let (ending, base) = rule.split_once('>').unwrap_or((rule, ""));
        Some(format!("{}{base}", word.strip_suffix(ending)?))
    })
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
