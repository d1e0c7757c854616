//! Lists of prompts with what each asks for, one in a line: `phrase = meanings`, with the names of the meanings in any order.
//! A line that begins with `~` was kept aside while the rules were written, and `#` begins a comment.

use std::collections::BTreeSet;

/// Which phrases of a list are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Those that the rules were written for.
    Tuned,
    /// Those that were kept aside.
    Aside,
}

/// Phrases of a list that are read as listed.
#[derive(Debug)]
pub struct Score {
    /// Number of phrases.
    pub count: usize,
    /// The others, with what was read and what is meant.
    pub wrong: Vec<String>,
}

impl Score {
    /// Reads the phrases of a part of a list.
    ///
    /// # Panics
    ///
    /// If a line is no phrase with its meanings.
    #[must_use]
    #[track_caller]
    pub fn of(list: &str, part: Part, meanings: impl Fn(&str) -> BTreeSet<String>) -> Self {
        let mut score = Self { count: 0, wrong: Vec::new() };
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            let (found, line) = line.strip_prefix("~ ").map_or((Part::Tuned, line), |line| (Part::Aside, line));
            if found != part {
                continue;
            }
            let (phrase, expected) = line.rsplit_once(" =").unwrap_or_else(|| panic!("no meanings: {line}"));
            let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
            let read = meanings(phrase);
            score.count += 1;
            if read != expected {
                score.wrong.push(format!("{phrase:?}: {read:?} instead of {expected:?}"));
            }
        }
        score
    }

    /// Share of phrases that are read as listed.
    #[must_use]
    pub fn share(&self) -> f64 {
        1.0 - self.wrong.len() as f64 / self.count.max(1) as f64
    }
}

/// Asserts that prompts are read as what stands beside them: the names of their meanings, in any order.
///
/// # Panics
///
/// If one is read as something else.
#[track_caller]
pub fn assert_read(prompts: &[(&str, &str)], meanings: impl Fn(&str) -> BTreeSet<String>) {
    for (prompt, expected) in prompts {
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(meanings(prompt), expected, "{prompt}");
    }
}

/// Orders, reasons for each of them, and meanings that none of both together may have.
pub type Reasons<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str]);

/// Asserts that reasons turn no order into what is forbidden, in sentences that have `ORDER` and `REASON` in their places.
///
/// # Panics
///
/// If one does.
#[track_caller]
pub fn assert_reasons_order_nothing(
    cases: &[Reasons<'_>],
    sentences: &[&str],
    meanings: impl Fn(&str) -> BTreeSet<String>,
) {
    let mut wrong: Vec<String> = Vec::new();
    for (orders, reasons, forbidden) in cases {
        for (order, reason) in orders.iter().flat_map(|order| reasons.iter().map(move |reason| (order, reason))) {
            for sentence in sentences {
                let prompt = sentence.replace("ORDER", order).replace("REASON", reason);
                let found = meanings(&prompt);
                if forbidden.iter().any(|meaning| found.contains(*meaning)) {
                    wrong.push(format!("{prompt}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_count_for_their_part_and_their_meanings_in_any_order() {
        let list = "# A comment = none\na b = b a\n~ c = d\na = b = a =\n";
        let words = |phrase: &str| phrase.split(' ').map(str::to_owned).collect();
        let tuned = Score::of(list, Part::Tuned, words);
        assert_eq!((tuned.count, tuned.wrong.len()), (2, 1), "{tuned:?}");
        let aside = Score::of(list, Part::Aside, words);
        assert_eq!((aside.count, aside.share()), (1, 0.0), "{aside:?}");
    }
}
