//! The hills around the sample town.

use aerie_geodata::LocalFrame;

use crate::plan::ORIGIN;

/// Meters above the sea at a local point: a shallow valley along the stream, rolling hills, higher ones in the north.
pub(crate) fn height(x: f64, y: f64) -> f64 {
    let valley = (y - stream_y(x)) / 900.0;
    let bowl = 46.0 * (valley * valley) / (1.0 + valley * valley);
    let rolling = 7.0 * (x / 410.0 + 0.7).sin() * (y / 520.0 - 0.4).cos() + 4.0 * ((x + y) / 290.0).sin();
    let north = 60.0 / (1.0 + (-(y - 1_500.0) / 420.0).exp());
    let south = 36.0 / (1.0 + ((y + 1_700.0) / 380.0).exp());
    // The ground flattens toward the stream, so that it does not run uphill.
    let calm = (valley * valley * 12.0).min(1.0);
    206.0 + x * 0.006 + bowl + rolling * calm + north + south
}

/// Northing of the stream at an easting.
pub(crate) fn stream_y(x: f64) -> f64 {
    -175.0 - 0.000_07 * x * x + 22.0 * (x / 190.0).sin() + 9.0 * (x / 83.0 + 1.0).sin()
}

/// The tile that contains the town, as an SRTM file of 3 arc seconds.
pub(crate) fn tile() -> Vec<u8> {
    let frame = LocalFrame::new(ORIGIN);
    let (west, south) = (ORIGIN.lon.floor(), ORIGIN.lat.floor());
    let mut out = Vec::with_capacity(1201 * 1201 * 2);
    for row in 0..1201 {
        for column in 0..1201 {
            let (lon, lat) = (west + f64::from(column) / 1200.0, south + f64::from(1200 - row) / 1200.0);
            let [x, y] = frame.local(lon, lat);
            // Beyond the horizon the heights are constant.
            let meters = height(x.clamp(-9_000.0, 9_000.0), y.clamp(-9_000.0, 9_000.0)).round();
            out.extend_from_slice(&(meters as i16).to_be_bytes());
        }
    }
    out
}
