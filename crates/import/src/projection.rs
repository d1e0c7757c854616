//! From the coordinates of a file to degrees: GDAL computes control points on a lattice, and what lies between is interpolated.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use aerie_geodata::LocalFrame;
use aerie_geodata::place::GeoPoint;

use crate::error::ImportError;
use crate::tool::Tools;

/// Distance of control points in meters and in degrees. Interpolated positions are off by some millimeters.
const STEP: (f64, f64) = (250.0, 0.002_5);
/// Steps along the side of a block, which is computed at once.
const BLOCK: i64 = 32;
/// Maximum number of blocks: 64 km2 each.
const MOST_BLOCKS: usize = 4_096;
/// Vertical systems in US survey feet and in feet; heights in all others are in meters.
const FEET: [(&str, f64); 3] = [("6360", US_FOOT), ("5702", US_FOOT), ("8228", FOOT)];
const US_FOOT: f64 = 1200.0 / 3937.0;
const FOOT: f64 = 0.3048;

/// The coordinate system of a file.
pub(crate) struct Projection<'a> {
    tools: Tools<'a>,
    definition: String,
    /// Distance of control points, in units of the system.
    step: f64,
    /// Meters per unit of positions; `None` where they are degrees.
    unit: Option<f64>,
    /// Meters per unit of heights.
    vertical: f64,
    /// Longitudes and latitudes of the control points of blocks.
    blocks: BTreeMap<[i64; 2], Vec<[f64; 2]>>,
}

/// `EPSG:N`, or `EPSG:N+M` with a vertical system, from any usual way to write it; text that names no EPSG codes is returned as it is.
pub(crate) fn normalized(text: &str) -> String {
    let is_definition = text.contains('[') || text.contains("+proj");
    let upper = text.to_ascii_uppercase();
    if is_definition || !upper.contains("EPSG") {
        return adv(&upper).unwrap_or_else(|| text.trim().to_owned());
    }
    // After each mention of EPSG, the last number is the code: a version may stand before it.
    let codes = upper.split("EPSG").skip(1).filter_map(|part| {
        let part = part.split(',').next().unwrap_or_default();
        let numbers = part.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
        let codes: Vec<&str> = numbers.collect();
        // "EPSG:7415" or "EPSG/0/7415", but "EPSG:2263+6360" has two codes.
        match part.contains('+') {
            true => Some(codes.join("+")),
            false => codes.last().map(|code| (*code).to_owned()),
        }
    });
    format!("EPSG:{}", codes.collect::<Vec<_>>().join("+"))
}

/// The code of a name of the German surveys: `urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH`.
fn adv(upper: &str) -> Option<String> {
    let zones = [("ETRS89_UTM31", "25831"), ("ETRS89_UTM32", "25832"), ("ETRS89_UTM33", "25833")];
    zones.iter().find(|(name, _)| upper.contains(name)).map(|(_, code)| format!("EPSG:{code}"))
}

impl<'a> Projection<'a> {
    /// A coordinate system as GDAL reads it: `EPSG:N` or WKT. `vertical`: meters per unit of heights, where the file says so.
    pub(crate) fn new(tools: Tools<'a>, definition: String, vertical: Option<f64>) -> Result<Self, ImportError> {
        let unknown = |why: &str| {
            let shown: String = definition.chars().take(80).collect();
            ImportError::unsupported(
                tools.path,
                format!(
                    "its coordinate system `{shown}` is not known ({why}); name the right one with --crs, for example --crs EPSG:28992"
                ),
            )
        };
        if definition.starts_with('-') || definition.contains('\n') && !definition.contains('[') {
            return Err(unknown("it is malformed"));
        }
        let described = match tools.run(Command::new("gdalsrsinfo").args(["-o", "proj4", &definition]), None) {
            Err(ImportError::Damaged { why, .. }) => return Err(unknown(&why)),
            described => String::from_utf8_lossy(&described?).into_owned(),
        };
        let words: Vec<&str> = described.split_whitespace().collect();
        let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
        if words.is_empty() {
            return Err(unknown("GDAL does not know it"));
        }
        if value("+proj=") == Some("geocent") {
            return Err(unknown("it is geocentric"));
        }
        let is_geographic = value("+proj=") == Some("longlat");
        let unit = match value("+units=") {
            Some("us-ft") => US_FOOT,
            Some("ft") => FOOT,
            _ => value("+to_meter=").and_then(|text| text.parse().ok()).filter(|v| *v > 0.0).unwrap_or(1.0),
        };
        let named = definition.split_once('+').map(|(_, code)| code);
        let own = named.map(|code| FEET.iter().find(|(name, _)| *name == code).map_or(1.0, |feet| feet.1));
        let vertical = match value("+vunits=") {
            _ if vertical.is_some() => vertical,
            Some("us-ft") => Some(US_FOOT),
            Some("ft") => Some(FOOT),
            _ => own,
        };
        // Where nothing is said of heights, they are in the unit of the positions.
        let vertical = vertical.unwrap_or(if is_geographic { 1.0 } else { unit });
        let step = if is_geographic { STEP.1 } else { STEP.0 / unit };
        Ok(Self { tools, definition, step, unit: (!is_geographic).then_some(unit), vertical, blocks: BTreeMap::new() })
    }

    /// Meters per unit of positions; `None` where they are degrees.
    pub(crate) fn unit(&self) -> Option<f64> {
        self.unit
    }

    /// Meters per unit of heights.
    pub(crate) fn vertical(&self) -> f64 {
        self.vertical
    }

    /// Longitude and latitude of a position.
    pub(crate) fn degrees(&mut self, [x, y]: [f64; 2]) -> Result<[f64; 2], ImportError> {
        let side = self.step * BLOCK as f64;
        let key = [x, y].map(|v| (v / side).floor() as i64);
        if !self.blocks.contains_key(&key) {
            let block = self.compute(key)?;
            self.blocks.insert(key, block);
        }
        let block = &self.blocks[&key];
        let [fx, fy] = [(x, key[0]), (y, key[1])].map(|(v, k)| (v - k as f64 * side) / self.step);
        let cell = |f: f64| (f.floor() as usize).min(BLOCK as usize - 1);
        let (i, j) = (cell(fx), cell(fy));
        let (u, v) = (fx - i as f64, fy - j as f64);
        let at = |i: usize, j: usize| block[j * (BLOCK as usize + 1) + i];
        let mixed = [0, 1].map(|axis| {
            let south = at(i, j)[axis] * (1.0 - u) + at(i + 1, j)[axis] * u;
            let north = at(i, j + 1)[axis] * (1.0 - u) + at(i + 1, j + 1)[axis] * u;
            south * (1.0 - v) + north * v
        });
        Ok(mixed)
    }

    /// The position of a longitude and latitude, near a known position.
    pub(crate) fn position(&mut self, wanted: [f64; 2], near: [f64; 2]) -> Result<[f64; 2], ImportError> {
        let mut at = near;
        for _ in 0..6 {
            let frame = LocalFrame::new(GeoPoint { lat: wanted[1], lon: wanted[0] });
            let h = self.step / 4.0;
            let [o, e, n] = [at, [at[0] + h, at[1]], [at[0], at[1] + h]].map(|p| self.degrees(p));
            let [o, e, n] = [o?, e?, n?].map(|p| frame.local(p[0], p[1]));
            // Solve the linear map of the cell for the wanted point, which is the frame's origin.
            let (a, b, c, d) = ((e[0] - o[0]) / h, (n[0] - o[0]) / h, (e[1] - o[1]) / h, (n[1] - o[1]) / h);
            let det = a * d - b * c;
            if det == 0.0 || !det.is_finite() {
                break;
            }
            at = [at[0] + (-o[0] * d + b * o[1]) / det, at[1] + (-a * o[1] + c * o[0]) / det];
        }
        Ok(at)
    }

    /// The control points of a block.
    fn compute(&self, key: [i64; 2]) -> Result<Vec<[f64; 2]>, ImportError> {
        let side = self.step * BLOCK as f64;
        let outside = || {
            let [x, y] = key.map(|k| (k as f64 + 0.5) * side);
            let shown: String = self.definition.chars().take(80).collect();
            ImportError::unsupported(
                self.tools.path,
                format!(
                    "its position {x:.0} {y:.0} lies outside of its coordinate system `{shown}`; name the right one with --crs, for \
                     example --crs EPSG:28992"
                ),
            )
        };
        if self.blocks.len() >= MOST_BLOCKS {
            return Err(ImportError::unsupported(
                self.tools.path,
                "its positions are spread too far apart; cut it".into(),
            ));
        }
        if key.iter().any(|k| k.unsigned_abs() > 1 << 40) {
            return Err(outside());
        }
        let mut text = String::new();
        for j in 0..=BLOCK {
            for i in 0..=BLOCK {
                let at = |k: i64, n: i64| k as f64 * side + n as f64 * self.step;
                text.push_str(&format!("{} {}\n", at(key[0], i), at(key[1], j)));
            }
        }
        let input = self.tools.folder.join("control-points");
        fs::write(&input, text).map_err(|e| ImportError::io(&input, e))?;
        let mut command = Command::new("gdaltransform");
        command.args(["-output_xy", "-s_srs", &self.definition, "-t_srs", "EPSG:4326"]);
        let said = match self.tools.run(&mut command, Some(&input)) {
            Err(ImportError::Damaged { .. }) => return Err(outside()),
            said => String::from_utf8_lossy(&said?).into_owned(),
        };
        let point = |line: &str| {
            let mut numbers = line.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
            Some([numbers.next()?, numbers.next()?]).filter(|[lon, lat]| lon.abs() <= 180.0 && lat.abs() <= 90.0)
        };
        let points: Option<Vec<[f64; 2]>> = said.lines().map(point).collect();
        let expected = ((BLOCK + 1) * (BLOCK + 1)) as usize;
        points.filter(|points| points.len() == expected).ok_or_else(outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_system_is_recognized_however_it_is_written() {
        for (text, code) in [
            ("https://www.opengis.net/def/crs/EPSG/0/7415", "EPSG:7415"),
            ("urn:ogc:def:crs:EPSG::6697", "EPSG:6697"),
            ("urn:ogc:def:crs:EPSG:6.12:3068", "EPSG:3068"),
            ("urn:ogc:def:crs,crs:EPSG::25833,crs:EPSG::5783", "EPSG:25833+5783"),
            ("http://www.opengis.net/gml/srs/epsg.xml#25832", "EPSG:25832"),
            ("epsg:2263+6360", "EPSG:2263+6360"),
            ("urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH", "EPSG:25832"),
        ] {
            assert_eq!(normalized(text), code, "{text}");
        }
        assert_eq!(normalized(" PROJCS[\"a\",AUTHORITY[\"EPSG\",\"1\"]]"), "PROJCS[\"a\",AUTHORITY[\"EPSG\",\"1\"]]");
    }

    #[test]
    fn positions_are_those_of_proj_within_centimeters_and_lead_back() {
        if Command::new("gdaltransform").arg("--version").output().is_err() {
            eprintln!("positions_are_those_of_proj: not run, because GDAL's tools are not installed");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let options = crate::ImportOptions::new(folder.path());
        let tools = Tools { path: folder.path(), folder: folder.path(), options: &options };
        // As PROJ transforms them.
        for (crs, at, degrees, vertical) in [
            ("EPSG:28992", [84_510.0, 447_012.0], [4.360_545_4, 52.006_994_9], 1.0),
            ("EPSG:2056", [2_600_123.0, 1_200_045.0], [7.440_248_2, 46.951_487_6], 1.0),
            ("EPSG:27700", [400_000.0, 300_000.0], [-2.001_433_1, 52.597_792_4], 1.0),
            ("EPSG:31256", [2_000.0, 340_000.0], [16.359_038_8, 48.198_406_9], 1.0),
            ("EPSG:2263", [980_000.0, 200_000.0], [-74.015_331_0, 40.715_629_5], US_FOOT),
            ("EPSG:2263+5703", [980_000.0, 200_000.0], [-74.015_331_0, 40.715_629_5], 1.0),
        ] {
            let mut projection = Projection::new(tools, crs.to_owned(), None).unwrap();
            assert!((projection.vertical() - vertical).abs() < 1e-9, "{crs}: {}", projection.vertical());
            let found = projection.degrees(at).unwrap();
            let off = aerie_geodata::geodesy::distance(found, degrees);
            assert!(off < 0.05, "{crs}: {found:?} is {off} m off");
            let back = projection.position(found, [at[0] + 900.0, at[1] - 700.0]).unwrap();
            assert!((back[0] - at[0]).hypot(back[1] - at[1]) < 0.01, "{crs}: {back:?}");
        }
        let wrong = Projection::new(tools, "EPSG:999999".to_owned(), None);
        assert!(wrong.is_err_and(|e| e.to_string().contains("--crs")));
    }
}
