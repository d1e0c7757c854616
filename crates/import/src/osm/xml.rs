//! Reads `.osm` and `.osm.gz` files, event by event.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use aerie_geodata::gpkg::OsmKind;

use super::element::{
    Element, MAX_ID, MAX_MEMBERS, MAX_REFS, MAX_TAGS, Member, Sink, Tags, Wanted, is_short, shortened, spot,
};
use super::rings::Spot;
use crate::error::ImportError;
use crate::growth;
use crate::xml_format;

/// Maximum size of one tag with its attributes, bytes; keeps a file without a `>` from filling the memory.
const MAX_EVENT: u64 = 4 << 20;
/// Maximum number of positions of a relation's members.
const MAX_POSITIONS: usize = 10_000_000;
/// Maximum number of tags open at once: `osm`, an object, and what describes it.
const MAX_DEPTH: usize = 8;

/// Passes every wanted element to the sink. `at` receives the number of bytes read.
pub(crate) fn read(
    path: &Path,
    zipped: bool,
    wanted: Wanted,
    at: &mut dyn FnMut(u64),
    sink: Sink<'_>,
) -> Result<(), ImportError> {
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let len = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
    let behind = Rc::new(Cell::new(0));
    let counted = BufReader::with_capacity(1 << 16, Counted { inner: file, behind: Rc::clone(&behind) });
    let input: Box<dyn Read> =
        if zipped { Box::new(flate2::bufread::MultiGzDecoder::new(counted)) } else { Box::new(counted) };
    let metered = Metered {
        inner: BufReader::with_capacity(1 << 16, input),
        event: 0,
        total: 0,
        limit: if zipped { growth::most(len) } else { u64::MAX },
    };
    let mut reader = Reader::from_reader(metered);
    let mut parser = Parser {
        path,
        wanted,
        open: None,
        tags: Tags::default(),
        refs: Vec::new(),
        spots: Vec::new(),
        members: Vec::new(),
        is_cut: false,
        positions: 0,
    };
    let mut buffer = Vec::new();
    let (mut root, mut ended, mut events, mut depth) = (false, false, 0_u64, 0_usize);
    loop {
        reader.get_mut().event = 0;
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(|e| ImportError::damaged(path, e.to_string()))?;
        events += 1;
        if events.is_multiple_of(4096) {
            at(behind.get());
        }
        match event {
            // The reader remembers every open tag.
            Event::Start(_) if depth == MAX_DEPTH => {
                return Err(ImportError::damaged(path, format!("its tags are nested more than {MAX_DEPTH} deep")));
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        match event {
            Event::Start(tag) if !root => {
                root = true;
                if tag.name().0 != "osm" {
                    return Err(xml_format::refusal(path, tag.name().0));
                }
            }
            Event::Start(tag) => parser.start(&tag, sink, false)?,
            Event::Empty(tag) => {
                if !root && tag.name().0 != "osm" {
                    return Err(xml_format::refusal(path, tag.name().0));
                }
                ended |= !root;
                root = true;
                parser.start(&tag, sink, true)?;
            }
            Event::End(tag) => {
                ended |= tag.name().0 == "osm";
                parser.end(tag.name().0, sink)?;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match (root, ended) {
        (false, _) => Err(ImportError::foreign(path)),
        (true, false) => Err(ImportError::damaged(path, "it ends before </osm>".into())),
        (true, true) => Ok(()),
    }
}

struct Parser<'a> {
    path: &'a Path,
    wanted: Wanted,
    open: Option<Open>,
    tags: Tags<'static>,
    refs: Vec<i64>,
    /// Positions of the way's nodes, where they are given with it.
    spots: Vec<Option<Spot>>,
    members: Vec<Member>,
    /// Whether the last member lacks some of its positions.
    is_cut: bool,
    /// Number of positions of all members.
    positions: usize,
}

#[derive(Clone, Copy)]
enum Open {
    Node { id: i64, lon: i32, lat: i32 },
    Way { id: i64 },
    Relation { id: i64 },
    Deleted { kind: OsmKind, id: i64 },
    Placeless,
    Nameless,
}

impl Parser<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, sink: Sink<'_>, empty: bool) -> Result<(), ImportError> {
        let name = tag.name().0;
        match (name, self.wanted, self.open) {
            ("node" | "relation", Wanted::NodesAndRelations, _) | ("way", Wanted::Ways, _) => {
                self.tags.0.clear();
                self.refs.clear();
                self.spots.clear();
                self.members.clear();
                self.positions = 0;
                self.open = Some(self.object(name, tag)?);
                if empty {
                    self.end(name, sink)?;
                }
            }
            ("tag", _, Some(_)) if self.tags.0.len() < MAX_TAGS => {
                let [key, value] = self.attributes(tag, ["k", "v"])?;
                if let (Some(key), Some(value)) = (key, value)
                    && is_short(&key, &value)
                {
                    self.tags.0.push((key.into(), value.into()));
                }
            }
            ("nd", _, Some(Open::Way { .. })) if self.refs.len() <= MAX_REFS => {
                let [node, lon, lat] = self.attributes(tag, ["ref", "lon", "lat"])?;
                let spot = position(lon.as_deref(), lat.as_deref());
                // Overpass leaves out the ids where only the geometry was asked for; the position then identifies the node.
                let id = match node {
                    Some(node) => node.parse::<i64>().ok(),
                    None => spot.map(|(lon, lat)| (i64::from(lon) << 32) ^ i64::from(lat)),
                };
                if let Some(id) = id {
                    self.refs.push(id);
                    self.spots.push(spot);
                }
            }
            ("nd", _, Some(Open::Relation { .. })) if self.positions < MAX_POSITIONS => {
                let [lon, lat] = self.attributes(tag, ["lon", "lat"])?;
                let spot = position(lon.as_deref(), lat.as_deref()).filter(|_| !self.is_cut);
                if let Some(member) = self.members.last_mut() {
                    match spot {
                        Some(spot) => member.spots.push(spot),
                        None => member.spots.clear(),
                    }
                    self.is_cut = spot.is_none();
                    self.positions += 1;
                }
            }
            ("member", _, Some(Open::Relation { .. })) if self.members.len() < MAX_MEMBERS => {
                let [kind, id, role] = self.attributes(tag, ["type", "ref", "role"])?;
                let kind = match kind.as_deref() {
                    Some("node") => OsmKind::Node,
                    Some("way") => OsmKind::Way,
                    Some("relation") => OsmKind::Relation,
                    _ => return Ok(()),
                };
                if let Some(id) = id.and_then(|i| i.parse().ok()).filter(|i| -MAX_ID < *i && *i < MAX_ID) {
                    self.members.push(Member {
                        kind,
                        id,
                        role: role.as_deref().map(shortened).unwrap_or_default().to_owned(),
                        spots: Vec::new(),
                    });
                    self.is_cut = false;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn object(&self, name: &str, tag: &BytesStart<'_>) -> Result<Open, ImportError> {
        let [id, lon, lat, visible, action] = self.attributes(tag, ["id", "lon", "lat", "visible", "action"])?;
        let id = id.and_then(|i| i.parse::<i64>().ok()).filter(|i| -MAX_ID < *i && *i < MAX_ID);
        let Some(id) = id else { return Ok(Open::Nameless) };
        let kind = match name {
            "way" => OsmKind::Way,
            "relation" => OsmKind::Relation,
            _ => OsmKind::Node,
        };
        if visible.as_deref() == Some("false") || action.as_deref() == Some("delete") {
            return Ok(Open::Deleted { kind, id });
        }
        Ok(match kind {
            OsmKind::Way => Open::Way { id },
            OsmKind::Relation => Open::Relation { id },
            OsmKind::Node => position(lon.as_deref(), lat.as_deref())
                .map_or(Open::Placeless, |(lon, lat)| Open::Node { id, lon, lat }),
        })
    }

    fn attributes<const N: usize>(
        &self,
        tag: &BytesStart<'_>,
        names: [&str; N],
    ) -> Result<[Option<String>; N], ImportError> {
        let damaged = |e: &dyn std::fmt::Display| ImportError::damaged(self.path, e.to_string());
        let mut found = [const { None }; N];
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|e| damaged(&e))?;
            if let Some(at) = names.iter().position(|n| *n == attribute.key.0) {
                let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).map_err(|e| damaged(&e))?;
                found[at] = Some(value.into_owned());
            }
        }
        Ok(found)
    }

    fn end(&mut self, name: &str, sink: Sink<'_>) -> Result<(), ImportError> {
        if !matches!(name, "node" | "way" | "relation") {
            return Ok(());
        }
        match self.open.take() {
            Some(Open::Node { id, lon, lat }) => sink(Element::Node { id, lon, lat, tags: &self.tags }),
            Some(Open::Way { id }) => sink(Element::Way { id, refs: &self.refs, spots: &self.spots, tags: &self.tags }),
            Some(Open::Relation { id }) => sink(Element::Relation { id, members: &self.members, tags: &self.tags }),
            Some(Open::Deleted { kind, id }) => sink(Element::Deleted { kind, id }),
            Some(Open::Placeless) => sink(Element::Placeless { tags: &self.tags }),
            Some(Open::Nameless) => sink(Element::Nameless),
            None => Ok(()),
        }
    }
}

/// The position in the attributes of a node; `None` where they name none.
fn position(lon: Option<&str>, lat: Option<&str>) -> Option<Spot> {
    spot(lon?.parse().ok()?, lat?.parse().ok()?)
}

/// Counts the bytes read from the file.
struct Counted {
    inner: File,
    behind: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.behind.set(self.behind.get() + n as u64);
        Ok(n)
    }
}

/// Rejects single events and whole files that are too large when unpacked.
struct Metered<R> {
    inner: R,
    event: u64,
    total: u64,
    limit: u64,
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.event > MAX_EVENT {
            return Err(io::Error::other("one of its tags is larger than 4 MiB"));
        }
        if self.total > self.limit {
            return Err(io::Error::other("it unpacks to more than a hundred times its size"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.event += n as u64;
        self.total += n as u64;
        self.inner.consume(n);
    }
}
