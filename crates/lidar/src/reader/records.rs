//! Variable length records: of the many kinds only coordinate systems, the parameters of LAZ and of COPC are kept.

use std::io::{Read, Seek, SeekFrom};

use las::raw;

use crate::error::LidarError;

/// Records that matter here.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Parameters of LAZ.
    pub(super) laz: Option<Vec<u8>>,
    /// Parameters of COPC.
    pub(super) copc: Option<Vec<u8>>,
    /// Coordinate system as well-known text.
    pub(super) wkt: Option<Vec<u8>>,
    /// Keys of GeoTIFF.
    pub(super) geo_keys: Option<Vec<u8>>,
    /// Floating-point numbers of the keys of GeoTIFF.
    pub(super) geo_doubles: Option<Vec<u8>>,
}

/// No file has more records, and a hostile one must not keep the reader busy.
const MAX_RECORDS: u32 = 4096;
/// Longest coordinate system, bytes.
const MAX_WKT: u64 = 1 << 20;
/// Bytes before the content of an extended record.
const EXTENDED_HEADER: u64 = 60;

impl Records {
    /// Reads the records of a file. `length` is the length of the file.
    pub(super) fn read<R: Read + Seek>(file: &mut R, header: &raw::Header, length: u64) -> Result<Self, LidarError> {
        let mut records = Self::default();
        let count = header.number_of_variable_length_records;
        if count > MAX_RECORDS {
            return Err(LidarError::damaged(format!("the header counts {count} variable length records")));
        }
        file.seek(SeekFrom::Start(u64::from(header.header_size)))?;
        for number in 0..count {
            let record = raw::Vlr::read_from(&mut *file, false)
                .map_err(|_| LidarError::truncated(format!("variable length record {number} of {count} is cut off")))?;
            records.keep(&record.user_id, record.record_id, record.data);
        }
        if let Some(extended) = header.evlr {
            records.read_extended(file, extended, length)?;
        }
        Ok(records)
    }

    fn read_extended<R: Read + Seek>(
        &mut self,
        file: &mut R,
        extended: raw::header::Evlr,
        length: u64,
    ) -> Result<(), LidarError> {
        let mut at = extended.start_of_first_evlr;
        for number in 0..extended.number_of_evlrs.min(MAX_RECORDS) {
            let cut = || LidarError::truncated(format!("extended record {number} lies beyond the end of the file"));
            if at.checked_add(EXTENDED_HEADER).is_none_or(|end| end > length) {
                return Err(cut());
            }
            file.seek(SeekFrom::Start(at))?;
            let mut head = [0; EXTENDED_HEADER as usize];
            file.read_exact(&mut head)?;
            let size = u64::from_le_bytes(std::array::from_fn(|byte| head[20 + byte]));
            let end = (at + EXTENDED_HEADER).checked_add(size).filter(|&end| end <= length).ok_or_else(cut)?;
            let kind = u16::from_le_bytes([head[18], head[19]]);
            if size <= MAX_WKT && is_projection(&head[2..18]) {
                let mut data = vec![0; size as usize];
                file.read_exact(&mut data)?;
                self.keep(&head[2..18], kind, data);
            }
            at = end;
        }
        Ok(())
    }

    fn keep(&mut self, user: &[u8], kind: u16, data: Vec<u8>) {
        let slot = match (name(user), kind) {
            (b"laszip encoded", 22204) => &mut self.laz,
            (b"copc", 1) => &mut self.copc,
            (b"LASF_Projection", 2112) => &mut self.wkt,
            (b"LASF_Projection", 34735) => &mut self.geo_keys,
            (b"LASF_Projection", 34736) => &mut self.geo_doubles,
            _ => return,
        };
        slot.get_or_insert(data);
    }
}

fn name(user: &[u8]) -> &[u8] {
    user.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn is_projection(user: &[u8]) -> bool {
    name(user) == b"LASF_Projection"
}
