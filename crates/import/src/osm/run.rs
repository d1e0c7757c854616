//! An OpenStreetMap import in progress.

use std::path::Path;

use aerie_geodata::gpkg::{self, Geometry, Layer, OsmKind};
use aerie_math::geometry;

use super::classify::{self, Shape};
use super::element::{MAX_REFS, Member, Tags};
use super::rings::{self, Spot};
use super::scratch::Scratch;
use super::writer::{Address, Out, Write};
use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::report::FileReport;

/// The import of one file.
pub(crate) struct Run<'a> {
    pub(super) out: Out<'a>,
    pub(super) path: &'a Path,
    pub(super) folder: &'a Path,
    /// Whether the pack was empty before, so that there is nothing to replace.
    pub(super) fresh: bool,
    pub(super) report: FileReport,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(super) options: &'a ImportOptions<'a>,
}

impl<'a> Run<'a> {
    /// Creates the import of the file `path`, with temporary files in `folder`.
    pub(crate) fn new(
        path: &'a Path,
        folder: &'a Path,
        fresh: bool,
        report: FileReport,
        progress: &'a dyn Fn(&'static str, u64, u64),
        options: &'a ImportOptions<'a>,
    ) -> Self {
        Self { out: Out::Closed, path, folder, fresh, report, progress, options }
    }
}

impl Run<'_> {
    pub(super) fn check_canceled(&self) -> Result<(), ImportError> {
        if (self.options.canceled)() { Err(ImportError::Canceled) } else { Ok(()) }
    }

    pub(super) fn node(&mut self, id: i64, spot: Spot, tags: &Tags<'_>) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = gpkg::fid(OsmKind::Node, id);
        self.forget(fid)?;
        let geometry = Geometry::Point(degrees(spot));
        self.put_all(fid, Shape::Point, &geometry, tags)?;
        self.address(fid, degrees(spot), tags, false)
    }

    /// Removes what an earlier import added for the same object.
    pub(super) fn forget(&mut self, fid: i64) -> Result<(), ImportError> {
        if self.fresh { Ok(()) } else { self.out.put(Write::Forget(fid), false) }
    }

    /// Adds a way. `spots` are those of its nodes that are in the file, and `gaps` the indices in `spots` before which
    /// nodes are missing.
    pub(super) fn way(
        &mut self,
        id: i64,
        refs: &[i64],
        (spots, gaps): (&[Spot], &[usize]),
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = gpkg::fid(OsmKind::Way, id);
        self.forget(fid)?;
        if tags.0.is_empty() {
            return Ok(());
        }
        if refs.len() > MAX_REFS {
            self.report.skip("ways of more than 100,000 points");
            return Ok(());
        }
        if tags.has("addr:interpolation") {
            self.report.skip("address interpolation lines (no house is known to stand there)");
        }
        let closed = refs.len() >= 4 && refs.first() == refs.last();
        let shape = if closed { Shape::ClosedLine } else { Shape::OpenLine };
        let layers = classify::layers(tags, shape);
        let addressed = tags.has("addr:housenumber");
        if layers.is_empty() && !addressed {
            return Ok(());
        }
        let missing = gaps.len();
        let mut line = spots.to_vec();
        line.dedup();
        let ring = if closed && missing == 0 { rings::tidy(line.clone()) } else { None };
        let building = layers.iter().any(|(l, _)| *l == Layer::Buildings);
        for (layer, kind) in &layers {
            let areal = matches!(layer, Layer::Buildings | Layer::Areas | Layer::Boundaries);
            let geometry = if areal {
                ring.clone().map(|ring| polygon_geometry(rings::polygons(vec![ring], Vec::new()).0))
            } else if *layer == Layer::Coastlines {
                coastline(spots, gaps)
            } else {
                (line.len() >= 2).then(|| Geometry::Line(line.iter().copied().map(degrees).collect()))
            };
            match geometry {
                Some(geometry) => self.put(*layer, fid, &geometry, kind, tags)?,
                None if missing > 0 => self.report.skip("ways with points that are not in the file"),
                None => self.report.skip("ways without extent"),
            }
        }
        if addressed {
            let point = match &ring {
                Some(ring) => interior(&[vec![ring.clone()]]),
                None => line.get(line.len() / 2).copied().map(degrees),
            };
            match point {
                Some(point) => self.address(fid, point, tags, building && ring.is_some())?,
                None => self.report.skip("house numbers without a position"),
            }
        }
        Ok(())
    }

    pub(super) fn relation(
        &mut self,
        id: i64,
        members: &[Member],
        tags: &Tags<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
        self.forget(gpkg::fid(OsmKind::Relation, id))?;
        match tags.get("type") {
            Some("multipolygon" | "boundary" | "associatedStreet" | "street") => {
                Ok(scratch.put_relation(id, members, tags)?)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn put_all(
        &mut self,
        fid: i64,
        shape: Shape,
        geometry: &Geometry,
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        for (layer, kind) in classify::layers(tags, shape) {
            self.put(layer, fid, geometry, &kind, tags)?;
        }
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        layer: Layer,
        fid: i64,
        geometry: &Geometry,
        kind: &str,
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        *self.counter(layer, kind) += 1;
        let kept = classify::kept(tags);
        let name = tags.get("name").filter(|n| n.len() <= 1024);
        let (blob, bounds, kind) = (geometry.to_blob(), geometry.bounds(), kind.to_owned());
        let name = name.map(str::to_owned);
        self.out.put(Write::Feature { layer, fid, blob, bounds, kind, name, tags: kept }, self.fresh)
    }

    pub(super) fn counter(&mut self, layer: Layer, kind: &str) -> &mut u64 {
        let r = &mut self.report;
        match layer {
            Layer::Addresses => &mut r.addresses,
            Layer::Buildings if kind == "part" => &mut r.building_parts,
            Layer::Buildings => &mut r.buildings,
            Layer::Roads => &mut r.roads,
            Layer::Areas => &mut r.areas,
            Layer::Waterways => &mut r.waterways,
            Layer::Trees => &mut r.trees,
            Layer::TreeRows => &mut r.tree_rows,
            Layer::Barriers => &mut r.barriers,
            Layer::Boundaries => &mut r.boundaries,
            Layer::Places => &mut r.places,
            Layer::Parcels => &mut r.parcels,
            Layer::Heights => &mut r.surveyed_heights,
            Layer::Crossings => &mut r.crossings,
            Layer::Coastlines => &mut r.coastlines,
            Layer::Roofs => &mut r.measured_roofs,
            Layer::Crowns => &mut r.measured_trees,
            Layer::Surveys => &mut r.measured_ground_cells,
        }
    }

    pub(super) fn address(
        &mut self,
        fid: i64,
        at: [f64; 2],
        tags: &Tags<'_>,
        on_building: bool,
    ) -> Result<(), ImportError> {
        let Some(number) = tags.get("addr:housenumber").map(str::trim).filter(|n| !n.is_empty()) else { return Ok(()) };
        if number.len() > 64 {
            self.report.skip("house numbers that are no house numbers");
            return Ok(());
        }
        let text = |keys: &[&str]| {
            keys.iter().find_map(|k| tags.get(k)).map(str::trim).filter(|v| !v.is_empty() && v.len() <= 255)
        };
        let street = text(&["addr:street"]);
        let place = text(&["addr:place", "addr:hamlet"]);
        let owned = |value: Option<&str>| value.map(str::to_owned);
        let address = Address {
            fid,
            blob: Geometry::Point(at).to_blob(),
            bounds: [at[0], at[1], at[0], at[1]],
            number: number.to_owned(),
            street: owned(street),
            place: owned(place),
            postcode: owned(text(&["addr:postcode", "postal_code"])),
            city: owned(text(&["addr:city", "addr:town", "addr:village"])),
            on_building,
            tags: classify::kept(tags),
        };
        self.out.put(Write::Address(Box::new(address)), self.fresh)?;
        self.report.addresses += 1;
        Ok(())
    }
}

/// A coastline, split where nodes are missing from the file because its course there is unknown.
fn coastline(spots: &[Spot], gaps: &[usize]) -> Option<Geometry> {
    let mut ends = gaps.to_vec();
    ends.push(spots.len());
    let mut from = 0;
    let mut parts = Vec::new();
    for end in ends {
        let mut part: Vec<_> = spots[from..end].iter().copied().map(degrees).collect();
        part.dedup();
        if part.len() >= 2 {
            parts.push(part);
        }
        from = end;
    }
    (!parts.is_empty()).then_some(Geometry::Lines(parts))
}

pub(super) fn degrees((lon, lat): Spot) -> [f64; 2] {
    [f64::from(lon) / 1e7, f64::from(lat) / 1e7]
}

pub(super) fn polygon_geometry(polygons: Vec<Vec<Vec<Spot>>>) -> Geometry {
    let ring = |ring: Vec<Spot>| ring.into_iter().map(degrees).collect();
    Geometry::Polygons(polygons.into_iter().map(|p| p.into_iter().map(ring).collect()).collect())
}

/// A point inside the largest polygon: its centroid, if that is inside.
pub(super) fn interior(polygons: &[Vec<Vec<Spot>>]) -> Option<[f64; 2]> {
    let largest = polygons.iter().max_by_key(|p| p.first().map_or(0, |r| rings::area2(r).abs()))?;
    let rings: Vec<Vec<[f64; 2]>> = largest.iter().map(|r| r.iter().copied().map(degrees).collect()).collect();
    geometry::interior_point(&rings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coast_is_kept_in_the_parts_that_are_in_the_file() {
        let spots = [(0, 0), (10_000_000, 0), (20_000_000, 0), (30_000_000, 0), (40_000_000, 0)];
        let parts = |gaps: &[usize]| match coastline(&spots, gaps) {
            Some(Geometry::Lines(lines)) => lines.iter().map(|l| (l[0][0], l.len())).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(parts(&[]), [(0.0, 5)]);
        assert_eq!(parts(&[0, 2, 2, 2, 5]), [(0.0, 2), (2.0, 3)]);
        assert_eq!(parts(&[1]), [(1.0, 4)], "one point alone is no line");
        assert_eq!(parts(&[1, 2, 3, 4]), []);
    }
}
