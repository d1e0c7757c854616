//! What files are taken for.

#![cfg(test)]

mod heics;
mod others;
mod tiffs;

use aerie_picture_format::{Recognized, Refusal, Source};

fn recognize(bytes: &[u8]) -> Result<Recognized, Refusal> {
    aerie_picture_format::recognize(&mut Source::of_bytes(bytes))
}

/// What a file is called that is not taken for a picture.
fn refused(bytes: &[u8]) -> String {
    match recognize(bytes) {
        Err(Refusal::Unsupported(unsupported)) => unsupported.to_string(),
        other => panic!("{other:?}"),
    }
}
