//! Clauses that ask for nothing: statements ("the owner gets seasick") and courtesies.

/// Pronouns that begin a statement.
const SUBJECTS: [&str; 48] = [
    "i",
    "im",
    "ive",
    "id",
    "we",
    "were",
    "weve",
    "they",
    "theyre",
    "theyve",
    "he",
    "she",
    "it",
    "its",
    "thats",
    "there",
    "theres",
    "people",
    "buyers",
    "clients",
    "everyone",
    "everybody",
    "somebody",
    "someone",
    "nobody",
    "ich",
    "wir",
    "sie",
    "er",
    "es",
    "man",
    "hier",
    "c",
    "ce",
    "cela",
    "ca",
    "on",
    "nous",
    "je",
    "j",
    "il",
    "elle",
    "ils",
    "elles",
    "esto",
    "eso",
    "nosotros",
    "yo",
];
/// Words that begin a reason or a purpose.
const REASONS: [&str; 27] = [
    "because",
    "bc",
    "since",
    "as",
    "so",
    "cause",
    "cuz",
    "coz",
    "cos",
    "otherwise",
    "else",
    "even",
    "although",
    "though",
    "if",
    "weil",
    "damit",
    "denn",
    "da",
    "sonst",
    "obwohl",
    "wenn",
    "parce",
    "car",
    "puisque",
    "sinon",
    "porque",
];
/// Verbs of statements.
const STATING: [&str; 81] = [
    "is",
    "isnt",
    "are",
    "arent",
    "was",
    "wasnt",
    "were",
    "werent",
    "am",
    "has",
    "hasnt",
    "have",
    "had",
    "gets",
    "got",
    "fell",
    "feels",
    "feel",
    "seems",
    "seem",
    "looks",
    "hate",
    "hates",
    "love",
    "loves",
    "likes",
    "know",
    "knows",
    "think",
    "thinks",
    "say",
    "says",
    "said",
    "did",
    "didnt",
    "does",
    "took",
    "shot",
    "used",
    "forgot",
    "came",
    "comes",
    "complained",
    "makes",
    "gives",
    "ist",
    "sind",
    "war",
    "waren",
    "hat",
    "haben",
    "wurde",
    "est",
    "sont",
    "etait",
    "es",
    "esta",
    "son",
    "era",
    "look",
    "turned",
    "went",
    "became",
    "becomes",
    "appear",
    "appears",
    "turns",
    "kept",
    "keeps",
    "shows",
    "wirkt",
    "wirken",
    "sieht",
    "sehen",
    "aussieht",
    "parece",
    "quedo",
    "salio",
    "semble",
    "parait",
    "tiene",
];
/// Words that ask for something.
const ASKING: [&str; 51] = [
    "make", "want", "wants", "wanna", "should", "need", "needs", "must", "please", "pls", "plz", "can", "could",
    "would", "will", "give", "let", "more", "less", "gone", "go", "ask", "asked", "ensure", "sure", "wish", "prefer",
    "rather", "bitte", "mach", "mache", "machen", "soll", "sollen", "sollte", "muss", "mehr", "svp", "plait", "faites",
    "fais", "rends", "rendez", "faut", "veux", "favor", "haz", "hazlo", "hazla", "quiero", "debe",
];
/// Words that begin a question.
const QUESTIONS: [&str; 27] = [
    "what", "when", "who", "whose", "where", "why", "how", "do", "does", "did", "is", "are", "will", "was", "wo",
    "wer", "warum", "wie", "wann", "pourquoi", "combien", "quand", "cuando", "cuanto", "donde", "quien", "which",
];

/// Words that ask for nothing: courtesies, and exclamations about the photo.
const COURTESIES: &str = "hi hey hello dear team all there thanks thank you please pls plz cheers regards best kind kindly many again so guys \
    morning good afternoon evening everyone everybody done ok okay great awesome cool nice ta thx tks ty tia sorry lol sir madam folks \
    embarrassing ugly awful terrible horrible hideous horrid disgusting depressing shame yikes ugh hmm oh well yes sure that is it \
    thats its just cheerio bye appreciated much very bitte danke hallo moin servus guten tag morgen abend liebes liebe grusse gruss lg mfg \
    vielen dank schon mal im voraus viele beste freundliche schrecklich furchtbar hasslich scheusslich peinlich schlimm merci bonjour \
    bonsoir salut beaucoup d avance cordialement svp stp s il vous plait moche affreux horrible dommage gracias muchas hola buenas buenos \
    dias tardes saludos un saludo por favor porfa feo fea fatal verguenza que pena";

/// Whether a clause asks for nothing and states nothing: a courtesy or an exclamation.
pub(crate) fn is_courtesy(words: &[String]) -> bool {
    // "Merci d'avance", but "avance" moves a camera.
    let is_move = matches!(words, [word] if word == "avance");
    !is_move && words.iter().all(|word| COURTESIES.split_whitespace().any(|courtesy| courtesy == word))
}

/// Whether a clause states something, by its grammar.
pub(crate) fn is_statement(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    if is_in(&QUESTIONS, first) || asks(words) {
        return false;
    }
    // "Looks like an interrogation room".
    const LOOKING: [&str; 9] = ["looks", "feels", "seems", "came", "turned", "comes", "wirkt", "parece", "semble"];
    let has_verb =
        is_in(&LOOKING, first) && words.len() > 2 || words.iter().skip(1).take(3).any(|word| is_in(&STATING, word));
    is_in(&REASONS, first) && words.len() > 1 || is_in(&SUBJECTS, first) && words.len() > 1 || has_verb
}

/// Whether a clause says that it wants something.
pub(crate) fn asks(words: &[String]) -> bool {
    // "You can't make out the furniture".
    let is_out = |at: usize| words.get(at + 1).is_some_and(|next| next == "out");
    words.iter().enumerate().any(|(at, word)| ASKING.contains(&word.as_str()) && !is_out(at))
}

/// Whether a clause is about people, not about the photo ("buyers hate fake photos").
pub(crate) fn is_of_people(words: &[String]) -> bool {
    const PEOPLE: [&str; 28] = [
        "we",
        "were",
        "weve",
        "i",
        "im",
        "people",
        "buyers",
        "clients",
        "everyone",
        "everybody",
        "nobody",
        "guests",
        "viewers",
        "customers",
        "wir",
        "ich",
        "kaufer",
        "kunden",
        "leute",
        "niemand",
        "nous",
        "on",
        "je",
        "acheteurs",
        "clientes",
        "nadie",
        "personne",
        "compradores",
    ];
    is_statement(words) && words.first().is_some_and(|first| PEOPLE.contains(&first.as_str()))
}

/// Whether a clause says that something cannot be seen ("man sieht den Garten gar nicht").
pub(crate) fn is_unseen(words: &[String]) -> bool {
    const SEEING: [&str; 21] = [
        "see",
        "seen",
        "sieht",
        "sehen",
        "sehe",
        "erkennt",
        "erkennen",
        "erkennbar",
        "voit",
        "vois",
        "voir",
        "distingue",
        "ve",
        "veo",
        "ver",
        "ven",
        "aprecia",
        "visible",
        "discern",
        "recognize",
        "recognise",
    ];
    const NEVER: [&str; 22] = [
        "cant",
        "cannot",
        "hardly",
        "barely",
        "not",
        "nothing",
        "isnt",
        "nicht",
        "nichts",
        "nix",
        "kaum",
        "rien",
        "pas",
        "plus",
        "no",
        "nada",
        "apenas",
        "couldnt",
        "unable",
        "impossible",
        "wont",
        "scarcely",
    ];
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let makes_out = words.windows(2).any(|pair| pair[0] == "make" && pair[1] == "out");
    (has(&SEEING) || makes_out) && has(&NEVER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn statements_and_reasons_are_distinguished_from_requests_questions_and_nonsense() {
        for text in [
            "the owner gets seasick",
            "i fell asleep",
            "neighbours are ugly",
            "damit es keiner sieht",
            "because of the rain",
        ] {
            assert!(is_statement(&words(text)), "{text}");
        }
        for text in [
            "the car must go",
            "when do i get the invoice",
            "asdfgh jkl",
            "tell me a joke",
            "is it ready",
            "it should be gone",
        ] {
            assert!(!is_statement(&words(text)), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_stated_in_several_ways() {
        for text in ["you can hardly see a thing", "man sieht den garten gar nicht", "on ne voit rien", "no se ve nada"]
        {
            assert!(is_unseen(&words(text)), "{text}");
        }
        assert!(!is_unseen(&words("let me see the garden")));
    }
}
