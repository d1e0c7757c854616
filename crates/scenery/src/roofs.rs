//! Roofs of all shapes, on any footprint.
//!
//! # Adding a roof shape
//!
//! 1. Add a variant to `RoofShape` (`crates/geodata/src/place/building.rs`), and the values of the `roof:shape` tag that mean it
//!    to `roof_shape` (`crates/geodata/src/assemble/heights.rs`). Where the tag gives no height, `finish` in the same file
//!    derives one from the default pitch; add an arm there if the new shape needs another.
//! 2. The match in [`Roof::build`] no longer compiles: add an arm that calls a new method of [`Roof`].
//! 3. Write that method in a file of its own in `roofs/`. It adds faces by `surface` (the covering, `uv` in meters along and up
//!    the slope), `edge` (the fascia) and `plain`, and returns a [`WallTop`], the height that the walls below are built to.
//! 4. Add the variant to `SHAPES` in the tests below, which check that a roof covers its footprint and has the right height.
//!    Then look at it: tag a building of an extract and render a frame (`stills`, see CONTRIBUTING.md).

mod flat;
mod outlines;
mod roof;
mod winged;

use aerie_geodata::place::RoofShape;
use glam::dvec2;

pub(crate) use self::roof::{Roof, WallTop};

use crate::mesh::Builder;
use crate::shape;
use crate::wings::{bounding_wing, fit, wings};

impl Roof<'_> {
    /// Builds the roof; returns the height of the walls below it.
    pub(crate) fn build(&self, out: &mut Builder) -> WallTop {
        let pitched = self.rise > 0.3;
        match self.shape {
            RoofShape::Flat => self.flat(out),
            _ if !pitched => self.flat(out),
            RoofShape::Skillion => self.skillion(out),
            RoofShape::Pyramidal => self.rings(out, &[(1.0, 0.0)]),
            RoofShape::Dome => {
                let steps: Vec<_> =
                    (1..=6).map(|i| (f64::from(i) / 6.0 * std::f64::consts::FRAC_PI_2).sin_cos()).collect();
                self.rings(out, &steps.iter().map(|(s, c)| (*s, *c)).collect::<Vec<_>>())
            }
            RoofShape::Mansard => self.truncated(out, self.rise * 0.45),
            RoofShape::Gabled | RoofShape::HalfHipped | RoofShape::Gambrel | RoofShape::Hipped => {
                let across = self.across || self.ridge_runs_across();
                let wings = wings(self.footprint, across);
                let is_plain = wings.as_ref().is_some_and(|wings| wings.len() == 1);
                if self.shape == RoofShape::Hipped
                    && !is_plain
                    && let Some(top) = self.hipped(out)
                {
                    return top;
                }
                let is_winged = wings.as_ref().is_some_and(|wings| wings.len() > 1);
                match wings.filter(|wings| fit(wings, self.footprint)) {
                    Some(wings) => self.winged(out, &wings),
                    None => {
                        // Where wings do not follow a skewed outline, slopes from all of its sides do.
                        if is_winged && let Some(top) = self.hipped(out) {
                            return top;
                        }
                        let area = shape::area(&self.footprint.outer).abs();
                        if area < 450.0 && self.footprint.holes.is_empty() && self.footprint.outer.len() <= 14 {
                            self.split(out, across)
                        } else {
                            self.truncated(out, self.rise / 0.75)
                        }
                    }
                }
            }
        }
    }

    /// Whether the tagged direction puts the ridge across the longer side.
    fn ridge_runs_across(&self) -> bool {
        self.direction.is_some_and(|bearing| {
            let fall = dvec2(bearing.sin(), bearing.cos());
            bounding_wing(self.footprint, false).along.dot(fall).abs() > std::f64::consts::FRAC_1_SQRT_2
        })
    }
}

#[cfg(test)]
mod tests {
    use aerie_geodata::place::{BuildingKind, GeoPoint, Point, Polygon};
    use aerie_render::scene::Finish;

    use super::*;
    use crate::fixtures::building;
    use crate::materials::Materials;
    use crate::region::Region;

    const EAVES: f64 = 5.0;
    const RISE: f64 = 3.0;
    const SHAPES: [RoofShape; 9] = [
        RoofShape::Flat,
        RoofShape::Gabled,
        RoofShape::Hipped,
        RoofShape::Pyramidal,
        RoofShape::Skillion,
        RoofShape::HalfHipped,
        RoofShape::Mansard,
        RoofShape::Gambrel,
        RoofShape::Dome,
    ];

    /// Area covered in plan, square meters, and height of the highest point above the eaves, meters.
    fn measured(shape: RoofShape, outer: &[Point]) -> (f64, f64) {
        let house = building("way/1", BuildingKind::House, outer.to_vec());
        let region = Region::of(GeoPoint { lat: 50.0, lon: 11.0 });
        let materials = Materials::of(&house, 100.0, false, region);
        let footprint = Polygon { outer: outer.to_vec(), holes: vec![] };
        let mut builder = Builder::default();
        let roof = Roof {
            footprint: &footprint,
            shape,
            eaves: EAVES,
            rise: RISE,
            overhang: 0.45,
            direction: None,
            across: false,
            materials: &materials,
            floor: 0.0,
        };
        roof.build(&mut builder);
        let solids = builder.finish();
        let triangles = solids.chunks.iter().flat_map(|chunk| {
            let range = &chunk.ranges[Finish::Roof as usize];
            solids.indices[range.start as usize..range.end as usize].chunks_exact(3)
        });
        let (mut area, mut top) = (0.0, f64::MIN);
        for triangle in triangles {
            let [a, b, c] =
                [0, 1, 2].map(|i| glam::Vec3::from(solids.vertices[triangle[i] as usize].position).as_dvec3());
            area += (b - a).truncate().perp_dot((c - a).truncate()) * 0.5;
            top = top.max(a.z).max(b.z).max(c.z);
        }
        (area, top - EAVES)
    }

    /// A roof's triangles, and the height of the walls below.
    fn built(shape: RoofShape, outer: &[Point]) -> (Vec<[glam::DVec3; 3]>, WallTop) {
        let house = building("way/1", BuildingKind::House, outer.to_vec());
        let materials = Materials::of(&house, 100.0, false, Region::of(GeoPoint { lat: 50.0, lon: 11.0 }));
        let mut builder = Builder::default();
        let roof = Roof {
            footprint: &house.footprint,
            shape,
            eaves: EAVES,
            rise: RISE,
            overhang: 0.45,
            direction: None,
            across: false,
            materials: &materials,
            floor: 0.0,
        };
        let top = roof.build(&mut builder);
        let solids = builder.finish();
        let corner = |i: &u32| glam::Vec3::from(solids.vertices[*i as usize].position).as_dvec3();
        let triangles = solids.chunks.iter().flat_map(|chunk| {
            let range = &chunk.ranges[Finish::Roof as usize];
            solids.indices[range.start as usize..range.end as usize].chunks_exact(3)
        });
        (triangles.map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect(), top)
    }

    #[test]
    fn no_wall_stands_beside_or_above_a_roof_over_a_skewed_outline() {
        let skewed = |p: &Point, by: f64| [p[0] + p[1] * by, p[1]];
        let rectangle = [[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]];
        let l = [[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [8.0, 8.0], [8.0, 18.0], [0.0, 18.0]];
        let bay = [[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [8.0, 8.0], [8.0, 9.2], [5.0, 9.2], [5.0, 8.0], [0.0, 8.0]];
        for outline in [&rectangle[..], &l, &bay] {
            for by in [0.0, 0.03, 0.1, 0.2] {
                let outline: Vec<Point> = outline.iter().map(|p| skewed(p, by)).collect();
                for shape in [RoofShape::Gabled, RoofShape::Hipped, RoofShape::HalfHipped, RoofShape::Gambrel] {
                    let (triangles, top) = built(shape, &outline);
                    for i in 0..outline.len() {
                        let (a, b) = (shape::vec(outline[i]), shape::vec(outline[(i + 1) % outline.len()]));
                        for share in [0.03, 0.25, 0.5, 0.75, 0.97] {
                            let p = a.lerp(b, share);
                            let roof = triangles.iter().filter_map(|t| height_on(t, p)).fold(f64::MIN, f64::max);
                            assert!(top.at(p) < roof, "{shape:?} {by} at {p}: {} over {roof}", top.at(p));
                        }
                    }
                }
            }
        }
    }

    /// Height of a triangle at a point that it covers.
    fn height_on([a, b, c]: &[glam::DVec3; 3], p: glam::DVec2) -> Option<f64> {
        let normal = (*b - *a).cross(*c - *a);
        let ring = [a, b, c].map(|v| [v.x, v.y]);
        let covers = shape::inside_ring(p, &ring) || shape::distance_to_ring(p, &ring) < 1e-6;
        covers.then(|| a.z - (p - a.truncate()).dot(normal.truncate()) / normal.z)
    }

    #[test]
    fn roofs_of_every_shape_cover_their_footprint_and_have_their_height() {
        let rectangle = [[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]];
        let l = [[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [8.0, 8.0], [8.0, 18.0], [0.0, 18.0]];
        let oblique = [[0.0, 0.0], [13.0, 2.0], [12.0, 9.0], [5.0, 11.0], [-1.0, 7.0]];
        for shape in SHAPES {
            for outline in [&rectangle[..], &l, &oblique] {
                let (area, rise) = measured(shape, outline);
                // A flat roof ends at its parapet, the others overhang.
                let least = if shape == RoofShape::Flat { 0.8 } else { 1.0 };
                assert!(area > least * shape::area(outline), "{shape:?} {}: {area:.1}", outline.len());
                let expected = if shape == RoofShape::Flat { 0.0 } else { RISE };
                assert!((rise - expected).abs() < 0.4, "{shape:?} {}: {rise:.2}", outline.len());
            }
        }
    }
}
