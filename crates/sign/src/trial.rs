//! Trying out a certificate before anything is signed with it.

use std::io::Cursor;

use aerie_credentials::{Action, ActionName, Certificate, Format, State, Statement};

use crate::embed::{Sign, copy_signed};
use crate::verify::verify_stream;

/// A gray PNG picture of one pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3A\x7E\x9B\x55\
    \0\0\0\x0AIDAT\x78\xDA\x63\x68\0\0\0\x82\0\x81\xDA\x45\x08\x3B\0\0\0\0IEND\xAE\x42\x60\x82";

/// Signs a picture of one pixel and verifies it.
///
/// # Errors
/// What a verifier says, such as that the certificate has expired or is for other uses.
pub fn try_out(certificate: &Certificate, sign: &Sign<'_>) -> Result<(), String> {
    let created = Action {
        name: ActionName::Created,
        description: None,
        source_type: Some("http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia".to_owned()),
        ingredients: Vec::new(),
    };
    let statement =
        Statement { title: "a trial".to_owned(), actions: vec![created], ingredients: Vec::new(), disclosure: None };
    let mut signed = Cursor::new(Vec::new());
    copy_signed((&mut Cursor::new(PIXEL), &mut signed), Format::Png, &statement, (certificate, sign))
        .map_err(|error| error.to_string())?;
    signed.set_position(0);
    let report = verify_stream(Format::Png, signed, None).map_err(|error| error.to_string())?;
    match report.state {
        State::Valid | State::Trusted => Ok(()),
        State::Changed | State::Invalid => Err(report.problems.join("; ")),
    }
}
