//! Elements of an XML file one by one, with bounds on all that is kept, and without elements of extensions.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use quick_xml::NsReader;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

use crate::error::CityModelError;
use crate::input::Metered;

/// Bytes of a tag, text or comment.
const MAX_PIECE: usize = 64 << 20;
/// Elements inside of each other.
const MAX_DEPTH: usize = 200;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// An element starts; see [`Xml::name`] and [`Xml::attribute`].
    Start,
    /// The innermost element ends.
    End,
    /// Text; see [`Xml::text`]. It may come in pieces.
    Text,
    /// The file ends.
    Eof,
}

/// An XML file.
pub(super) struct Xml<'a> {
    reader: NsReader<Metered<&'a mut dyn BufRead>>,
    meter: Rc<Cell<usize>>,
    buffer: Vec<u8>,
    depth: usize,
    name: String,
    attributes: String,
    text: String,
    ade_elements: u64,
    textured_surfaces: u64,
    in_texture: Option<usize>,
}

impl<'a> Xml<'a> {
    pub(super) fn new(reader: &'a mut dyn BufRead) -> Self {
        let (reader, meter) = Metered::new(reader);
        let mut reader = NsReader::from_reader(reader);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            meter,
            buffer: Vec::new(),
            depth: 0,
            name: String::new(),
            attributes: String::new(),
            text: String::new(),
            ade_elements: 0,
            textured_surfaces: 0,
            in_texture: None,
        }
    }

    /// Local name of the element that started last.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Elements around here, with the one that started last.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Extension elements that were skipped.
    pub(super) fn ade_elements(&self) -> u64 {
        self.ade_elements
    }

    /// Surfaces that textures name as their targets.
    pub(super) fn textured_surfaces(&self) -> u64 {
        self.textured_surfaces
    }

    /// An attribute of the element that started last, by its local name.
    pub(super) fn attribute(&self, local: &str) -> Option<String> {
        if self.attributes.is_empty() {
            return None;
        }
        let mut attributes = Attributes::new(&self.attributes, 0);
        attributes.with_checks(false);
        attributes
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref() == local)
            .map(|attribute| attribute.value.into_owned())
    }

    /// The next step outside of extensions.
    pub(super) fn next(&mut self) -> Result<Step, CityModelError> {
        loop {
            let (step, ade) = self.step()?;
            if !ade {
                return Ok(step);
            }
            self.ade_elements += 1;
            self.skip()?;
        }
    }

    /// Skips to the end of the element that started last.
    pub(super) fn skip(&mut self) -> Result<(), CityModelError> {
        let outer = self.depth;
        while self.depth >= outer {
            if self.step()?.0 == Step::Eof {
                break;
            }
        }
        Ok(())
    }

    /// The text of the element that started last, up to its end.
    pub(super) fn text_of_element(&mut self) -> Result<String, CityModelError> {
        let (outer, mut text) = (self.depth, String::new());
        while self.depth >= outer {
            match self.step()?.0 {
                Step::Text if text.len() + self.text.len() > MAX_PIECE => return Err(self.error("a text is too long")),
                Step::Text => text.push_str(&self.text),
                Step::Eof => break,
                Step::Start | Step::End => {}
            }
        }
        Ok(text)
    }

    fn error(&self, what: &str) -> CityModelError {
        CityModelError::Xml(format!("{what} (byte {})", self.reader.buffer_position()))
    }

    /// The next step, and whether it starts an extension element.
    fn step(&mut self) -> Result<(Step, bool), CityModelError> {
        loop {
            self.buffer.clear();
            self.meter.set(MAX_PIECE);
            let position = self.reader.buffer_position();
            let fault = |what: String| CityModelError::Xml(format!("{what} (byte {position})"));
            let (namespace, event) = match self.reader.read_resolved_event_into(&mut self.buffer) {
                Ok(found) => found,
                Err(error) => return Err(CityModelError::xml(error, position)),
            };
            match event {
                Event::Start(start) => {
                    let ade = self.depth > 0
                        && matches!(namespace, ResolveResult::Bound(space) if is_extension(space.as_ref()));
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(fault(format!("more than {MAX_DEPTH} elements inside of each other")));
                    }
                    keep(&mut self.name, &mut self.attributes, &start);
                    self.count_textures();
                    return Ok((Step::Start, ade));
                }
                Event::End(_) => {
                    if self.in_texture == Some(self.depth) {
                        self.in_texture = None;
                    }
                    self.depth = self.depth.saturating_sub(1);
                    return Ok((Step::End, false));
                }
                Event::Text(text) => {
                    self.text.clear();
                    self.text.push_str(&text);
                    return Ok((Step::Text, false));
                }
                Event::CData(text) => {
                    self.text.clear();
                    self.text.push_str(&text);
                    return Ok((Step::Text, false));
                }
                Event::GeneralRef(reference) => {
                    let character = match &*reference {
                        "lt" => '<',
                        "gt" => '>',
                        "amp" => '&',
                        "apos" => '\'',
                        "quot" => '"',
                        _ => match reference.resolve_char_ref() {
                            Ok(Some(character)) => character,
                            _ => return Err(fault("an entity that XML does not define".into())),
                        },
                    };
                    self.text.clear();
                    self.text.push(character);
                    return Ok((Step::Text, false));
                }
                Event::DocType(_) => return Err(fault("document type declarations are not allowed".into())),
                Event::Eof if self.depth > 0 => return Err(fault("the file ends inside of an element".into())),
                Event::Eof => return Ok((Step::Eof, false)),
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
    }

    fn count_textures(&mut self) {
        match self.name.as_str() {
            "ParameterizedTexture" | "GeoreferencedTexture" if self.in_texture.is_none() => {
                self.in_texture = Some(self.depth)
            }
            "target" if self.in_texture.is_some() => self.textured_surfaces += 1,
            _ => {}
        }
    }
}

fn keep(name: &mut String, attributes: &mut String, start: &BytesStart) {
    name.clear();
    name.push_str(start.local_name().as_ref());
    attributes.clear();
    attributes.push_str(start.attributes_raw());
}

/// Whether a namespace is neither of CityGML and GML nor of what they use.
fn is_extension(namespace: &str) -> bool {
    let known = ["opengis.net", "oasis", "w3.org", "citygml.org"].iter().any(|known| namespace.contains(known));
    !known || namespace.to_ascii_lowercase().contains("/ade/")
}

/// Reads ISO 8859-1 as UTF-8.
pub(super) struct Latin1<'a> {
    inner: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    start: usize,
}

impl<'a> Latin1<'a> {
    pub(super) fn new(inner: &'a mut dyn BufRead) -> Self {
        Self { inner, buffer: Vec::new(), start: 0 }
    }
}

impl Read for Latin1<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Latin1<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start >= self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            let bytes = self.inner.fill_buf()?;
            let count = bytes.len();
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            self.buffer.extend(text.into_bytes());
            self.inner.consume(count);
        }
        Ok(&self.buffer[self.start..])
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
    }
}
