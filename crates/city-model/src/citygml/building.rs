//! One building with its parts.

use crate::building::Address;
use crate::crs::{Axes, axes};
use crate::error::CityModelError;
use crate::model::{Attributes, Kind, RawObject, Ring3};

use super::geometry::{Geometry, corners};
use super::xml::{Step, Xml};

/// Parts of a building.
const MAX_PARTS: usize = 20_000;
/// Bytes of an id in the geometry.
const MAX_ID: usize = 300;

/// What an open element means.
enum Open {
    /// A building or a part.
    Object {
        /// Object around it.
        outer: usize,
    },
    /// A boundary surface.
    Surface {
        outer: Option<Kind>,
    },
    /// Geometry of LoD2.
    Lod2,
    /// A surface that turns over what is in it.
    Turned,
    Polygon,
    Ring,
    /// A generic attribute that is read.
    Generic(String),
    Address,
    Other,
}

/// An open element.
struct Element {
    open: Open,
    /// Numbers per corner before it.
    dimension: usize,
    /// Its id and the number of polygons before it.
    id: Option<(String, usize)>,
}

struct Parser<'a, 'x> {
    xml: &'a mut Xml<'x>,
    axes: Axes,
    objects: Vec<RawObject>,
    object: usize,
    elements: Vec<Element>,
    geometry: Geometry,
    kind: Option<Kind>,
    lod2: bool,
    turned: bool,
    dimension: usize,
    polygon: Option<Vec<Ring3>>,
    ring: Option<Ring3>,
    address: Address,
}

/// Reads the building that just started: it, then its parts.
pub(super) fn read(xml: &mut Xml, axes: Axes) -> Result<Vec<RawObject>, CityModelError> {
    let mut parser = Parser {
        xml,
        axes,
        objects: Vec::new(),
        object: 0,
        elements: Vec::new(),
        geometry: Geometry::default(),
        kind: None,
        lod2: false,
        turned: false,
        dimension: 3,
        polygon: None,
        ring: None,
        address: Address::default(),
    };
    parser.start()?;
    while !parser.elements.is_empty() {
        match parser.xml.next()? {
            Step::Start => parser.start()?,
            Step::End => parser.end(),
            Step::Text => {}
            Step::Eof => break,
        }
    }
    let Parser { mut objects, geometry, .. } = parser;
    geometry.resolve(&mut objects);
    Ok(objects)
}

impl Parser<'_, '_> {
    fn broken(&mut self, reason: &str) {
        if let Some(object) = self.objects.get_mut(self.object) {
            object.broken.get_or_insert_with(|| reason.into());
        }
    }

    fn push(&mut self, open: Open) {
        let id = if self.lod2 { self.xml.attribute("id").filter(|id| id.len() <= MAX_ID) } else { None };
        let id = id.map(|id| (id, self.geometry.len()));
        self.elements.push(Element { open, dimension: self.dimension, id });
    }

    fn start(&mut self) -> Result<(), CityModelError> {
        if self.lod2 {
            return self.start_geometry();
        }
        let name = self.xml.name().to_owned();
        match name.as_str() {
            "Building" | "BuildingPart" => {
                self.push(Open::Object { outer: self.object });
                self.object = self.objects.len();
                let id = self.xml.attribute("id").unwrap_or_default();
                self.objects.push(RawObject { id, ..RawObject::default() });
                if self.objects.len() > MAX_PARTS {
                    return Err(CityModelError::Limit { what: "parts of a building", limit: MAX_PARTS.to_string() });
                }
            }
            "BuildingInstallation"
            | "IntBuildingInstallation"
            | "Room"
            | "BuildingFurniture"
            | "opening"
            | "Envelope"
            | "externalReference" => self.xml.skip()?,
            "AddressDetails" => self.push(Open::Address),
            _ if self.in_address() => self.start_address(&name)?,
            "value" if matches!(self.elements.last(), Some(Element { open: Open::Generic(_), .. })) => {
                let text = self.xml.text_of_element()?;
                if let Some(Element { open: Open::Generic(name), .. }) = self.elements.last() {
                    take(&mut self.objects[self.object].attributes, name, &text);
                }
            }
            _ if Attributes::wants(&name) => {
                let text = self.xml.text_of_element()?;
                take(&mut self.objects[self.object].attributes, &name, &text);
            }
            _ if name.ends_with("Attribute") => match self.xml.attribute("name").filter(|name| Attributes::wants(name))
            {
                Some(name) => self.push(Open::Generic(name)),
                None => self.push(Open::Other),
            },
            _ if name.starts_with("lod") && name.as_bytes().get(3).is_some_and(u8::is_ascii_digit) => {
                self.start_lod(&name)?
            }
            _ => match Kind::from_name(&name) {
                Some(kind) => {
                    self.push(Open::Surface { outer: self.kind });
                    self.kind = Some(kind);
                }
                None => self.push(Open::Other),
            },
        }
        Ok(())
    }

    fn start_lod(&mut self, name: &str) -> Result<(), CityModelError> {
        let (lod, what) = name.split_at(4);
        let surfaces = matches!(what, "Solid" | "MultiSurface" | "Geometry");
        if lod == "lod2" && surfaces {
            self.lod2 = true;
            self.push(Open::Lod2);
            return Ok(());
        }
        let shape = surfaces || matches!(what, "FootPrint" | "RoofEdge");
        self.objects[self.object].other_lod |= shape;
        self.xml.skip()
    }

    fn in_address(&self) -> bool {
        self.elements.iter().any(|element| matches!(element.open, Open::Address))
    }

    fn start_address(&mut self, name: &str) -> Result<(), CityModelError> {
        match name {
            "ThoroughfareName" | "ThoroughfareNumber" | "PremiseNumber" | "LocalityName" | "PostalCodeNumber" => {
                let text = self.xml.text_of_element()?;
                self.address.take(name, &text);
            }
            _ => self.push(Open::Other),
        }
        Ok(())
    }

    /// An element inside of geometry of LoD2.
    fn start_geometry(&mut self) -> Result<(), CityModelError> {
        let name = self.xml.name().to_owned();
        let in_polygon = self.polygon.is_some();
        if let Some(reference) = self.xml.attribute("href").filter(|_| !in_polygon) {
            if reference.len() > MAX_ID || !self.geometry.has_room(1) {
                self.broken("too many references");
                return self.xml.skip();
            }
            self.geometry.refer(self.object, self.kind, self.turned, &reference);
        }
        let dimension = self.xml.attribute("srsDimension").and_then(|text| text.trim().parse().ok());
        match name.as_str() {
            // Voids of a solid.
            "interior" if !in_polygon => return self.xml.skip(),
            "posList" | "pos" | "coordinates" if self.ring.is_some() => {
                let text = self.xml.text_of_element()?;
                match corners(&text, dimension.unwrap_or(self.dimension)) {
                    Ok(corners) if !self.geometry.has_room(corners.len()) => self.broken("too many corners"),
                    Ok(corners) => self.ring.get_or_insert_default().extend(corners),
                    Err(reason) => self.broken(reason),
                }
                return Ok(());
            }
            _ => {}
        }
        if self
            .xml
            .attribute("srsName")
            .is_some_and(|name| (axes(&name) == Axes::Projected) != (self.axes == Axes::Projected))
        {
            self.broken("coordinate system other than that of the file");
        }
        let open = match name.as_str() {
            "Polygon" | "PolygonPatch" | "Triangle" | "Rectangle" if !in_polygon => {
                self.polygon = Some(Vec::new());
                Open::Polygon
            }
            "LinearRing" if in_polygon && self.ring.is_none() => {
                self.ring = Some(Vec::new());
                Open::Ring
            }
            "OrientableSurface" if self.xml.attribute("orientation").as_deref() == Some("-") => {
                self.turned = !self.turned;
                Open::Turned
            }
            _ => Open::Other,
        };
        self.push(open);
        self.dimension = dimension.unwrap_or(self.dimension);
        Ok(())
    }

    fn end(&mut self) {
        let Some(Element { open, dimension, id }) = self.elements.pop() else { return };
        self.dimension = dimension;
        match open {
            Open::Object { outer } => self.object = outer,
            Open::Surface { outer } => self.kind = outer,
            Open::Lod2 => (self.lod2, self.polygon, self.ring) = (false, None, None),
            Open::Turned => self.turned = !self.turned,
            Open::Polygon => match self.polygon.take() {
                Some(rings) if rings.is_empty() => {}
                Some(rings) if self.geometry.has_room(1) => {
                    self.geometry.add(self.object, self.kind, self.turned, rings)
                }
                Some(_) => self.broken("too many corners"),
                None => {}
            },
            Open::Ring => {
                if let (Some(ring), Some(polygon)) = (self.ring.take(), &mut self.polygon) {
                    polygon.push(ring);
                }
            }
            Open::Address => {
                if let Some(address) = std::mem::take(&mut self.address).non_empty() {
                    self.objects[self.object].attributes.address.get_or_insert(address);
                }
            }
            Open::Generic(_) | Open::Other => {}
        }
        if let Some((id, start)) = id
            && self.geometry.has_room(1)
        {
            self.geometry.name(id, start);
        }
    }
}

fn take(attributes: &mut Attributes, name: &str, text: &str) {
    if let Ok(number) = text.trim().parse() {
        attributes.take(name, number);
    }
}
