//! Bounds strings, numbers and nesting of JSON, of which its parser keeps a record.

use std::io::{self, BufRead, Read};

/// Bytes of a string or number.
const MAX_TOKEN: usize = 1 << 20;
/// Lists and objects inside of each other.
const MAX_DEPTH: usize = 100;

/// A reader that fails at a string or number that is too long, and at lists that are nested too deep.
pub(super) struct Guard<R> {
    inner: R,
    in_string: bool,
    escaped: bool,
    length: usize,
    depth: usize,
}

impl<R: BufRead> Guard<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, in_string: false, escaped: false, length: 0, depth: 0 }
    }

    fn check(&mut self, bytes: &[u8]) -> io::Result<()> {
        for &byte in bytes {
            self.length += 1;
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
            } else if byte == b'"' {
                (self.in_string, self.length) = (true, 0);
            } else if matches!(byte, b',' | b':' | b'[' | b']' | b'{' | b'}' | b' ' | b'\n' | b'\r' | b'\t') {
                self.length = 0;
                match byte {
                    b'[' | b'{' => self.depth += 1,
                    b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
            if self.depth > MAX_DEPTH {
                return Err(io::Error::other(format!("lists are nested more than {MAX_DEPTH} levels deep")));
            }
            if self.length > MAX_TOKEN {
                return Err(io::Error::other("a string or number is longer than 1 MiB"));
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Guard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.check(&buffer[..count])?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<String> {
        let mut out = String::new();
        Guard::new(text.as_bytes()).read_to_string(&mut out).map(|_| out)
    }

    #[test]
    fn long_strings_and_numbers_are_refused_and_long_lists_pass() {
        let long = "1".repeat(MAX_TOKEN + 1);
        assert!(read(&long).is_err());
        assert!(read(&format!("\"{long}\"")).is_err());
        assert!(read(&format!("\"{}\"", "\\\"".repeat(MAX_TOKEN / 2 + 1))).is_err());
        assert!(read(&"[1,\"a\"]".repeat(MAX_TOKEN / 4)).is_ok());
    }
}
