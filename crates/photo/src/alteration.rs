//! What the metadata of a photo say of earlier alterations.

use memchr::memmem;

use crate::report::ALTERED;

/// IPTC digital source types of pictures that show something that no camera saw.
const TYPES: [&str; 4] = [
    "digitalsourcetype/compositeSynthetic",
    "digitalsourcetype/compositeWithTrainedAlgorithmicMedia",
    "digitalsourcetype/trainedAlgorithmicMedia",
    "digitalsourcetype/algorithmicMedia",
];

/// Whether the metadata of a file, IPTC or Content Credentials, say that the picture shows something that was not there.
#[must_use]
pub fn is_declared(file: &[u8]) -> bool {
    TYPES.iter().chain([&ALTERED]).any(|text| memmem::find(file, text.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Disclosure;
    use crate::{Format, OutputOptions, Picture, encode, report};

    #[test]
    fn a_picture_that_was_altered_says_so_in_every_format_and_one_that_was_enhanced_does_not() {
        let picture = Picture { width: 64, height: 48, pixels: vec![120; 64 * 48 * 3] };
        let text = format!("{ALTERED} what it depicts was changed");
        let staged = Disclosure { text: "Staged".into(), digital_source_type: report::COMPOSITE, altered: true };
        let greener = Disclosure { text, digital_source_type: report::ENHANCED, altered: true };
        let plain = Disclosure { text: "Enhanced".into(), digital_source_type: report::ENHANCED, altered: false };
        for format in [Format::Jpeg, Format::Png, Format::Webp] {
            for disclosure in [&staged, &greener, &plain] {
                let options = OutputOptions { format, ..OutputOptions::default() };
                let file = encode(&picture, &options, disclosure, &[], None).unwrap();
                assert_eq!(is_declared(&file.bytes), disclosure.altered, "{format:?} {disclosure:?}");
            }
        }
    }
}
