//! Reads lines of a child, whose length and number it decides.

use std::io::{BufRead, BufReader, Read};

use tracing::Level;

/// Lines of a child's stderr that are logged, and their length in bytes.
const LOGGED_LINES: usize = 100;
const LONGEST_LOGGED: u64 = 1000;

/// Passes each line to `take`, without its end, until that returns false, the end, or a line that is too long.
pub(crate) fn read_lines(from: Option<impl Read>, longest: u64, mut take: impl FnMut(Vec<u8>) -> bool) {
    let Some(from) = from else { return };
    let mut reader = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(longest).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) || line.pop() != Some(b'\n') || !take(line) {
            return;
        }
    }
}

/// Logs what a child writes to stderr, as a warning or for debugging; returns its last line.
pub(crate) fn relay_to_log(from: Option<impl Read>, level: Level) -> String {
    let Some(from) = from else { return String::new() };
    let (mut reader, mut lines, mut last) = (BufReader::new(from), 0, String::new());
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(LONGEST_LOGGED).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return last;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        lines += 1;
        match lines {
            ..=LOGGED_LINES if level == Level::WARN => tracing::warn!(line, "the engine wrote to stderr"),
            ..=LOGGED_LINES => tracing::debug!(line, "the engine wrote to stderr"),
            _ if lines == LOGGED_LINES + 1 => tracing::debug!("further lines of the engine are not logged"),
            _ => {}
        }
        line.clone_into(&mut last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, longest: u64) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(Some(text.as_bytes()), longest, |line| {
            lines.push(String::from_utf8(line).unwrap());
            true
        });
        lines
    }

    #[test]
    fn lines_are_read_until_one_is_too_long_or_cut_off() {
        assert_eq!(lines("one\ntwo\nthr", 10), ["one", "two"]);
        assert_eq!(lines("one\nmuch too long\ntwo\n", 10), ["one"]);
    }

    #[test]
    fn the_last_line_of_stderr_says_why_a_child_died() {
        let text = format!("{}memory allocation of 8 bytes failed\n\n", "noise\n".repeat(1000));
        assert_eq!(relay_to_log(Some(text.as_bytes()), Level::WARN), "memory allocation of 8 bytes failed");
    }
}
