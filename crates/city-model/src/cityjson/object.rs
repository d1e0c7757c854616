//! One city object, with its geometry as indices of vertices.

use serde::de::{MapAccess, SeqAccess};

use super::budget::Budget;
use super::geometry::{GeometriesShape, JsonGeometry};
use super::lenient::{Lenient, Number, Shape, Text, Texts, skip};
use super::prelude::Tie;
use crate::building::Address;
use crate::model::Attributes;

/// A city object.
#[derive(Default)]
pub(super) struct JsonObject {
    pub kind: String,
    pub tie: Tie,
    pub attributes: Attributes,
    pub geometries: Vec<JsonGeometry>,
    /// Whether it had more geometry than is read.
    pub too_large: bool,
    /// Attributes of extensions.
    pub ade_elements: u64,
}

impl JsonObject {
    pub(super) fn is_building(&self) -> bool {
        matches!(self.kind.as_str(), "Building" | "BuildingPart")
    }

    /// Its ties, if it is a building or a part.
    pub(super) fn tie(&self) -> Option<Tie> {
        self.is_building().then(|| self.tie.clone())
    }
}

pub(super) struct ObjectShape<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for ObjectShape<'_> {
    type Output = JsonObject;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonObject, A::Error> {
        let mut object = JsonObject::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => object.kind = map.next_value_seed(Lenient(Text))?.unwrap_or_default(),
                "parents" => object.tie.parents = map.next_value_seed(Lenient(Texts(self.0)))?,
                "children" => object.tie.children = map.next_value_seed(Lenient(Texts(self.0)))?,
                "attributes" => {
                    let address = object.attributes.address.take();
                    (object.attributes, object.ade_elements) = map.next_value_seed(Lenient(AttributesShape))?;
                    object.attributes.address = address;
                }
                "address" => object.attributes.address = map.next_value_seed(Lenient(AddressShape))?.non_empty(),
                // Terrain and the like may be large, and is not read.
                "geometry" if object.kind.is_empty() || object.is_building() => {
                    object.geometries = map.next_value_seed(Lenient(GeometriesShape(self.0)))?;
                    object.too_large = self.0.exhausted();
                }
                name => {
                    object.ade_elements += u64::from(name.starts_with('+'));
                    skip(&mut map)?;
                }
            }
        }
        Ok(object)
    }
}

struct AttributesShape;

impl<'de> Shape<'de> for AttributesShape {
    type Output = (Attributes, u64);

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let mut attributes = Attributes::default();
        let mut extensions = 0;
        while let Some(key) = map.next_key::<String>()? {
            if Attributes::wants(&key) {
                if let Some(number) = map.next_value_seed(Lenient(Number))? {
                    attributes.take(&key, number);
                }
            } else {
                extensions += u64::from(key.starts_with('+'));
                skip(&mut map)?;
            }
        }
        Ok((attributes, extensions))
    }
}

/// An address, or the first of a list.
struct AddressShape;

impl<'de> Shape<'de> for AddressShape {
    type Output = Address;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Address, A::Error> {
        let mut address = Address::default();
        while let Some(key) = map.next_key::<String>()? {
            if let Some(text) = map.next_value_seed(Lenient(Text))? {
                address.take(&key, &text);
            }
        }
        Ok(address)
    }

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Address, A::Error> {
        let mut first = Address::default();
        while let Some(address) = seq.next_element_seed(Lenient(Self))? {
            if first == Address::default() {
                first = address;
            }
        }
        Ok(first)
    }
}
