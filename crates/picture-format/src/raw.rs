//! Camera raw: what a sensor has measured, before it is a picture. Previews inside such files are not the photo.

use crate::format::Unsupported;

const DEVELOP: &str = "convert it to DNG, or send the JPEG that the camera writes";

/// Refuses a raw file by its name ("Nikon NEF").
pub(crate) fn refusal(name: &str) -> Unsupported {
    Unsupported::new(format!("camera raw ({name}), which is not supported")).or(DEVELOP)
}

/// Recognizes raw files that begin in a way of their own.
pub(crate) fn by_magic(start: &[u8]) -> Option<Unsupported> {
    let at = |offset: usize, magic: &[u8]| start.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    let name = match start {
        // The first directory follows; other files may have pixels there.
        _ if (at(0, b"II*\0\x10\0\0\0") || at(0, b"MM\0*\0\0\0\x10")) && at(8, b"CR\x02") => "Canon CR2",
        _ if at(0, b"II") && at(6, b"HEAPCCDR") => "Canon CRW",
        _ if at(0, b"FUJIFILMCCD-RAW") => "Fujifilm RAF",
        _ if at(0, b"IIRO") || at(0, b"IIRS") || at(0, b"MMOR") => "Olympus ORF",
        _ if at(0, b"IIU\0") => "Panasonic RW2",
        _ if at(0, b"\0MRM") => "Minolta MRW",
        _ if at(0, b"FOVb") => "Sigma X3F",
        // A TIFF whose first words are those of a Phase One file.
        _ if at(8, b"IIII") && at(13, b"waR") || at(8, b"MMMMRaw") => "Phase One IIQ",
        _ if at(0, b"ARRI\x12\x34\x56\x78") => "ARRIRAW",
        _ => return None,
    };
    Some(refusal(name))
}

/// Refuses a raw file with the structure of a TIFF by the camera's make.
pub(crate) fn of_tiff(make: &str) -> Unsupported {
    let make = make.trim().to_ascii_uppercase();
    let names = [
        ("NIKON", "Nikon NEF, compressed"),
        ("SONY", "Sony ARW"),
        ("PENTAX", "Pentax PEF"),
        ("RICOH", "Pentax PEF"),
        ("SAMSUNG", "Samsung SRW"),
        ("KODAK", "Kodak DCR"),
        ("EASTMAN KODAK", "Kodak DCR"),
        ("HASSELBLAD", "Hasselblad 3FR"),
        ("LEAF", "Leaf MOS"),
        ("PHASE ONE", "Phase One IIQ"),
        ("MAMIYA", "Mamiya MEF"),
        ("SEIKO EPSON", "Epson ERF"),
        ("EPSON", "Epson ERF"),
        ("CANON", "Canon"),
        ("OLYMPUS", "Olympus ORF"),
        ("PANASONIC", "Panasonic RAW"),
        ("LEICA", "Leica RAW"),
    ];
    let name = names.iter().find(|(start, _)| make.starts_with(start));
    refusal(name.map_or("sensor data in a TIFF", |(_, name)| name))
}
