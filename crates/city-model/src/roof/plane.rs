//! Planes of faces.

/// Normal of a ring by Newell's method; its length is twice the area.
pub(crate) fn newell(ring: &[[f64; 3]]) -> [f64; 3] {
    let Some(&[x0, y0, z0]) = ring.first() else { return [0.0; 3] };
    let mut normal = [0.0; 3];
    for (index, a) in ring.iter().enumerate() {
        let b = ring[(index + 1) % ring.len()];
        let [ax, ay, az] = [a[0] - x0, a[1] - y0, a[2] - z0];
        let [bx, by, bz] = [b[0] - x0, b[1] - y0, b[2] - z0];
        normal[0] += (ay - by) * (az + bz);
        normal[1] += (az - bz) * (ax + bx);
        normal[2] += (ax - bx) * (ay + by);
    }
    normal
}

/// Vertical part of the unit normal: 1 for level faces that look up, 0 for walls and for degenerate faces.
pub(crate) fn upwardness(normal: [f64; 3]) -> f64 {
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 1e-9 { normal[2] / length } else { 0.0 }
}

/// Whether all corners lie within `tolerance` of one plane.
pub(super) fn is_flat(outer: &[[f64; 3]], holes: &[Vec<[f64; 3]>], tolerance: f64) -> bool {
    let corners = || outer.iter().chain(holes.iter().flatten());
    let count = corners().count() as f64;
    let center = [0, 1, 2].map(|axis| corners().map(|corner| corner[axis]).sum::<f64>() / count);
    let within = |normal: [f64; 3]| {
        let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
        corners().all(|corner| {
            let distance: f64 = (0..3).map(|axis| normal[axis] * (corner[axis] - center[axis])).sum();
            distance.abs() <= tolerance * length
        })
    };
    within(newell(outer)) || least_squares(corners(), center).is_some_and(within)
}

/// Normal of the plane with the least squares of vertical distances.
fn least_squares<'a>(corners: impl Iterator<Item = &'a [f64; 3]>, center: [f64; 3]) -> Option<[f64; 3]> {
    let [mut xx, mut xy, mut yy, mut xz, mut yz] = [0.0; 5];
    for corner in corners {
        let [x, y, z] = [0, 1, 2].map(|axis| corner[axis] - center[axis]);
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xz += x * z;
        yz += y * z;
    }
    let determinant = xx * yy - xy * xy;
    if determinant <= 1e-9 * xx * yy {
        return None;
    }
    Some([-(xz * yy - yz * xy) / determinant, -(yz * xx - xz * xy) / determinant, 1.0])
}
