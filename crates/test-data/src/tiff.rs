//! Writes files with the structure of a TIFF, and blocks of Exif, directory by directory (little-endian).

/// A directory, whose entries are written in the order of their tags.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    entries: Vec<(u16, Value)>,
}

#[derive(Debug, Clone)]
enum Value {
    Bytes {
        kind: u16,
        size: usize,
        bytes: Vec<u8>,
    },
    /// Offsets of bytes elsewhere in the file.
    Data(Vec<u8>),
    /// Offsets of other directories.
    Directories(Vec<Directory>),
}

impl Directory {
    /// An empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds 16-bit numbers.
    #[must_use]
    pub fn shorts(self, tag: u16, values: &[u16]) -> Self {
        self.bytes(tag, (3, 2), values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    /// Adds 32-bit numbers.
    #[must_use]
    pub fn longs(self, tag: u16, values: &[u32]) -> Self {
        self.bytes(tag, (4, 4), values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    /// Adds fractions.
    #[must_use]
    pub fn fractions(self, tag: u16, values: &[[u32; 2]]) -> Self {
        self.bytes(tag, (5, 8), values.iter().flatten().flat_map(|v| v.to_le_bytes()).collect())
    }

    /// Adds text.
    #[must_use]
    pub fn text(self, tag: u16, text: &str) -> Self {
        self.bytes(tag, (2, 1), [text.as_bytes(), b"\0"].concat())
    }

    /// Adds bytes of no stated type.
    #[must_use]
    pub fn undefined(self, tag: u16, bytes: &[u8]) -> Self {
        self.bytes(tag, (7, 1), bytes.to_vec())
    }

    /// Adds the offset of data.
    #[must_use]
    pub fn data(mut self, tag: u16, data: &[u8]) -> Self {
        self.entries.push((tag, Value::Data(data.to_vec())));
        self
    }

    /// Adds the offsets of other directories.
    #[must_use]
    pub fn directories(mut self, tag: u16, directories: &[Directory]) -> Self {
        self.entries.push((tag, Value::Directories(directories.to_vec())));
        self
    }

    /// Adds numbers of 8 bits.
    #[must_use]
    pub fn bytes_of(self, tag: u16, values: &[u8]) -> Self {
        self.bytes(tag, (1, 1), values.to_vec())
    }

    /// Adds fractions of signed numbers, as they are written.
    #[must_use]
    pub fn signed_fractions(self, tag: u16, written: &[u8]) -> Self {
        self.bytes(tag, (10, 8), written.to_vec())
    }

    /// Removes an entry.
    #[must_use]
    pub fn without(mut self, tag: u16) -> Self {
        self.entries.retain(|(other, _)| *other != tag);
        self
    }

    fn bytes(mut self, tag: u16, (kind, size): (u16, usize), bytes: Vec<u8>) -> Self {
        self.entries.retain(|(other, _)| *other != tag);
        self.entries.push((tag, Value::Bytes { kind, size, bytes }));
        self
    }

    /// A picture of one strip: width, height, PhotometricInterpretation, and samples of 8 bits.
    #[must_use]
    pub fn picture(width: u32, height: u32, photometric: u16, samples: &[u8]) -> Self {
        let count = samples.len() / (width * height) as usize;
        Self::new()
            .longs(256, &[width])
            .longs(257, &[height])
            .shorts(258, &vec![8; count])
            .shorts(259, &[1])
            .shorts(262, &[photometric])
            .data(273, samples)
            .shorts(277, &[count as u16])
            .longs(278, &[height])
            .longs(279, &[samples.len() as u32])
    }

    /// Appends the directory and what it refers to. Returns its offset and where the offset of the next one is to be written.
    fn write(&self, file: &mut Vec<u8>) -> (u32, usize) {
        let mut entries = self.entries.clone();
        entries.sort_by_key(|(tag, _)| *tag);
        let mut table = (entries.len() as u16).to_le_bytes().to_vec();
        for (tag, value) in entries {
            let (kind, size, bytes) = match value {
                Value::Bytes { kind, size, bytes } => (kind, size, bytes),
                Value::Data(data) => (4, 4, appended(file, &data).to_le_bytes().to_vec()),
                Value::Directories(all) => {
                    let offsets = all.iter().flat_map(|directory| directory.write(file).0.to_le_bytes());
                    (4, 4, offsets.collect())
                }
            };
            table.extend(tag.to_le_bytes());
            table.extend(kind.to_le_bytes());
            table.extend(((bytes.len() / size) as u32).to_le_bytes());
            let mut room = if bytes.len() > 4 { appended(file, &bytes).to_le_bytes().to_vec() } else { bytes };
            room.resize(4, 0);
            table.extend(room);
        }
        table.extend([0; 4]);
        let at = appended(file, &table);
        (at, at as usize + table.len() - 4)
    }
}

/// A DNG of an sRGB sensor that looks at a gray card, whose levels of red, green and blue are `card`, of 50,000: red, green, green and blue in
/// each square of four.
#[must_use]
pub fn dng(size: [u32; 2], card: [u16; 3]) -> Directory {
    dng_of(size, card, |_, _| 1.0)
}

/// The same of cards that are lighter by a factor at each place, as far as the sensor shows it.
#[must_use]
pub fn dng_of([width, height]: [u32; 2], card: [u16; 3], light: impl Fn(u32, u32) -> f32 + Copy) -> Directory {
    let level = |x: u32, y: u32| (f32::from(card[(x % 2 + y % 2) as usize]) * light(x, y)).min(50_000.0) as u16;
    let mosaic: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| level(x, y).to_le_bytes())).collect();
    // From XYZ.
    let matrix = [32_405, -15_371, -4985, -9693, 18_760, 416, 556, -2040, 10_572_i32];
    let matrix: Vec<u8> = matrix.iter().flat_map(|v| [v.to_le_bytes(), 10_000_i32.to_le_bytes()].concat()).collect();
    let neutral = card.map(|v| [u32::from(v), 16_000]);
    Directory::picture(width, height, 32_803, &vec![0; (width * height) as usize])
        .shorts(258, &[16])
        .shorts(277, &[1])
        .without(273)
        .data(273, &mosaic)
        .longs(279, &[width * height * 2])
        .shorts(33_421, &[2, 2])
        .bytes_of(33_422, &[0, 1, 1, 2])
        .text(271, "Acme")
        .text(272, "One")
        .bytes_of(50_706, &[1, 4, 0, 0])
        .text(50_708, "Acme One")
        .shorts(50_717, &[50_000])
        .signed_fractions(50_721, &matrix)
        .fractions(50_728, &neutral)
        .shorts(50_778, &[21])
}

/// Writes a file whose pages follow each other.
#[must_use]
pub fn file(pages: &[Directory]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for page in pages {
        let (at, next) = page.write(&mut file);
        file[link..link + 4].copy_from_slice(&at.to_le_bytes());
        link = next;
    }
    file
}

fn appended(file: &mut Vec<u8>, bytes: &[u8]) -> u32 {
    file.resize(file.len().next_multiple_of(2), 0);
    let at = file.len() as u32;
    file.extend(bytes);
    at
}
