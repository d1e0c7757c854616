//! Files of words, which translators edit: a meaning, a tab, and its phrases between commas; `#` begins a comment.

use std::fmt;

/// A file of words, compiled in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordFile {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// Returns the files of a subject. Of a phrase that two languages share, the first language decides the meaning.
macro_rules! word_files {
    ($subject:literal, $($language:literal),+) => {
        [$($crate::words::WordFile {
            name: concat!($subject, ".", $language, ".tsv"),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/words/", $subject, ".", $language, ".tsv")),
        }),+]
    };
    ($subject:literal) => { $crate::words::word_files!($subject, "en", "de", "fr", "es") };
}
pub(crate) use word_files;

/// Error in a file of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordError {
    file: &'static str,
    line: usize,
    problem: String,
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "words/{}:{}: {}", self.file, self.line, self.problem)
    }
}

impl WordFile {
    /// Returns the meaning and the phrases of each line.
    pub(crate) fn rows<T>(
        self,
        parse: impl Fn(&str) -> Option<T>,
    ) -> impl Iterator<Item = Result<(T, Vec<&'static str>), WordError>> {
        let lines = self.text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines.map(move |(at, line)| {
            let error = |problem| WordError { file: self.name, line: at + 1, problem };
            let (name, phrases) = line.split_once('\t').ok_or_else(|| error("no tab after the meaning".to_owned()))?;
            let meaning = parse(name).ok_or_else(|| error(format!("unknown meaning \"{name}\"")))?;
            let phrases: Vec<&str> = phrases.split(',').map(str::trim).collect();
            match phrases.contains(&"") {
                true => Err(error("empty phrase".to_owned())),
                false => Ok((meaning, phrases)),
            }
        })
    }
}

/// Returns what a file of words contains, which the tests have parsed.
pub(crate) fn checked<T>(parsed: Result<T, WordError>) -> T {
    parsed.unwrap_or_else(|error| panic!("{error}"))
}

/// Parses names that a file repeats ("push_in rise"), for the life of the program.
pub(crate) fn list<T>(names: &str, parse: impl Fn(&str) -> Option<T>) -> Option<&'static [T]> {
    Some(Box::leak(names.split(' ').map(parse).collect::<Option<Box<[T]>>>()?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::class::Class;
    use crate::{camera, furniture, photo};

    #[test]
    fn an_error_names_file_and_line() {
        let error = |text| {
            let file = WordFile { name: "a.en.tsv", text };
            file.rows(|name| (name == "known").then_some(())).find_map(Result::err).map(|error| error.to_string())
        };
        assert_eq!(error("# Words\nknown\ta, b c\n"), None);
        assert_eq!(error("known\ta\nunknown\tb").as_deref(), Some("words/a.en.tsv:2: unknown meaning \"unknown\""));
        assert_eq!(error("known a").as_deref(), Some("words/a.en.tsv:1: no tab after the meaning"));
        assert_eq!(error("known\ta,,b").as_deref(), Some("words/a.en.tsv:1: empty phrase"));
    }

    #[test]
    fn every_file_of_words_parses_and_names_each_meaning_once() {
        fn check<T>(files: &[WordFile], parse: impl Fn(&str) -> Option<T>) {
            for file in files {
                let rows: Vec<_> = file.rows(|name| parse(name).map(|_| name.to_owned())).collect();
                let names: Vec<String> = rows.into_iter().map(|row| checked(row).0).collect();
                let distinct: BTreeSet<&String> = names.iter().collect();
                assert!(!names.is_empty() && names.len() == distinct.len(), "{}: {names:?}", file.name);
            }
        }
        let ordinary = |name: &str| (name == "ordinary").then_some(());
        check(&word_files!("photo"), |name| ordinary(name).or(photo::item::Item::parse(name).map(drop)));
        check(&word_files!("camera"), |name| ordinary(name).or(camera::item::Item::parse(name).map(drop)));
        check(&word_files!("furniture", "en"), furniture::Item::parse);
        check(&word_files!("compounds", "de"), camera::compound::Part::parse);
        check(&word_files!("grammar"), |name| name.parse::<Class>().ok());
    }
}
