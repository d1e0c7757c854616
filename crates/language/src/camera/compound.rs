//! German verbs that are written as one word with a direction ("ranfahren", "rauszuzoomen").

/// Directions in front of a verb, with the word that the lexicon knows them by, folded.
const PARTICLES: [(&str, &str); 27] = [
    ("heran", "heran"),
    ("hinein", "hinein"),
    ("herein", "hinein"),
    ("hinaus", "hinaus"),
    ("heraus", "hinaus"),
    ("hinauf", "hinauf"),
    ("herauf", "hinauf"),
    ("hinunter", "hinunter"),
    ("herunter", "hinunter"),
    ("hinab", "hinunter"),
    ("herab", "hinunter"),
    ("hindurch", "durch"),
    ("herum", "herum"),
    ("heruber", "quer"),
    ("zuruck", "zuruck"),
    ("entlang", "entlang"),
    ("vorbei", "vorbei"),
    ("runter", "runter"),
    ("rauf", "hinauf"),
    ("raus", "hinaus"),
    ("rein", "hinein"),
    ("rum", "herum"),
    ("ran", "heran"),
    ("hoch", "hinauf"),
    ("vor", "vor"),
    ("weg", "weg"),
    ("durch", "durch"),
];
/// Verbs of moving and turning, folded, with the form that the lexicon knows.
const VERBS: [(&str, &str); 37] = [
    ("fahren", "fahren"),
    ("fahrt", "fahren"),
    ("fahre", "fahren"),
    ("fahr", "fahren"),
    ("gehen", "gehen"),
    ("geht", "gehen"),
    ("gehe", "gehen"),
    ("laufen", "gehen"),
    ("lauft", "gehen"),
    ("kommen", "gehen"),
    ("kommt", "gehen"),
    ("fliegen", "fliegen"),
    ("fliegt", "fliegen"),
    ("fliege", "fliegen"),
    ("schweben", "schweben"),
    ("schwebt", "schweben"),
    ("gleiten", "gleiten"),
    ("gleitet", "gleiten"),
    ("gleite", "gleiten"),
    ("zoomen", "zoomen"),
    ("zoomt", "zoomen"),
    ("zoome", "zoomen"),
    ("bewegen", "bewegen"),
    ("bewegt", "bewegen"),
    ("ziehen", "bewegen"),
    ("zieht", "bewegen"),
    ("schwenken", "schwenken"),
    ("schwenkt", "schwenken"),
    ("schwenke", "schwenken"),
    ("neigen", "neigen"),
    ("neigt", "neigen"),
    ("kippen", "neigen"),
    ("kippt", "neigen"),
    ("schauen", "schauen"),
    ("schaut", "schauen"),
    ("drehen", "drehen"),
    ("dreht", "drehen"),
];

/// The verb and the direction of a word, if it is composed of both.
pub(super) fn split(word: &str) -> Option<[&'static str; 2]> {
    let verb = |rest: &str| VERBS.iter().find(|(form, _)| *form == rest).map(|(_, verb)| *verb);
    PARTICLES.iter().find_map(|(particle, direction)| {
        let rest = word.strip_prefix(particle)?;
        let verb = verb(rest).or_else(|| verb(rest.strip_prefix("zu")?)).or_else(|| verb(rest.strip_prefix("ge")?))?;
        Some([verb, *direction])
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
