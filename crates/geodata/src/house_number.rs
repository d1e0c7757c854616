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

/// The normal form: `19 B` becomes `19b`, `9 – 11` becomes `9-11`; everything but letters, digits, `-` and `/` is
/// dropped.
pub fn normal(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '-' | '–' | '—' | '‐' | '‑' => out.push('-'),
            '/' => out.push('/'),
            '½' => out.push_str("1/2"),
            c => {
                out.extend(deunicode::deunicode_char(c).unwrap_or_default().chars().filter(char::is_ascii_alphanumeric))
            }
        }
    }
    out.to_ascii_lowercase()
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
fn range(number: &str) -> Option<(u32, u32)> {
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
        ] {
            assert_eq!(fit(mapped, asked), None, "{asked} in {mapped}");
        }
    }
}
