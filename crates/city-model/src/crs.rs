//! Names of coordinate systems: EPSG codes and the order of the axes.

/// EPSG codes of geographic systems in use for city models, two- and three-dimensional and compound. All have the latitude first.
const GEOGRAPHIC: [u32; 26] = [
    4171, 4258, 4269, 4275, 4283, 4312, 4314, 4326, 4490, 4612, 4674, 4937, 4939, 4955, 4965, 4979, 6318, 6319, 6667,
    6668, 6697, 7423, 7843, 7844, 9000, 9518,
];

/// Order and kind of the first two axes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Axes {
    /// East and north, in a unit of length.
    #[default]
    Projected,
    /// Latitude and longitude.
    LatitudeFirst,
    /// Longitude and latitude.
    LongitudeFirst,
}

/// Axes of a system by its name.
pub(crate) fn axes(name: &str) -> Axes {
    if name.to_ascii_uppercase().contains("CRS84") {
        return Axes::LongitudeFirst;
    }
    match epsg(name) {
        Some(code) if GEOGRAPHIC.contains(&code) => Axes::LatitudeFirst,
        _ => Axes::Projected,
    }
}

/// EPSG code in "EPSG:7415", "urn:ogc:def:crs:EPSG::7415", "https://www.opengis.net/def/crs/EPSG/0/7415",
/// "http://www.opengis.net/gml/srs/epsg.xml#7415" and the names of the German surveying authorities ("urn:adv:crs:ETRS89_UTM32*…").
/// Of a compound name, the first part.
pub(crate) fn epsg(name: &str) -> Option<u32> {
    let upper = name.to_ascii_uppercase();
    if let Some(at) = upper.find("ETRS89_UTM") {
        let zone: u32 = upper.get(at + 10..at + 12)?.parse().ok()?;
        return (28..=38).contains(&zone).then_some(25800 + zone);
    }
    let rest = &upper[upper.find("EPSG")? + 4..];
    // The version of the database may stand between the name and the code: "EPSG/0/7415", "EPSG:9.9:7415".
    let part = rest.split([',', '+', '&']).next()?.trim_start_matches(".XML").trim_start_matches([':', '/', '#']);
    let last = part.rsplit([':', '/', '#']).find(|piece| !piece.trim().is_empty())?;
    last.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epsg_codes_are_found_in_every_notation() {
        for (name, code) in [
            ("EPSG:7415", Some(7415)),
            ("epsg:25833", Some(25833)),
            ("urn:ogc:def:crs:EPSG::6697", Some(6697)),
            ("urn:ogc:def:crs:EPSG:9.9:6697", Some(6697)),
            ("https://www.opengis.net/def/crs/EPSG/0/7415", Some(7415)),
            ("http://www.opengis.net/gml/srs/epsg.xml#31467", Some(31467)),
            ("urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783", Some(25832)),
            ("urn:ogc:def:crs,crs:EPSG:6.12:3068,crs:EPSG:6.12:5783", Some(3068)),
            ("EPSG:25832+7837", Some(25832)),
            ("urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH", Some(25832)),
            ("urn:adv:crs:ETRS89_UTM", None),
            ("urn:adv:crs:ETRS89_UTMé2", None),
            ("EPSG:", None),
            ("local", None),
        ] {
            assert_eq!(epsg(name), code, "{name}");
        }
    }

    #[test]
    fn geographic_systems_have_the_latitude_first_except_crs84() {
        assert_eq!(axes("http://www.opengis.net/def/crs/EPSG/0/6697"), Axes::LatitudeFirst);
        assert_eq!(axes("urn:ogc:def:crs:EPSG::4979"), Axes::LatitudeFirst);
        assert_eq!(axes("urn:ogc:def:crs:OGC:1.3:CRS84"), Axes::LongitudeFirst);
        assert_eq!(axes("EPSG:7415"), Axes::Projected);
        assert_eq!(axes(""), Axes::Projected);
    }
}
