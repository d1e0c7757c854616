//! HEIF files (ISO/IEC 23008-12) with any items and properties.

/// An item of a file. Its number is its place in the file, from 1.
#[derive(Debug, Clone)]
pub struct Item {
    kind: [u8; 4],
    properties: Vec<Vec<u8>>,
    references: Vec<([u8; 4], Vec<u16>)>,
    data: Vec<u8>,
}

impl Item {
    /// An item of a type, with its data.
    #[must_use]
    pub fn new(kind: &[u8; 4], data: &[u8]) -> Self {
        Self { kind: *kind, properties: Vec::new(), references: Vec::new(), data: data.to_vec() }
    }

    /// Adds a property.
    #[must_use]
    pub fn property(mut self, kind: &[u8; 4], contents: &[u8]) -> Self {
        self.properties.push(sized(kind, contents));
        self
    }

    /// Adds the size of an image, pixels.
    #[must_use]
    pub fn size(self, width: u32, height: u32) -> Self {
        self.property(b"ispe", &[[0; 4], width.to_be_bytes(), height.to_be_bytes()].concat())
    }

    /// Adds code points of ITU-T H.273 for colors in full range.
    #[must_use]
    pub fn code_points(self, primaries: u16, transfer: u16, matrix: u16) -> Self {
        let points = [primaries, transfer, matrix].map(u16::to_be_bytes).concat();
        self.property(b"colr", &[b"nclx", &points[..], &[0x80]].concat())
    }

    /// Adds references to other items.
    #[must_use]
    pub fn refers(mut self, kind: &[u8; 4], to: &[u16]) -> Self {
        self.references.push((*kind, to.to_vec()));
        self
    }
}

/// 64 x 32 pixels coded as AV1 by libaom, hexadecimal: sRGB 200, 60, 40 on the left and 30, 140, 60 on the right, 4:2:0, full range.
pub const AV1: &str =
    "0a0618153ffb62103229100000a6caeb10616a27addd2e2c4128dae75c61add2273a3a9be182aeb869440bbb192ff6cfecd180";

/// An image coded as AV1: its units, hexadecimal, and flags of its configuration (0x0C is 4:2:0 of 8 bits).
///
/// # Panics
/// If the digits are none.
#[must_use]
pub fn av1(units: &str, flags: u8) -> Item {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("digits");
    let units: Vec<u8> = units.as_bytes().chunks(2).map(byte).collect();
    Item::new(b"av01", &units).property(b"av1C", &[0x81, 0, flags, 0])
}

/// A file with a major brand and compatible ones. The first item is the primary one.
#[must_use]
pub fn file(major: &[u8; 4], compatible: &[&[u8; 4]], items: &[Item]) -> Vec<u8> {
    let brands: Vec<u8> = compatible.iter().copied().flatten().copied().collect();
    let start = sized(b"ftyp", &[major, &[0; 4], &brands[..]].concat());
    // Offsets do not change the length of the box that has them.
    let meta = meta(items, 0).len();
    let mut bytes = [start.clone(), self::meta(items, (start.len() + meta + 8) as u32)].concat();
    let data: Vec<u8> = items.iter().flat_map(|item| item.data.clone()).collect();
    bytes.extend(sized(b"mdat", &data));
    bytes
}

fn meta(items: &[Item], mut offset: u32) -> Vec<u8> {
    let count = (items.len() as u16).to_be_bytes();
    let handler = versioned(b"hdlr", 0, &[&[0; 4], b"pict".as_slice(), &[0; 13]].concat());
    let primary = versioned(b"pitm", 0, &[0, 1]);
    let (mut infos, mut places) = (count.to_vec(), vec![0x44, 0]);
    places.extend(count);
    let (mut properties, mut associations) =
        (Vec::new(), u32::from_be_bytes([0, 0, count[0], count[1]]).to_be_bytes().to_vec());
    let (mut references, mut index) = (Vec::new(), 0_u8);
    for (number, item) in (1_u16..).zip(items) {
        let number = number.to_be_bytes();
        infos.extend(versioned(b"infe", 2, &[&number, &[0, 0], &item.kind[..], &[0]].concat()));
        // One extent.
        places.extend(
            [&number[..], &[0, 0, 0, 1], &offset.to_be_bytes(), &(item.data.len() as u32).to_be_bytes()].concat(),
        );
        offset += item.data.len() as u32;
        associations.extend([number[0], number[1], item.properties.len() as u8]);
        for property in &item.properties {
            properties.extend(property);
            index += 1;
            associations.push(index);
        }
        for (kind, to) in &item.references {
            let to: Vec<u8> = [to.len() as u16].iter().chain(to).flat_map(|number| number.to_be_bytes()).collect();
            references.extend(sized(kind, &[&number[..], &to].concat()));
        }
    }
    let properties = [sized(b"ipco", &properties), versioned(b"ipma", 0, &associations)].concat();
    let lists = [
        handler,
        primary,
        versioned(b"iinf", 0, &infos),
        versioned(b"iloc", 0, &places),
        versioned(b"iref", 0, &references),
        sized(b"iprp", &properties),
    ];
    versioned(b"meta", 0, &lists.concat())
}

fn sized(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    [&(8 + contents.len() as u32).to_be_bytes(), &kind[..], contents].concat()
}

/// A box with a version and without flags.
fn versioned(kind: &[u8; 4], version: u8, contents: &[u8]) -> Vec<u8> {
    sized(kind, &[&[version, 0, 0, 0], contents].concat())
}
