//! A [`Place`] out of the pack: features around a match, in local meters, with what the map leaves open filled in by rule.

pub(crate) mod areas;
mod buildings;
mod heights;
mod mask;
mod property;
mod sea;
pub(crate) mod shapes;
mod trees;
mod ways;

use std::collections::BTreeMap;

use crate::WorldError;
use crate::geocode::Match;
use crate::geodesy::LocalFrame;
use crate::gpkg::{self, Bounds, Geometry, Layer, Stored};
use crate::pack::Pack;
use crate::place::{GeoPoint, Place, Point, Polygon, Property, Ring};
use crate::sources::Sources;

/// Land cover reaches this many times as far as buildings.
const FAR: f64 = 2.5;
/// Terrain reaches at least this far, meters: beyond it haze hides what is missing.
const TERRAIN_REACH: f64 = 3_000.0;
/// Parcels whose bounds come this near to the address are looked at, meters.
const PARCEL_REACH: f64 = 60.0;
/// Meters between terrain samples.
const TERRAIN_SPACING: f64 = 30.0;

pub(crate) fn place(pack: &Pack, m: &Match, radius: f64, online: &Sources) -> Result<Place, WorldError> {
    let radius = radius.clamp(50.0, 5_000.0);
    let origin = GeoPoint { lat: m.lat, lon: m.lon };
    if !origin.lat.is_finite() || !origin.lon.is_finite() || origin.lat.abs() > 90.0 || origin.lon.abs() > 180.0 {
        return Err(WorldError::StaleMatch);
    }
    let around = Around { pack, frame: LocalFrame::new(origin), radius };
    let far = radius * FAR;
    let mut areas = areas::read(&around, far)?;
    let (mut ways, bare) = ways::read(&around)?;
    let waterways = ways::waterways(&around, far)?;
    let buildings = buildings::read(&around, &areas, m)?;
    ways::add_pavements(&mut ways, &bare, &buildings, &areas);
    let mut property = property::find(m, &buildings, &ways)?;
    property.parcel = around.parcel(&property)?;
    let barriers = ways::barriers(&around)?;
    let crossings = ways::crossings(&around)?;
    let reach = far.max(TERRAIN_REACH);
    let mut ground = pack.terrain().ground(&around.frame, reach, TERRAIN_SPACING, online, &pack.terrain_cache())?;
    let sea = sea::read(&around, far)?;
    ground.missed.extend(sea.lay(&mut areas, &buildings, &mut ground.terrain));
    let trees = trees::read(&around, &areas, &ways, &waterways, &buildings, &property)?;
    Ok(Place {
        origin,
        address: m.matched.clone(),
        property,
        attributions: pack.attributions(ground.credits),
        terrain: ground.terrain,
        buildings,
        ways,
        areas,
        waterways,
        trees,
        barriers,
        crossings,
        covered: pack.covered().map(|corners| corners.map(|c| around.frame.local(c.lon, c.lat))),
        radius,
        missed: ground.missed,
    })
}

/// Where features are read from, and around which point.
struct Around<'a> {
    pack: &'a Pack,
    frame: LocalFrame,
    radius: f64,
}

impl Around<'_> {
    /// Features of a layer whose bounds come within `reach` meters (in each direction).
    fn features(&self, layer: Layer, reach: f64) -> Result<Vec<Stored>, WorldError> {
        let corners =
            [[-reach, -reach], [reach, reach], [-reach, reach], [reach, -reach]].map(|p| self.frame.geographic(p));
        let mut b: Bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for [lon, lat] in corners {
            b = [b[0].min(lon), b[1].min(lat), b[2].max(lon), b[3].max(lat)];
        }
        Ok(gpkg::within(self.pack.db(), layer, b)?)
    }

    /// The smallest parcel that holds the property's building, or its address point.
    fn parcel(&self, property: &Property) -> Result<Option<Polygon>, WorldError> {
        if !gpkg::has_layer(self.pack.db(), Layer::Parcels)? {
            return Ok(None);
        }
        let middle = property.building.map(|_| shapes::centroid(&property.footprint.outer));
        let stored = self.features(Layer::Parcels, PARCEL_REACH)?;
        let parcels: Vec<Polygon> =
            stored.iter().flat_map(|s| self.polygons(&s.geometry)).filter_map(|p| tidy(&p, 0.02)).collect();
        let holding = |at: Point| {
            let all = parcels.iter().filter(|p| shapes::contains(p, at));
            all.min_by(|a, b| shapes::signed_area(&a.outer).total_cmp(&shapes::signed_area(&b.outer)))
        };
        Ok(middle.and_then(holding).or_else(|| holding(property.point)).cloned())
    }

    fn line(&self, line: &[[f64; 2]]) -> Vec<Point> {
        line.iter().map(|p| self.frame.local(p[0], p[1])).collect()
    }

    /// Polygons of a geometry in local meters, as mapped.
    fn polygons(&self, geometry: &Geometry) -> Vec<Polygon> {
        let Geometry::Polygons(polygons) = geometry else { return Vec::new() };
        polygons
            .iter()
            .filter_map(|rings| {
                let mut rings = rings.iter().map(|r| self.line(r));
                Some(Polygon { outer: rings.next()?, holes: rings.collect() })
            })
            .collect()
    }
}

/// Tags of a stored feature.
type Tags = BTreeMap<String, String>;

fn tag<'a>(tags: &'a Tags, key: &str) -> Option<&'a str> {
    tags.get(key).map(String::as_str)
}

/// A length in meters: `12`, `12.5 m`, `12,5`, `39'`, `39 ft`, `6'4"`.
fn meters(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    let number = |s: &str| s.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    if let Some((feet, inches)) = text.split_once('\'') {
        let inches = inches.trim().trim_end_matches('"');
        let inches = if inches.is_empty() { 0.0 } else { number(inches)? };
        return Some(number(feet)? * 0.3048 + inches * 0.0254);
    }
    if let Some(feet) = text.strip_suffix("ft") {
        return Some(number(feet)? * 0.3048);
    }
    number(text.strip_suffix('m').unwrap_or(&text))
}

/// A color as `#rrggbb`, `#rgb` or one of the names that mappers use, as sRGB.
fn color(text: &str) -> Option<[u8; 3]> {
    let text = text.trim().to_ascii_lowercase();
    if let Some(hex) = text.strip_prefix('#').filter(|h| h.is_ascii()) {
        let byte = |s: &str| u8::from_str_radix(s, 16).ok();
        return match hex.len() {
            6 => Some([byte(&hex[..2])?, byte(&hex[2..4])?, byte(&hex[4..])?]),
            3 => Some([byte(&hex[..1])? * 17, byte(&hex[1..2])? * 17, byte(&hex[2..])? * 17]),
            _ => None,
        };
    }
    Some(match text.replace(['_', ' '], "").as_str() {
        "white" => [245, 245, 240],
        "black" => [40, 40, 40],
        "grey" | "gray" => [128, 128, 128],
        "lightgrey" | "lightgray" | "silver" => [200, 200, 200],
        "darkgrey" | "darkgray" => [90, 90, 90],
        "red" => [170, 60, 45],
        "darkred" | "maroon" => [120, 40, 35],
        "brown" => [120, 85, 60],
        "lightbrown" | "tan" => [190, 160, 120],
        "beige" | "cream" => [235, 222, 195],
        "yellow" => [230, 205, 120],
        "lightyellow" => [245, 235, 190],
        "orange" => [205, 130, 80],
        "green" => [90, 125, 85],
        "lightgreen" => [170, 200, 160],
        "darkgreen" => [50, 85, 55],
        "blue" => [95, 125, 165],
        "lightblue" => [175, 200, 220],
        "pink" => [225, 180, 175],
        "salmon" => [225, 160, 135],
        _ => return None,
    })
}

/// A direction in radians clockwise from north: degrees or a point of the compass.
fn bearing(text: &str) -> Option<f64> {
    const COMPASS: [&str; 16] =
        ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
    let text = text.trim().to_ascii_uppercase();
    let degrees = match COMPASS.iter().position(|c| *c == text) {
        Some(at) => at as f64 * 22.5,
        None => text.trim_end_matches('°').parse().ok().filter(|d: &f64| d.is_finite())?,
    };
    Some(degrees.rem_euclid(360.0).to_radians())
}

/// A footprint without repeated and needless points, turned as a [`Polygon`] must be; none where nothing is left or a
/// ring crosses itself.
fn tidy(polygon: &Polygon, tolerance: f64) -> Option<Polygon> {
    let ring = |ring: &Ring, left: bool| {
        let mut out = without_needless(ring, tolerance)?;
        if (shapes::signed_area(&out) > 0.0) != left {
            out.reverse();
        }
        (!crosses_itself(&out)).then_some(out)
    };
    let outer = ring(&polygon.outer, true)?;
    let holes =
        polygon.holes.iter().filter_map(|h| ring(h, false)).filter(|h| shapes::signed_area(h).abs() > 0.5).collect();
    Some(Polygon { outer, holes })
}

fn without_needless(ring: &Ring, tolerance: f64) -> Option<Ring> {
    let mut out = ring.clone();
    loop {
        let n = out.len();
        if n < 3 {
            return None;
        }
        let needless = (0..n).find(|&i| {
            let (a, p, b) = (out[(i + n - 1) % n], out[i], out[(i + 1) % n]);
            let off = shapes::nearest_on_segment(a, b, p).1;
            (p[0] - a[0]).hypot(p[1] - a[1]) < tolerance || off < tolerance
        });
        match needless {
            Some(i) => out.remove(i),
            None => return Some(out),
        };
    }
}

fn crosses_itself(ring: &Ring) -> bool {
    let n = ring.len();
    let side = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    (0..n).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        (i + 2..n).filter(|j| (j + 1) % n != i).any(|j| {
            let (c, d) = (ring[j], ring[(j + 1) % n]);
            side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_in_the_ways_that_mappers_write_them() {
        for (text, want) in
            [("12", 12.0), ("12.5 m", 12.5), ("12,5", 12.5), ("10'", 3.048), ("6'6\"", 1.9812), ("10 ft", 3.048)]
        {
            assert!((meters(text).unwrap() - want).abs() < 1e-9, "{text}");
        }
        for text in ["", "high", "inf", "~12"] {
            assert_eq!(meters(text), None, "{text}");
        }
    }

    #[test]
    fn needless_points_go_and_crossing_rings_are_refused() {
        let square = vec![[0.0, 0.0], [5.0, 0.0], [10.0, 0.01], [10.0, 10.0], [10.0, 10.0], [0.0, 10.0]];
        let tidied = tidy(&Polygon { outer: square, holes: vec![] }, 0.05).unwrap();
        assert_eq!(tidied.outer.len(), 4);
        let bow = vec![[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 9.0]];
        assert!(tidy(&Polygon { outer: bow, holes: vec![] }, 0.05).is_none());
    }
}
