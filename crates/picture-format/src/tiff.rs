//! TIFF 6.0, its supplements and BigTIFF: directories, and which of them is the picture.

mod directory;
mod pages;

pub use directory::{Directory, Entry, Tiff};
pub(crate) use pages::recognized;

/// Tags that are read here.
pub mod tag {
    #![expect(missing_docs, reason = "names of the standard")]
    pub const NEW_SUBFILE_TYPE: u16 = 254;
    pub const SUBFILE_TYPE: u16 = 255;
    pub const IMAGE_WIDTH: u16 = 256;
    pub const IMAGE_LENGTH: u16 = 257;
    pub const COMPRESSION: u16 = 259;
    pub const PHOTOMETRIC: u16 = 262;
    pub const MAKE: u16 = 271;
    pub const FILL_ORDER: u16 = 266;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const SAMPLES_PER_PIXEL: u16 = 277;
    pub const PLANAR_CONFIGURATION: u16 = 284;
    pub const PAGE_NUMBER: u16 = 297;
    pub const PREDICTOR: u16 = 317;
    pub const WHITE_POINT: u16 = 318;
    pub const PRIMARY_CHROMATICITIES: u16 = 319;
    pub const COLOR_MAP: u16 = 320;
    pub const TILE_OFFSETS: u16 = 324;
    pub const SUB_IFDS: u16 = 330;
    pub const EXTRA_SAMPLES: u16 = 338;
    pub const JPEG_INTERCHANGE_FORMAT: u16 = 513;
    pub const EXIF_IFD: u16 = 34665;
    pub const COLOR_SPACE: u16 = 40961;
    pub const INTEROPERABILITY_IFD: u16 = 40965;
    pub const GAMMA: u16 = 42240;
    pub const DNG_VERSION: u16 = 50706;
    pub const DEFAULT_CROP_SIZE: u16 = 50720;
}
