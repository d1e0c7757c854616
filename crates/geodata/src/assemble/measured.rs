//! Measured roofs: which building each belongs to, and buildings that only a city model has.
//!
//! A roof belongs to the outline that it overlaps, never to a neighbor: outlines of row houses may be a meter off. A city model's
//! building without an outline becomes a building of the place.

use aerie_math::geometry;
use geo::{Area as _, BooleanOps as _};

use super::around::Around;
use super::heights::{Draft, boxed};
use super::outline::tidy;
use crate::GeodataError;
use crate::gpkg::{self, Layer};
use crate::place::{Building, MeasuredRoof, Point, Polygon, Provenance, RoofShape};
use crate::survey::StoredRoof;

/// Share of a model's building that must lie in an outline to belong to it.
const INSIDE: f64 = 0.5;
/// Share of an outline that models must cover to replace its guessed roof.
const COVERED: f64 = 0.5;
/// Share of an outline that a model must cover where the model extends over several outlines.
const MOSTLY: f64 = 0.8;
/// Minimum share of a model's building in each of the outlines that share it.
const SHARED: f64 = 0.12;
/// Intersection over union of an outline and the one that a point cloud was fitted to.
const SAME: f64 = 0.8;
/// Share of a model's building that outlines may cover where it becomes a building of its own.
const FREE: f64 = 0.25;
/// Plausible heights of roofs above the ground, meters.
const TALL: std::ops::Range<f64> = 0.1..900.0;
/// Corners of a model's outline closer than this to the line between their neighbors are removed, meters.
const SIMPLIFICATION: f64 = 0.03;
/// Maximum slope of a flat roof, rise over run, and the share of a roof that must be flat.
const FLAT: (f64, f64) = (0.09, 0.8);

/// A measured roof near the place.
pub(super) struct Candidate {
    stored: StoredRoof,
    outline: geo::MultiPolygon,
    area: f64,
    bounds: [f64; 4],
}

/// Measured roofs around a place, in order of their row ids.
pub(super) fn read(around: &Around<'_>) -> Result<Vec<Candidate>, GeodataError> {
    if !gpkg::has_layer(around.pack.db(), Layer::Roofs)? {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for feature in around.features(Layer::Roofs, around.radius)? {
        let Some(stored) = StoredRoof::of(&feature) else { continue };
        let polygons = around.polygons(&feature.geometry);
        let polygons: Vec<Polygon> = polygons.iter().filter_map(|p| tidy(p, SIMPLIFICATION)).collect();
        let outline = geo::MultiPolygon::new(polygons.iter().map(Polygon::to_geo).collect());
        let area = outline.unsigned_area();
        if area >= 2.0 {
            let bounds = geometry::bounds_of(polygons.iter().flat_map(|p| &p.outer));
            found.push(Candidate { stored, outline, area, bounds });
        }
    }
    Ok(found)
}

/// The outlines of buildings that only a city model has, as drafts without tags.
pub(super) fn without_outline(candidates: &[Candidate], drafts: &[Draft], radius: f64) -> Vec<Draft> {
    let outlines = Outlines::of(drafts);
    let models = candidates.iter().filter(|candidate| candidate.stored.is_model());
    let free = models.filter(|candidate| {
        let covered: f64 = outlines.met(candidate).map(|(_, shared)| shared).sum();
        covered <= FREE * candidate.area
    });
    let drafts = free.flat_map(|candidate| {
        let id = format!("model/{}", candidate.stored.id);
        let polygons = candidate.outline.iter().filter_map(Polygon::from_geo).collect::<Vec<_>>();
        let stories = candidate.stored.stories;
        polygons.into_iter().enumerate().filter_map(move |(part, footprint)| {
            let center = geometry::centroid(&footprint.outer);
            let area = footprint.to_geo().unsigned_area();
            let tags = stories.map(|stories| ("building:levels".to_owned(), stories.to_string())).into_iter().collect();
            (center[0].hypot(center[1]) <= radius).then(|| Draft {
                id: if part == 0 { id.clone() } else { format!("{id}#{part}") },
                boxed: boxed(&footprint.outer),
                footprint,
                tags,
                part: false,
                addressed: false,
                area,
                center,
                land: None,
            })
        })
    });
    drafts.collect()
}

/// Outlines, to look up which of them meet a candidate.
struct Outlines<'a> {
    drafts: &'a [Draft],
    shapes: Vec<(geo::Polygon, [f64; 4])>,
}

impl<'a> Outlines<'a> {
    fn of(drafts: &'a [Draft]) -> Self {
        let shape = |draft: &Draft| (draft.footprint.to_geo(), geometry::bounds(&draft.footprint.outer));
        Self { drafts, shapes: drafts.iter().map(shape).collect() }
    }

    /// Outlines that a candidate overlaps, without building parts: index and shared area, square meters.
    fn met(&self, candidate: &Candidate) -> impl Iterator<Item = (usize, f64)> {
        let near =
            (0..self.drafts.len()).filter(|i| !self.drafts[*i].part && meet(self.shapes[*i].1, candidate.bounds));
        near.filter_map(|i| {
            let shared = candidate.outline.intersection(&self.shapes[i].0).unsigned_area();
            (shared > 0.05).then_some((i, shared))
        })
    }
}

fn meet(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The measured roofs of buildings, and what could not be used.
#[derive(Default)]
pub(super) struct Matches {
    /// For each draft, its roof.
    roofs: Vec<Option<MeasuredRoof>>,
    /// Attributions of the roofs used.
    pub(super) credits: Vec<String>,
    /// Drafts whose outline changed since their roof was measured.
    changed: Vec<usize>,
}

/// Assigns roofs to outlines.
pub(super) fn assign(around: &Around<'_>, candidates: &[Candidate], drafts: &[Draft]) -> Matches {
    let mut matches = Matches { roofs: vec![None; drafts.len()], ..Matches::default() };
    if candidates.is_empty() {
        return matches;
    }
    let outlines = Outlines::of(drafts);
    // For each outline: the candidates that belong to it, whether they are clipped to it, and the area that they share.
    let mut of_models: Vec<Vec<(usize, bool, f64)>> = vec![Vec::new(); drafts.len()];
    let mut of_clouds: Vec<Option<(usize, f64)>> = vec![None; drafts.len()];
    for (c, candidate) in candidates.iter().enumerate() {
        let mut met: Vec<(usize, f64)> = outlines.met(candidate).collect();
        met.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(&(best, shared)) = met.first() else { continue };
        if !candidate.stored.is_model() {
            let same = shared / (candidate.area + drafts[best].area - shared);
            if same >= SAME && of_clouds[best].is_none_or(|(_, other)| same > other) {
                of_clouds[best] = Some((c, same));
            } else if same > 0.3 {
                matches.changed.push(best);
            }
            continue;
        }
        let covers =
            |(i, shared): &(usize, f64)| *shared >= MOSTLY * drafts[*i].area && *shared >= SHARED * candidate.area;
        let covered: Vec<(usize, f64)> = met.iter().copied().filter(covers).collect();
        if covered.len() >= 2 {
            covered.into_iter().for_each(|(i, shared)| of_models[i].push((c, true, shared)));
        } else if shared >= INSIDE * candidate.area {
            of_models[best].push((c, false, shared));
        }
    }
    for i in 0..drafts.len() {
        let shared: f64 = of_models[i].iter().map(|m| m.2).sum();
        let models = if shared >= COVERED * drafts[i].area { &of_models[i][..] } else { &[] };
        let newest = |roofs: &[(usize, bool, f64)]| roofs.iter().filter_map(|m| candidates[m.0].stored.year()).max();
        let cloud = of_clouds[i].filter(|(c, _)| {
            models.is_empty()
                || candidates[*c].stored.year().is_some_and(|year| newest(models).is_some_and(|n| year > n))
        });
        let own = cloud.map(|(c, _)| vec![(c, false, 0.0)]);
        let chosen = own.as_deref().unwrap_or(models);
        let Some(roof) = joined(around, candidates, chosen, &drafts[i]) else { continue };
        for (c, ..) in chosen {
            let credit = candidates[*c].stored.credit.clone();
            matches
                .credits
                .extend(credit.filter(|credit| !matches.credits.contains(credit)).as_slice().iter().cloned());
        }
        matches.roofs[i] = Some(roof);
    }
    matches.changed.retain(|i| matches.roofs[*i].is_none());
    matches
}

/// One roof of several that share an outline; `None` where it is implausible.
fn joined(
    around: &Around<'_>,
    candidates: &[Candidate],
    chosen: &[(usize, bool, f64)],
    draft: &Draft,
) -> Option<MeasuredRoof> {
    let roofs = chosen.iter().map(|(c, is_clipped, _)| {
        let mut roof = candidates[*c].stored.roof(&around.frame);
        if *is_clipped {
            roof.faces = clipped(&roof.faces, &draft.footprint.to_geo());
        }
        roof
    });
    let mut whole: Option<MeasuredRoof> = None;
    for mut roof in roofs {
        let Some(first) = &mut whole else {
            whole = Some(roof);
            continue;
        };
        // Heights are above one ground, that of the largest part.
        let lift = roof.ground - first.ground;
        roof.faces.iter_mut().flatten().for_each(|corner| corner[2] += lift);
        first.faces.append(&mut roof.faces);
        first.rms = first.rms.zip(roof.rms).map(|(a, b)| a.max(b));
        first.year = first.year.zip(roof.year).map(|(a, b)| a.min(b));
    }
    let mut roof = whole.filter(|roof| !roof.faces.is_empty())?;
    let shared: f64 = chosen.iter().map(|m| m.2).sum();
    if shared > 0.0 {
        roof.covered = (shared / draft.area).min(1.0);
    }
    let [low, high] = roof.range();
    (TALL.contains(&high) && low.is_finite()).then_some(roof)
}

/// The parts of faces inside an outline.
fn clipped(faces: &[Vec<[f64; 3]>], outline: &geo::Polygon) -> Vec<Vec<[f64; 3]>> {
    let mut out = Vec::new();
    for face in faces {
        let Some(height) = plane(face) else { continue };
        let ring: Vec<Point> = face.iter().map(|p| [p[0], p[1]]).collect();
        let inside = geometry::polygon_to_geo(&ring, &[]).intersection(outline);
        let rings = inside.iter().filter(|part| part.unsigned_area() > 0.01);
        out.extend(rings.map(|part| {
            let ring = geometry::counter_clockwise(geometry::ring_from_geo(part.exterior()));
            ring.into_iter().map(|p| [p[0], p[1], height(p)]).collect()
        }));
    }
    out
}

/// The height of a face's plane at a point; `None` where the face is upright.
fn plane(face: &[[f64; 3]]) -> Option<impl Fn(Point) -> f64 + use<>> {
    let origin = *face.first()?;
    let mut normal = [0.0; 3];
    for i in 0..face.len() {
        let (a, b) = (face[i], face[(i + 1) % face.len()]);
        for (axis, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += (a[u] - b[u]) * (a[v] + b[v] - 2.0 * origin[v]);
        }
    }
    let [x, y, z] = normal;
    (z.abs() > 1e-6).then_some(move |p: Point| origin[2] - ((p[0] - origin[0]) * x + (p[1] - origin[1]) * y) / z)
}

impl Matches {
    /// Gives buildings their measured roofs. Parts inside such a building are not drawn.
    pub(super) fn apply(&mut self, drafts: &[Draft], buildings: &mut [Building]) {
        let measured: Vec<usize> = (0..buildings.len()).filter(|i| self.roofs[*i].is_some()).collect();
        for part in (0..buildings.len()).filter(|i| drafts[*i].part) {
            let Some(inside) = geometry::interior_point(std::slice::from_ref(&drafts[part].footprint.outer)) else {
                continue;
            };
            let is_inside = |i: &usize| drafts[*i].footprint.contains(inside);
            buildings[part].replaced_by_parts |= measured.iter().any(is_inside);
        }
        for i in measured {
            if let Some(roof) = self.roofs[i].take() {
                summarize(&mut buildings[i], roof);
            }
        }
    }

    /// Sentences about outlines that changed since their roof was measured, for the building of the property.
    pub(super) fn notes(&self, drafts: &[Draft], own: Option<&str>) -> Vec<String> {
        let is_own = |i: &&usize| own.is_some_and(|own| drafts[**i].id == own);
        let sentence = "The outline of the building has changed since its roof was measured, so its roof is guessed; import the \
                        point cloud again.";
        self.changed.iter().find(is_own).map(|_| sentence.to_owned()).into_iter().collect()
    }
}

/// Replaces the guessed height and roof of a building by what was measured.
fn summarize(building: &mut Building, roof: MeasuredRoof) {
    let mut faces: Vec<(f64, f64, bool)> = roof
        .faces
        .iter()
        .map(|face| {
            let ring: Vec<Point> = face.iter().map(|p| [p[0], p[1]]).collect();
            let low = face.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
            let high = face.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
            let area = geometry::signed_area(&ring).abs();
            (low, area, high - low <= FLAT.0 * area.sqrt().max(1.0))
        })
        .collect();
    let area: f64 = faces.iter().map(|face| face.1).sum();
    let flat: f64 = faces.iter().filter(|face| face.2).map(|face| face.1).sum();
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    let eaves = faces.iter().find(|face| {
        below += face.1;
        below >= area / 2.0
    });
    let [_, ridge] = roof.range();
    let eaves = eaves.map_or(ridge, |face| face.0).clamp(0.3, ridge);
    let story = (building.eaves - building.base) / f64::from(building.stories.max(1));
    if building.height_from != Provenance::Derived {
        building.stories = (eaves / story.clamp(2.4, 4.5) + 0.15).floor().clamp(1.0, 200.0) as u32;
    }
    building.base = 0.0;
    building.eaves = eaves;
    building.ridge = ridge;
    building.roof = match (flat >= FLAT.1 * area, building.roof) {
        (true, _) => RoofShape::Flat,
        (false, RoofShape::Flat) => RoofShape::Gabled,
        (false, shape) => shape,
    };
    building.height_from = Provenance::Measured;
    building.roof_from = Provenance::Measured;
    building.replaced_by_parts = false;
    building.measured = Some(roof);
}
