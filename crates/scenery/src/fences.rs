//! Fences and walls that follow the ground.

use aerie_geodata::place::{Barrier, Place};
use glam::{DVec2, Vec3};

use crate::mesh::{Builder, color};
use crate::shape;

/// Maximum length of a straight piece, meters.
const PIECE: f64 = 8.0;
/// Depth below ground, meters.
const FOUNDATION: f64 = 0.3;

/// Adds a fence or a wall.
pub(crate) fn add(place: &Place, barrier: &Barrier, thickness: f64, srgb: [u8; 3], out: &mut Builder) {
    let (color, height) = (color(srgb, 0), barrier.height.clamp(0.4, 3.5));
    for pair in barrier.line.windows(2) {
        let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
        let Some(along) = (b - a).try_normalize() else { continue };
        let steps = (a.distance(b) / PIECE).ceil().max(1.0) as usize;
        let corner = |i: usize, side: f64, z: f64| -> Vec3 {
            let middle: DVec2 = a.lerp(b, i as f64 / steps as f64);
            let ground = place.terrain.height(middle.to_array());
            (middle + along.perp() * side * thickness * 0.5).extend(ground + z).as_vec3()
        };
        for i in 0..steps {
            let (low, high) = (-FOUNDATION, height);
            let side = |s: f64, from: usize, to: usize| {
                [(from, low), (to, low), (to, high), (from, high)].map(|(k, z)| corner(k, s, z))
            };
            out.plain(&side(-1.0, i, i + 1), color);
            out.plain(&side(1.0, i + 1, i), color);
            out.plain(
                &[corner(i, -1.0, high), corner(i + 1, -1.0, high), corner(i + 1, 1.0, high), corner(i, 1.0, high)],
                color,
            );
        }
        for (i, s) in [(0, 1.0), (steps, -1.0)] {
            let face = [(s, -FOUNDATION), (-s, -FOUNDATION), (-s, height), (s, height)];
            out.plain(&face.map(|(side, z)| corner(i, side, z)), color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_geodata::place::{BarrierKind, Terrain};

    #[test]
    fn a_wall_follows_the_slope_and_all_its_faces_point_outward() {
        let mut place = crate::fixtures::empty_place(None);
        // Rises eastward by 10 %.
        place.terrain = Terrain { heights: vec![-300.0, 300.0, -300.0, 300.0], ..Terrain::flat(3000.0, 0.0) };
        let wall = Barrier { kind: BarrierKind::Wall, line: vec![[0.0, 0.0], [40.0, 0.0]], height: 1.4 };
        let mut builder = Builder::default();
        add(&place, &wall, 0.22, [168, 160, 148], &mut builder);
        let solids = builder.finish();
        assert_eq!(solids.indices.len(), 6 * (5 * 3 + 2));
        for v in &solids.vertices {
            let [x, y, z] = v.position.map(f64::from);
            let over = z - x * 0.1;
            assert!((over - 1.4).abs() < 1e-3 || (over + FOUNDATION).abs() < 1e-3, "{over}");
            let [nx, ny, nz] = [v.normal[0], v.normal[1], v.normal[2]].map(f64::from);
            let outwards = if ny.abs() > 100.0 {
                ny * y
            } else if nz > 100.0 {
                1.0
            } else {
                nx * (x - 20.0)
            };
            assert!(outwards > 0.0, "{:?} {:?}", v.position, v.normal);
        }
    }
}
