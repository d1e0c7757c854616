//! CityJSON 1.0, 1.1 and 2.0, and CityJSONSeq.
//!
//! A CityJSON object is read twice: first its metadata, vertices and the ties between objects, which may come in any order, then its
//! objects one by one. A sequence is read once, feature by feature.

mod budget;
mod family;
mod geometry;
mod guard;
mod lenient;
mod node;
mod object;
mod prelude;
mod semantics;

use std::io::{BufRead, BufReader};

use serde::de::{DeserializeSeed, Error as _, MapAccess};

use crate::assembly::Reading;
use crate::building::Header;
use crate::error::CityModelError;
use crate::input::Source;
use budget::Budget;
use family::Families;
use guard::Guard;
use lenient::{Lenient, Shape, skip};
use object::{JsonObject, ObjectShape};
use prelude::{Prelude, PreludeShape, Transform};

type Deserializer<'a> = serde_json::Deserializer<serde_json::de::IoRead<BufReader<Guard<&'a mut dyn BufRead>>>>;

fn deserializer(reader: &mut dyn BufRead) -> Deserializer<'_> {
    serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, Guard::new(reader)))
}

/// Whether the input is at its end; another value follows otherwise.
fn at_end(json: &mut Deserializer) -> Result<bool, CityModelError> {
    match json.end() {
        Ok(()) => Ok(true),
        Err(error) if error.is_io() => Err(CityModelError::json(error)),
        Err(_) => Ok(false),
    }
}

/// Reads what the first value of a source says about the model, with all vertices and ties if `whole`.
fn prelude(json: &mut Deserializer, whole: bool) -> Result<Prelude, CityModelError> {
    let prelude = Lenient(PreludeShape { whole }).deserialize(json).map_err(CityModelError::json)?;
    prelude.check()?;
    Ok(prelude)
}

/// Reads the header.
pub(crate) fn header(source: &mut dyn Source) -> Result<Header, CityModelError> {
    let mut header = Header::default();
    source.open(&mut |reader| {
        header = prelude(&mut deserializer(reader), false)?.header();
        Ok(())
    })?;
    Ok(header)
}

/// Reads the buildings.
pub(crate) fn read(source: &mut dyn Source, reading: &mut Reading) -> Result<(), CityModelError> {
    let mut single = None;
    source.open(&mut |reader| {
        let mut json = deserializer(reader);
        let prelude = prelude(&mut json, true)?;
        reading.start(prelude.header())?;
        if at_end(&mut json)? {
            single = Some(prelude);
            return Ok(());
        }
        let transform = prelude.transform;
        while !reading.stopped() && !at_end(&mut json)? {
            let feature = Lenient(FeatureShape).deserialize(&mut json).map_err(CityModelError::json)?;
            feature.read(&transform, reading)?;
        }
        Ok(())
    })?;
    let Some(mut prelude) = single else { return Ok(()) };
    let mut families = Families::new(std::mem::take(&mut prelude.ties));
    source.open(&mut |reader| {
        let mut failure = None;
        let mut second =
            Second { prelude: &prelude, families: &mut families, reading: &mut *reading, failure: &mut failure };
        let result = Lenient(ModelShape(&mut second)).deserialize(&mut deserializer(reader));
        if reading.stopped() { Ok(()) } else { failure.map_or(result.map_err(CityModelError::json), Err) }
    })?;
    families.finish(reading);
    Ok(())
}

/// What the second reading of a CityJSON object works on.
struct Second<'a, 'b> {
    prelude: &'a Prelude,
    families: &'a mut Families,
    reading: &'a mut Reading<'b>,
    failure: &'a mut Option<CityModelError>,
}

/// A CityJSON object in its second reading.
struct ModelShape<'a, 'b, 'c>(&'c mut Second<'a, 'b>);

impl<'de> Shape<'de> for ModelShape<'_, '_, '_> {
    type Output = ();

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "CityObjects" {
                map.next_value_seed(Lenient(ObjectsShape(self.0)))?;
            } else {
                skip(&mut map)?;
            }
        }
        Ok(())
    }
}

/// The objects of a CityJSON object in its second reading.
struct ObjectsShape<'a, 'b, 'c>(&'c mut Second<'a, 'b>);

impl<'de> Shape<'de> for ObjectsShape<'_, '_, '_> {
    type Output = ();

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Second { prelude, families, reading, failure } = self.0;
        while let Some(id) = map.next_key::<String>()? {
            let object = map.next_value_seed(Lenient(ObjectShape(&Budget::default())))?;
            if let Err(error) = families.add(&id, &object, &prelude.vertices, &prelude.transform, reading) {
                **failure = Some(error);
            }
            if failure.is_some() || reading.stopped() {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// A feature of a sequence.
#[derive(Default)]
struct Feature {
    objects: Vec<(String, JsonObject)>,
    vertices: Vec<[f64; 3]>,
}

struct FeatureShape;

impl<'de> Shape<'de> for FeatureShape {
    type Output = Feature;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Feature, A::Error> {
        let mut feature = Feature::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "CityObjects" => feature.objects = map.next_value_seed(Lenient(FeatureObjectsShape))?,
                "vertices" => {
                    feature.vertices =
                        map.next_value_seed(Lenient(prelude::VerticesShape { limit: prelude::MAX_FEATURE_VERTICES }))?
                }
                _ => skip(&mut map)?,
            }
        }
        Ok(feature)
    }
}

struct FeatureObjectsShape;

impl<'de> Shape<'de> for FeatureObjectsShape {
    type Output = Vec<(String, JsonObject)>;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        let (mut objects, budget) = (Vec::new(), Budget::default());
        while let Some(id) = map.next_key::<String>()? {
            if objects.len() >= prelude::MAX_FEATURE_OBJECTS {
                return Err(A::Error::custom("a feature with too many objects"));
            }
            objects.push((id, map.next_value_seed(Lenient(ObjectShape(&budget)))?));
        }
        Ok(objects)
    }
}

impl Feature {
    fn read(&self, transform: &Transform, reading: &mut Reading) -> Result<(), CityModelError> {
        let ties = self.objects.iter().filter_map(|(id, object)| Some((id.clone(), object.tie()?))).collect();
        let mut families = Families::new(ties);
        for (id, object) in &self.objects {
            families.add(id, object, &self.vertices, transform, reading)?;
        }
        families.finish(reading);
        Ok(())
    }
}
