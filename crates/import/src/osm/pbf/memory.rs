//! Estimates what a block takes in memory once it is decoded. A few thousand bytes can describe millions of empty strings and
//! groups, which take a hundred times their size.

use crate::varint::varint;

/// Maximum for a block, bytes. A block of a map takes less than a tenth of it.
const MAX: u64 = 128 << 20;

/// Sizes of what the decoder builds, bytes: a string, a group, an object.
const STRING: u64 = 48;
const GROUP: u64 = 160;
const OBJECT: u64 = 224;
/// Size of a decoded number, bytes.
const NUMBER: u64 = 8;

/// Maximum size of a text, bytes; OpenStreetMap itself allows 255 characters. It is read again wherever it is referred to.
const MAX_TEXT: usize = 16 << 10;

/// Estimates what a block of map data takes in memory, bytes; the error says why that is too much, or that its fields are malformed.
pub(super) fn of_block(block: &[u8]) -> Result<u64, String> {
    let mut sum = 0;
    for field in Fields(block) {
        sum += match field.ok_or_else(malformed)? {
            (1, strings) => {
                if Fields(strings).flatten().any(|(_, text)| text.len() > MAX_TEXT) {
                    return Err(format!("a block of it contains a text of more than {} KiB", MAX_TEXT >> 10));
                }
                of_parts(strings, STRING, sum)?
            }
            (2, group) => GROUP + of_parts(group, OBJECT, sum)?,
            (_, other) => STRING + numbers(other),
        };
        bounded(sum)?;
    }
    Ok(sum)
}

/// Estimates for the parts of a message, each of which takes `base` bytes and its numbers.
fn of_parts(message: &[u8], base: u64, before: u64) -> Result<u64, String> {
    let mut sum = 0;
    for field in Fields(message) {
        let (_, part) = field.ok_or_else(malformed)?;
        sum += base + numbers(part);
        bounded(before + sum)?;
    }
    Ok(sum)
}

fn bounded(sum: u64) -> Result<(), String> {
    let why = "a block of it takes more than 128 MiB of memory; a block of a map takes less than ten";
    if sum > MAX { Err(why.into()) } else { Ok(()) }
}

fn malformed() -> String {
    "a block of it is malformed".into()
}

/// What the numbers in a message take: the last byte of each has its highest bit clear.
fn numbers(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte < 0x80).count() as u64 * NUMBER
}

/// Fields of a message: number and content. Numbers have their bytes as content.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, &'a [u8])> {
        let tag = varint(&mut self.0)?;
        let length = match tag & 7 {
            0 => {
                let mut rest = self.0;
                varint(&mut rest)?;
                self.0.len() - rest.len()
            }
            1 => 8,
            2 => usize::try_from(varint(&mut self.0)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some((tag >> 3, content))
    }
}

#[cfg(test)]
mod tests {
    use aerie_test_data::pbf::{Message, house};

    use super::*;

    #[test]
    fn a_block_of_a_map_takes_little_and_millions_of_empty_parts_take_too_much() {
        let usual = of_block(&house().0).unwrap();
        assert!((1_000..10_000).contains(&usual), "{usual}");
        let strings = Message::default().bytes(1, [0x0a, 0].repeat(4 << 20));
        let groups = Message([0x12, 0].repeat(1 << 20));
        let nodes = Message::default().bytes(2, [0x0a, 0].repeat(1 << 20));
        let dense = Message::default().message(2, &Message::default().bytes(2, vec![0; 17 << 20]));
        for bomb in [strings, groups, nodes, dense] {
            assert!(of_block(&bomb.0).unwrap_err().contains("128 MiB"));
        }
    }

    #[test]
    fn a_text_is_limited_wherever_it_is_referred_to() {
        let block = |size: usize| Message::default().message(1, &Message::default().bytes(1, vec![b'a'; size])).0;
        assert!(of_block(&block(MAX_TEXT)).is_ok());
        assert!(of_block(&block(MAX_TEXT + 1)).unwrap_err().contains("16 KiB"));
    }

    #[test]
    fn malformed_fields_are_rejected() {
        for bytes in [&[0x0a][..], &[0x0a, 5, 1], &[0x0b], &[0xff; 11], &[9, 0, 0]] {
            assert_eq!(of_block(bytes), Err(malformed()), "{bytes:?}");
        }
    }
}
