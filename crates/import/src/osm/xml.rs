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
    Element, MAX_ID, MAX_MEMBERS, MAX_REFS, MAX_TAGS, Member, Sink, Tags, Wanted, is_short, shortened,
};
use crate::error::ImportError;
use crate::growth;

/// Maximum size of one tag with its attributes, bytes; keeps a file without a `>` from filling the memory.
const MAX_EVENT: u64 = 4 << 20;
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
    let mut parser = Parser { path, wanted, open: None, tags: Tags::default(), refs: Vec::new(), members: Vec::new() };
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
                    return Err(ImportError::foreign(path));
                }
            }
            Event::Start(tag) => parser.start(&tag, sink, false)?,
            Event::Empty(tag) => {
                if !root && tag.name().0 != "osm" {
                    return Err(ImportError::foreign(path));
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
    members: Vec<Member>,
}

#[derive(Clone, Copy)]
enum Open {
    Node { id: i64, lon: i32, lat: i32 },
    Way { id: i64 },
    Relation { id: i64 },
}

impl Parser<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, sink: Sink<'_>, empty: bool) -> Result<(), ImportError> {
        let name = tag.name().0;
        match (name, self.wanted, self.open) {
            ("node" | "relation", Wanted::NodesAndRelations, _) | ("way", Wanted::Ways, _) => {
                self.tags.0.clear();
                self.refs.clear();
                self.members.clear();
                self.open = self.object(name, tag)?;
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
                let [node] = self.attributes(tag, ["ref"])?;
                self.refs.extend(node.and_then(|n| n.parse::<i64>().ok()));
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
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn object(&self, name: &str, tag: &BytesStart<'_>) -> Result<Option<Open>, ImportError> {
        let [id, lon, lat, visible, action] = self.attributes(tag, ["id", "lon", "lat", "visible", "action"])?;
        let id = id.and_then(|i| i.parse::<i64>().ok()).filter(|i| -MAX_ID < *i && *i < MAX_ID);
        let Some(id) = id.filter(|_| visible.as_deref() != Some("false") && action.as_deref() != Some("delete")) else {
            return Ok(None);
        };
        let degrees = |text: Option<String>, limit: f64| {
            let value: f64 = text?.parse().ok()?;
            (value.abs() <= limit).then(|| (value * 1e7).round() as i32)
        };
        Ok(match name {
            "way" => Some(Open::Way { id }),
            "relation" => Some(Open::Relation { id }),
            _ => match (degrees(lon, 180.0), degrees(lat, 90.0)) {
                (Some(lon), Some(lat)) => Some(Open::Node { id, lon, lat }),
                _ => None,
            },
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
            Some(Open::Way { id }) => sink(Element::Way { id, refs: &self.refs, tags: &self.tags }),
            Some(Open::Relation { id }) => sink(Element::Relation { id, members: &self.members, tags: &self.tags }),
            None => Ok(()),
        }
    }
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
