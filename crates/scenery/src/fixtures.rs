//! Buildings, ways and places for tests.

use aerie_geodata::place::{
    Building, BuildingKind, GeoPoint, Place, Point, Polygon, Property, Provenance, RoofShape, Surface, Terrain, Way,
    WayKind,
};
use aerie_render::scene::PaintVertex;
use glam::DVec2;

use crate::shape;

/// A building of two stories with a gabled roof; only its outline is mapped.
pub(crate) fn building(id: &str, kind: BuildingKind, outer: Vec<Point>) -> Building {
    Building {
        id: id.into(),
        footprint: Polygon { outer, holes: vec![] },
        kind,
        base: 0.0,
        eaves: 5.5,
        ridge: 9.0,
        stories: 2,
        roof: RoofShape::Gabled,
        roof_direction: None,
        roof_across: false,
        wall_color: None,
        wall_material: None,
        roof_color: None,
        roof_material: None,
        height_from: Provenance::Guessed,
        roof_from: Provenance::Guessed,
        replaced_by_parts: false,
        measured: None,
    }
}

/// A residential street, or a bridge.
pub(crate) fn way(id: &str, line: Vec<Point>, bridge: bool) -> Way {
    Way {
        id: id.into(),
        name: None,
        kind: WayKind::Residential,
        line,
        width: 5.0,
        lanes: 2,
        oneway: false,
        surface: Surface::Asphalt,
        sidewalk: false,
        curb: false,
        crossing: false,
        bridge,
        tunnel: false,
        passage: false,
        layer: i32::from(bridge),
    }
}

/// Red albedo of the topmost triangle at a point.
pub(crate) fn tone_at(painted: &[PaintVertex], p: DVec2) -> Option<f32> {
    let holds = |t: &&[PaintVertex]| {
        let ring: Vec<_> = t.iter().map(|v| v.position.map(f64::from)).collect();
        shape::inside_ring(p, &ring)
    };
    painted.chunks_exact(3).rfind(holds).map(|t| t[0].color[0])
}

/// Flat ground with a property and nothing else, mapped within `covered`.
pub(crate) fn empty_place(covered: Option<[Point; 2]>) -> Place {
    Place {
        origin: GeoPoint { lat: 47.0, lon: 9.0 },
        address: String::new(),
        property: Property {
            building: None,
            point: [0.0; 2],
            footprint: Polygon { outer: vec![[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]], holes: vec![] },
            parcel: None,
            front_bearing: 0.0,
            front_known: false,
            street: None,
            addresses: 0,
        },
        terrain: Terrain::flat(3000.0, 0.0),
        buildings: vec![],
        ways: vec![],
        areas: vec![],
        waterways: vec![],
        trees: vec![],
        barriers: vec![],
        crossings: vec![],
        covered,
        radius: 1200.0,
        attributions: vec![],
        missed: Vec::new(),
    }
}
