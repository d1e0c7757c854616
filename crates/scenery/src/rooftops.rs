//! Stairheads, elevator overruns and vents on flat roofs. Neutral filler on neighboring buildings only, like their chimneys.

use aerie_geodata::place::{Building, BuildingKind, RoofShape};
use glam::{DVec2, dvec2};

use crate::mesh::Builder;
use crate::mesh::block;
use crate::shape;
use aerie_math::Rng;

/// Minimum area of a roof with objects on it, square meters.
const MIN_AREA: f64 = 170.0;
/// Roof area per object, square meters.
const AREA_EACH: f64 = 190.0;
/// Maximum number of objects on one roof.
const MAX_OBJECTS: usize = 9;
/// Distance from the property beyond which they are too small to see, meters.
const REACH: f64 = 700.0;

/// Adds the objects on a neighbor's flat roof at height `top`.
pub(crate) fn add(building: &Building, top: f64, out: &mut Builder) {
    use BuildingKind as K;
    let ring = &building.footprint.outer;
    let has_objects = matches!(building.kind, K::Apartments | K::Office | K::Retail | K::Public | K::Industrial);
    let area = shape::area(ring).abs();
    if building.roof != RoofShape::Flat || !has_objects || area < MIN_AREA || shape::centroid(ring).length() > REACH {
        return;
    }
    let mut rng = Rng::from_name(&format!("{} rooftop", building.id));
    let wing = crate::wings::bounding_wing(&building.footprint, false);
    let high = building.stories >= 3 && building.kind != K::Industrial;
    let wanted = ((area / AREA_EACH) as usize).min(MAX_OBJECTS);
    let mut placed: Vec<(DVec2, f64)> = Vec::new();
    for i in 0..wanted * 3 {
        let stairs = high && placed.is_empty();
        let half = if stairs {
            dvec2(f64::from(rng.range_f32(1.6, 2.4)), f64::from(rng.range_f32(1.2, 1.6)))
        } else {
            dvec2(f64::from(rng.range_f32(0.35, 0.9)), f64::from(rng.range_f32(0.3, 0.7)))
        };
        let height = if stairs { rng.range_f32(2.1, 2.7) } else { rng.range_f32(0.5, 1.1) };
        let srgb = rng.pick(&[[168, 166, 160], [142, 142, 140], [182, 178, 170], [120, 122, 124]]);
        let at = wing.center
            + wing.along * wing.half_length * f64::from(rng.range_f32(-0.86, 0.86))
            + wing.along.perp() * wing.half_width * f64::from(rng.range_f32(-0.8, 0.8));
        let reach = half.length();
        let rings = std::iter::once(ring).chain(&building.footprint.holes);
        let clear = rings.clone().all(|r| shape::distance_to_ring(at, r) > reach + 1.1)
            && placed.iter().all(|(other, r)| other.distance(at) > r + reach + 1.0);
        if clear && shape::inside(at, &building.footprint) {
            block(at, wing.along, half, top - 0.1, top + f64::from(height), srgb, out);
            placed.push((at, reach));
        }
        if placed.len() >= wanted || i > 24 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooftop_objects_keep_clear_of_the_parapet_and_of_courtyards() {
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        let mut building = crate::fixtures::building("way/5", BuildingKind::Apartments, square(22.0));
        building.footprint.holes = vec![square(6.0)];
        (building.eaves, building.ridge, building.stories, building.roof) = (15.0, 15.0, 5, RoofShape::Flat);
        let corners = |building: &Building| {
            let mut builder = Builder::default();
            add(building, 15.0, &mut builder);
            builder.finish().vertices
        };
        let found = corners(&building);
        assert!(found.len() > 3 * 20);
        for v in &found {
            let out = v.position[0].abs().max(v.position[1].abs());
            assert!((7.0..21.0).contains(&out) && v.position[2] < 18.0, "{:?}", v.position);
        }
        building.roof = RoofShape::Gabled;
        assert!(corners(&building).is_empty());
    }
}
