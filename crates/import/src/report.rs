//! What an import added.

use std::collections::BTreeMap;

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
            for (reason, n) in &f.skipped {
                *sum.skipped.entry(reason.clone()).or_default() += n;
            }
        }
        sum
    }
}

/// Features of each kind in a file, whether new or replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileReport {
    /// Name of the file, without its folder.
    pub file: String,
    /// Size of the file in bytes.
    pub bytes: u64,
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
}

impl FileReport {
    pub(crate) fn skip_all(&mut self, reason: &str, count: u64) {
        *self.skipped.entry(reason.to_owned()).or_default() += count;
    }

    pub(crate) fn skip(&mut self, reason: &str) {
        self.skip_all(reason, 1);
    }
}
