//! SRTM tiles (`.hgt`): big-endian 16-bit meters, rows from the north, 1 or 3 arc seconds apart.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use crate::error::ImportError;
use crate::work_folder::WORK_PREFIX;

/// Number of samples along one side of a tile of this many bytes.
pub(crate) fn side(bytes: u64) -> Option<usize> {
    [1201_usize, 3601].into_iter().find(|side| (side * side * 2) as u64 == bytes)
}

/// The tile name, such as `N49E011`, in a path.
pub(crate) fn tile_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_ascii_uppercase();
    let name = name.strip_suffix(".HGT")?;
    // Some servers insert a word before the extension: N49E011.SRTMGL1.hgt
    let stem = name.split('.').next()?;
    corner(stem).map(|_| stem.to_owned())
}

/// Latitude and longitude of the south-west corner named by `N49E011`.
pub(crate) fn corner(stem: &str) -> Option<(i32, i32)> {
    if stem.len() != 7 || !stem.is_ascii() {
        return None;
    }
    let sign = |c: &str, plus: &str, minus: &str| if c == plus { Some(1) } else { (c == minus).then_some(-1) };
    let lat: i32 = stem[1..3].parse().ok()?;
    let lon: i32 = stem[4..7].parse().ok()?;
    let lat = lat * sign(&stem[..1], "N", "S")?;
    let lon = lon * sign(&stem[3..4], "E", "W")?;
    ((-90..90).contains(&lat) && (-180..180).contains(&lon)).then_some((lat, lon))
}

/// Copies a tile into the pack's terrain folder, completely or not at all.
pub(crate) fn import(path: &Path, folder: &Path) -> Result<(), ImportError> {
    let (name, bytes) = plain(path)?;
    let (samples, _) = bytes.as_chunks::<2>();
    // The ground is nowhere far outside the range from the Dead Sea to Everest.
    let strange =
        samples.iter().map(|b| i16::from_be_bytes(*b)).filter(|h| *h != i16::MIN && !(-600..9000).contains(h)).count();
    if strange * 100 > samples.len() {
        return Err(ImportError::damaged(path, "most of its heights are not plausible".into()));
    }
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    // The prefix lets the next import remove it if this one is killed.
    let mut file =
        tempfile::Builder::new().prefix(WORK_PREFIX).tempfile_in(folder).map_err(|e| ImportError::io(folder, e))?;
    file.write_all(&bytes).map_err(|e| ImportError::io(folder, e))?;
    // Temporary files are private, but every reader of the pack must be able to read the tile.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).map_err(|e| ImportError::io(folder, e))?;
    }
    file.as_file().sync_all().map_err(|e| ImportError::io(folder, e))?;
    let target = folder.join(format!("{name}.hgt"));
    file.persist(&target).map_err(|e| ImportError::io(&target, e.error))?;
    Ok(())
}

fn plain(path: &Path) -> Result<(String, Vec<u8>), ImportError> {
    let name = tile_name(path).ok_or_else(|| ImportError::foreign(path))?;
    let mut bytes = Vec::new();
    let limit = 3601 * 3601 * 2 + 1;
    File::open(path).and_then(|f| f.take(limit).read_to_end(&mut bytes)).map_err(|e| ImportError::io(path, e))?;
    if side(bytes.len() as u64).is_none() {
        return Err(ImportError::damaged(path, format!("{} bytes are no SRTM tile", bytes.len())));
    }
    Ok((name, bytes))
}
