//! Keys of street and town names, equal for all spellings of the same name.
//!
//! Names are transliterated to lower-case ASCII. ä, ae and a are equal (likewise ö, oe, o and ü, ue, u), ß is ss. Common words
//! for kinds of street become short codes. Spaces, hyphens, dots and apostrophes are dropped.

use deunicode::deunicode;

/// Lower-case ASCII letters and digits of a text, with ae, oe and ue reduced to a, o and u.
pub fn letters(text: &str) -> String {
    // Russian is mostly written without ё.
    let ascii = deunicode(&text.replace('ё', "е").replace('Ё', "Е")).to_ascii_lowercase();
    let kept: String = ascii.chars().filter(char::is_ascii_alphanumeric).collect();
    kept.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As [`letters`] folds it.
    pub folded: String,
    /// As written.
    pub raw: String,
    /// Whether it is abbreviated with a dot.
    pub dotted: bool,
}

/// Words of a text: runs of letters and digits.
pub fn words(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut raw = String::new();
    let mut flush = |raw: &mut String, dotted: bool| {
        let folded = letters(raw);
        if !folded.is_empty() {
            out.push(Word { folded, raw: raw.clone(), dotted });
        }
        raw.clear();
    };
    for c in text.chars() {
        match c {
            '\'' | '’' | '`' | '´' => {}
            '.' => flush(&mut raw, true),
            // Combining accents belong to the letter before them.
            c if c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c) => raw.push(c),
            _ => flush(&mut raw, false),
        }
    }
    flush(&mut raw, false);
    out
}

/// Whole words that stand for kinds and sides of streets, as [`letters`] folds them, and their codes.
const CODES: [(&str, &str); 75] = [
    ("street", "st"),
    ("saint", "st"),
    ("sankt", "st"),
    ("sainte", "st"),
    ("strasse", "str"),
    ("strase", "str"),
    ("avenu", "ave"),
    ("av", "ave"),
    ("avenida", "ave"),
    ("road", "rd"),
    ("drive", "dr"),
    ("doktor", "dr"),
    ("lane", "ln"),
    ("court", "ct"),
    ("place", "pl"),
    ("platz", "pl"),
    ("plaza", "pl"),
    ("piazza", "pl"),
    ("square", "sq"),
    ("boulevard", "blvd"),
    ("boul", "blvd"),
    ("bd", "blvd"),
    ("terrace", "ter"),
    ("terr", "ter"),
    ("crescent", "cres"),
    ("close", "cl"),
    ("highway", "hwy"),
    ("parkway", "pkwy"),
    ("circle", "cir"),
    ("trail", "trl"),
    ("gardens", "gdns"),
    ("garden", "gdn"),
    ("grove", "gr"),
    ("mount", "mt"),
    ("north", "n"),
    ("south", "s"),
    ("east", "e"),
    ("west", "w"),
    ("northeast", "ne"),
    ("northwest", "nw"),
    ("southeast", "se"),
    ("southwest", "sw"),
    ("bahnhof", "bhf"),
    ("bhf", "bhf"),
    ("professor", "prof"),
    ("general", "gen"),
    ("allee", "al"),
    ("promenade", "prom"),
    ("esplanade", "espl"),
    ("heights", "hts"),
    ("hill", "hl"),
    ("park", "pk"),
    ("view", "vw"),
    ("ridge", "rdg"),
    ("ring", "ring"),
    ("ufer", "ufer"),
    ("calle", "c"),
    ("ru", "r"),
    ("via", "v"),
    ("chemin", "ch"),
    ("route", "rte"),
    ("impasse", "imp"),
    ("passage", "pass"),
    ("quai", "q"),
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
    ("way", "wy"),
];

/// Endings of compound names and their codes (`dorfstrasse`, `bahnhofplatz`), with the most frequent typos.
const ENDINGS: [(&str, &str); 11] = [
    ("strasse", "str"),
    ("strase", "str"),
    ("straze", "str"),
    ("strass", "str"),
    ("strsse", "str"),
    ("starsse", "str"),
    ("stasse", "str"),
    ("straat", "str"),
    ("platz", "pl"),
    ("bahnhof", "bhf"),
    ("allee", "al"),
];

fn code(word: &str) -> String {
    if let Some((_, code)) = CODES.iter().find(|(long, _)| *long == word) {
        return (*code).to_owned();
    }
    for (ending, code) in ENDINGS {
        if let Some(stem) = word.strip_suffix(ending).filter(|s| !s.is_empty()) {
            return format!("{stem}{code}");
        }
    }
    word.to_owned()
}

/// Key of a street's name: codes of its words run together, so that `Haupt Str.`, `Hauptstr` and `Hauptstraße` are one.
pub fn street_key(name: &str) -> String {
    let words: Vec<String> = words(name).into_iter().map(|w| w.folded).collect();
    street_key_of(&words)
}

/// Like [`street_key`], of words that are already folded.
pub fn street_key_of(words: &[String]) -> String {
    words.iter().map(|w| code(w)).collect()
}

/// Frequent second parts of compound street names.
const SECOND_PARTS: [&str; 15] = [
    "strasse", "str", "weg", "gasse", "platz", "allee", "ring", "hof", "graben", "ufer", "park", "katu", "tie", "kuja",
    "gatan",
];

/// The first part of a compound name.
#[must_use]
pub fn stem(word: &str) -> Option<&str> {
    SECOND_PARTS.iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() >= 2)
}

/// Key of a town's name.
pub fn locality_key(name: &str) -> String {
    let words: Vec<String> = words(name).into_iter().map(|w| w.folded).collect();
    locality_key_of(&words)
}

/// Like [`locality_key`], of words that are already folded.
pub fn locality_key_of(words: &[String]) -> String {
    let word =
        |w: &String| if matches!(w.as_str(), "saint" | "sankt" | "sainte") { "st".to_owned() } else { w.clone() };
    words.iter().map(word).collect()
}

/// Key of a postcode: letters and digits alone.
pub fn postcode_key(text: &str) -> String {
    letters(text)
}

/// Edit distance of two words, counting insertions, deletions, exchanges and swapped neighbors (optimal string alignment); `None`
/// above `most`.
pub fn edit_distance(a: &str, b: &str, most: usize) -> Option<usize> {
    (a.len().abs_diff(b.len()) <= most).then(|| strsim::osa_distance(a, b)).filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_street_have_one_key() {
        for (a, b) in [
            ("Bühelstrasse", "Buehelstrasse"),
            ("Bühelstrasse", "BUHELSTR."),
            ("Hauptstraße", "haupt str"),
            ("Hans-Sachs-Straße", "Hans Sachs Strasse"),
            ("St. Martins-Ring", "Sankt Martinsring"),
            ("Pointgasse", "Point Gasse"),
            ("Obere Wein-Gasse", "Obere Weingasse"),
            ("Larkspur Lane", "larkspur ln."),
            ("O'Brien Avenue", "OBrien Ave"),
            ("Fünfte Straße", "Fu\u{308}nfte Strasse"),
        ] {
            assert_eq!(street_key(a), street_key(b), "{a} and {b}");
        }
        for (a, b) in [("Dorfstrasse", "Dorfplatz"), ("Am Rain", "Im Rain"), ("North Street", "South Street")] {
            assert_ne!(street_key(a), street_key(b), "{a} and {b}");
        }
    }

    #[test]
    fn edits_are_counted_up_to_the_limit() {
        assert_eq!(edit_distance("triesen", "triesen", 2), Some(0));
        assert_eq!(edit_distance("triesen", "trisen", 2), Some(1));
        assert_eq!(edit_distance("triesen", "treisen", 1), Some(1));
        assert_eq!(edit_distance("landstr", "lamdstt", 2), Some(2));
        assert_eq!(edit_distance("vaduz", "schaan", 2), None);
    }
}
