//! Small files that describe millions of times as much, in the formats that `aerie import` reads. Each is valid up to what makes it a
//! bomb, so that it reaches the parser of its format.

use flate2::{Compress, Compression, FlushCompress};

use crate::pbf::{self, Message, zigzag};

/// A bomb.
#[derive(Debug)]
pub struct Bomb {
    /// File name.
    pub name: &'static str,
    /// Content.
    pub bytes: Vec<u8>,
    /// Part of the message that refuses it.
    pub refusal: &'static str,
}

/// Bytes that any tile of an SRTM archive has.
const TILE: u32 = 1201 * 1201 * 2;
/// How often a mebibyte is repeated: it unpacks to 4 GiB.
const REPEATED: usize = 4096;

/// All bombs.
#[must_use]
pub fn all() -> Vec<Bomb> {
    let memory = "takes more than 128 MiB";
    let growth = "unpacks to more than 100 times its size";
    let bomb = |name, bytes, refusal| Bomb { name, bytes, refusal };
    let block = |name, block: Message, refusal| bomb(name, blocks(&[zlib(&block.0)]), refusal);
    let strings = Message::default().bytes(1, [0x0a, 0].repeat(15 << 20));
    let nodes = Message::default().message(1, &Message::default()).bytes(2, [0x0a, 0].repeat(15 << 20));
    let numbers = vec![0; 10 << 20];
    let dense = Message::default().bytes(1, &numbers).bytes(8, &numbers).bytes(9, &numbers);
    let dense = Message::default().message(1, &Message::default()).message(2, &Message::default().message(2, &dense));
    // Bytes that are no text, which the decoder takes as they are.
    let large = (0..1024).fold(Message::default(), |table, _| table.bytes(1, [0xff; 15 << 10]));
    let large = Message::default().message(1, &large);
    let text = Message::default().message(1, &Message::default().bytes(1, vec![b'a'; 15 << 20]));
    let endless = Message::default().bytes(3, endless_zlib());
    let claim = Message::default().number(2, i32::MAX as u64).bytes(3, zlib_stream(&pbf::house().0));
    vec![
        block("strings.osm.pbf", strings, memory),
        block("groups.osm.pbf", Message([0x12, 0].repeat(15 << 20)), memory),
        block("nodes.osm.pbf", nodes, memory),
        block("dense.osm.pbf", dense, memory),
        block("text.osm.pbf", text, "a text of more than 16 KiB"),
        block("tags.osm.pbf", tags(), growth),
        block("roles.osm.pbf", roles(), growth),
        block("relations.osm.pbf", relations(), growth),
        bomb("blocks.osm.pbf", blocks(&vec![zlib(&large.0); 16]), growth),
        bomb("endless.osm.pbf", blocks(&[endless]), "unpacks to more than 32 MiB"),
        bomb("claim.osm.pbf", blocks(&[claim]), "unpacks to more than 32 MiB"),
        bomb("spaces.osm.gz", gzip(&[&b"<osm>"[..], &vec![b' '; 1 << 20].repeat(200)].concat()), "larger than 4 MiB"),
        bomb("empty.osm.gz", gzip(&[&b"<osm>"[..], &b"<node/>".repeat(20 << 20)].concat()), "a hundred times its size"),
        bomb("nested.osm.gz", gzip(&[&b"<osm>"[..], &b"<a>".repeat(16 << 20)].concat()), "nested more than 8 deep"),
        bomb("N47E009.hgt.zip", zip("N47E009.hgt", TILE), "larger than its declared uncompressed size"),
        bomb("N47E010.hgt.zip", zip("N47E010.hgt", u32::MAX - 1), "claims 4294967294 bytes"),
        bomb("runs.pmtiles", runs(), growth),
        bomb("leaves.pmtiles", leaves(), growth),
        bomb("directory.pmtiles", directory(), "a section of it is too large"),
    ]
}

/// A file of a header and data blocks of these blobs.
fn blocks(blobs: &[Message]) -> Vec<u8> {
    let mut file = pbf::file(&[]);
    file.extend(blobs.iter().flat_map(|blob| pbf::framed("OSMData", blob)));
    file
}

fn zlib(block: &[u8]) -> Message {
    Message::default().number(2, block.len() as u64).bytes(3, zlib_stream(block))
}

fn zlib_stream(bytes: &[u8]) -> Vec<u8> {
    compressed(bytes, true, FlushCompress::Finish)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    out.extend(compressed(bytes, false, FlushCompress::Finish));
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    out.extend(sum.sum().to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

/// A zlib stream of 4 GiB of zeros, without an end.
fn endless_zlib() -> Vec<u8> {
    [vec![0x78, 0x9c], endless()].concat()
}

/// A deflate stream of 4 GiB of zeros, without an end.
fn endless() -> Vec<u8> {
    // A full flush ends at a whole byte, and what follows refers to nothing before it.
    compressed(&vec![0; 1 << 20], false, FlushCompress::Full).repeat(REPEATED)
}

fn compressed(bytes: &[u8], has_header: bool, flush: FlushCompress) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 100 + 1024);
    let mut compress = Compress::new(Compression::best(), has_header);
    loop {
        let at = compress.total_in() as usize;
        let status = compress.compress_vec(&bytes[at..], &mut out, flush).expect("memory");
        let is_done = compress.total_in() as usize == bytes.len() && out.len() < out.capacity();
        if status == flate2::Status::StreamEnd || is_done && flush == FlushCompress::Full {
            return out;
        }
        out.reserve(out.len());
    }
}

/// Nodes with two thousand tags each, all of them the same two long strings.
fn tags() -> Message {
    let text = vec![b'a'; 4096];
    let table = Message::default().bytes(1, "").bytes(1, &text).bytes(1, &text);
    let tags = [1, 2].repeat(2000);
    let node = |id| {
        let node = Message::default().number(1, zigzag(id)).packed(2, tags.iter().copied().step_by(2));
        node.packed(3, tags.iter().copied().skip(1).step_by(2))
            .number(8, zigzag(471_000_000))
            .number(9, zigzag(95_000_000))
    };
    let group = (1..1000).fold(Message::default(), |group, id| group.message(1, &node(id)));
    Message::default().message(1, &table).message(2, &group)
}

/// Relations whose members all have the same long role.
fn roles() -> Message {
    let table = [&b""[..], b"type", b"multipolygon", &[b'a'; 10_000]];
    let table = table.iter().fold(Message::default(), |table, text| table.bytes(1, text));
    let members = 150_000;
    let relation = |id| {
        let relation = Message::default().number(1, id).packed(2, [1]).packed(3, [2]);
        let relation = relation.bytes(8, vec![3; members]).bytes(9, vec![2; members]);
        relation.bytes(10, vec![1; members])
    };
    let group = (1..5).fold(Message::default(), |group, id| group.message(4, &relation(id)));
    Message::default().message(1, &table).message(2, &group)
}

/// Relations that name the same long way a thousand times each.
fn relations() -> Message {
    let table = ["", "type", "multipolygon", "outer", "building", "yes"];
    let table = table.iter().fold(Message::default(), |table, text| table.bytes(1, text));
    let node = Message::default().number(1, zigzag(1)).number(8, zigzag(471_000_000)).number(9, zigzag(95_000_000));
    let refs = [&[zigzag(1)][..], &[0; 90_000]].concat();
    let way = Message::default().number(1, 1).packed(2, [4]).packed(3, [5]).packed(8, refs);
    let members = 1000;
    let relation = |id| {
        let ids = [&[zigzag(1)][..], &vec![0; members - 1]].concat();
        let relation = Message::default().number(1, id).packed(2, [1]).packed(3, [2]);
        relation.bytes(8, vec![3; members]).packed(9, ids).bytes(10, vec![1; members])
    };
    let relations = (1..=200).fold(Message::default(), |group, id| group.message(4, &relation(id)));
    let groups = [Message::default().message(1, &node), Message::default().message(3, &way), relations];
    groups.iter().fold(Message::default().message(1, &table), |block, group| block.message(2, group))
}

/// An archive of one entry that claims `size` bytes and unpacks to 4 GiB.
fn zip(name: &str, size: u32) -> Vec<u8> {
    let data = endless();
    let [packed, name_length] = [data.len() as u32, name.len() as u32];
    // Version, flags, method (deflate), time, date; checksum, sizes, lengths of the name and of extra fields.
    let mut entry = vec![20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];
    for number in [0, packed, size] {
        entry.extend(number.to_le_bytes());
    }
    entry.extend((name_length as u16).to_le_bytes());
    entry.extend([0, 0]);
    let mut file = [b"PK\x03\x04", &entry[..], name.as_bytes(), &data].concat();
    let directory = file.len() as u32;
    file.extend([b"PK\x01\x02\x14\0", &entry[..], &[0; 14], name.as_bytes()].concat());
    let length = file.len() as u32 - directory;
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(length.to_le_bytes());
    file.extend(directory.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// One tile of a few bytes for a trillion places.
fn runs() -> Vec<u8> {
    let run = 1 << 40;
    let root = entries(&[[0, run, 8, 1]]);
    pmtiles(&root, b"", b"\x89PNG\r\n\x1a\n", run, 1)
}

/// Leaf directories of a thousand entries, each of which is a leaf directory of a thousand entries.
fn leaves() -> Vec<u8> {
    let mut section = entries(&[]);
    let mut last = [0, section.len() as u64];
    for _ in 0..3 {
        let level = entries(&vec![[0, 0, last[1], last[0] + 1]; 1000]);
        last = [section.len() as u64, level.len() as u64];
        section.extend(level);
    }
    pmtiles(&entries(&[[0, 0, last[1], last[0] + 1]]), &section, b"", 1, 1)
}

/// A compressed directory of 4 GiB.
fn directory() -> Vec<u8> {
    let root = [vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff], endless()].concat();
    pmtiles(&root, b"", b"", 1, 2)
}

/// A directory of entries: tile number as the difference to the one before, run length, length, offset plus one.
fn entries(entries: &[[u64; 4]]) -> Vec<u8> {
    let mut out = pbf::varint(entries.len() as u64);
    (0..4).for_each(|column| out.extend(entries.iter().flat_map(|entry| pbf::varint(entry[column]))));
    out
}

fn pmtiles(root: &[u8], leaves: &[u8], tiles: &[u8], count: u64, compression: u8) -> Vec<u8> {
    let metadata: &[u8] = if compression == 2 { &gzip(b"{}") } else { b"{}" };
    let mut at = 127;
    let mut header = b"PMTiles\x03".to_vec();
    for section in [root, metadata, leaves, tiles] {
        header.extend((at as u64).to_le_bytes());
        header.extend((section.len() as u64).to_le_bytes());
        at += section.len();
    }
    for _ in 0..3 {
        header.extend(count.to_le_bytes());
    }
    header.extend([1, compression, 1, 2, 0, 20]);
    header.resize(127, 0);
    [&header, root, metadata, leaves, tiles].concat()
}
