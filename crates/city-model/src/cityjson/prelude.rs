//! The first reading of a CityJSON object: metadata, transform, vertices, and which object is a part of which.

use serde::de::{Error as _, MapAccess, SeqAccess};

use super::budget::Budget;
use super::lenient::{Lenient, Shape, Text, Texts, Triple, skip};
use crate::building::Header;
use crate::error::CityModelError;

/// Vertices of a CityJSON object; the largest tiles in use have some ten million.
const MAX_VERTICES: usize = 40_000_000;
/// Buildings and parts of a CityJSON object. There is no such limit for sequences.
const MAX_OBJECTS: usize = 2_000_000;
/// Vertices of a feature.
pub(super) const MAX_FEATURE_VERTICES: usize = 5_000_000;
/// Objects of a feature.
pub(super) const MAX_FEATURE_OBJECTS: usize = 20_000;

/// From the integers of the file to coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Transform {
    scale: [f64; 3],
    translate: [f64; 3],
}

impl Transform {
    pub(super) fn apply(&self, vertex: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| vertex[axis] * self.scale[axis] + self.translate[axis])
    }
}

/// Which objects belong together.
#[derive(Debug, Clone, Default)]
pub(super) struct Tie {
    pub parents: Vec<String>,
    pub children: Vec<String>,
}

/// What a first reading finds.
#[derive(Default)]
pub(super) struct Prelude {
    kind: Option<String>,
    version: Option<String>,
    crs: Option<String>,
    title: Option<String>,
    bad_transform: bool,
    pub transform: Transform,
    pub vertices: Vec<[f64; 3]>,
    pub ties: Vec<(String, Tie)>,
}

impl Default for Transform {
    fn default() -> Self {
        Self { scale: [1.0; 3], translate: [0.0; 3] }
    }
}

impl Prelude {
    pub(super) fn header(&self) -> Header {
        Header::new(self.crs.clone(), self.title.clone())
    }

    /// Refuses what is no CityJSON of a version that is read.
    pub(super) fn check(&self) -> Result<(), CityModelError> {
        if self.kind.as_deref() != Some("CityJSON") {
            return Err(CityModelError::Json("\"type\" of the first object is not \"CityJSON\"".into()));
        }
        let version = self.version.as_deref().unwrap_or_default();
        if !["1", "2", "1.", "2."]
            .iter()
            .any(|known| version == *known || known.len() > 1 && version.starts_with(known))
        {
            return Err(CityModelError::Version(version.chars().take(40).collect()));
        }
        if self.bad_transform {
            return Err(CityModelError::Json(
                "\"transform\" needs three numbers in \"scale\" and in \"translate\"".into(),
            ));
        }
        Ok(())
    }
}

pub(super) struct PreludeShape {
    /// Whether vertices and ties are wanted, too.
    pub(super) whole: bool,
}

impl<'de> Shape<'de> for PreludeShape {
    type Output = Prelude;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Prelude, A::Error> {
        let mut prelude = Prelude::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => prelude.kind = map.next_value_seed(Lenient(Text))?,
                "version" => prelude.version = map.next_value_seed(Lenient(Text))?,
                "metadata" => [prelude.crs, prelude.title] = map.next_value_seed(Lenient(MetadataShape))?,
                "transform" => match map.next_value_seed(Lenient(TransformShape))? {
                    Some(transform) => prelude.transform = transform,
                    None => prelude.bad_transform = true,
                },
                "vertices" if self.whole => {
                    prelude.vertices = map.next_value_seed(Lenient(VerticesShape { limit: MAX_VERTICES }))?
                }
                "CityObjects" if self.whole => prelude.ties = map.next_value_seed(Lenient(TiesShape))?,
                _ => skip(&mut map)?,
            }
        }
        Ok(prelude)
    }
}

struct MetadataShape;

impl<'de> Shape<'de> for MetadataShape {
    type Output = [Option<String>; 2];

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let mut found = [None, None];
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "referenceSystem" => found[0] = map.next_value_seed(Lenient(Text))?,
                "title" => found[1] = map.next_value_seed(Lenient(Text))?,
                _ => skip(&mut map)?,
            }
        }
        Ok(found)
    }
}

struct TransformShape;

impl<'de> Shape<'de> for TransformShape {
    type Output = Option<Transform>;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let mut found = [[None; 3]; 2];
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "scale" => found[0] = map.next_value_seed(Lenient(Triple))?,
                "translate" => found[1] = map.next_value_seed(Lenient(Triple))?,
                _ => skip(&mut map)?,
            }
        }
        let whole = |[x, y, z]: [Option<f64>; 3]| Some([x?, y?, z?]);
        Ok(whole(found[0]).zip(whole(found[1])).map(|(scale, translate)| Transform { scale, translate }))
    }
}

/// Vertices; one that is damaged becomes "not a number", and breaks the buildings that use it.
pub(super) struct VerticesShape {
    /// Number of vertices that is an error to exceed.
    pub(super) limit: usize,
}

impl<'de> Shape<'de> for VerticesShape {
    type Output = Vec<[f64; 3]>;

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Output, A::Error> {
        let mut vertices = Vec::new();
        while let Some(vertex) = seq.next_element_seed(Lenient(Triple))? {
            if vertices.len() >= self.limit {
                return Err(A::Error::custom(format!("more than {} vertices in one object", self.limit)));
            }
            vertices.push(vertex.map(|number| number.unwrap_or(f64::NAN)));
        }
        Ok(vertices)
    }
}

struct TiesShape;

impl<'de> Shape<'de> for TiesShape {
    type Output = Vec<(String, Tie)>;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let mut ties: Vec<(String, Tie)> = Vec::new();
        let mut count = 0;
        while let Some(id) = map.next_key::<String>()? {
            if let Some(tie) = map.next_value_seed(Lenient(TieShape))? {
                count += 1 + tie.parents.len() + tie.children.len();
                ties.push((id, tie));
            }
            if count > 2 * MAX_OBJECTS {
                return Err(A::Error::custom(format!(
                    "more than {MAX_OBJECTS} buildings and parts; CityJSONSeq has no such limit"
                )));
            }
        }
        Ok(ties)
    }
}

struct TieShape;

impl<'de> Shape<'de> for TieShape {
    type Output = Option<Tie>;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let (mut tie, mut building, budget) = (Tie::default(), false, Budget::default());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => {
                    let kind = map.next_value_seed(Lenient(Text))?;
                    building = matches!(kind.as_deref(), Some("Building" | "BuildingPart"));
                }
                "parents" => tie.parents = map.next_value_seed(Lenient(Texts(&budget)))?,
                "children" => tie.children = map.next_value_seed(Lenient(Texts(&budget)))?,
                _ => skip(&mut map)?,
            }
        }
        Ok(building.then_some(tie))
    }
}
