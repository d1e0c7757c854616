//! The camera prompt: free text, read with a small grammar.
//!
//! Text is split into clauses at punctuation, "and", "then", "while" and "with". A clause counts if it consists of moves, words of
//! manner and fillers; other clauses are reported and ignored.

/// What a camera can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CameraMove {
    /// Move toward the scene.
    PushIn,
    /// Move away from the scene.
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
    /// Circle the scene to the left.
    OrbitLeft,
    /// Circle the scene to the right.
    OrbitRight,
    /// Move to the left.
    SlideLeft,
    /// Move to the right.
    SlideRight,
    /// Bring hidden parts into view.
    Reveal,
    /// Push in as far as the photo allows.
    FlyThrough,
    /// Do not move.
    Hold,
}

impl CameraMove {
    /// Its name in JSON.
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

/// A parsed camera prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CameraPrompt {
    /// Moves, in the order in which they were named.
    pub verbs: Vec<CameraMove>,
    /// Factor on how far the camera goes: under 1 for slow and gentle, over 1 for dramatic.
    pub strength: f64,
    /// Clauses that take effect.
    pub understood: Vec<String>,
    /// Clauses that are not recognized, and are ignored.
    pub not_understood: Vec<String>,
}

const MOVES: [(&str, CameraMove); 73] = [
    ("push in", CameraMove::PushIn),
    ("push forward", CameraMove::PushIn),
    ("push", CameraMove::PushIn),
    ("dolly in", CameraMove::PushIn),
    ("dolly forward", CameraMove::PushIn),
    ("move in", CameraMove::PushIn),
    ("move forward", CameraMove::PushIn),
    ("move closer", CameraMove::PushIn),
    ("zoom in", CameraMove::PushIn),
    ("zoom", CameraMove::PushIn),
    ("approach", CameraMove::PushIn),
    ("walk in", CameraMove::PushIn),
    ("walk through", CameraMove::PushIn),
    ("forward", CameraMove::PushIn),
    ("glide in", CameraMove::PushIn),
    ("glide forward", CameraMove::PushIn),
    ("pull out", CameraMove::PullOut),
    ("pull back", CameraMove::PullOut),
    ("pull away", CameraMove::PullOut),
    ("dolly out", CameraMove::PullOut),
    ("dolly back", CameraMove::PullOut),
    ("zoom out", CameraMove::PullOut),
    ("move back", CameraMove::PullOut),
    ("move out", CameraMove::PullOut),
    ("draw back", CameraMove::PullOut),
    ("pan left", CameraMove::PanLeft),
    ("turn left", CameraMove::PanLeft),
    ("look left", CameraMove::PanLeft),
    ("pan right", CameraMove::PanRight),
    ("turn right", CameraMove::PanRight),
    ("look right", CameraMove::PanRight),
    ("pan", CameraMove::PanRight),
    ("tilt up", CameraMove::TiltUp),
    ("look up", CameraMove::TiltUp),
    ("tilt down", CameraMove::TiltDown),
    ("look down", CameraMove::TiltDown),
    ("tilt", CameraMove::TiltUp),
    ("rise", CameraMove::Rise),
    ("rise up", CameraMove::Rise),
    ("crane up", CameraMove::Rise),
    ("ascend", CameraMove::Rise),
    ("lift", CameraMove::Rise),
    ("pedestal up", CameraMove::Rise),
    ("descend", CameraMove::Descend),
    ("crane down", CameraMove::Descend),
    ("lower", CameraMove::Descend),
    ("sink", CameraMove::Descend),
    ("pedestal down", CameraMove::Descend),
    ("orbit left", CameraMove::OrbitLeft),
    ("arc left", CameraMove::OrbitLeft),
    ("orbit right", CameraMove::OrbitRight),
    ("arc right", CameraMove::OrbitRight),
    ("orbit", CameraMove::OrbitRight),
    ("arc", CameraMove::OrbitRight),
    ("circle", CameraMove::OrbitRight),
    ("slide left", CameraMove::SlideLeft),
    ("truck left", CameraMove::SlideLeft),
    ("track left", CameraMove::SlideLeft),
    ("move left", CameraMove::SlideLeft),
    ("slide right", CameraMove::SlideRight),
    ("truck right", CameraMove::SlideRight),
    ("track right", CameraMove::SlideRight),
    ("move right", CameraMove::SlideRight),
    ("slide", CameraMove::SlideRight),
    ("reveal", CameraMove::Reveal),
    ("fly through", CameraMove::FlyThrough),
    ("fly in", CameraMove::FlyThrough),
    ("hold still", CameraMove::Hold),
    ("hold", CameraMove::Hold),
    ("static", CameraMove::Hold),
    ("stay still", CameraMove::Hold),
    ("no movement", CameraMove::Hold),
    ("no motion", CameraMove::Hold),
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

/// Words that have no effect.
const FILLERS: [&str; 40] = [
    "a", "an", "the", "it", "this", "that", "please", "camera", "shot", "move", "movement", "motion", "clip", "video",
    "make", "let", "do", "of", "in", "on", "into", "to", "towards", "toward", "through", "around", "round", "across",
    "over", "room", "house", "window", "scene", "property", "from", "at", "is", "be", "for", "shows",
];

/// Removes the ending of a verb ("pushing in", "rises").
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

impl CameraPrompt {
    /// Parses a prompt; without one, no moves are requested.
    #[must_use]
    pub fn parse(prompt: Option<&str>) -> Self {
        let mut parsed = Self { strength: 1.0, ..Self::default() };
        let text = prompt.unwrap_or_default().to_lowercase().replace('-', " ");
        for clause in clauses(&text) {
            let words: Vec<String> = clause.split_whitespace().map(stem).collect();
            match understood(&words) {
                Some((verbs, strength)) => {
                    parsed.verbs.extend(verbs);
                    parsed.strength *= strength;
                    parsed.understood.push(clause);
                }
                None => parsed.not_understood.push(clause),
            }
        }
        parsed.strength = parsed.strength.clamp(0.4, 1.5);
        parsed
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

/// Moves and manner of a clause, if it consists of nothing else but fillers.
fn understood(words: &[String]) -> Option<(Vec<CameraMove>, f64)> {
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

/// Meaning and number of words of the longest phrase at the start. "To" and "the" may occur inside.
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
    fn common_phrases_are_recognized() {
        for (prompt, verbs) in [
            ("slow push in", vec![CameraMove::PushIn]),
            ("Slowly pushing in towards the window", vec![CameraMove::PushIn]),
            ("gentle pan left, then rise", vec![CameraMove::PanLeft, CameraMove::Rise]),
            ("The camera rises and slides to the right", vec![CameraMove::Rise, CameraMove::SlideRight]),
            ("dramatic orbit around the house", vec![CameraMove::OrbitRight]),
            ("pull-out", vec![CameraMove::PullOut]),
            ("fly through to the window", vec![CameraMove::FlyThrough]),
            ("cinematic reveal", vec![CameraMove::Reveal]),
            ("static shot", vec![CameraMove::Hold]),
        ] {
            let parsed = CameraPrompt::parse(Some(prompt));
            assert_eq!(parsed.verbs, verbs, "{prompt}: {parsed:?}");
            assert!(parsed.not_understood.is_empty(), "{prompt}: {parsed:?}");
        }
        assert!(CameraPrompt::parse(Some("slow push in")).strength < 1.0);
        assert!(CameraPrompt::parse(Some("dramatic push in")).strength > 1.0);
    }

    #[test]
    fn unrecognized_clauses_are_reported_and_change_nothing() {
        let parsed = CameraPrompt::parse(Some("push in, add a swimming pool at sunset"));
        assert_eq!(parsed.verbs, [CameraMove::PushIn]);
        assert_eq!(parsed.not_understood, ["add a swimming pool at sunset"]);
        assert_eq!(CameraPrompt::parse(Some("the room")).not_understood, ["the room"]);
        assert_eq!(CameraPrompt::parse(None), CameraPrompt { strength: 1.0, ..CameraPrompt::default() });
    }

    #[test]
    fn american_and_british_spellings_mean_the_same() {
        for (american, british) in
            [("push in toward the window", "push in towards the window"), ("orbit around it", "orbit round it")]
        {
            let [ours, theirs] = [american, british].map(|prompt| CameraPrompt::parse(Some(prompt)));
            assert_eq!((&ours.verbs, ours.strength), (&theirs.verbs, theirs.strength), "{american}");
            assert!(ours.not_understood.is_empty() && theirs.not_understood.is_empty(), "{american}");
        }
    }
}
