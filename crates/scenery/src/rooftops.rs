//! What stands on the flat roofs of a town: heads of stairs and lifts, and vents. Neutral filling, on the neighbors alone, like
//! their chimneys; nothing that anybody would pay for.

use aerie_geodata::place::{Building, BuildingKind, RoofShape};
use glam::{DVec2, dvec2};

use crate::buildings::block;
use crate::mesh::Builder;
use crate::seed::Seed;
use crate::shape;

/// Smallest roof that bears something, and how much roof there is to each thing, square meters.
const LEAST: f64 = 170.0;
const EACH: f64 = 190.0;
/// Most things on one roof.
const MOST: usize = 9;
/// Farther from the property nobody sees them, meters.
const FAR: f64 = 700.0;

/// Adds what stands on a neighbor's flat roof at height `top`.
pub(crate) fn add(building: &Building, top: f64, out: &mut Builder) {
    use BuildingKind as K;
    let ring = &building.footprint.outer;
    let bears = matches!(building.kind, K::Apartments | K::Office | K::Retail | K::Public | K::Industrial);
    let area = shape::area(ring).abs();
    if building.roof != RoofShape::Flat || !bears || area < LEAST || shape::centroid(ring).length() > FAR {
        return;
    }
    let mut seed = Seed::from_name(&format!("{} rooftop", building.id));
    let wing = crate::wings::bounding_wing(&building.footprint, false);
    let high = building.stories >= 3 && building.kind != K::Industrial;
    let wanted = ((area / EACH) as usize).min(MOST);
    let mut placed: Vec<(DVec2, f64)> = Vec::new();
    for i in 0..wanted * 3 {
        let stairs = high && placed.is_empty();
        let half = if stairs {
            dvec2(f64::from(seed.between(1.6, 2.4)), f64::from(seed.between(1.2, 1.6)))
        } else {
            dvec2(f64::from(seed.between(0.35, 0.9)), f64::from(seed.between(0.3, 0.7)))
        };
        let height = if stairs { seed.between(2.1, 2.7) } else { seed.between(0.5, 1.1) };
        let srgb = seed.pick(&[[168, 166, 160], [142, 142, 140], [182, 178, 170], [120, 122, 124]]);
        let at = wing.center
            + wing.along * wing.half_length * f64::from(seed.between(-0.86, 0.86))
            + wing.along.perp() * wing.half_width * f64::from(seed.between(-0.8, 0.8));
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
    fn what_stands_on_a_roof_stands_clear_of_its_rim_and_of_courtyards() {
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        let mut building = crate::buildings::tests::building("way/5", BuildingKind::Apartments, square(22.0));
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
