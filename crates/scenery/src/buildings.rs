//! Buildings: walls on the real footprint, roofs, chimneys.

use aerie_geodata::place::{Building, BuildingKind, Place, Point, Polygon, RoofShape};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3};

use crate::looks::Looks;
use crate::mesh::{Builder, color};
use crate::region::Region;
use crate::roofs::{RoofJob, WallTop};
use crate::seed::Seed;
use crate::shape;

/// Adds every building of a place.
pub(crate) fn add(place: &Place, out: &mut Builder) {
    let region = Region::of(place.origin);
    for (index, building) in place.buildings.iter().enumerate() {
        if !building.replaced_by_parts && building.ridge > building.base + 0.5 {
            let drawn = apart(place, index);
            add_one(place, drawn.as_ref().unwrap_or(building), is_property(place, index), region, out);
        }
    }
}

/// What stands in or over another building, smaller by some centimeters: such parts are mapped with walls and tops in common, and of two faces in one
/// plane chance would decide which is seen.
fn apart(place: &Place, index: usize) -> Option<Building> {
    let part = &place.buildings[index];
    let middle = shape::centroid(&part.footprint.outer);
    let near = |o: &Building| shape::vec(o.footprint.outer[0]).distance_squared(middle) < 250.0 * 250.0;
    let mut others = place.buildings.iter().enumerate().filter(|(i, o)| *i != index && near(o));
    if part.base <= 0.0 && !others.any(|(_, o)| shape::inside(middle, &o.footprint)) {
        return None;
    }
    let by = 0.008 * (1 + index % 11) as f64;
    let outer = shape::inset(&part.footprint.outer, by).unwrap_or_else(|| part.footprint.outer.clone());
    let footprint = Polygon { outer, holes: part.footprint.holes.clone() };
    Some(Building { footprint, eaves: part.eaves - by, ridge: part.ridge - by, ..part.clone() })
}

/// Whether a building is the property's, or one of the parts that the map draws it in.
pub(crate) fn is_property(place: &Place, index: usize) -> bool {
    place.property.building.is_some_and(|own| {
        own == index
            || place.buildings[own].replaced_by_parts
                && shape::inside(shape::centroid(&place.buildings[index].footprint.outer), &place.property.footprint)
    })
}

fn add_one(place: &Place, building: &Building, is_property: bool, region: Region, out: &mut Builder) {
    let ring = &building.footprint.outer;
    let heights = || ring.iter().map(|&p| place.terrain.height(p));
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let mean = heights().sum::<f64>() / ring.len() as f64;
    // On a slope the ground floor lies between the mean and the highest corner; the plinth shows below.
    let floor = (mean + high) * 0.5 + 0.05;
    let area = shape::area(ring).abs();
    let looks = Looks::of(building, area, is_property, region);
    let eaves = floor + building.eaves;
    let overhang = match building.kind {
        BuildingKind::Industrial | BuildingKind::Greenhouse | BuildingKind::Canopy => 0.15,
        BuildingKind::Garage | BuildingKind::Shed => 0.2,
        _ if building.base > 0.0 || area < 12.0 => 0.0,
        _ => 0.45,
    };
    let roof = RoofJob {
        footprint: &building.footprint,
        shape: building.roof,
        eaves,
        rise: building.ridge - building.eaves,
        overhang,
        direction: building.roof_direction,
        across: building.roof_across,
        looks: &looks,
        floor,
    };
    let top = roof.build(out);
    let bottom = if building.base > 0.0 { floor + building.base } else { low - 0.6 };
    if building.kind == BuildingKind::Canopy {
        posts(ring, low, eaves, out);
        return;
    }
    // The door looks at the street: the property's at its own, a neighbor's at the nearest.
    let front = match is_property {
        true => place.property.street.map(|_| crate::flight::bearing_vector(place.property.front_bearing)),
        false => crate::plots::street_side(place, shape::centroid(ring)),
    };
    walls(ring, &Walls { looks: &looks, floor, bottom, top: &top, kind: building.kind, front }, out);
    for hole in &building.footprint.holes {
        walls(hole, &Walls { looks: &looks, floor, bottom, top: &top, kind: building.kind, front: None }, out);
    }
    if !is_property {
        match building.roof {
            RoofShape::Flat => crate::rooftops::add(building, eaves, out),
            _ => chimney(building, eaves, out),
        }
    }
}

struct Walls<'a> {
    looks: &'a Looks,
    floor: f64,
    bottom: f64,
    top: &'a WallTop,
    kind: BuildingKind,
    /// Towards the street: the wall that looks that way has the door.
    front: Option<DVec2>,
}

fn walls(ring: &[Point], walls: &Walls<'_>, out: &mut Builder) {
    let n = ring.len();
    let length = |i: usize| shape::vec(ring[i]).distance(shape::vec(ring[(i + 1) % n]));
    let outwards = |i: usize| -(shape::vec(ring[(i + 1) % n]) - shape::vec(ring[i])).normalize_or_zero().perp();
    let domestic = matches!(
        walls.kind,
        BuildingKind::House | BuildingKind::Terrace | BuildingKind::Apartments | BuildingKind::Public
    );
    let door_wall = domestic.then(|| {
        let score = |i: usize| match walls.front {
            Some(street) => outwards(i).dot(street) * 20.0 + length(i).min(12.0) * 0.3,
            None => length(i),
        };
        (0..n).max_by(|&a, &b| score(a).total_cmp(&score(b)))
    });
    for i in 0..n {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % n]));
        let run = a.distance(b);
        if run < 0.05 {
            continue;
        }
        let (look, stretch) = walls.looks.wall_look(run, door_wall.flatten() == Some(i), true);
        let mut cuts = vec![0.0];
        cuts.extend(walls.top.breaks(a, b));
        cuts.push(1.0);
        for pair in cuts.windows(2) {
            let (p, q) = (a.lerp(b, pair[0]), a.lerp(b, pair[1]));
            let corner = |p: DVec2, share: f64, z: f64, open: f32| {
                let u = (run * share) as f32 * stretch;
                (p.extend(z).as_vec3(), Vec2::new(u, (z - walls.floor) as f32), open)
            };
            let (zp, zq) = (walls.top.at(p), walls.top.at(q));
            let low = walls.bottom.min(zp.min(zq) - 0.05);
            // The foot of a wall sees half of the sky, less what the ground hides; under the eaves it is darker again.
            out.face(
                Finish::Wall,
                &[
                    corner(p, pair[0], low, 0.55),
                    corner(q, pair[1], low, 0.55),
                    corner(q, pair[1], zq, 0.86),
                    corner(p, pair[0], zp, 0.86),
                ],
                look,
            );
        }
    }
}

fn posts(ring: &[Point], low: f64, eaves: f64, out: &mut Builder) {
    let center = shape::centroid(ring);
    for &p in ring {
        let at = shape::vec(p).lerp(center, 0.06);
        block(at, DVec2::X, DVec2::splat(0.09), low, eaves, [120, 120, 118], out);
    }
}

fn chimney(building: &Building, eaves: f64, out: &mut Builder) {
    let mut seed = Seed::from_name(&building.id);
    let lived_in = matches!(building.kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Apartments);
    // Over an outline with many corners nobody knows where the ridge runs.
    let plain = building.footprint.outer.len() <= 6;
    if !lived_in || !plain || building.ridge - building.eaves < 1.2 || seed.unit() > 0.72 {
        return;
    }
    let wing = crate::wings::bounding_wing(&building.footprint, building.roof_across);
    let at = wing.center
        + wing.along * wing.half_length * f64::from(seed.between(-0.45, 0.45))
        + wing.along.perp() * wing.half_width * 0.16;
    if shape::inside(at, &building.footprint) {
        let rise = building.ridge - building.eaves;
        let srgb = seed.pick(&[[150, 92, 74], [170, 162, 150], [128, 120, 112]]);
        block(at, wing.along, DVec2::new(0.42, 0.32), eaves + rise * 0.4, eaves + rise + 0.75, srgb, out);
    }
}

/// An upright block: center, direction, half sizes, bottom, top.
pub(crate) fn block(at: DVec2, along: DVec2, half: DVec2, bottom: f64, top: f64, srgb: [u8; 3], out: &mut Builder) {
    let corner =
        |x: f64, y: f64, z: f64| -> Vec3 { (at + along * half.x * x + along.perp() * half.y * y).extend(z).as_vec3() };
    let color = color(srgb, 0);
    let ring = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for i in 0..4 {
        let ((x0, y0), (x1, y1)) = (ring[i], ring[(i + 1) % 4]);
        out.plain(&[corner(x0, y0, bottom), corner(x1, y1, bottom), corner(x1, y1, top), corner(x0, y0, top)], color);
    }
    out.plain(&ring.map(|(x, y)| corner(x, y, top)), color);
}

#[cfg(test)]
pub(crate) mod tests {
    use aerie_geodata::place::Provenance;

    use super::*;

    /// A building of two stories under a gabled roof, of which the map tells its outline alone.
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
        }
    }
}
