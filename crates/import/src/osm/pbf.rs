//! Reads `.osm.pbf` files block by block: worker threads unpack the blocks, which are delivered in the file's order.

mod blob;
mod memory;

use std::fs::File;
use std::io::{BufReader, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use osmpbf::{BlobDecode, BlobReader, Element as Pbf, HeaderBlock, PrimitiveBlock, RelMemberType};

use aerie_geodata::gpkg::OsmKind;

use super::element::{
    Element, MAX_ID, MAX_MEMBERS, MAX_REFS, MAX_TAGS, Member, Sink, Tags, Wanted, is_short, shortened,
};
use crate::error::ImportError;
use crate::growth::Growth;
use blob::{Location, Payload};

/// Required features that this reader supports; a file that requires another is rejected.
const UNDERSTOOD: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];
/// Maximum size of a compressed block (the format's own limit), bytes.
const MAX_BLOB: i32 = 32 * 1024 * 1024;
/// Maximum number of threads that unpack blocks. Each holds at most two unpacked ones: one waiting to be taken, one in
/// progress.
const MAX_THREADS: usize = 4;

/// Maximum number of unpacked blocks kept from one pass to the next, and of bytes of memory that one of them takes.
const MAX_KEPT: usize = 8;
const MAX_KEPT_MEMORY: u64 = 32 << 20;

/// A file whose blocks have been located.
pub(crate) struct Extract<'a> {
    path: &'a Path,
    /// Length of the file, bytes.
    length: u64,
    blocks: Vec<Location>,
    /// The blocks with ways, recorded by the pass that does not read ways for the one that does.
    ways: Option<Ways>,
}

/// Blocks that contain ways.
struct Ways {
    /// Indices of the blocks.
    blocks: Vec<usize>,
    /// The first of them, unpacked; all of them in the extract of a town.
    kept: Vec<PrimitiveBlock>,
}

/// An unpacked block.
struct Unpacked {
    content: Content,
    /// Its size, bytes, and roughly what it takes in memory.
    size: u64,
    memory: u64,
}

enum Content {
    Header(Box<HeaderBlock>),
    Data(PrimitiveBlock),
    Unknown,
}

impl<'a> Extract<'a> {
    /// Locates the blocks. Their sizes are checked before anything is read into memory.
    pub(crate) fn open(path: &'a Path) -> Result<Self, ImportError> {
        let damaged = |why: String| ImportError::damaged(path, why);
        let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
        let len = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
        // Headers are small, and the seek to the next one discards what is buffered beyond.
        let mut reader =
            BlobReader::new_seekable(BufReader::with_capacity(128, file)).map_err(|e| damaged(e.to_string()))?;
        let (mut blocks, mut end) = (Vec::new(), 0);
        while let Some(next) = reader.next_header_skip_blob() {
            let (header, offset) = next.map_err(|e| damaged(e.to_string()))?;
            if offset.is_none() {
                return Err(damaged("its blocks have no position".into()));
            }
            if !(0..=MAX_BLOB).contains(&header.get_blob_size()) {
                return Err(damaged(format!("a block claims {} bytes", header.get_blob_size())));
            }
            end = reader.seek_raw(SeekFrom::Current(0)).map_err(|e| damaged(e.to_string()))?;
            blocks.push(Location::ending_at(end, &header));
        }
        if end != len {
            return Err(damaged("it ends within a block".into()));
        }
        Ok(Self { path, length: len, blocks, ways: None })
    }

    /// Passes every wanted element to the sink. `at` receives the number of bytes read.
    pub(crate) fn read(&mut self, wanted: Wanted, at: &mut dyn FnMut(u64), sink: Sink<'_>) -> Result<(), ImportError> {
        let mut growth = Growth::new(self.path, self.length);
        let known = self.ways.take().filter(|_| wanted == Wanted::Ways);
        let mut todo: Vec<usize> = (0..self.blocks.len()).collect();
        if let Some(Ways { blocks, kept }) = known {
            todo = blocks[kept.len()..].to_vec();
            for (number, block) in blocks.iter().zip(kept) {
                at(self.blocks[*number].start);
                hand_over_all(self.path, &block, wanted, &mut growth, sink)?;
            }
        }
        let (mut ways, mut headers) = (Ways { blocks: Vec::new(), kept: Vec::new() }, 0);
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(todo.len().max(1));
        let (path, blocks) = (self.path, &self.blocks);
        thread::scope(|scope| {
            // Each thread has its own share and queue, so that taking from the queues in turn restores the file's
            // order.
            let queues: Vec<Receiver<_>> = (0..threads)
                .map(|first| {
                    let (give, take) = sync_channel(1);
                    let share = todo.iter().skip(first).step_by(threads).map(|number| blocks[*number]);
                    scope.spawn(move || unpack_all(path, share, &give));
                    take
                })
                .collect();
            for (turn, number) in todo.iter().enumerate() {
                at(blocks[*number].start);
                let ended = || ImportError::damaged(path, "its blocks cannot be unpacked".into());
                let Unpacked { content, size, memory } = queues[turn % threads].recv().map_err(|_| ended())??;
                growth.add(size)?;
                match content {
                    Content::Header(header) => {
                        headers += 1;
                        understand(path, &header)?;
                    }
                    Content::Data(block) => {
                        hand_over_all(path, &block, wanted, &mut growth, sink)?;
                        if wanted != Wanted::Ways && block.groups().any(|group| group.ways().next().is_some()) {
                            ways.blocks.push(*number);
                            let is_next = ways.kept.len() + 1 == ways.blocks.len();
                            if is_next && ways.kept.len() < MAX_KEPT && memory <= MAX_KEPT_MEMORY {
                                ways.kept.push(block);
                            }
                        }
                    }
                    Content::Unknown => {}
                }
            }
            Ok::<_, ImportError>(())
        })?;
        if wanted == Wanted::NodesAndRelations {
            if headers == 0 {
                return Err(ImportError::foreign(path));
            }
            self.ways = Some(ways);
        }
        Ok(())
    }
}

/// Unpacks blocks into a queue until one is damaged or the receiver is gone.
fn unpack_all(path: &Path, blocks: impl Iterator<Item = Location>, queue: &SyncSender<Result<Unpacked, ImportError>>) {
    let mut file = None;
    for location in blocks {
        let unpacked = unpack(path, &mut file, location);
        let over = unpacked.is_err();
        if queue.send(unpacked).is_err() || over {
            return;
        }
    }
}

fn unpack(path: &Path, file: &mut Option<File>, location: Location) -> Result<Unpacked, ImportError> {
    let damaged = |why: String| ImportError::damaged(path, why);
    let open = match file {
        Some(open) => open,
        None => file.insert(File::open(path).map_err(|e| ImportError::io(path, e))?),
    };
    let Some(payload) = Payload::read(path, open, location)? else {
        return Ok(Unpacked { content: Content::Unknown, size: 0, memory: 0 });
    };
    let memory = payload.memory().map_err(damaged)?;
    // The decoder adds deltas without overflow checks, which panics in debug builds on malicious numbers.
    let decoded = catch_unwind(AssertUnwindSafe(|| payload.decode()));
    let content =
        match decoded.map_err(|_| damaged("numbers out of range".into()))?.map_err(|e| damaged(e.to_string()))? {
            BlobDecode::OsmHeader(header) => Content::Header(header),
            BlobDecode::OsmData(block) => Content::Data(block),
            BlobDecode::Unknown(_) => Content::Unknown,
        };
    Ok(Unpacked { content, size: payload.size(), memory })
}

fn understand(path: &Path, header: &HeaderBlock) -> Result<(), ImportError> {
    match header.required_features().iter().find(|feature| !UNDERSTOOD.contains(&feature.as_str())) {
        Some(feature) => Err(ImportError::unsupported(path, format!("it requires the feature \"{feature}\""))),
        None => Ok(()),
    }
}

fn hand_over_all(
    path: &Path,
    block: &PrimitiveBlock,
    wanted: Wanted,
    growth: &mut Growth<'_>,
    sink: Sink<'_>,
) -> Result<(), ImportError> {
    let mut failed = None;
    let ran = catch_unwind(AssertUnwindSafe(|| {
        block.for_each_element(|element| {
            if failed.is_none() {
                failed = hand_over(element, wanted, growth, sink).err();
            }
        });
    }));
    match failed {
        Some(e) => Err(e),
        None => ran.map_err(|_| ImportError::damaged(path, "numbers out of range".into())),
    }
}

/// Passes an element on. Its text may be a string of the block that thousands of elements repeat, so it counts as growth.
fn hand_over(element: Pbf<'_>, wanted: Wanted, growth: &mut Growth<'_>, sink: Sink<'_>) -> Result<(), ImportError> {
    let fits = |id: i64| -MAX_ID < id && id < MAX_ID;
    let place = |nano: i64, limit: i64| i32::try_from(nano / 100).ok().filter(|v| i64::from(*v).abs() <= limit);
    match (element, wanted) {
        (Pbf::DenseNode(node), Wanted::NodesAndRelations) if fits(node.id()) => {
            let (lon, lat) = (place(node.nano_lon(), 1_800_000_000), place(node.nano_lat(), 900_000_000));
            let (Some(lon), Some(lat)) = (lon, lat) else { return Ok(()) };
            sink(Element::Node { id: node.id(), lon, lat, tags: &collect(node.tags(), growth)? })
        }
        (Pbf::Node(node), Wanted::NodesAndRelations) if fits(node.id()) => {
            let (lon, lat) = (place(node.nano_lon(), 1_800_000_000), place(node.nano_lat(), 900_000_000));
            let (Some(lon), Some(lat)) = (lon, lat) else { return Ok(()) };
            sink(Element::Node { id: node.id(), lon, lat, tags: &collect(node.tags(), growth)? })
        }
        (Pbf::Way(way), Wanted::Ways) if fits(way.id()) => {
            let refs: Vec<i64> = way.refs().take(MAX_REFS + 1).collect();
            sink(Element::Way { id: way.id(), refs: &refs, tags: &collect(way.tags(), growth)? })
        }
        (Pbf::Relation(relation), Wanted::NodesAndRelations) if fits(relation.id()) => {
            let mut members = Vec::new();
            for member in relation.members().take(MAX_MEMBERS).filter(|m| fits(m.member_id)) {
                let kind = match member.member_type {
                    RelMemberType::Node => OsmKind::Node,
                    RelMemberType::Way => OsmKind::Way,
                    RelMemberType::Relation => OsmKind::Relation,
                };
                let role = member.role().unwrap_or_default();
                growth.add(role.len() as u64)?;
                members.push(Member { kind, id: member.member_id, role: shortened(role).to_owned() });
            }
            sink(Element::Relation { id: relation.id(), members: &members, tags: &collect(relation.tags(), growth)? })
        }
        _ => Ok(()),
    }
}

fn collect<'a>(
    tags: impl Iterator<Item = (&'a str, &'a str)>,
    growth: &mut Growth<'_>,
) -> Result<Tags<'a>, ImportError> {
    let mut short = Vec::new();
    for (key, value) in tags.take(MAX_TAGS) {
        growth.add((key.len() + value.len()) as u64)?;
        if is_short(key, value) {
            short.push((key.into(), value.into()));
        }
    }
    Ok(Tags(short))
}
