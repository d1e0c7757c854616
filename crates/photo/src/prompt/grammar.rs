//! Grammar of enhancement prompts: clauses, phrases, words of degree and negation.

/// What a phrase asks for. Amounts are added to those of [`EnhanceOptions`](super::EnhanceOptions).
#[derive(Clone, Copy)]
pub(super) enum Phrase {
    Exposure(f32),
    Warmth(f32),
    Contrast(f32),
    Vibrance(f32),
    Sharpness(f32),
    Noise,
    Scene(bool),
    WhiteBalance,
    Natural,
    Upright,
    Windows,
    Sky,
    Dusk,
    Lawn,
}

/// A clause that was recognized.
pub(super) struct Instruction {
    pub(super) phrase: Phrase,
    /// Factor by words of degree: "a bit" 0.5, "much" 1.75, otherwise 1.
    pub(super) degree: f32,
    /// Whether the clause is negated ("no", "do not").
    pub(super) is_negated: bool,
}

const PHRASES: &[(&str, Phrase)] = &[
    ("brighten", Phrase::Exposure(0.33)),
    ("brighter", Phrase::Exposure(0.33)),
    ("bright", Phrase::Exposure(0.33)),
    ("lighten", Phrase::Exposure(0.33)),
    ("lighter", Phrase::Exposure(0.33)),
    ("more light", Phrase::Exposure(0.33)),
    ("darken", Phrase::Exposure(-0.33)),
    ("darker", Phrase::Exposure(-0.33)),
    ("less bright", Phrase::Exposure(-0.33)),
    ("warm", Phrase::Warmth(4.0)),
    ("warmer", Phrase::Warmth(4.0)),
    ("warm up", Phrase::Warmth(4.0)),
    ("cool", Phrase::Warmth(-4.0)),
    ("cooler", Phrase::Warmth(-4.0)),
    ("less warm", Phrase::Warmth(-4.0)),
    ("less yellow", Phrase::Warmth(-4.0)),
    ("contrast", Phrase::Contrast(0.5)),
    ("more contrast", Phrase::Contrast(0.5)),
    ("clarity", Phrase::Contrast(0.5)),
    ("more clarity", Phrase::Contrast(0.5)),
    ("less contrast", Phrase::Contrast(-0.5)),
    ("softer contrast", Phrase::Contrast(-0.5)),
    ("vivid", Phrase::Vibrance(0.12)),
    ("vibrant", Phrase::Vibrance(0.12)),
    ("more vivid", Phrase::Vibrance(0.12)),
    ("more vibrant", Phrase::Vibrance(0.12)),
    ("more color", Phrase::Vibrance(0.12)),
    ("less color", Phrase::Vibrance(-0.2)),
    ("less saturated", Phrase::Vibrance(-0.2)),
    ("sharpen", Phrase::Sharpness(0.5)),
    ("sharper", Phrase::Sharpness(0.5)),
    ("softer", Phrase::Sharpness(-0.5)),
    ("denoise", Phrase::Noise),
    ("reduce noise", Phrase::Noise),
    ("less noise", Phrase::Noise),
    ("indoors", Phrase::Scene(true)),
    ("interior", Phrase::Scene(true)),
    ("outdoors", Phrase::Scene(false)),
    ("exterior", Phrase::Scene(false)),
    ("white balance", Phrase::WhiteBalance),
    ("natural", Phrase::Natural),
    ("keep natural", Phrase::Natural),
    ("straighten", Phrase::Upright),
    ("straight verticals", Phrase::Upright),
    ("straight lines", Phrase::Upright),
    ("straight", Phrase::Upright),
    ("upright", Phrase::Upright),
    ("verticals", Phrase::Upright),
    ("level", Phrase::Upright),
    ("perspective", Phrase::Upright),
    ("window pull", Phrase::Windows),
    ("pull windows", Phrase::Windows),
    ("pull the windows", Phrase::Windows),
    ("show the view", Phrase::Windows),
    ("windows", Phrase::Windows),
    ("sky", Phrase::Sky),
    ("blue sky", Phrase::Sky),
    ("clear sky", Phrase::Sky),
    ("sky replacement", Phrase::Sky),
    ("dusk", Phrase::Dusk),
    ("day to dusk", Phrase::Dusk),
    ("twilight", Phrase::Dusk),
    ("green lawn", Phrase::Lawn),
    ("greener lawn", Phrase::Lawn),
    ("green grass", Phrase::Lawn),
    ("greener grass", Phrase::Lawn),
    ("green the lawn", Phrase::Lawn),
    ("lush lawn", Phrase::Lawn),
    ("green up the lawn", Phrase::Lawn),
];

/// Words that may surround a phrase without changing what it asks for, and words of degree.
const FILLER: &str = "a an the it this that is are please make image photo picture shot room house look looks looking more \
    some slightly little bit touch much very far strongly lot of with fix correct colors whole replace \
    replacement turn into to new nice gray dull at";

const A_LITTLE: &[&str] = &["slightly", "little", "bit", "touch"];
const A_LOT: &[&str] = &["much", "very", "far", "strongly", "lot"];

/// British spellings and the American ones of the tables.
const SPELLINGS: &[(&str, &str)] = &[("colour", "color"), ("colours", "colors"), ("grey", "gray")];

/// Splits a prompt into clauses of lowercase words at punctuation, "and", "but" and "then". "light and airy" is one phrase.
pub(super) fn clauses(prompt: &str) -> Vec<String> {
    let text = prompt.to_lowercase().replace(['\u{2019}', '\''], "").replace("light and airy", "brighter");
    let mut clauses = Vec::new();
    for part in text.split([',', '.', ';', ':', '!', '?', '\n']) {
        let mut clause: Vec<&str> = Vec::new();
        for word in part.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|w| !w.is_empty()) {
            if ["and", "but", "then"].contains(&word) {
                clauses.push(std::mem::take(&mut clause).join(" "));
            } else {
                clause.push(word);
            }
        }
        clauses.push(clause.join(" "));
    }
    clauses.retain(|c| !c.is_empty());
    clauses
}

/// Parses a clause: one phrase, surrounded by nothing but [`FILLER`].
pub(super) fn parse(clause: &str) -> Option<Instruction> {
    let words: Vec<&str> = clause.split(' ').map(american).collect();
    let (words, is_negated) = without_negation(&words);
    // The longest phrase of the clause, so that "less warm" is not read as "warm".
    let (at, length, phrase) = PHRASES
        .iter()
        .filter_map(|(phrase, meaning)| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            let at = words.windows(phrase.len()).position(|w| w == phrase)?;
            Some((at, phrase.len(), *meaning))
        })
        .max_by_key(|(_, length, _)| *length)?;
    let around = || words[..at].iter().chain(&words[at + length..]);
    if !around().all(|word| FILLER.split(' ').any(|filler| filler == *word)) {
        return None;
    }
    let has = |list: &[&str]| around().any(|w| list.contains(w));
    let degree = match () {
        () if has(A_LITTLE) => 0.5,
        () if has(A_LOT) => 1.75,
        () => 1.0,
    };
    Some(Instruction { phrase, degree, is_negated })
}

fn american(word: &str) -> &str {
    SPELLINGS.iter().find(|(british, _)| *british == word).map_or(word, |(_, american)| american)
}

fn without_negation<'a, 'b>(words: &'a [&'b str]) -> (&'a [&'b str], bool) {
    for negation in [&["do", "not"][..], &["dont"], &["no"], &["not"], &["without"], &["never"]] {
        if let Some(rest) = words.strip_prefix(negation) {
            return (rest, true);
        }
    }
    (words, false)
}
