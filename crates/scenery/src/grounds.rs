//! The ground that buildings stand on.

use aerie_geodata::place::{Place, Point, Terrain};
use glam::DVec2;

use crate::shape;

/// Meters between samples of the terrain along an outline.
const STEP: f64 = 2.0;
/// Distance within which buildings of one survey share the offset between its heights and the terrain, meters.
const REACH: f64 = 60.0;
/// The most that this offset may differ from a building's own, meters.
const AGREEMENT: f64 = 0.6;

/// Heights of the terrain along an outline: at its corners, and at most two meters apart between them.
pub(crate) fn along(terrain: &Terrain, ring: &[Point]) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..ring.len() {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        let steps = (a.distance(b) / STEP).ceil().clamp(1.0, 1000.0) as usize;
        out.extend((0..steps).map(|k| terrain.height(a.lerp(b, k as f64 / steps as f64).to_array())));
    }
    out
}

/// Height above the datum from which each building's heights count. That of a measured building is the median of the terrain along
/// its outline; neighbors from the same survey keep their heights relative to each other, so that the roofs of a row fit.
pub(crate) fn of(place: &Place) -> Vec<f64> {
    let medians: Vec<f64> =
        place.buildings.iter().map(|b| median(along(&place.terrain, &b.footprint.outer)).unwrap_or(0.0)).collect();
    let mut surveyed: Vec<(f64, DVec2, &str, f64)> = Vec::new();
    for (building, ground) in place.buildings.iter().zip(&medians) {
        if let Some(roof) = &building.measured {
            let middle = shape::centroid(&building.footprint.outer);
            surveyed.push((middle.x, middle, &roof.source, ground - roof.ground));
        }
    }
    surveyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ground = |(building, median_ground): (&aerie_geodata::place::Building, &f64)| {
        let Some(roof) = &building.measured else { return *median_ground };
        let middle = shape::centroid(&building.footprint.outer);
        let first = surveyed.partition_point(|(x, ..)| *x < middle.x - REACH);
        let near = surveyed[first..].iter().take_while(|(x, ..)| *x <= middle.x + REACH);
        let own = median_ground - roof.ground;
        let alike = near.filter(|(_, at, source, _)| *source == roof.source && at.distance(middle) <= REACH);
        let shared = median(alike.map(|(.., offset)| *offset).collect()).unwrap_or(own);
        roof.ground + if (shared - own).abs() <= AGREEMENT { shared } else { own }
    };
    place.buildings.iter().zip(&medians).map(ground).collect()
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use aerie_geodata::place::{BuildingKind, MeasuredRoof, RoofMethod};

    use super::*;
    use crate::fixtures::{building, empty_place};

    #[test]
    fn roofs_of_a_row_keep_their_surveyed_heights_relative_to_each_other() {
        let mut place = empty_place(None);
        place.terrain.heights = vec![0.0, 60.0, 0.0, 60.0];
        for (k, ground) in [5.1, 5.0, 5.4, 9.0].into_iter().enumerate() {
            let x = k as f64 * 6.0;
            let mut house =
                building("way/1", BuildingKind::Terrace, vec![[x, 0.0], [x + 6.0, 0.0], [x + 6.0, 9.0], [x, 9.0]]);
            house.measured = Some(MeasuredRoof {
                faces: vec![],
                ground,
                source: "survey".into(),
                year: None,
                method: RoofMethod::Planes,
                rms: None,
                covered: 1.0,
            });
            place.buildings.push(house);
        }
        let grounds = of(&place);
        assert!((grounds[0] - grounds[1] - 0.1).abs() < 1e-9 && (grounds[2] - grounds[1] - 0.4).abs() < 1e-9);
        // A building whose ground does not fit the others' stands on its own.
        assert!((grounds[3] - place.terrain.height([21.0, 4.0])).abs() < 0.1, "{grounds:?}");
    }
}
