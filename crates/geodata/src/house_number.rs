//! House numbers, as mapped and as requested.

/// How a mapped house number matches a requested one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The same number, or one of several listed (`2;4`).
    Exact,
    /// An end of a range (`9-11` for 9).
    End,
    /// Within a range of one side of the street (`8-12` for 10).
    Within,
}

/// Maximum width of a range of house numbers (`9-11`, `8-12`); in a wider one the second number means something else.
const WIDEST: u32 = 20;

/// The normal form: `19 B`, `19-B` and `19/B` become `19b`, `9 – 11` becomes `9-11`, `12½` becomes `12 1/2`, `10 корп. 2` becomes
/// `10k2`, `No: 7` becomes `7`; everything but letters, digits, `-`, `/` and the space before a fraction is dropped.
pub fn normal(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '-' | '–' | '—' | '‐' | '‑' | '−' | '－' | '之' | '番' => plain.push('-'),
            // Chinese and Japanese words for a number.
            '号' | '號' | '地' => {}
            '/' | '／' => plain.push('/'),
            '½' => plain.push_str(" 1/2"),
            '¼' => plain.push_str(" 1/4"),
            '¾' => plain.push_str(" 3/4"),
            'º' | '°' => plain.push('o'),
            c if c.is_whitespace() => plain.push(' '),
            c => plain.push_str(deunicode::deunicode_char(c).unwrap_or_default()),
        }
    }
    let plain = plain.to_ascii_lowercase();
    let mut out = String::new();
    let mut separator = None;
    for run in runs(&plain) {
        let (first, last) = (run.as_bytes()[0], out.bytes().last());
        if !first.is_ascii_alphanumeric() {
            separator = separator.max(Some(match run {
                "-" => Separator::Dash,
                "/" => Separator::Slash,
                _ => Separator::Space,
            }));
            continue;
        }
        let part = if first.is_ascii_alphabetic() { of_part(run) } else { without_zeros(run, out.is_empty()) };
        let between_digits = last.is_some_and(|b| b.is_ascii_digit()) && first.is_ascii_digit();
        let after_letter = last.is_some_and(|b| b.is_ascii_alphabetic());
        match separator.take() {
            Some(Separator::Dash) if between_digits || (after_letter && out.len() > 1) => out.push('-'),
            Some(Separator::Slash) if between_digits || after_letter => out.push('/'),
            Some(Separator::Space) if between_digits => out.push(' '),
            _ => {}
        }
        out.push_str(part);
    }
    let number = ["numero", "number", "num", "nro", "nr", "no"].iter().find_map(|word| out.strip_prefix(word));
    match number {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => number.to_owned(),
        _ => out,
    }
}

/// What stands between two parts of a number, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Separator {
    Space,
    Dash,
    Slash,
}

/// Runs of letters, of digits, and every other character.
fn runs(text: &str) -> Vec<&str> {
    let class = |b: u8| (b.is_ascii_alphabetic(), b.is_ascii_digit());
    let (bytes, mut out, mut from) = (text.as_bytes(), Vec::new(), 0);
    for to in 1..=bytes.len() {
        let is_end =
            to == bytes.len() || class(bytes[to]) != class(bytes[from]) || class(bytes[from]) == (false, false);
        if is_end {
            out.push(&text[from..to]);
            from = to;
        }
    }
    out
}

/// Codes of the words for parts of a number in Russian: corpus, building, letter.
fn of_part(word: &str) -> &str {
    match word {
        "korpus" | "korp" | "kor" => "k",
        "stroenie" | "str" => "s",
        "litera" | "liter" | "lit" => "",
        word => word.strip_prefix("lit").filter(|letter| letter.len() == 1).unwrap_or(word),
    }
}

/// A number without zeros before it, if it is the first.
fn without_zeros(digits: &str, is_first: bool) -> &str {
    let plain = digits.trim_start_matches('0');
    if is_first && !plain.is_empty() { plain } else { digits }
}

/// The numbers that a mapped value lists.
fn listed(value: &str) -> impl Iterator<Item = String> + '_ {
    value.split([';', ',', '+', '&']).map(normal).filter(|n| !n.is_empty())
}

/// A number with its letter: `19b` is 19 and `b`.
fn split(number: &str) -> Option<(u32, &str)> {
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let value = number.get(..digits)?.parse().ok()?;
    Some((value, &number[digits..]))
}

/// Integers by which a mapped value is indexed; a range is indexed under each of its numbers.
pub fn bases(value: &str) -> Vec<u32> {
    let mut out = Vec::new();
    for number in listed(value) {
        if let Some((from, to)) = range(&number) {
            out.extend(from..=to);
        } else {
            out.push(split(&number).map_or(0, |n| n.0));
        }
    }
    out.sort_unstable();
    out.dedup();
    out.truncate(200);
    out
}

/// First integer of a requested number; 0 if it has none.
pub fn base(number: &str) -> u32 {
    split(&normal(number)).map_or(0, |n| n.0)
}

/// Ends of a plain range of numbers on one side of the street.
#[must_use]
pub fn range(number: &str) -> Option<(u32, u32)> {
    let (from, to) = number.split_once('-')?;
    let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    (from < to && to - from <= WIDEST && (to - from).is_multiple_of(2)).then_some((from, to))
}

/// How a mapped value covers a requested number, if at all. A number never matches a neighbor: 10 is not in `9-11`, 9
/// is not `9a`, and `9/1` only matches itself.
pub fn fit(mapped: &str, asked: &str) -> Option<Fit> {
    let asked = normal(asked);
    if asked.is_empty() {
        return None;
    }
    listed(mapped).filter_map(|number| fit_one(&number, &asked)).min()
}

fn fit_one(number: &str, asked: &str) -> Option<Fit> {
    if number == asked {
        return Some(Fit::Exact);
    }
    if let (Some((from, to)), Ok(n)) = (range(number), asked.parse::<u32>()) {
        let end = n == from || n == to;
        let side = from < n && n < to && (n - from).is_multiple_of(2);
        return end.then_some(Fit::End).or(side.then_some(Fit::Within));
    }
    // Letters: 5a-5c and 5a-c cover 5b.
    let (from, to) = number.split_once('-')?;
    let ((n, first), (m, letter)) = (split(from)?, split(asked)?);
    let last = match split(to) {
        Some((k, last)) if k == n => last,
        Some(_) => return None,
        None => to,
    };
    let one = |s: &str| s.bytes().next().filter(|b| s.len() == 1 && b.is_ascii_lowercase());
    let (first, last, letter) = (one(first)?, one(last)?, one(letter)?);
    if n != m || first >= last || last - first > 12 || !(first..=last).contains(&letter) {
        return None;
    }
    Some(if letter == first || letter == last { Fit::End } else { Fit::Within })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_in_its_spellings_lists_and_ranges() {
        for (mapped, asked, want) in [
            ("19b", "19 B", Fit::Exact),
            ("19 b", "19b", Fit::Exact),
            ("2;4", "4", Fit::Exact),
            ("9-11", "9 – 11", Fit::Exact),
            ("9-11", "11", Fit::End),
            ("8-12", "10", Fit::Within),
            ("12/3", "12/3", Fit::Exact),
            ("5a-c", "5b", Fit::Within),
            ("5a-5c", "5c", Fit::End),
            ("9 bis", "9bis", Fit::Exact),
            ("11bis", "11 BIS", Fit::Exact),
            ("12 1/2", "12½", Fit::Exact),
            ("12A", "12/a", Fit::Exact),
            ("12-A", "12 a", Fit::Exact),
            ("10 с2", "10 стр. 2", Fit::Exact),
            ("10к2", "10 корпус 2", Fit::Exact),
            ("No: 7", "7", Fit::Exact),
            ("7", "nº 7", Fit::Exact),
            ("D-12", "d12", Fit::Exact),
            ("13之1號", "13-1", Fit::Exact),
            ("13 литА", "13 литера А", Fit::Exact),
            ("9", "09", Fit::Exact),
            ("1-2", "1番2号", Fit::Exact),
            ("N6W23001", "N6 W23001", Fit::Exact),
        ] {
            assert_eq!(fit(mapped, asked), Some(want), "{asked} in {mapped}");
        }
    }

    #[test]
    fn a_number_never_matches_its_neighbor() {
        for (mapped, asked) in [
            ("9-11", "10"),
            ("19b", "19"),
            ("19", "19b"),
            ("12/3", "12"),
            ("12/3", "123"),
            ("2;4", "3"),
            ("2;4", "24"),
            ("9-11", "911"),
            ("8-12", "14"),
            ("5a-c", "5"),
            ("5a-c", "5d"),
            ("100-200", "150"),
            ("11-9", "10"),
            ("1-2", "1"),
            ("12 1/2", "12"),
            ("12 1/2", "121/2"),
            ("9 bis", "9"),
            ("9", "9 bis"),
            ("9 ter", "9 bis"),
            ("10 с2", "10 к2"),
            ("10 с2", "102"),
        ] {
            assert_eq!(fit(mapped, asked), None, "{asked} in {mapped}");
        }
    }
}
