//! Postcodes, folded to letters and digits.

/// Whether a typed postcode is a mapped one: `22999-1234` lies in 22999.
#[must_use]
pub fn is_same(mapped: &str, typed: &str) -> bool {
    let is_zip = |code: &str, length: usize| code.len() == length && code.bytes().all(|b| b.is_ascii_digit());
    if mapped.is_empty() || typed.is_empty() {
        return false;
    }
    mapped == typed
        || (is_zip(mapped, 5) && is_zip(typed, 9) && typed.starts_with(mapped))
        || (is_zip(mapped, 9) && is_zip(typed, 5) && mapped.starts_with(typed))
}

/// Whether a folded text has the form of a postcode of any country.
#[must_use]
pub fn is_likely(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.len() - digits;
    let shape: Vec<bool> = text.bytes().map(|b| b.is_ascii_digit()).collect();
    match (digits, letters) {
        (4..=9, 0) => digits != 9 || text.len() == 9,
        // 1234 AB, K1A 0B1, SW1A 1AA, D02 AF30
        (4, 2) => shape[..4] == [true; 4] || shape[2..] == [true; 4],
        (2..=5, 2..=5) => (5..=7).contains(&text.len()) && !shape[0] && shape.iter().any(|d| *d),
        _ => false,
    }
}

/// Whether a folded text has the form of the first half of a British postcode: `bh14`, `e10`, `sw1a`.
#[must_use]
pub fn is_outward(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = &text[letters..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let tail = &rest[digits..];
    (1..=2).contains(&letters)
        && (1..=2).contains(&digits)
        && (tail.is_empty() || (digits == 1 && tail.len() == 1 && tail.bytes().all(|b| b.is_ascii_alphabetic())))
}

/// Whether addresses with these postcodes, between bars, may be in a state. Known of the United States, whose codes begin with that of
/// a state.
#[must_use]
pub fn may_be_in(country: &str, state: Option<&str>, postcodes: &str) -> bool {
    let (Some(state), true) = (state, country == "us") else { return true };
    let prefixes = postcodes.split('|').filter(|code| code.len() >= 5 && code.bytes().all(|b| b.is_ascii_digit()));
    let mut own = prefixes.filter_map(|code| code[..3].parse::<u16>().ok()).peekable();
    let Some(ranges) = STATES.iter().filter(|s| s.0 == state).map(|s| s.1).next() else { return true };
    own.peek().is_none() || own.any(|prefix| ranges.iter().any(|(from, to)| (*from..=*to).contains(&prefix)))
}

/// First three digits of the ZIP codes of each state, by the United States Postal Service.
type Ranges = &'static [(u16, u16)];
const STATES: [(&str, Ranges); 51] = [
    ("al", &[(350, 369)]),
    ("ak", &[(995, 999)]),
    ("az", &[(850, 865)]),
    ("ar", &[(716, 729), (755, 755)]),
    ("ca", &[(900, 961)]),
    ("co", &[(800, 816)]),
    ("ct", &[(60, 69)]),
    ("de", &[(197, 199)]),
    ("dc", &[(200, 205), (569, 569)]),
    ("fl", &[(320, 349)]),
    ("ga", &[(300, 319), (398, 399)]),
    ("hi", &[(967, 968)]),
    ("id", &[(832, 838)]),
    ("il", &[(600, 629)]),
    ("in", &[(460, 479)]),
    ("ia", &[(500, 528)]),
    ("ks", &[(660, 679)]),
    ("ky", &[(400, 427)]),
    ("la", &[(700, 715)]),
    ("me", &[(39, 49)]),
    ("md", &[(206, 219)]),
    ("ma", &[(10, 27), (55, 55)]),
    ("mi", &[(480, 499)]),
    ("mn", &[(550, 567)]),
    ("ms", &[(386, 397)]),
    ("mo", &[(630, 658)]),
    ("mt", &[(590, 599)]),
    ("ne", &[(680, 693)]),
    ("nv", &[(889, 898)]),
    ("nh", &[(30, 38)]),
    ("nj", &[(70, 89)]),
    ("nm", &[(870, 884)]),
    ("ny", &[(5, 5), (63, 63), (100, 149)]),
    ("nc", &[(270, 289)]),
    ("nd", &[(580, 588)]),
    ("oh", &[(430, 459)]),
    ("ok", &[(730, 749)]),
    ("or", &[(970, 979)]),
    ("pa", &[(150, 196)]),
    ("ri", &[(28, 29)]),
    ("sc", &[(290, 299)]),
    ("sd", &[(570, 577)]),
    ("tn", &[(370, 385)]),
    ("tx", &[(750, 799), (885, 885), (733, 733)]),
    ("ut", &[(840, 847)]),
    ("vt", &[(50, 54), (56, 59)]),
    ("va", &[(201, 201), (220, 246)]),
    ("wa", &[(980, 994)]),
    ("wv", &[(247, 268)]),
    ("wi", &[(530, 549)]),
    ("wy", &[(820, 831)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_zip_code_lies_in_a_shorter_one() {
        assert!(is_same("22999", "229991234") && is_same("229991234", "22999") && is_same("1234ab", "1234ab"));
        assert!(!is_same("22999", "22998") && !is_same("2299", "229991234") && !is_same("", ""));
    }

    #[test]
    fn postcodes_have_known_forms() {
        for code in ["75008", "1010", "1234ab", "k1a0b1", "sw1a1aa", "d02af30", "01310100", "113042"] {
            assert!(is_likely(code), "{code}");
        }
        for code in ["12", "berlin", "123", "a1", "12a"] {
            assert!(!is_likely(code), "{code}");
        }
    }

    #[test]
    fn a_zip_code_tells_the_state() {
        assert!(may_be_in("us", Some("va"), "|22999|") && !may_be_in("us", Some("md"), "|22999|"));
        assert!(may_be_in("us", Some("md"), "||") && may_be_in("ca", Some("on"), "|22999|"));
    }
}
