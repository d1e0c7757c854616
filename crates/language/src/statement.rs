//! Statements: clauses, or parts of them, that order nothing.

use crate::class::Class;
use crate::clause::Clause;

/// Maximum number of words of a name.
const LONGEST_NAME: usize = 2;
/// Maximum number of clauses in a list after a negation.
const LONGEST_LIST: usize = 6;

/// Grammar of a clause, before its words are looked up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Statement {
    /// True if it says that something is wanted.
    pub(crate) asks: bool,
    /// True if it states something ("the owner gets seasick").
    pub(crate) is_stated: bool,
    /// True if it is about people, not about the picture ("buyers hate fake photos").
    pub(crate) is_of_people: bool,
    /// True if it gives a reason or an appointment ("the architect insists", "buyers will visit on Saturday").
    pub(crate) is_reason: bool,
    /// True if it orders nothing ("those clouds are real").
    pub(crate) orders_nothing: bool,
}

impl Statement {
    /// Returns what the grammar of a clause says.
    pub(crate) fn of(words: &[String]) -> Self {
        let (asks, is_stated, is_reason) = (asks(words), is_stated(words), is_reason(words));
        let has_subject = Class::Determiner.begins(words) && words.len() > 2;
        Self {
            asks,
            is_stated,
            is_of_people: is_stated && Class::Speaker.begins(words),
            is_reason,
            orders_nothing: !asks && (is_stated || has_subject || is_reason),
        }
    }
}

/// Returns whether a clause says that something is wanted; "you can barely see it", "you can't make out the sofa" do
/// not.
fn asks(words: &[String]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1);
        let is_able = matches!(word.as_str(), "can" | "could") && next.is_some_and(|next| Class::Hardly.has(next));
        Class::Asking.has(word) && !is_able && next.is_none_or(|next| next != "out")
    })
}

/// Returns whether a clause states something, by its grammar.
fn is_stated(words: &[String]) -> bool {
    if words.len() < 2 || Class::Question.begins(words) || asks(words) {
        return false;
    }
    // "Looks like an interrogation room".
    let feels = Class::Feeling.begins(words) && words.len() > 2;
    let has_verb = words[1..].iter().take(3).any(|word| Class::Stating.has(word));
    feels || has_verb || Class::Reason.begins(words) || Class::Subject.begins(words)
}

/// Returns whether a clause gives a reason or an appointment.
fn is_reason(words: &[String]) -> bool {
    let subject = words.iter().take(4).position(|word| Class::Person.has(word));
    let acts = subject.is_some_and(|at| Class::Reasoning.is_in(&words[at + 1..]));
    let is_known = words.len() > 1 && (Class::Appointment.is_in(words) || Class::Sick.is_in(words));
    !Class::Question.begins(words) && (acts || is_known)
}

/// Returns whether a clause asks for information, not for a change ("how long does it take").
pub(crate) fn is_question(words: &[String]) -> bool {
    let [first, second, ..] = words else { return false };
    Class::Inquiring.has(first) || Class::QuestionPhrase.has(format!("{first} {second}"))
}

/// Returns whether a clause says that something cannot be seen ("man sieht den Garten gar nicht").
pub(crate) fn is_unseen(words: &[String]) -> bool {
    let makes_out = words.windows(2).any(|pair| pair[0] == "make" && pair[1] == "out");
    (Class::Seeing.is_in(words) || makes_out) && Class::Unable.is_in(words)
}

/// Returns the number of people that a clause names.
pub(crate) fn people(words: &[String]) -> usize {
    words.iter().filter(|word| Class::Person.has(word)).count()
}

/// Returns whether a clause ends in a subject, so that its verb may follow in the next clause ("so the neighbors | dont
/// laugh").
pub(crate) fn ends_in_subject(words: &[String]) -> bool {
    words.last().is_some_and(|last| Class::Person.has(last))
}

/// Returns whether people at the beginning of a clause do what a verb of the class says.
fn acts(words: &[String], verbs: Class) -> bool {
    matches!((Class::Person.at(words), verbs.at(words)), (Some(subject), Some(verb)) if subject < 3 && subject < verb)
}

/// Returns whether a clause says that somebody forbids something ("the portal rejects edited skies").
pub(crate) fn is_prohibition(words: &[String]) -> bool {
    acts(words, Class::Prohibiting)
}

/// Returns whether a clause says that something is rejected or harms people ("my boss hates pans", "zooming makes
/// people dizzy").
pub(crate) fn is_rejection(words: &[String]) -> bool {
    /// Maximum number of words from the verb to what it does to people.
    const LONGEST: usize = 4;
    let made = words.iter().skip(1).position(|word| Class::Causing.has(word)).map(|at| at + 1);
    let harms =
        matches!((made, Class::Sick.at(words)), (Some(verb), Some(sick)) if verb < sick && sick - verb <= LONGEST);
    let is_purpose = Class::Purpose.is_in(words) || Class::Denial.is_in(words);
    !is_purpose && (acts(words, Class::Rejecting) || is_prohibition(words) || harms)
}

fn is_courteous(words: &[String]) -> bool {
    // "Merci d'avance", but "avance" moves a camera.
    let is_move = matches!(words, [word] if word == "avance");
    !is_move && words.iter().all(|word| Class::Courtesy.has(word))
}

fn is_civil(word: &String) -> bool {
    Class::Civility.has(word) || Class::BesideCivility.has(word) || is_courteous(std::slice::from_ref(word))
}

/// Returns the words after a sign-off, if there are few enough for a name ("kind regards Martha").
fn after_closing(words: &[String]) -> Option<&[String]> {
    let is_closing = |word: &String| Class::Closing.has(word) || Class::Thanks.has(word);
    let at = words.iter().rposition(is_closing)?;
    let is_closed =
        words.len() - at - 1 <= LONGEST_NAME && words[..at].iter().all(|word| is_closing(word) || is_civil(word));
    // "Kind regards from Spain".
    let name = words.get(at + 1..).filter(|rest| !Class::Origin.begins(rest)).unwrap_or_default();
    is_closed.then_some(name)
}

/// Returns for each clause whether it is a courtesy, an exclamation, a sign-off or a name after that. Unless a letter
/// ends before it, a name is unknown to the reader.
pub(crate) fn courtesies(clauses: &[Clause], is_unknown: impl Fn(&[String]) -> bool) -> Vec<bool> {
    let (mut is_signed, mut is_thanked) = (false, false);
    let is_courtesy = |clause: &Clause| {
        let words = &clause.words[..];
        let closing = after_closing(words);
        let is_short = words.len() <= LONGEST_NAME && clause.text.starts_with(char::is_uppercase);
        let is_name = is_short && (is_signed || is_thanked && is_unknown(words));
        let is_civility = Class::Civility.is_in(words) && words.iter().all(is_civil);
        is_signed = is_signed && is_name || Class::Closing.is_in(words) && (is_civility || closing.is_some());
        is_thanked = closing.is_some();
        is_courteous(words) || is_civility || is_name || closing.is_some_and(&is_unknown)
    };
    clauses.iter().map(is_courtesy).collect()
}

/// Returns the part of a clause that may order something: without a salutation before it, and without a reason or a
/// purpose after it ("make it gentle please | my clients get dizzy", "don't straighten it | the walls are crooked").
pub(crate) fn order(words: &[String]) -> &[String] {
    let first = words.iter().position(|word| !Class::Salutation.has(word)).unwrap_or_default();
    without_explanation(without_reason(&words[first..]))
}

/// Returns the words before a reason or a purpose.
pub(crate) fn without_reason(words: &[String]) -> &[String] {
    /// Maximum number of words of the reason after its subject.
    const LONGEST: usize = 2;
    let after = |at: usize| words.get(at + 1..).unwrap_or_default();
    let reasons = |at: &usize| {
        let rest = after(*at);
        let is_subject =
            Class::Person.has(&words[*at]) && Class::Possessive.has(&words[*at - 1]) && rest.len() <= LONGEST;
        is_subject && rest.iter().any(|word| Class::Reasoning.has(word) || Class::Sick.has(word) || word == "get")
    };
    let starts = |at: &usize| {
        let rest = after(*at);
        let is_so = matches!(words[*at].as_str(), "so" | "damit");
        let opens = is_so || matches!(words[*at].as_str(), "pour" | "para");
        let has_subject =
            matches!(rest.first().map(String::as_str), Some("it" | "its" | "they" | "es" | "sie" | "que"));
        let has_people = rest.iter().take(2).any(|word| Class::Person.has(word));
        is_so && rest.first().is_some_and(|next| next == "nobody")
            || opens && (has_subject || has_people) && rest.iter().take(4).any(|word| Class::Denial.has(word))
            // "So people | don't get dizzy".
            || is_so && rest.len() <= LONGEST + 1 && ends_in_subject(rest)
    };
    let end = (1..words.len()).find(starts).or_else(|| Some((2..words.len()).rev().find(reasons)? - 1));
    &words[..end.unwrap_or(words.len())]
}

/// Returns the words before a reason that follows a negation without a comma.
fn without_explanation(words: &[String]) -> &[String] {
    /// Maximum number of words of a subject after its determiner.
    const LONGEST_SUBJECT: usize = 3;
    let negates = |at: usize| {
        Class::Negating.has(&words[at])
            || words[at] == "not" && at > 0 && matches!(words[at - 1].as_str(), "do" | "please")
    };
    let Some(negation) = (0..words.len()).find(|at| negates(*at)) else { return words };
    let starts = |at: &usize| {
        let rest = &words[at + 1..];
        let subject = rest.iter().take(LONGEST_SUBJECT).take_while(|word| !Class::Determiner.has(word)).count();
        let is_pronoun = Class::Pronoun.has(&words[*at]) && Class::Being.begins(rest);
        let has_verb = rest.iter().take(subject + 1).skip(1).any(|word| Class::Being.has(word))
            && !matches!(words[*at].as_str(), "it" | "they");
        Class::Because.has(&words[*at]) && !rest.is_empty()
            || Class::Determiner.has(&words[*at]) && (is_pronoun || has_verb || is_reason(&words[*at..]))
    };
    &words[..(negation + 2..words.len()).find(starts).unwrap_or(words.len())]
}

/// Returns whether a list continues from clause `i` to an "or" ("don't brighten it, warm it or sharpen it"), so that a
/// negation holds for all of it. `states` says whether a clause orders nothing, `is_known` whether it has a meaning.
pub(crate) fn is_listed(
    clauses: &[Clause],
    i: usize,
    states: impl Fn(usize) -> bool,
    is_known: impl Fn(usize) -> bool,
) -> bool {
    for (at, clause) in clauses.iter().enumerate().skip(i + 1).take(LONGEST_LIST) {
        if !clause.is_joined || clause.is_conjoined || Class::Ordering.begins(&clause.words) || states(at) {
            return false;
        }
        if clause.is_alternative {
            return is_known(at);
        }
    }
    false
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
            assert!(is_stated(&words(text)), "{text}");
        }
        for text in [
            "the car must go",
            "when do i get the invoice",
            "asdfgh jkl",
            "tell me a joke",
            "is it ready",
            "it should be gone",
        ] {
            assert!(!is_stated(&words(text)), "{text}");
        }
        for text in ["the architect insists", "buyers will visit on saturday", "so neighbours dont laugh"] {
            assert!(is_reason(&words(text)), "{text}");
        }
        for text in ["remove the neighbours", "make it brighter", "when will buyers visit", "tomorrow"] {
            assert!(!is_reason(&words(text)), "{text}");
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

    #[test]
    fn reasons_and_salutations_are_no_part_of_an_order() {
        for (text, order) in [
            ("make it gentle my clients get dizzy", "make it gentle"),
            ("some depth so it isnt flat", "some depth"),
            ("dear sirs it is dark", "it is dark"),
            ("dont straighten it the walls are crooked", "dont straighten it"),
        ] {
            assert_eq!(super::order(&words(text)), words(order));
        }
    }
}
