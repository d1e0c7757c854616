//! Polygons of a building, and which surfaces use them: by holding them or by naming their ids.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::model::{Kind, MAX_CORNERS, RawFace, RawObject, Ring3};

/// A polygon that is used.
enum Use {
    Polygon(usize),
    /// By the id of a polygon, or of a surface of several.
    Reference(String),
}

/// Polygons of a building and its parts.
#[derive(Default)]
pub(super) struct Geometry {
    polygons: Vec<Vec<Ring3>>,
    /// Polygons inside of each element with an id.
    ids: BTreeMap<String, Range<usize>>,
    /// Object, kind of surface (`None` where it is of the solid as such), whether it is turned over, and what is used.
    uses: Vec<(usize, Option<Kind>, bool, Use)>,
    corners: usize,
}

impl Geometry {
    /// Number of polygons so far.
    pub(super) fn len(&self) -> usize {
        self.polygons.len()
    }

    /// Whether as much more can be held.
    pub(super) fn has_room(&mut self, corners: usize) -> bool {
        self.corners = self.corners.saturating_add(corners);
        self.corners <= MAX_CORNERS
    }

    pub(super) fn add(&mut self, object: usize, kind: Option<Kind>, turned: bool, rings: Vec<Ring3>) {
        self.uses.push((object, kind, turned, Use::Polygon(self.polygons.len())));
        self.polygons.push(rings);
    }

    pub(super) fn refer(&mut self, object: usize, kind: Option<Kind>, turned: bool, href: &str) {
        let id = href.trim();
        let id = id.strip_prefix('#').unwrap_or(id);
        self.uses.push((object, kind, turned, Use::Reference(id.into())));
    }

    /// Records that the polygons since `start` lie in the element with an id.
    pub(super) fn name(&mut self, id: String, start: usize) {
        self.ids.insert(id, start..self.polygons.len());
    }

    /// Gives the objects their faces. Surfaces that say what they are go before the solid, which mostly refers to them.
    pub(super) fn resolve(self, objects: &mut [RawObject]) {
        let mut claimed = BTreeSet::new();
        let mut corners = 0;
        for semantic in [true, false] {
            for (object, kind, turned, used) in self.uses.iter().filter(|used| used.1.is_some() == semantic) {
                let object = &mut objects[*object];
                if !semantic && object.faces.iter().any(|face| face.kind == Some(Kind::Roof)) {
                    continue;
                }
                let range = match used {
                    Use::Polygon(index) => *index..*index + 1,
                    Use::Reference(id) => match self.ids.get(id) {
                        Some(range) => range.clone(),
                        None if *kind == Some(Kind::Roof) => {
                            object.broken.get_or_insert_with(|| "reference to a surface that is not there".into());
                            continue;
                        }
                        None => continue,
                    },
                };
                for index in range {
                    if !claimed.insert(index) {
                        continue;
                    }
                    let mut rings = self.polygons[index].clone();
                    corners += rings.iter().map(Vec::len).sum::<usize>();
                    if corners > MAX_CORNERS {
                        object.broken.get_or_insert_with(|| "too many corners".into());
                        return;
                    }
                    if *turned {
                        rings.iter_mut().for_each(|ring| ring.reverse());
                    }
                    object.lod = Some(20);
                    object.faces.push(RawFace { kind: *kind, rings });
                }
            }
        }
    }
}

/// Corners of a list of numbers, `dimension` numbers each.
pub(super) fn corners(text: &str, dimension: usize) -> Result<Ring3, &'static str> {
    if dimension != 3 {
        return Err("corners without height");
    }
    let mut numbers = text.split(|c: char| c.is_ascii_whitespace() || c == ',').filter(|word| !word.is_empty());
    let mut ring = Vec::new();
    while let Some(first) = numbers.next() {
        let mut corner = [0.0; 3];
        let (second, third) = (numbers.next(), numbers.next());
        for (value, word) in corner.iter_mut().zip([Some(first), second, third]) {
            let word = word.ok_or("list of numbers that does not divide by three")?;
            *value = word.parse().ok().filter(|value: &f64| value.is_finite()).ok_or("coordinate is not a number")?;
        }
        ring.push(corner);
    }
    Ok(ring)
}
