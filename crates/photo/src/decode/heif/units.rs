//! Open bitstream units of AV1, checked before they are decoded.

use crate::decode::DecodeError;

const SEQUENCE_HEADER: u8 = 1;
const FRAME_HEADER: u8 = 3;
const TILES: u8 = 4;
const FRAME: u8 = 6;
/// Units that say something about the picture, or nothing: temporal delimiters, metadata and padding.
const BESIDE: [u8; 3] = [2, 5, 15];
/// Flags of a unit's header.
const HAS_EXTENSION: u8 = 0b100;
const HAS_SIZE: u8 = 0b10;
/// The flag of a sequence header that all its frames are still pictures with a short header.
const IS_STILL: u8 = 0b1000;

/// Refuses anything but a sequence header and then one picture, which is not predicted from others: the decoder trusts that what is
/// named is there.
pub(super) fn check(mut units: &[u8]) -> Result<(), DecodeError> {
    let (mut is_still, mut last) = (false, None);
    while let Some((header, rest)) = units.split_first() {
        let rest = rest.get(usize::from(header & HAS_EXTENSION != 0)..).unwrap_or_default();
        let (size, rest) = if header & HAS_SIZE == 0 { (rest.len(), rest) } else { size(rest).ok_or_else(damaged)? };
        let (unit, after) = rest.split_at_checked(size).ok_or(DecodeError::Truncated)?;
        units = after;
        let (kind, first) = (header >> 3 & 0xF, unit.first().copied().ok_or_else(damaged));
        match (last, kind) {
            (_, kind) if BESIDE.contains(&kind) => continue,
            (None | Some(SEQUENCE_HEADER), SEQUENCE_HEADER) => is_still = first? & IS_STILL != 0,
            (Some(SEQUENCE_HEADER), FRAME_HEADER | FRAME) => {
                // First of all: whether an earlier picture is shown, and the type of this one.
                if !is_still && first? >> 5 != 0 {
                    return Err(several());
                }
            }
            (Some(FRAME_HEADER | TILES), TILES) => {}
            (Some(_), _) => return Err(several()),
            (None, _) => return Err(damaged()),
        }
        last = Some(kind);
    }
    if matches!(last, Some(FRAME | TILES)) { Ok(()) } else { Err(DecodeError::Truncated) }
}

fn several() -> DecodeError {
    DecodeError::unsupported("an AVIF image that is put together from several, which is not supported")
}

fn damaged() -> DecodeError {
    DecodeError::Damaged("AV1: its units make no sense".into())
}

/// A number in groups of seven bits, the lowest first, and what follows it.
fn size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let length = 1 + bytes.iter().take(8).position(|byte| byte & 0x80 == 0)?;
    let (number, rest) = bytes.split_at(length);
    Some((number.iter().rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7F)), rest))
}
