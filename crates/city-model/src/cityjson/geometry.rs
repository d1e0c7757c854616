//! Geometries of a city object: nested lists of indices, with lists of the same depth that say what the surfaces are.

use serde::de::{MapAccess, SeqAccess};

use super::budget::Budget;
use super::lenient::{Lenient, Number, Shape, Text, skip};
use super::node::{NULL, Node, NodeShape};
use super::prelude::Transform;
use super::semantics::{SemanticsShape, ThemesShape};
use crate::model::{Kind, MAX_CORNERS, RawFace};

/// A geometry of an object.
#[derive(Debug, Default)]
pub(super) struct JsonGeometry {
    kind: String,
    /// Level of detail in tenths.
    pub lod: Option<u8>,
    boundaries: Node,
    kinds: Vec<Option<Kind>>,
    values: Option<Node>,
    pub textured: u64,
}

pub(super) struct GeometriesShape<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for GeometriesShape<'_> {
    type Output = Vec<JsonGeometry>;

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Output, A::Error> {
        let mut geometries = Vec::new();
        while let Some(geometry) = seq.next_element_seed(Lenient(GeometryShape(self.0)))? {
            if self.0.spend() {
                geometries.push(geometry);
            }
        }
        Ok(geometries)
    }
}

struct GeometryShape<'a>(&'a Budget);

impl<'de> Shape<'de> for GeometryShape<'_> {
    type Output = JsonGeometry;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonGeometry, A::Error> {
        let mut geometry = JsonGeometry::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => geometry.kind = map.next_value_seed(Lenient(Text))?.unwrap_or_default(),
                "lod" => {
                    let lod = map.next_value_seed(Lenient(Number))?;
                    geometry.lod = lod.and_then(|lod| crate::model::lod_tenths(&lod.to_string()));
                }
                "boundaries" => geometry.boundaries = map.next_value_seed(Lenient(NodeShape(self.0)))?,
                "semantics" => {
                    (geometry.kinds, geometry.values) = map.next_value_seed(Lenient(SemanticsShape(self.0)))?
                }
                "texture" => geometry.textured = map.next_value_seed(Lenient(ThemesShape(self.0)))?,
                _ => skip(&mut map)?,
            }
        }
        Ok(geometry)
    }
}

impl JsonGeometry {
    /// Whether it is of LoD2 and of a type with surfaces.
    pub(super) fn is_lod2(&self) -> bool {
        self.depth().is_some() && self.lod.is_some_and(|lod| (20..30).contains(&lod))
    }

    /// Whether it says which surfaces are roofs.
    pub(super) fn has_roofs(&self) -> bool {
        self.values.is_some() && self.kinds.contains(&Some(Kind::Roof))
    }

    pub(super) fn is_solid(&self) -> bool {
        self.depth().is_some_and(|depth| depth > 0)
    }

    /// Lists around the surfaces: none in a surface collection, shells in a solid, solids around them.
    fn depth(&self) -> Option<usize> {
        match self.kind.as_str() {
            "MultiSurface" | "CompositeSurface" => Some(0),
            "Solid" => Some(1),
            "MultiSolid" | "CompositeSolid" => Some(2),
            _ => None,
        }
    }

    /// Its surfaces with coordinates. Of a solid, the outer shell.
    pub(super) fn faces(&self, vertices: &[[f64; 3]], transform: &Transform) -> Result<Vec<RawFace>, &'static str> {
        let mut faces = Faces { kinds: &self.kinds, vertices, transform, corners: 0, found: Vec::new() };
        faces.collect(&self.boundaries, self.values.as_ref(), self.depth().unwrap_or(0))?;
        Ok(faces.found)
    }
}

struct Faces<'a> {
    kinds: &'a [Option<Kind>],
    vertices: &'a [[f64; 3]],
    transform: &'a Transform,
    corners: usize,
    found: Vec<RawFace>,
}

impl Faces<'_> {
    fn collect(&mut self, node: &Node, values: Option<&Node>, depth: usize) -> Result<(), &'static str> {
        let list = match node {
            Node::List(list) => list.as_slice(),
            Node::Ring(ring) if ring.is_empty() => &[],
            _ => return Err("geometry nested wrongly"),
        };
        // The first shell of a solid is the outer one.
        let taken = if depth == 1 { list.len().min(1) } else { list.len() };
        for (index, child) in list[..taken].iter().enumerate() {
            if depth == 0 {
                let kind = match values {
                    Some(Node::Ring(values)) => values.get(index).copied(),
                    Some(Node::List(values)) => {
                        values.get(index).map(|node| if let Node::Index(index) = node { *index } else { NULL })
                    }
                    _ => None,
                };
                let kind = kind.and_then(|kind| self.kinds.get(kind as usize).copied()).flatten();
                self.surface(child, kind)?;
            } else {
                let values = if let Some(Node::List(values)) = values { values.get(index) } else { None };
                self.collect(child, values, depth - 1)?;
            }
        }
        Ok(())
    }

    fn surface(&mut self, node: &Node, kind: Option<Kind>) -> Result<(), &'static str> {
        let Node::List(rings) = node else { return Err("geometry nested wrongly") };
        let mut face = RawFace { kind, rings: Vec::with_capacity(rings.len()) };
        for ring in rings {
            let Node::Ring(indices) = ring else { return Err("geometry nested wrongly") };
            self.corners += indices.len();
            if self.corners > MAX_CORNERS {
                return Err("too many corners");
            }
            let corner = |&index: &u32| self.vertices.get(index as usize).map(|&vertex| self.transform.apply(vertex));
            face.rings.push(indices.iter().map(corner).collect::<Option<_>>().ok_or("index of a vertex out of range")?);
        }
        self.found.push(face);
        Ok(())
    }
}
