//! Addresses as people write them: other orders, cases, spellings, and typos.

use aerie_math::Rng;

/// A mapped address with everything that a letter to it would carry.
#[derive(Debug, Clone)]
pub(crate) struct Full {
    pub(crate) fid: i64,
    pub(crate) street: String,
    pub(crate) number: String,
    pub(crate) postcode: Option<String>,
    pub(crate) town: Option<String>,
    /// Whether the map itself names the town.
    pub(crate) town_is_tagged: bool,
    /// Whether street and number alone name one house of the map.
    pub(crate) is_unique: bool,
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// Postcode and town, as far as they are known.
fn place(full: &Full) -> String {
    [&full.postcode, &full.town].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ")
}

fn line(street: &str, number: &str, place: &str) -> String {
    if place.is_empty() { format!("{street} {number}") } else { format!("{street} {number}, {place}") }
}

pub(crate) fn written(full: &Full) -> String {
    line(&full.street, &full.number, &place(full))
}

/// Letters without diacritics; `long` writes ä as ae.
fn plain(text: &str, long: bool) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let spelled = match c {
            'ä' | 'Ä' => ["a", "ae"],
            'ö' | 'Ö' => ["o", "oe"],
            'ü' | 'Ü' => ["u", "ue"],
            'å' | 'Å' => ["a", "aa"],
            'é' | 'è' | 'ê' | 'É' => ["e", "e"],
            'à' | 'â' | 'á' => ["a", "a"],
            'ç' => ["c", "c"],
            'ñ' => ["n", "n"],
            'ß' => ["ss", "ss"],
            c => {
                out.push(c);
                continue;
            }
        };
        let spelled = spelled[usize::from(long)];
        out.push_str(&if c.is_uppercase() { spelled[..1].to_uppercase() + &spelled[1..] } else { spelled.to_owned() });
    }
    out
}

/// Diacritics decomposed from their letters, as some systems write file names and forms.
fn decomposed(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'ä' => "a\u{308}".to_owned(),
            'ö' => "o\u{308}".to_owned(),
            'ü' => "u\u{308}".to_owned(),
            'Ä' => "A\u{308}".to_owned(),
            'Ö' => "O\u{308}".to_owned(),
            'Ü' => "U\u{308}".to_owned(),
            'å' => "a\u{30a}".to_owned(),
            'é' => "e\u{301}".to_owned(),
            'è' => "e\u{300}".to_owned(),
            c => c.to_string(),
        })
        .collect()
}

/// Common abbreviations of words and endings.
const SHORT: [(&str, &[&str]); 19] = [
    ("straße", &["str.", "str", "strasse"]),
    ("strasse", &["str.", "str", "straße"]),
    ("Straße", &["Str.", "Str", "Strasse"]),
    ("Strasse", &["Str.", "Str", "Straße"]),
    ("platz", &["pl.", "pl"]),
    ("Platz", &["Pl.", "Pl"]),
    ("gasse", &["g.", "gässe"]),
    ("Sankt ", &["St. ", "St "]),
    ("St. ", &["Sankt ", "St "]),
    ("Street", &["St", "St."]),
    ("Avenue", &["Ave", "Ave.", "Av."]),
    ("Road", &["Rd", "Rd."]),
    ("Lane", &["Ln", "Ln."]),
    ("katu", &["k."]),
    ("allee", &["al.", "all."]),
    ("Doktor", &["Dr."]),
    ("Dr.", &["Dr", "Doktor"]),
    ("weg", &["w."]),
    ("Weg", &["W."]),
];

/// The country of an extract. The sample town lies at sea, in none.
fn country(lat: f64, lon: f64) -> &'static str {
    match lat {
        55.0.. => "Finland",
        ..47.3 if lon > 9.0 => "Liechtenstein",
        _ => "Germany",
    }
}

/// A name with one letter omitted, doubled, replaced or swapped with the next.
fn with_typo(name: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = name.chars().collect();
    let letters: Vec<usize> = (0..chars.len()).filter(|i| chars[*i].is_alphabetic()).collect();
    let at = letters[rng.below(letters.len())];
    match rng.below(4) {
        0 => {
            chars.remove(at);
        }
        1 => chars.insert(at, (b'a' + rng.below(26) as u8) as char),
        2 => chars[at] = (b'a' + rng.below(26) as u8) as char,
        _ if at + 1 < chars.len() && chars[at + 1].is_alphabetic() => chars.swap(at, at + 1),
        _ => chars.insert(at, chars[at]),
    }
    chars.into_iter().collect()
}

/// All perturbations of an address: what was done, and the text. `is_street` reports whether a name is that of another
/// street on the map, which a typo must not produce.
pub(crate) fn perturbed(full: &Full, is_street: &dyn Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let (street, number, place) = (&full.street, &full.number, place(full));
    let town = full.town.clone().unwrap_or_default();
    let written = written(full);
    let mut rng = Rng::from_name(&written);
    let mut out = vec![("as written", written.clone())];
    out.push(("case", written.to_uppercase()));
    out.push(("case", written.to_lowercase()));
    out.push(("no comma", written.replace(',', "")));
    out.push(("hyphens", line(&street.replace('-', " "), number, &place)));
    out.push(("hyphens", line(&street.replace(' ', "-"), number, &place)));
    if !place.is_empty() {
        out.push(("order", format!("{place}, {street} {number}")));
        out.push(("order", format!("{number} {street}, {place}")));
        out.push(("order", format!("{place} {number} {street}")));
    }
    if let (Some(postcode), Some(town)) = (&full.postcode, &full.town) {
        out.push(("order", format!("{street} {number}, {town} {postcode}")));
        out.push(("order", format!("{street} {number}, {town}, {postcode}")));
        out.push(("no postcode", line(street, number, town)));
        out.push(("no town but the postcode", line(street, number, postcode)));
    }
    for (name, spelled) in
        [("accents", plain(&written, false)), ("accents", plain(&written, true)), ("accents", decomposed(&written))]
    {
        if spelled != written {
            out.push((name, spelled));
        }
    }
    for (long, short) in SHORT {
        for short in short.iter().filter(|_| street.contains(long)) {
            out.push(("abbreviation", line(&street.replace(long, short), number, &place)));
        }
    }
    if street.chars().filter(|c| c.is_alphabetic()).count() > 2 {
        for place in [&place, &town] {
            for _ in 0..10 {
                let name = with_typo(street, &mut rng);
                if name != *street && !is_street(&name) {
                    out.push(("one slip in the street", line(&name, number, place)));
                    break;
                }
            }
        }
    }
    if town.chars().count() >= 6 {
        out.push(("one slip in the town", line(street, number, &with_typo(&town, &mut rng))));
    }
    if full.is_unique {
        out.push(("no town", format!("{street} {number}")));
    }
    if full.town.is_some() && !full.town_is_tagged {
        out.push(("town inferred", line(street, number, &town)));
    }
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let (figures, letter) = number.split_at(digits);
    if letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_alphabetic()) {
        out.push(("letter", line(street, &format!("{figures} {letter}"), &place)));
        out.push(("letter", line(street, &format!("{figures}{}", letter.to_uppercase()), &place)));
        out.push(("letter", line(street, &format!("{figures} {}", letter.to_uppercase()), &place)));
    }
    if let Some((from, to)) = number.split_once('-').filter(|(a, b)| {
        let [a, b] = [a, b].map(|n| n.parse::<u32>());
        a.is_ok_and(|a| b.is_ok_and(|b| a < b))
    }) {
        for spelled in [format!("{from}–{to}"), format!("{from} - {to}"), format!("{from} – {to}")] {
            out.push(("range", line(street, &spelled, &place)));
        }
        out.push(("end of a range", line(street, from, &place)));
        out.push(("end of a range", line(street, to, &place)));
    }
    out.push(("country", format!("{written}, {}", country(full.lat, full.lon))));
    let short = street.replace("straße", "str").replace("strasse", "str").replace('-', " ");
    out.push(("hasty", plain(&line(&short, number, &town), false).to_lowercase().replace(',', "")));
    out
}
