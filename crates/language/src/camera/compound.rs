//! German verbs that are written as one word with a direction ("ranfahren", "rauszuzoomen"): `words/compounds.de.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::fold::folded;
use crate::words::{checked, word_files};

/// Maximum number of letters of a direction.
const MAX_DIRECTION: usize = 12;

/// A part of a compound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Direction,
    Verb,
}

/// Parts by their forms, with the word that the lexicon knows.
static FORMS: LazyLock<HashMap<String, (Part, String)>> = LazyLock::new(|| {
    let rows = word_files!("compounds", "de").into_iter().flat_map(|file| file.rows(Part::parse)).map(checked);
    rows.flat_map(|(part, forms)| forms.into_iter().map(move |form| (folded(form), part.clone()))).collect()
});

impl Part {
    /// Parses a meaning of the file: "verb fahren", "direction heran".
    pub(crate) fn parse(name: &str) -> Option<(Self, String)> {
        let (part, word) = name.split_once(' ')?;
        match part {
            "direction" => Some((Self::Direction, folded(word))),
            "verb" => Some((Self::Verb, folded(word))),
            _ => None,
        }
    }
}

/// Splits a word that is composed of a direction and a verb into the verb and the direction.
pub(super) fn split(word: &str) -> Option<[&'static str; 2]> {
    let known = |part, form: &str| FORMS.get(form).filter(|known| known.0 == part).map(|known| known.1.as_str());
    word.char_indices().skip(1).take(MAX_DIRECTION).find_map(|(at, _)| {
        let (direction, rest) = word.split_at(at);
        let direction = known(Part::Direction, direction)?;
        let rests = [Some(rest), rest.strip_prefix("zu"), rest.strip_prefix("ge")];
        Some([rests.into_iter().flatten().find_map(|rest| known(Part::Verb, rest))?, direction])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_verbs_are_split_into_verb_and_direction() {
        assert_eq!(split("ranfahren"), Some(["fahren", "heran"]));
        assert_eq!(split("rauszuzoomen"), Some(["zoomen", "hinaus"]));
        assert_eq!(split("herumfliegt"), Some(["fliegen", "herum"]));
        assert_eq!((split("fahren"), split("random"), split("")), (None, None, None));
    }
}
