//! Chunks of a PNG that say what its numbers are (PNG, third edition, 11.3.2).

use super::DecodeError;
use super::color::{Primaries, Stated};

/// Maximum number of chunks that are read.
const MAX_CHUNKS: usize = 4096;
/// Identity: the numbers are RGB.
const IDENTITY: u8 = 0;

/// Color information in the chunks.
pub(super) struct Chunks {
    /// By the first of `cICP`, `sRGB` and `gAMA`, if there is any. A profile comes between the first two.
    pub(super) stated: Option<Stated>,
    /// Set if there is a profile, readable or not.
    pub(super) has_profile: bool,
}

/// Reads the chunks before the pixels.
pub(super) fn read(bytes: &[u8]) -> Result<Chunks, DecodeError> {
    let (mut code_points, mut is_srgb, mut gamma, mut primaries, mut has_profile) = (None, false, None, None, false);
    let mut rest = bytes.get(8..).unwrap_or_default();
    for _ in 0..MAX_CHUNKS {
        let Some((length, after)) = rest.split_first_chunk::<4>() else { break };
        let Some((kind, after)) = after.split_first_chunk::<4>() else { break };
        let Some((body, after)) = after.split_at_checked(u32::from_be_bytes(*length) as usize) else { break };
        let number =
            |at: usize| Some(f64::from(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?)) / 100_000.0);
        match (kind, body) {
            (b"cICP", [primaries, transfer, matrix, range, ..]) => {
                if *matrix != IDENTITY || *range != 1 {
                    return Err(DecodeError::unsupported("a PNG with video-range or YCbCr numbers"));
                }
                code_points = Some((*primaries, *transfer));
            }
            (b"iCCP", _) => has_profile = true,
            (b"sRGB", _) => is_srgb = true,
            (b"gAMA", _) => gamma = number(0).filter(|gamma| *gamma > 0.0),
            (b"cHRM", _) => {
                let pair = |at: usize| Some([number(at)?, number(at + 4)?]);
                let all = [pair(0), pair(8), pair(16), pair(24)];
                if let [Some(white), Some(red), Some(green), Some(blue)] = all {
                    primaries = Some(Primaries { white, red, green, blue });
                }
            }
            (b"IDAT" | b"IEND", _) => break,
            _ => {}
        }
        rest = after.get(4..).unwrap_or_default();
    }
    let stated = if is_srgb {
        Some(Stated::Nothing)
    } else if gamma.is_some() || primaries.is_some() {
        let gamma = gamma.map(|gamma| 1.0 / gamma);
        Some(Stated::Gamma { gamma, primaries, origin: "the PNG's gamma and primaries" })
    } else {
        None
    };
    let stated = match code_points {
        Some((primaries, transfer)) => {
            let without = Box::new(stated.unwrap_or(Stated::Nothing));
            Some(Stated::Cicp { primaries, transfer, without })
        }
        None => stated,
    };
    Ok(Chunks { stated, has_profile })
}
