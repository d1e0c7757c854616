//! Buildings with their parts, which may lie anywhere in a file.

use std::collections::{BTreeMap, BTreeSet};

use super::object::JsonObject;
use super::prelude::{Tie, Transform};
use crate::assembly::Reading;
use crate::error::CityModelError;
use crate::model::{RawObject, Ring3};

/// Parents above each other; more are a loop.
const MAX_GENERATIONS: usize = 32;
/// Corners of buildings that wait for their parts.
const MAX_WAITING: usize = 20_000_000;

/// Buildings that wait for their parts.
pub(super) struct Families {
    /// The building of each part and of each other child.
    roots: BTreeMap<String, String>,
    waiting: BTreeMap<String, Family>,
    corners: usize,
}

/// A building and the parts that were read.
#[derive(Default)]
struct Family {
    missing: BTreeSet<String>,
    objects: Vec<RawObject>,
    corners: usize,
}

impl Families {
    /// The families by the ties of all buildings and parts.
    pub(super) fn new(ties: Vec<(String, Tie)>) -> Self {
        let mut parents: BTreeMap<String, String> = BTreeMap::new();
        for (id, tie) in &ties {
            for child in &tie.children {
                parents.entry(child.clone()).or_insert_with(|| id.clone());
            }
            if let Some(parent) = tie.parents.first() {
                parents.insert(id.clone(), parent.clone());
            }
        }
        let root = |id: &str| {
            let mut root = id.to_owned();
            for _ in 0..MAX_GENERATIONS {
                match parents.get(&root) {
                    Some(parent) => root.clone_from(parent),
                    None => return root,
                }
            }
            // A loop: every member is a building of its own.
            id.to_owned()
        };
        let mut families = Self { roots: BTreeMap::new(), waiting: BTreeMap::new(), corners: 0 };
        for id in ties.iter().map(|(id, _)| id).chain(parents.keys()) {
            let root = root(id);
            let family = families.waiting.entry(root.clone()).or_default();
            family.missing.insert(id.clone());
            family.missing.insert(root.clone());
            families.roots.insert(id.clone(), root);
        }
        families
    }

    /// Adds an object, and passes on its building if it was the last of it.
    pub(super) fn add(
        &mut self,
        id: &str,
        object: &JsonObject,
        vertices: &[[f64; 3]],
        transform: &Transform,
        reading: &mut Reading,
    ) -> Result<(), CityModelError> {
        reading.summary.ade_elements += object.ade_elements + u64::from(object.kind.starts_with('+'));
        let root = self.roots.get(id).map_or(id, String::as_str);
        let Some(family) = self.waiting.get_mut(root) else { return Ok(()) };
        if !family.missing.remove(id) {
            return Ok(());
        }
        if object.is_building() {
            let object = raw(id, object, vertices, transform);
            let corners: usize = object.faces.iter().flat_map(|face| &face.rings).map(Ring3::len).sum();
            family.corners += corners;
            self.corners += corners;
            let place = if id == root { 0 } else { family.objects.len() };
            family.objects.insert(place, object);
        }
        if family.missing.is_empty() {
            if let Some(family) = self.waiting.remove(root) {
                self.corners -= family.corners;
                if !family.objects.is_empty() {
                    reading.building(&family.objects);
                }
            }
        } else if self.corners > MAX_WAITING {
            let limit = format!("{MAX_WAITING} corners");
            return Err(CityModelError::Limit { what: "buildings that wait for their parts", limit });
        }
        Ok(())
    }

    /// Counts the buildings whose parts did not come.
    pub(super) fn finish(self, reading: &mut Reading) {
        for mut family in self.waiting.into_values() {
            if let Some(first) = family.objects.first_mut() {
                first.broken = Some("a part or its building is missing".into());
                reading.building(&family.objects);
            }
        }
    }
}

/// An object with the coordinates of its best geometry: the highest LoD2, rather one that says what is roof, rather a solid.
fn raw(id: &str, object: &JsonObject, vertices: &[[f64; 3]], transform: &Transform) -> RawObject {
    let rank = |geometry: &super::geometry::JsonGeometry| (geometry.lod, geometry.has_roofs(), geometry.is_solid());
    let mut best: Option<&super::geometry::JsonGeometry> = None;
    for geometry in object.geometries.iter().filter(|geometry| geometry.is_lod2()) {
        if best.is_none_or(|best| rank(geometry) > rank(best)) {
            best = Some(geometry);
        }
    }
    let mut raw = RawObject {
        id: id.into(),
        lod: best.and_then(|geometry| geometry.lod),
        other_lod: object.geometries.iter().any(|geometry| !geometry.is_lod2()),
        attributes: object.attributes.clone(),
        textured: best.map_or(0, |geometry| geometry.textured),
        ..RawObject::default()
    };
    if object.too_large {
        raw.broken = Some("too many corners".into());
    } else if let Some(geometry) = best {
        match geometry.faces(vertices, transform) {
            Ok(faces) => raw.faces = faces,
            Err(reason) => raw.broken = Some(reason.into()),
        }
    }
    raw
}
