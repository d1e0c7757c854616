//! What an import added.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::ImportError;
use crate::options::ImportOptions;

/// What an import added.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportReport {
    /// One for each file, in the order given.
    pub files: Vec<FileReport>,
}

impl ImportReport {
    /// The sum over all files.
    #[must_use]
    pub fn total(&self) -> FileReport {
        let mut sum = FileReport { file: "total".into(), ..FileReport::default() };
        for f in &self.files {
            sum.bytes += f.bytes;
            sum.objects += f.objects;
            sum.buildings += f.buildings;
            sum.building_parts += f.building_parts;
            sum.addresses += f.addresses;
            sum.roads += f.roads;
            sum.trees += f.trees;
            sum.tree_rows += f.tree_rows;
            sum.areas += f.areas;
            sum.waterways += f.waterways;
            sum.barriers += f.barriers;
            sum.boundaries += f.boundaries;
            sum.places += f.places;
            sum.terrain_tiles += f.terrain_tiles;
            sum.parcels += f.parcels;
            sum.surveyed_heights += f.surveyed_heights;
            sum.crossings += f.crossings;
            sum.coastlines += f.coastlines;
            sum.imagery_tiles += f.imagery_tiles;
            sum.land_cover_tiles += f.land_cover_tiles;
            sum.measured_roofs += f.measured_roofs;
            sum.measured_trees += f.measured_trees;
            sum.measured_ground_cells += f.measured_ground_cells;
            sum.read += f.read;
            sum.used += f.used;
            for (all, of_file) in [(&mut sum.skipped, &f.skipped), (&mut sum.notes, &f.notes)] {
                for (reason, n) in of_file {
                    *all.entry(reason.clone()).or_default() += n;
                }
            }
        }
        sum
    }
}

/// Features of each kind in a file, whether new or replaced. `read` is the sum of `used` and `skipped`.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileReport {
    /// Name of the file, without its folder.
    pub file: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Features that the file holds for the layers of its kind. An object of an extract counts once for each layer that it belongs
    /// to, a house with a number twice; objects of no layer do not count. Of a raster, its bands or tiles.
    pub read: u64,
    /// Features that were imported.
    pub used: u64,
    /// Nodes, ways and relations of an extract, drawn or not.
    pub objects: u64,
    /// Building outlines.
    pub buildings: u64,
    /// Building parts.
    pub building_parts: u64,
    /// House numbers with a position.
    pub addresses: u64,
    /// Roads, paths and railways.
    pub roads: u64,
    /// Single trees.
    pub trees: u64,
    /// Rows of trees.
    pub tree_rows: u64,
    /// Areas of land use, land cover, water, leisure.
    pub areas: u64,
    /// Rivers, streams and ditches mapped as lines.
    pub waterways: u64,
    /// Hedges, fences and walls.
    pub barriers: u64,
    /// Administrative and postal boundaries.
    pub boundaries: u64,
    /// Named places (towns, villages, hamlets).
    pub places: u64,
    /// Terrain tiles.
    pub terrain_tiles: u64,
    /// Parcels.
    pub parcels: u64,
    /// Surveyed heights of buildings.
    pub surveyed_heights: u64,
    /// Crossings of roads, mapped as points.
    pub crossings: u64,
    /// Coastlines of the sea.
    pub coastlines: u64,
    /// Tiles of imagery.
    pub imagery_tiles: u64,
    /// Tiles of land cover.
    pub land_cover_tiles: u64,
    /// Roofs measured: buildings of a city model, or outlines whose roofs a point cloud shows.
    pub measured_roofs: u64,
    /// Trees measured.
    pub measured_trees: u64,
    /// Cells of 1 m whose ground was measured.
    pub measured_ground_cells: u64,
    /// Coordinate system that positions were read in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crs: Option<String>,
    /// The file's own coordinate system, where another was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overridden_crs: Option<String>,
    /// Number of features left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// What else there is to know of the file, with the number of cases. Not part of the sum.
    pub notes: BTreeMap<String, u64>,
    /// Features left out of each layer that must not lose most of its features.
    #[serde(skip)]
    pub(crate) lost: BTreeMap<&'static str, u64>,
}

impl FileReport {
    /// Counts features as read and left out.
    pub(crate) fn skip_all(&mut self, reason: &str, count: u64) {
        self.read += count;
        *self.skipped.entry(reason.to_owned()).or_default() += count;
    }

    /// Counts a feature as read and left out.
    pub(crate) fn skip(&mut self, reason: &str) {
        self.skip_all(reason, 1);
    }

    /// Counts a feature of a layer as read and left out.
    pub(crate) fn skip_of(&mut self, layer: &'static str, reason: &str) {
        *self.lost.entry(layer).or_default() += 1;
        self.skip(reason);
    }

    /// Counts features as read and imported.
    pub(crate) fn used(&mut self, count: u64) {
        self.read += count;
        self.used += count;
    }

    /// Counts something that is no feature.
    pub(crate) fn note(&mut self, what: &str, count: u64) {
        if count > 0 {
            *self.notes.entry(what.to_owned()).or_default() += count;
        }
    }

    /// Rejects a file of which under half of the features of a layer were used, unless the caller allows it.
    pub(crate) fn require_half(
        &self,
        path: &Path,
        (layer, used, lost): (&'static str, u64, u64),
        options: &ImportOptions<'_>,
    ) -> Result<(), ImportError> {
        if used >= lost || options.allow_partial && self.used > 0 {
            return Ok(());
        }
        let reasons: Vec<String> = self.skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let remedy = if self.used > 0 { "; to import the rest of it, pass --allow-partial" } else { "" };
        let why = format!("left out: {}{remedy}", reasons.join("; "));
        Err(ImportError::Partial { path: path.to_owned(), layer, used, read: used + lost, why })
    }
}
