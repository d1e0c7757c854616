//! Plans all flights over random addresses of the test data (`AERIE_TEST_DATA`), without rendering, and counts cameras inside
//! terrain, roofs or trees and frames that do not show the whole property: `flight_campaign [ADDRESSES]`, by default 200.
//! Exits with 1 if there are any.

#[path = "../tests/it/flight_checks.rs"]
mod flight_checks;

use aerie_scenery::{Path, Side};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people")]
fn main() -> Result<std::process::ExitCode, Box<dyn std::error::Error>> {
    let wanted: usize = std::env::args().nth(1).map_or(Ok(200), |count| count.parse())?;
    let data = std::env::var_os("AERIE_TEST_DATA").ok_or("AERIE_TEST_DATA is not set")?;
    let sides = [Side::North, Side::East, Side::South, Side::West].map(Path::From);
    let paths = [&[Path::Original, Path::TopdownRising, Path::TopdownSinking], &sides[..]].concat();
    let each = wanted.div_ceil(flight_checks::EXTRACTS.len());
    let counts = flight_checks::campaign(data.as_ref(), each, &paths, |so_far| {
        if so_far.addresses % 10 == 0 {
            eprintln!("{} addresses, {} intrusions", so_far.addresses, so_far.intrusions.len());
        }
    });
    for what in counts.intrusions.iter().chain(&counts.lost).take(40) {
        println!("{what}");
    }
    let kept = 100.0 * (1.0 - counts.lost.len() as f64 / counts.frames.max(1) as f64);
    println!(
        "{} addresses, {} flights, {} frames: {} intrusions; the whole property in {kept:.2} % of frames",
        counts.addresses,
        counts.flights,
        counts.frames,
        counts.intrusions.len(),
    );
    Ok(u8::from(!counts.intrusions.is_empty() || !counts.lost.is_empty()).into())
}
