//! Formats of city models, by the first bytes of a file.

use crate::assembly::Reading;
use crate::building::Header;
use crate::error::CityModelError;
use crate::input::{Source, head};
use crate::{citygml, cityjson};

/// Formats of city models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One CityJSON object.
    CityJson,
    /// CityJSON text sequence: a line with metadata, then a feature per line.
    CityJsonSeq,
    /// CityGML 1.0 or 2.0.
    CityGml,
}

/// Recognizes a format by the first 4 KiB of a file. A sequence whose first line is longer than `head` is taken for
/// [`Format::CityJson`]; [`crate::read`] reads it all the same.
#[must_use]
pub fn recognize(head: &[u8]) -> Option<Format> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let has = |what: &str| head.windows(what.len()).any(|window| window == what.as_bytes());
    match head.first()? {
        b'<' => is_city_gml(head).then_some(Format::CityGml),
        b'{' if has("\"CityJSONFeature\"") => Some(Format::CityJsonSeq),
        b'{' if has("\"CityJSON\"") => {
            let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let whole = line.len() < head.len() && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
            let more = head.get(line.len()..).is_some_and(|rest| !rest.trim_ascii().is_empty());
            Some(if whole && more { Format::CityJsonSeq } else { Format::CityJson })
        }
        // Keys may come in any order, with the type after all vertices.
        b'{' => {
            let first = head[1..].trim_ascii_start();
            let vertices = first.strip_prefix(b"\"vertices\"").map(<[u8]>::trim_ascii_start);
            let vertices = vertices.and_then(|rest| rest.strip_prefix(b":")).map(<[u8]>::trim_ascii_start);
            (has("\"CityObjects\"") || vertices.is_some_and(|rest| rest.starts_with(b"["))).then_some(Format::CityJson)
        }
        _ => None,
    }
}

/// Whether the root element is a `CityModel`, whatever its prefix.
fn is_city_gml(head: &[u8]) -> bool {
    let mut rest = head;
    while let Some(at) = rest.iter().position(|&byte| byte == b'<') {
        rest = &rest[at + 1..];
        let skipped = match rest.first() {
            Some(b'?') => find(rest, b"?>"),
            Some(b'!') if rest.starts_with(b"!--") => find(rest, b"-->"),
            Some(b'!') => find(rest, b">"),
            _ => {
                let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
                let name = &rest[..end.unwrap_or(rest.len())];
                return name.rsplit(|&byte| byte == b':').next() == Some(b"CityModel");
            }
        };
        let Some(end) = skipped else { return false };
        rest = &rest[end..];
    }
    false
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Reads the buildings of one model.
pub(crate) fn read(source: &mut dyn Source, reading: &mut Reading) -> Result<(), CityModelError> {
    match recognize(&head(source)?).ok_or(CityModelError::Format)? {
        Format::CityJson | Format::CityJsonSeq => cityjson::read(source, reading),
        Format::CityGml => citygml::read(source, reading),
    }
}

/// Reads the header of one model.
pub(crate) fn header(source: &mut dyn Source) -> Result<Header, CityModelError> {
    match recognize(&head(source)?).ok_or(CityModelError::Format)? {
        Format::CityJson | Format::CityJsonSeq => cityjson::header(source),
        Format::CityGml => citygml::header(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_first_bytes() {
        for (head, format) in [
            (r#"{"type":"CityJSON","version":"2.0","CityObjects":{"#, Some(Format::CityJson)),
            ("{\n  \"type\": \"CityJSON\",\n  \"version\": \"1.1\"", Some(Format::CityJson)),
            ("{\"type\":\"CityJSON\",\"CityObjects\":{}}\n", Some(Format::CityJson)),
            ("{\"type\":\"CityJSON\",\"CityObjects\":{}}\n{\"type\":\"CityJSONFea", Some(Format::CityJsonSeq)),
            ("{\"type\":\"CityJSON\",\"CityObjects\":{}}\r\n{\"id\":\"a\"", Some(Format::CityJsonSeq)),
            (r#"{"vertices": [[1,2,3],"#, Some(Format::CityJson)),
            (r#"{"CityObjects":{"a":"#, Some(Format::CityJson)),
            (r#"{"type":"FeatureCollection","features":[]}"#, None),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- <x> -->\n<core:CityModel xmlns:core=\"", Some(Format::CityGml)),
            ("<CityModel>", Some(Format::CityGml)),
            ("<?xml version=\"1.0\"?><osm version=\"0.6\">", None),
            ("<?xml", None),
            ("", None),
            ("PK\u{3}\u{4}", None),
        ] {
            assert_eq!(recognize(head.as_bytes()), format, "{head}");
        }
    }
}
