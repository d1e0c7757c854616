//! Writes OpenStreetMap files in protocol buffers (`.osm.pbf`), well-formed or not.

/// A protocol buffer message under construction.
#[derive(Debug, Clone, Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    /// Appends a field that holds a number.
    #[must_use]
    pub fn number(mut self, field: u32, value: u64) -> Self {
        self.0.extend(varint(u64::from(field) << 3));
        self.0.extend(varint(value));
        self
    }

    /// Appends a field that holds bytes, text, a message or packed numbers.
    #[must_use]
    pub fn bytes(mut self, field: u32, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.0.extend(varint(u64::from(field) << 3 | 2));
        self.0.extend(varint(value.len() as u64));
        self.0.extend(value);
        self
    }

    /// Appends a field of packed numbers.
    #[must_use]
    pub fn packed(self, field: u32, values: impl IntoIterator<Item = u64>) -> Self {
        let packed: Vec<u8> = values.into_iter().flat_map(varint).collect();
        self.bytes(field, packed)
    }

    /// Appends a message.
    #[must_use]
    pub fn message(self, field: u32, value: &Message) -> Self {
        self.bytes(field, &value.0)
    }
}

/// Encodes a number.
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value > 127 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// Encodes a signed number so that small ones are short.
#[must_use]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Encodes numbers as the differences from one to the next.
pub fn deltas(values: &[i64]) -> Vec<u64> {
    let before = std::iter::once(0).chain(values.iter().copied());
    values.iter().zip(before).map(|(value, last)| zigzag(value - last)).collect()
}

/// The header block of a map.
#[must_use]
pub fn header() -> Message {
    Message::default().bytes(4, "OsmSchema-V0.6").bytes(4, "DenseNodes")
}

/// One block of a file: its type (`OSMHeader`, `OSMData`), and the blob as it is stored.
#[must_use]
pub fn framed(kind: &str, blob: &Message) -> Vec<u8> {
    let header = Message::default().bytes(1, kind).number(3, blob.0.len() as u64);
    [&(header.0.len() as u32).to_be_bytes()[..], &header.0, &blob.0].concat()
}

/// A file of the header and data blocks, none of them compressed.
#[must_use]
pub fn file(blocks: &[Message]) -> Vec<u8> {
    let raw = |kind, block: &Message| framed(kind, &Message::default().bytes(1, &block.0));
    let mut out = raw("OSMHeader", &header());
    out.extend(blocks.iter().flat_map(|block| raw("OSMData", block)));
    out
}

/// A block of a town of one house: Lindenweg 7, its street, a relation, and a node in a group of its own.
#[must_use]
pub fn house() -> Message {
    let texts = ["", "building", "house", "addr:street", "Lindenweg", "addr:housenumber", "7", "highway"];
    let texts =
        texts.into_iter().chain(["residential", "name", "type", "associatedStreet", "street", "natural", "tree"]);
    let table = texts.fold(Message::default(), |table, text| table.bytes(1, text));
    let [lon, lat] = [95_000_000_i64, 471_000_000];
    let dense = Message::default()
        .packed(1, deltas(&[1, 2, 3, 4, 5, 6]))
        .packed(8, deltas(&[lat, lat, lat + 1000, lat + 1000, lat - 1000, lat - 1000]))
        .packed(9, deltas(&[lon, lon + 2000, lon + 2000, lon, lon - 10_000, lon + 10_000]))
        .packed(10, [0, 0, 0, 0, 0, 13, 14, 0]);
    let node = Message::default()
        .number(1, zigzag(7))
        .packed(2, [13])
        .packed(3, [14])
        .number(8, zigzag(lat + 1500))
        .number(9, zigzag(lon));
    let way = |id, tags: &[[u64; 2]], refs: &[i64]| {
        Message::default()
            .number(1, id)
            .packed(2, tags.iter().map(|tag| tag[0]))
            .packed(3, tags.iter().map(|tag| tag[1]))
            .packed(8, deltas(refs))
    };
    let house = way(10, &[[1, 2], [3, 4], [5, 6]], &[1, 2, 3, 4, 1]);
    let street = way(11, &[[7, 8], [9, 4]], &[5, 6]);
    let relation = Message::default()
        .number(1, 12)
        .packed(2, [10, 9])
        .packed(3, [11, 4])
        .packed(8, [2, 12])
        .packed(9, deltas(&[10, 11]))
        .packed(10, [1, 1]);
    let group = |field, message: &Message| Message::default().message(field, message);
    [group(2, &dense), group(1, &node), group(3, &house).message(3, &street), group(4, &relation)]
        .iter()
        .fold(Message::default().message(1, &table), |block, group| block.message(2, group))
}
