//! Reads `.osm.pbf` files block by block: worker threads unpack the blocks, which are delivered in the file's order.

mod blob;
mod memory;
mod messages;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use aerie_geodata::gpkg::OsmKind;
use prost::Message;

use super::element::{
    Element, MAX_ID, MAX_MEMBERS, MAX_REFS, MAX_TAGS, Member, Sink, Tags, Wanted, is_short, shortened,
};
use super::rings::Spot;
use crate::error::ImportError;
use crate::growth::Growth;
use blob::{Location, Payload};
use messages::{BlobHeader, DenseNodes, HeaderBlock, Node, PrimitiveBlock, Relation, Way};

/// Required features that this reader supports; a file that requires another is rejected.
const UNDERSTOOD: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];
/// Maximum size of the header of a block (the format's own limit), bytes.
const MAX_HEADER: u32 = 64 * 1024;
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
    Header(HeaderBlock),
    Data(PrimitiveBlock),
    Unknown,
}

impl<'a> Extract<'a> {
    /// Locates the blocks. Their sizes are checked before anything is read into memory.
    pub(crate) fn open(path: &'a Path) -> Result<Self, ImportError> {
        let damaged = |why: String| ImportError::damaged(path, why);
        let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
        let len = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
        let (mut blocks, mut end): (Vec<Location>, u64) = (Vec::new(), 0);
        while end < len {
            let mut size = [0; 4];
            file.read_exact_at(&mut size, end).map_err(|e| damaged(e.to_string()))?;
            let size = u32::from_be_bytes(size);
            if size > MAX_HEADER {
                return Err(damaged(format!("the header of a block claims {size} bytes")));
            }
            let mut header = vec![0; size as usize];
            file.read_exact_at(&mut header, end + 4).map_err(|e| damaged(e.to_string()))?;
            let header = BlobHeader::decode(&header[..]).map_err(|e| damaged(e.to_string()))?;
            if !(0..=MAX_BLOB).contains(&header.size) {
                return Err(damaged(format!("a block claims {} bytes", header.size)));
            }
            let block = Location::new(end + 4 + u64::from(size), &header);
            end = block.end();
            blocks.push(block);
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
                        if wanted != Wanted::Ways && block.groups.iter().any(|group| !group.ways.is_empty()) {
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
    let content = payload.decode().map_err(|e| damaged(e.to_string()))?;
    Ok(Unpacked { content, size: payload.size(), memory })
}

fn understand(path: &Path, header: &HeaderBlock) -> Result<(), ImportError> {
    match header.required_features.iter().find(|feature| !UNDERSTOOD.contains(&feature.as_str())) {
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
    let mut elements = Elements { path, block, growth, sink };
    for group in &block.groups {
        if wanted == Wanted::Ways {
            group.ways.iter().try_for_each(|way| elements.way(way))?;
            continue;
        }
        group.nodes.iter().try_for_each(|node| elements.node(node))?;
        if let Some(dense) = &group.dense {
            elements.dense(dense)?;
        }
        group.relations.iter().try_for_each(|relation| elements.relation(relation))?;
    }
    Ok(())
}

/// Passes the elements of a block on. Their texts may be strings of the block that thousands of elements repeat, so they count as growth.
struct Elements<'a, 'g, 's> {
    path: &'a Path,
    block: &'a PrimitiveBlock,
    growth: &'a mut Growth<'g>,
    sink: Sink<'s>,
}

impl Elements<'_, '_, '_> {
    fn node(&mut self, node: &Node) -> Result<(), ImportError> {
        let block = self.block;
        self.point(node.id, node.lon, node.lat, &mut block.tags(&node.keys, &node.values))
    }

    fn dense(&mut self, nodes: &DenseNodes) -> Result<(), ImportError> {
        let mut at = [0_i64; 3];
        let mut texts = nodes.keys_and_values.iter().map(|index| usize::try_from(*index).unwrap_or(usize::MAX));
        for ((id, lon), lat) in nodes.ids.iter().zip(&nodes.lons).zip(&nodes.lats) {
            for (value, step) in at.iter_mut().zip([id, lon, lat]) {
                *value = value.checked_add(*step).ok_or_else(|| self.out_of_range())?;
            }
            // Those of a node whose text cannot be read end there, and the next begins after the 0.
            let indices: Vec<usize> = texts.by_ref().take_while(|index| *index != 0).collect();
            let block = self.block;
            let mut tags = indices.chunks_exact(2).map_while(|pair| Some((block.text(pair[0])?, block.text(pair[1])?)));
            self.point(at[0], at[1], at[2], &mut tags)?;
        }
        Ok(())
    }

    fn point<'t>(
        &mut self,
        id: i64,
        lon: i64,
        lat: i64,
        tags: &mut dyn Iterator<Item = (&'t str, &'t str)>,
    ) -> Result<(), ImportError> {
        let spot = self.spot(lon, lat)?;
        let tags = &collect(tags, self.growth)?;
        (self.sink)(match spot {
            _ if !fits(id) => Element::Nameless,
            Some((lon, lat)) => Element::Node { id, lon, lat, tags },
            None => Element::Placeless { tags },
        })
    }

    /// A position; `None` where there is no such place, as for nodes that the writer of the file did not know.
    fn spot(&self, lon: i64, lat: i64) -> Result<Option<Spot>, ImportError> {
        let [lon, lat] = self.block.place(lon, lat).ok_or_else(|| self.out_of_range())?;
        let place = |nano: i64, limit: i64| i32::try_from(nano / 100).ok().filter(|v| i64::from(*v).abs() <= limit);
        Ok(place(lon, 1_800_000_000).zip(place(lat, 900_000_000)))
    }

    fn way(&mut self, way: &Way) -> Result<(), ImportError> {
        if !fits(way.id) {
            return (self.sink)(Element::Nameless);
        }
        let refs = self.summed(way.refs.iter().take(MAX_REFS + 1))?;
        let mut spots = Vec::new();
        if way.lats.len() == way.refs.len() && way.lons.len() == way.refs.len() {
            let [lons, lats] = [&way.lons, &way.lats].map(|steps| self.summed(steps.iter().take(MAX_REFS + 1)));
            spots = lons?.into_iter().zip(lats?).map(|(lon, lat)| self.spot(lon, lat)).collect::<Result<_, _>>()?;
        }
        let tags = collect(self.block.tags(&way.keys, &way.values), self.growth)?;
        (self.sink)(Element::Way { id: way.id, refs: &refs, spots: &spots, tags: &tags })
    }

    fn relation(&mut self, relation: &Relation) -> Result<(), ImportError> {
        if !fits(relation.id) {
            return (self.sink)(Element::Nameless);
        }
        let ids = self.summed(relation.members.iter().take(MAX_MEMBERS))?;
        let mut members = Vec::new();
        for ((id, kind), role) in ids.into_iter().zip(&relation.kinds).zip(&relation.roles) {
            let kind = match kind {
                0 => OsmKind::Node,
                1 => OsmKind::Way,
                2 => OsmKind::Relation,
                _ => {
                    return Err(ImportError::damaged(self.path, "a member of a relation is of an unknown kind".into()));
                }
            };
            if !fits(id) {
                continue;
            }
            let role = usize::try_from(*role).ok().and_then(|index| self.block.text(index)).unwrap_or_default();
            self.growth.add(role.len() as u64)?;
            members.push(Member { kind, id, role: shortened(role).to_owned(), spots: Vec::new() });
        }
        let tags = collect(self.block.tags(&relation.keys, &relation.values), self.growth)?;
        (self.sink)(Element::Relation { id: relation.id, members: &members, tags: &tags })
    }

    /// Numbers of which each is given as the difference from the one before it.
    fn summed<'n>(&self, steps: impl Iterator<Item = &'n i64>) -> Result<Vec<i64>, ImportError> {
        let mut last = 0_i64;
        let mut add = |step: &i64| {
            last = last.checked_add(*step)?;
            Some(last)
        };
        steps.map(|step| add(step).ok_or_else(|| self.out_of_range())).collect()
    }

    fn out_of_range(&self) -> ImportError {
        ImportError::damaged(self.path, "numbers out of range".into())
    }
}

fn fits(id: i64) -> bool {
    -MAX_ID < id && id < MAX_ID
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
