//! Cubic filters on four neighboring samples.

/// Weights of four neighbors at `t` between the second and the third; preserves edges (Catmull and Rom 1974).
pub(crate) fn catmull_rom(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}

/// Weights of four neighbors; does not ring (Mitchell and Netravali 1988, B = C = 1/3).
pub(crate) fn mitchell(t: f64) -> [f64; 4] {
    let near = |x: f64| (7.0 * x * x * x - 12.0 * x * x + 16.0 / 3.0) / 6.0;
    let far = |x: f64| (-7.0 / 3.0 * x * x * x + 12.0 * x * x - 20.0 * x + 32.0 / 3.0) / 6.0;
    [far(1.0 + t), near(t), near(1.0 - t), far(2.0 - t)]
}
