//! Code points of ITU-T H.273: what the numbers of a coded picture stand for.

use heifer::heifer_hevc_dec::nal::NalUnit;
use heifer::heifer_hevc_dec::params::ParameterSets;
use heifer::heifer_isobmff::boxes::{ColorInfo, Property};
use heifer::heifer_isobmff::{HeifFile, ItemId};

use crate::decode::DecodeError;
use crate::decode::color::{self, Stated};

const UNSPECIFIED: u16 = 2;
const BT_709: u16 = 1;
const SRGB: u8 = 13;
/// Transfer functions of cameras for standard range: files with them are made to be shown as sRGB.
const LIKE_SRGB: [u16; 6] = [1, 2, 6, 13, 14, 15];
/// Matrices that are read: identity, BT.709, unspecified, FCC, BT.601 twice, SMPTE 240M and BT.2020.
const MATRICES: [u16; 8] = [0, 1, 2, 4, 5, 6, 7, 9];
const IDENTITY: u16 = 0;

/// Primaries, transfer function, matrix and range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodePoints {
    pub(super) primaries: u16,
    pub(super) transfer: u16,
    pub(super) matrix: u16,
    pub(super) is_full_range: bool,
}

impl CodePoints {
    /// Those that an item states, or the header of its HEVC picture.
    pub(super) fn of(file: &HeifFile<'_>, item: ItemId) -> Option<Self> {
        let mut properties = file.item_properties(item).into_iter().flatten();
        let stated = properties.find_map(|property| match property {
            Property::Color(ColorInfo::Nclx { primaries, transfer, matrix, full_range }) => {
                Some(Self { primaries: *primaries, transfer: *transfer, matrix: *matrix, is_full_range: *full_range })
            }
            _ => None,
        });
        stated.or_else(|| {
            let mut sets = ParameterSets::default();
            for unit in &file.hevc_config(item).ok()??.nal_units {
                sets.add(&NalUnit::parse(unit).ok()?).ok()?;
            }
            let vui = sets.sps.iter().flatten().find_map(|sps| sps.vui.as_ref())?;
            Some(Self {
                primaries: vui.colour_primaries.into(),
                transfer: vui.transfer_characteristics.into(),
                matrix: vui.matrix_coeffs.into(),
                is_full_range: vui.video_full_range_flag,
            })
        })
    }

    /// Refuses what is not read.
    pub(super) fn check(self) -> Result<(), DecodeError> {
        color::check_transfer(u8::try_from(self.transfer).unwrap_or(u8::MAX))?;
        if !MATRICES.contains(&self.matrix) || (self.matrix == IDENTITY && !self.is_full_range) {
            let what = format!("an image whose colors are coded by matrix {}, which is not supported", self.matrix);
            return Err(DecodeError::unsupported(what));
        }
        Ok(())
    }

    /// Returns the color space that they state; for sRGB and unspecified ones, that of EXIF.
    pub(super) fn stated(self, in_exif: Stated) -> Stated {
        let is_like_srgb = LIKE_SRGB.contains(&self.transfer);
        if matches!(self.primaries, BT_709 | UNSPECIFIED) && is_like_srgb {
            return in_exif;
        }
        let primaries = if self.primaries == UNSPECIFIED { BT_709 } else { self.primaries };
        let transfer = if is_like_srgb { SRGB } else { u8::try_from(self.transfer).unwrap_or(u8::MAX) };
        let primaries = u8::try_from(primaries).unwrap_or(u8::MAX);
        Stated::Cicp { primaries, transfer, without: Box::new(in_exif) }
    }
}
