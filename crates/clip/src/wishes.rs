//! What a client asks of the camera: free words through a small grammar.
//!
//! The words are split into clauses at commas, full stops, semicolons, "and", "then", "while" and "with". A clause is
//! understood when moves and words of manner explain all of it; else it is told as not understood.

/// What a camera can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Towards what is seen.
    PushIn,
    /// Away from it.
    PullOut,
    /// Turn to the left.
    PanLeft,
    /// Turn to the right.
    PanRight,
    /// Turn up.
    TiltUp,
    /// Turn down.
    TiltDown,
    /// Move up.
    Rise,
    /// Move down.
    Descend,
    /// Round what is seen, moving to the left.
    OrbitLeft,
    /// Round what is seen, moving to the right.
    OrbitRight,
    /// Move to the left.
    SlideLeft,
    /// Move to the right.
    SlideRight,
    /// Let what lay hidden come into view.
    Reveal,
    /// As far in as holds up.
    FlyThrough,
    /// Stay.
    Hold,
}

impl Verb {
    /// Its name in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PushIn => "push_in",
            Self::PullOut => "pull_out",
            Self::PanLeft => "pan_left",
            Self::PanRight => "pan_right",
            Self::TiltUp => "tilt_up",
            Self::TiltDown => "tilt_down",
            Self::Rise => "rise",
            Self::Descend => "descend",
            Self::OrbitLeft => "orbit_left",
            Self::OrbitRight => "orbit_right",
            Self::SlideLeft => "slide_left",
            Self::SlideRight => "slide_right",
            Self::Reveal => "reveal",
            Self::FlyThrough => "fly_through",
            Self::Hold => "hold",
        }
    }
}

/// Wishes, ready to be followed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wishes {
    /// Moves, in the order in which they were named.
    pub verbs: Vec<Verb>,
    /// Factor on how far the camera goes: under 1 for slow and gentle, over 1 for dramatic.
    pub strength: f64,
    /// Clauses that were understood.
    pub understood: Vec<String>,
    /// Clauses that were not.
    pub not_understood: Vec<String>,
}

const MOVES: [(&str, Verb); 73] = [
    ("push in", Verb::PushIn),
    ("push forward", Verb::PushIn),
    ("push", Verb::PushIn),
    ("dolly in", Verb::PushIn),
    ("dolly forward", Verb::PushIn),
    ("move in", Verb::PushIn),
    ("move forward", Verb::PushIn),
    ("move closer", Verb::PushIn),
    ("zoom in", Verb::PushIn),
    ("zoom", Verb::PushIn),
    ("approach", Verb::PushIn),
    ("walk in", Verb::PushIn),
    ("walk through", Verb::PushIn),
    ("forward", Verb::PushIn),
    ("glide in", Verb::PushIn),
    ("glide forward", Verb::PushIn),
    ("pull out", Verb::PullOut),
    ("pull back", Verb::PullOut),
    ("pull away", Verb::PullOut),
    ("dolly out", Verb::PullOut),
    ("dolly back", Verb::PullOut),
    ("zoom out", Verb::PullOut),
    ("move back", Verb::PullOut),
    ("move out", Verb::PullOut),
    ("draw back", Verb::PullOut),
    ("pan left", Verb::PanLeft),
    ("turn left", Verb::PanLeft),
    ("look left", Verb::PanLeft),
    ("pan right", Verb::PanRight),
    ("turn right", Verb::PanRight),
    ("look right", Verb::PanRight),
    ("pan", Verb::PanRight),
    ("tilt up", Verb::TiltUp),
    ("look up", Verb::TiltUp),
    ("tilt down", Verb::TiltDown),
    ("look down", Verb::TiltDown),
    ("tilt", Verb::TiltUp),
    ("rise", Verb::Rise),
    ("rise up", Verb::Rise),
    ("crane up", Verb::Rise),
    ("ascend", Verb::Rise),
    ("lift", Verb::Rise),
    ("pedestal up", Verb::Rise),
    ("descend", Verb::Descend),
    ("crane down", Verb::Descend),
    ("lower", Verb::Descend),
    ("sink", Verb::Descend),
    ("pedestal down", Verb::Descend),
    ("orbit left", Verb::OrbitLeft),
    ("arc left", Verb::OrbitLeft),
    ("orbit right", Verb::OrbitRight),
    ("arc right", Verb::OrbitRight),
    ("orbit", Verb::OrbitRight),
    ("arc", Verb::OrbitRight),
    ("circle", Verb::OrbitRight),
    ("slide left", Verb::SlideLeft),
    ("truck left", Verb::SlideLeft),
    ("track left", Verb::SlideLeft),
    ("move left", Verb::SlideLeft),
    ("slide right", Verb::SlideRight),
    ("truck right", Verb::SlideRight),
    ("track right", Verb::SlideRight),
    ("move right", Verb::SlideRight),
    ("slide", Verb::SlideRight),
    ("reveal", Verb::Reveal),
    ("fly through", Verb::FlyThrough),
    ("fly in", Verb::FlyThrough),
    ("hold still", Verb::Hold),
    ("hold", Verb::Hold),
    ("static", Verb::Hold),
    ("stay still", Verb::Hold),
    ("no movement", Verb::Hold),
    ("no motion", Verb::Hold),
];

const MANNERS: [(&str, f64); 22] = [
    ("very slow", 0.5),
    ("slow", 0.65),
    ("slowly", 0.65),
    ("gentle", 0.65),
    ("gently", 0.65),
    ("subtle", 0.5),
    ("subtly", 0.5),
    ("calm", 0.65),
    ("slight", 0.5),
    ("slightly", 0.5),
    ("a bit", 0.65),
    ("a little", 0.65),
    ("soft", 0.65),
    ("smooth", 1.0),
    ("smoothly", 1.0),
    ("cinematic", 1.0),
    ("steady", 1.0),
    ("fast", 1.3),
    ("quick", 1.3),
    ("dynamic", 1.3),
    ("bold", 1.4),
    ("dramatic", 1.4),
];

/// Words that change nothing.
const FILLERS: [&str; 40] = [
    "a", "an", "the", "it", "this", "that", "please", "camera", "shot", "move", "movement", "motion", "clip", "video",
    "make", "let", "do", "of", "in", "on", "into", "to", "towards", "toward", "through", "around", "round", "across",
    "over", "room", "house", "window", "scene", "property", "from", "at", "is", "be", "for", "shows",
];

/// Endings that a verb may have in a prompt ("pushing in", "rises").
fn stem(word: &str) -> String {
    let known = |stem: &str| MOVES.iter().any(|(phrase, _)| phrase.split(' ').next() == Some(stem));
    let candidates = [
        word.strip_suffix("ing").map(str::to_owned),
        word.strip_suffix("ing").map(|s| format!("{s}e")),
        word.strip_suffix("ning").map(str::to_owned),
        word.strip_suffix("es").map(str::to_owned),
        word.strip_suffix('s').map(str::to_owned),
    ];
    candidates.into_iter().flatten().find(|s| known(s)).unwrap_or_else(|| word.to_owned())
}

impl Wishes {
    /// Reads a prompt; without one nothing is wished for.
    #[must_use]
    pub fn of(prompt: Option<&str>) -> Self {
        let mut wishes = Self { strength: 1.0, ..Self::default() };
        let text = prompt.unwrap_or_default().to_lowercase().replace('-', " ");
        for clause in clauses(&text) {
            let words: Vec<String> = clause.split_whitespace().map(stem).collect();
            match understood(&words) {
                Some((verbs, strength)) => {
                    wishes.verbs.extend(verbs);
                    wishes.strength *= strength;
                    wishes.understood.push(clause);
                }
                None => wishes.not_understood.push(clause),
            }
        }
        wishes.strength = wishes.strength.clamp(0.4, 1.5);
        wishes
    }
}

fn clauses(text: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    for part in text.split([',', '.', ';', '!', ':', '\n']) {
        for word in part.split_whitespace() {
            if ["and", "then", "while", "with"].contains(&word) {
                clauses.push(String::new());
            } else if let Some(clause) = clauses.last_mut() {
                if !clause.is_empty() {
                    clause.push(' ');
                }
                clause.push_str(word);
            }
        }
        clauses.push(String::new());
    }
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// The moves and the manner of a clause, if they and words that change nothing are all of it.
fn understood(words: &[String]) -> Option<(Vec<Verb>, f64)> {
    let (mut verbs, mut strength, mut any) = (Vec::new(), 1.0, false);
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        if let Some((verb, length)) = longest(rest, &MOVES) {
            verbs.push(verb);
            at += length;
        } else if let Some((factor, length)) = longest(rest, &MANNERS) {
            strength *= factor;
            at += length;
        } else if FILLERS.contains(&rest[0].as_str()) {
            at += 1;
            continue;
        } else {
            return None;
        }
        any = true;
    }
    any.then_some((verbs, strength))
}

/// What the longest phrase means that the words begin with, and how many words it takes. "To the" may stand inside.
fn longest<T: Copy>(words: &[String], phrases: &[(&str, T)]) -> Option<(T, usize)> {
    let length = |phrase: &str| {
        let mut at = 0;
        for (i, wanted) in phrase.split(' ').enumerate() {
            while i > 0 && words.get(at).is_some_and(|word| ["to", "the"].contains(&word.as_str())) {
                at += 1;
            }
            (words.get(at)? == wanted).then_some(())?;
            at += 1;
        }
        Some(at)
    };
    phrases.iter().filter_map(|(phrase, meaning)| Some((*meaning, length(phrase)?))).max_by_key(|(_, length)| *length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_words_are_understood() {
        for (prompt, verbs) in [
            ("slow push in", vec![Verb::PushIn]),
            ("Slowly pushing in towards the window", vec![Verb::PushIn]),
            ("gentle pan left, then rise", vec![Verb::PanLeft, Verb::Rise]),
            ("The camera rises and slides to the right", vec![Verb::Rise, Verb::SlideRight]),
            ("dramatic orbit around the house", vec![Verb::OrbitRight]),
            ("pull-out", vec![Verb::PullOut]),
            ("fly through to the window", vec![Verb::FlyThrough]),
            ("cinematic reveal", vec![Verb::Reveal]),
            ("static shot", vec![Verb::Hold]),
        ] {
            let wishes = Wishes::of(Some(prompt));
            assert_eq!(wishes.verbs, verbs, "{prompt}: {wishes:?}");
            assert!(wishes.not_understood.is_empty(), "{prompt}: {wishes:?}");
        }
        assert!(Wishes::of(Some("slow push in")).strength < 1.0);
        assert!(Wishes::of(Some("dramatic push in")).strength > 1.0);
    }

    #[test]
    fn what_is_not_understood_is_told_and_changes_nothing() {
        let wishes = Wishes::of(Some("push in, add a swimming pool at sunset"));
        assert_eq!(wishes.verbs, [Verb::PushIn]);
        assert_eq!(wishes.not_understood, ["add a swimming pool at sunset"]);
        assert_eq!(Wishes::of(Some("the room")).not_understood, ["the room"]);
        assert_eq!(Wishes::of(None), Wishes { strength: 1.0, ..Wishes::default() });
    }
}
