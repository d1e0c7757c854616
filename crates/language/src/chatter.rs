//! Parts of a prompt that ask for nothing: salutations, sign-offs, reasons and appointments.

use crate::statement::is_courtesy;

/// Words that only occur in salutations and sign-offs, folded.
const CIVILITIES: &str = "sirs sir madam gentlemen ladies mr mrs ms colleagues folks sincerely yours faithfully \
    respectfully wishes regards ps geehrte geehrter geehrtes geehrten damen herren herr frau hochachtungsvoll grusse \
    grussen gruss madame monsieur messieurs mesdames cordialement salutations respectueusement journee estimado \
    estimada estimados estimadas senor senora senores senoras atentamente cordialmente saludo saludos equipo abrazo";
/// Words that may accompany them, folded.
const BESIDE_CIVILITIES: &str = "warm warmest kindest best with truly very my day sehr herzlich herzliche herzlichen \
    freundlichen freundliche schone viele mit ihr ihre euer eure bien bonne cher chere chers sinceres a cordial \
    cordiales cordiaux un una muy";
/// Words of a sign-off that may precede a name, folded.
const CLOSINGS: [&str; 15] = [
    "regards",
    "wishes",
    "sincerely",
    "yours",
    "faithfully",
    "respectfully",
    "grusse",
    "grussen",
    "gruss",
    "hochachtungsvoll",
    "cordialement",
    "salutations",
    "saludo",
    "saludos",
    "atentamente",
];
/// Thanks, after which a name may follow, folded.
const THANKS: [&str; 13] =
    ["best", "bises", "abrazos", "thanks", "thank", "thx", "cheers", "lg", "mfg", "danke", "dank", "merci", "gracias"];
/// Words of a salutation that may precede a request in the same clause ("dear sirs my photo is dark"), folded.
const SALUTATIONS: [&str; 21] = [
    "dear",
    "hi",
    "hello",
    "hey",
    "sirs",
    "sir",
    "madam",
    "team",
    "folks",
    "ladies",
    "gentlemen",
    "hallo",
    "liebes",
    "geehrte",
    "geehrtes",
    "bonjour",
    "madame",
    "monsieur",
    "hola",
    "estimados",
    "senores",
];
/// People and institutions whose preferences explain a request, folded.
const PEOPLE: &str = "architect agency agent agents boss owner owners seller sellers client clients customer \
    customers buyer buyers landlord landlady neighbour neighbours neighbor neighbors broker brokers realtor realtors \
    manager editor editors printer wife husband mother father mom mum dad sister brother board committee tenant \
    tenants guest guests visitors viewers people everybody everyone somebody someone they he she colleague \
    colleagues lawyer designer photographer portal portals mls platform website association regulations architekt makler maklerin chef chefin eigentumer eigentumerin verkaufer \
    verkauferin kunde kunden kaufer kundin nachbar nachbarn vermieter mieter leute frau mann architecte agence \
    patron proprietaire vendeur acheteur acheteurs voisins voisin gens arquitecto agencia agente jefe dueno duena \
    vendedor cliente clientes comprador compradores vecinos vecino propietario gente";
/// Verbs of people whose preferences explain a request, folded.
const REASONING: &str = "schlecht mal insist insists insisted demand demands demanded visit visits visiting complain \
    complains complained laugh laughs expect expects expected say says said think thinks hate hates love loves like \
    likes prefer prefers come comes coming arrive arrives call calls called ask asks asked know knows use believe \
    believes hope hopes care cares decide decides worry worries picky strict fussy angry nervous impatient waiting \
    besteht will mochte verlangt sagt meint hasst liebt besichtigt besichtigen kommt kommen lacht lachen beschwert \
    beschweren wartet warten insiste exige demande dit veut deteste visite visitent viendra viendront rient attend \
    attendent pide dice quiere odia visita visitan viene vienen rien espera esperan forbid forbids ban bans banned \
    reject rejects rejected refuse refuses prohibit prohibits dislike dislikes accept accepts allow allows require \
    requires verbietet verbieten erlaubt akzeptiert lehnt interdit interdisent refuse accepte exigent prohibe prohiben \
    rechaza rechazan acepta permite";
/// Those of them that reject something, folded.
const REJECTING: &str =
    "complain complains complained hate hates hasst beschwert beschweren deteste odia dislike dislikes";
/// Those of them that forbid something, folded.
const PROHIBITING: &str = "forbid forbids ban bans banned reject rejects rejected refuse refuses prohibit prohibits \
    verbietet verbieten lehnt interdit interdisent prohibe prohiben rechaza rechazan";
/// Symptoms of motion sickness, folded.
const SICK: &str = "dizzy seasick sick nauseous nauseating nausea queasy schwindlig schwindelig ubel seekrank \
    vertige nausee malade mareo marea marean mareados";
/// Words that precede people, folded.
const DETERMINERS: &str = "my our the her his their mein meine unser unsere der die mon ma mes notre nos le la les \
    mi mis nuestro nuestros el los so because";
/// Dates, deadlines and appointments, folded.
const APPOINTMENTS: &str = "monday tuesday wednesday thursday friday saturday sunday tomorrow tonight yesterday week \
    weekend month deadline noon asap urgent urgently viewing viewings appointment brochure print online \
    montag dienstag mittwoch donnerstag freitag samstag sonntag morgen ubermorgen woche wochenende besichtigung \
    besichtigungen termin eilig dringend lundi mardi mercredi jeudi vendredi samedi dimanche demain semaine visite \
    visites urgence lunes martes miercoles jueves viernes sabado domingo manana semana visita visitas urgente prisa";
/// Negations in a purpose ("so it doesn't look flat"), folded.
const NEGATIONS: [&str; 12] =
    ["doesnt", "isnt", "not", "dont", "wont", "arent", "nicht", "kein", "keine", "ne", "no", "pas"];
/// Words that begin a question or an order, folded.
const ASKING: [&str; 22] = [
    "what", "when", "who", "where", "why", "how", "do", "does", "did", "is", "are", "which", "wann", "wer", "wo",
    "warum", "quand", "ou", "pourquoi", "cuando", "donde", "remove",
];

/// Question words that ask for information, with the words that may follow them, folded; an empty string stands for any word.
const QUESTIONS: [(&str, &str); 12] = [
    ("when", "is are do does did can will would"),
    ("where", "is are do does did can will"),
    ("who", ""),
    ("whose", ""),
    ("how", "much many long often soon do does did old large far"),
    ("wie", "ist sind viel viele lange oft teuer heisst heissen hoch gross geht kann"),
    ("wann", ""),
    ("wer", ""),
    ("combien", ""),
    ("quand", "est sera seront vais puis"),
    ("cuando", "es sera estara puedo recibo"),
    ("cuanto", ""),
];

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

fn is_civil(word: &String) -> bool {
    is_in(CIVILITIES, word) || is_in(BESIDE_CIVILITIES, word) || is_courtesy(std::slice::from_ref(word))
}

/// Number of people that a clause names.
pub(crate) fn people(words: &[String]) -> usize {
    words.iter().filter(|word| is_in(PEOPLE, word)).count()
}

/// Whether a clause only greets or signs off ("Sehr geehrte Damen", "best wishes").
pub(crate) fn is_civility(words: &[String]) -> bool {
    words.iter().any(|word| is_in(CIVILITIES, word)) && words.iter().all(is_civil)
}

/// The words after a sign-off, if there are few enough for a name ("kind regards Martha").
pub(crate) fn after_closing(words: &[String]) -> Option<&[String]> {
    /// Most words of a name.
    const LONGEST_NAME: usize = 2;
    let at = words.iter().rposition(|word| CLOSINGS.contains(&word.as_str()) || THANKS.contains(&word.as_str()))?;
    let is_closed = words.len() - at - 1 <= LONGEST_NAME
        && words[..at].iter().all(|word| CLOSINGS.contains(&word.as_str()) || is_civil(word));
    let is_place = |word: &String| ["from", "aus", "depuis", "desde"].contains(&word.as_str());
    // "Kind regards from Spain".
    let name = words.get(at + 1..).filter(|rest| !rest.first().is_some_and(is_place)).unwrap_or_default();
    is_closed.then_some(name)
}

/// Whether a clause signs off, so that what follows is a name.
pub(crate) fn is_sign_off(words: &[String]) -> bool {
    words.iter().any(|word| CLOSINGS.contains(&word.as_str())) && (is_civility(words) || after_closing(words).is_some())
}

/// The words before a reason in the same clause ("subtle so the neighbors don't laugh"); empty without a reason.
pub(crate) fn before_reason(words: &[String]) -> &[String] {
    const OPENERS: [&str; 10] = ["so", "because", "since", "as", "weil", "damit", "denn", "car", "parce", "porque"];
    let end = words.iter().position(|word| OPENERS.contains(&word.as_str()));
    &words[..end.unwrap_or_default()]
}

/// The words after a salutation without a comma.
pub(crate) fn after_salutation(words: &[String]) -> &[String] {
    let first = words.iter().position(|word| !SALUTATIONS.contains(&word.as_str())).unwrap_or_default();
    &words[first..]
}

/// Whether a clause gives a reason or an appointment ("the architect insists", "buyers will visit on Saturday").
pub(crate) fn is_reason(words: &[String]) -> bool {
    let asks = words.first().is_some_and(|first| ASKING.contains(&first.as_str()));
    let subject = words.iter().take(4).position(|word| is_in(PEOPLE, word));
    let acts = subject.is_some_and(|at| words[at + 1..].iter().any(|word| is_in(REASONING, word)));
    let is_known = |list: &str| words.len() > 1 && words.iter().any(|word| is_in(list, word));
    !asks && (acts || is_known(APPOINTMENTS) || is_known(SICK))
}

/// Whether a clause asks for information, not for a change ("how long does it take").
pub(crate) fn is_question(words: &[String]) -> bool {
    let [first, second, ..] = words else { return false };
    QUESTIONS.iter().any(|(question, next)| question == first && (next.is_empty() || is_in(next, second)))
}

/// Whether people at the beginning of a clause do what a verb of the list says.
fn acts(words: &[String], verbs: &str) -> bool {
    let at = |list: &str| words.iter().position(|word| is_in(list, word));
    matches!((at(PEOPLE), at(verbs)), (Some(subject), Some(verb)) if subject < 3 && subject < verb)
}

/// Whether a clause says that somebody forbids something ("the portal rejects edited skies").
pub(crate) fn is_prohibition(words: &[String]) -> bool {
    acts(words, PROHIBITING)
}

/// Whether a clause says that something is rejected or harms people ("my boss hates pans", "zooming makes people dizzy").
pub(crate) fn is_rejection(words: &[String]) -> bool {
    const MAKING: [&str; 8] = ["make", "makes", "made", "gives", "macht", "machen", "rend", "donne"];
    const PURPOSES: [&str; 6] = ["so", "that", "otherwise", "damit", "sonst", "sinon"];
    /// Maximum number of words from the verb to what it does to people.
    const LONGEST: usize = 4;
    let rejects = acts(words, REJECTING) || acts(words, PROHIBITING);
    let made = words.iter().skip(1).position(|word| MAKING.contains(&word.as_str())).map(|at| at + 1);
    let sick = words.iter().position(|word| is_in(SICK, word));
    let harms = matches!((made, sick), (Some(verb), Some(sick)) if verb < sick && sick - verb <= LONGEST);
    let is_purpose = words.iter().any(|word| PURPOSES.contains(&word.as_str()) || NEGATIONS.contains(&word.as_str()));
    !is_purpose && (rejects || harms)
}

/// The words before a reason or a purpose that follows without a comma ("make it gentle please | my clients get dizzy",
/// "some depth | so it doesn't look flat").
pub(crate) fn without_reason(words: &[String]) -> &[String] {
    /// Most words of the reason after its subject.
    const LONGEST: usize = 2;
    let after = |at: usize| words.get(at + 1..).unwrap_or_default();
    let reasons = |at: &usize| {
        let is_subject =
            is_in(PEOPLE, &words[*at]) && is_in(DETERMINERS, &words[*at - 1]) && after(*at).len() <= LONGEST;
        is_subject && after(*at).iter().take(2).any(|word| is_in(REASONING, word) || is_in(SICK, word) || word == "get")
    };
    let purpose = || {
        let starts = |at: &usize| {
            ["so", "damit", "pour", "para"].contains(&words[*at].as_str())
                && after(*at)
                    .first()
                    .is_some_and(|next| ["it", "its", "they", "es", "sie", "que"].contains(&next.as_str()))
                && after(*at).iter().take(4).any(|word| NEGATIONS.contains(&word.as_str()))
                // "So people | don't get dizzy".
                || ["so", "damit"].contains(&words[*at].as_str())
                    && after(*at).len() <= LONGEST + 1
                    && ends_in_subject(after(*at))
        };
        (1..words.len()).find(starts)
    };
    let end = (2..words.len()).rev().find(reasons).map(|at| at - 1).or_else(purpose);
    &words[..end.unwrap_or(words.len())]
}

/// Whether a clause ends in a subject, so that its verb may follow in the next clause ("so the neighbours | dont laugh").
pub(crate) fn ends_in_subject(words: &[String]) -> bool {
    words.last().is_some_and(|last| is_in(PEOPLE, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn chatter_is_distinguished_from_requests() {
        assert!(is_civility(&words("sehr geehrte damen")) && is_civility(&words("best wishes")));
        assert!(!is_civility(&words("kindly brighten")) && !is_civility(&words("thanks")));
        assert_eq!(after_closing(&words("kind regards martha")), Some(&words("martha")[..]));
        assert_eq!(after_closing(&words("thanks please brighten the room")), None);
        for reason in ["the architect insists", "buyers will visit on saturday", "so neighbours dont laugh"] {
            assert!(is_reason(&words(reason)), "{reason}");
        }
        for request in ["remove the neighbours", "make it brighter", "when will buyers visit", "tomorrow"] {
            assert!(!is_reason(&words(request)), "{request}");
        }
        assert_eq!(without_reason(&words("make it gentle my clients get dizzy")), words("make it gentle"));
        assert_eq!(without_reason(&words("some depth so it isnt flat")), words("some depth"));
        assert_eq!(after_salutation(&words("dear sirs it is dark")), words("it is dark"));
    }
}
