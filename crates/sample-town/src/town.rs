//! The plan of the town: its streets, the square with church and shops, the green by the pond.

use aerie_geodata::place::{Point, Ring};

use crate::osm_file::{OsmFile, tags};
use crate::plan::*;
use crate::relief::stream_y;
use crate::{land, lots};

pub(crate) fn build() -> OsmFile {
    let mut file = OsmFile::default();
    let pond = pond();
    let streets: Vec<(&Street, Vec<Point>)> = STREETS.iter().map(|s| (s, curve(s.through, 7.0))).collect();
    let mut lines: Vec<Vec<Point>> = streets.iter().map(|s| s.1.clone()).collect();
    for (street, line) in &streets {
        let mut list = tags([
            ("highway", street.highway),
            ("name", street.name),
            ("width", street.width),
            ("surface", "asphalt"),
            ("sidewalk", "both"),
        ]);
        list.push(("lit", "yes".into()));
        for (line, bridge) in split_at_stream(line) {
            let mut list = list.clone();
            if bridge {
                list.extend(tags([("bridge", "yes"), ("layer", "1")]));
            }
            file.line(&line, list);
        }
    }
    for (highway, name, through) in ROADS {
        let line = curve(through, 14.0);
        let mut list = tags([("highway", highway)]);
        if *highway == "tertiary" {
            list.extend(tags([("name", name), ("width", "6.5"), ("surface", "asphalt")]));
        } else {
            list.push(("tracktype", "grade2".into()));
        }
        file.line(&line, list);
        lines.push(line);
    }
    for through in FOOTPATHS {
        let line = curve(through, 7.0);
        file.line(&line, tags([("highway", "footway"), ("surface", "fine_gravel"), ("width", "2")]));
        lines.push(line);
    }
    let reserved: Vec<Ring> =
        [SQUARE, CHURCHYARD, GREEN, SCHOOL, PITCH].iter().map(|r| r.to_vec()).chain([pond.clone()]).collect();
    center(&mut file);
    let mut site = lots::Site::new(lines, reserved);
    for (street, line) in &streets {
        site.build_along(&mut file, street, line);
    }
    land::lay_out(&mut file, &site, &pond);
    file.node([0.0, 0.0], tags([("place", "village"), ("name", TOWN), ("postal_code", POSTCODE)]));
    file
}

/// The square, the church in its yard, the school, the green with its playground, the pitch.
fn center(file: &mut OsmFile) {
    file.ring(
        SQUARE,
        tags([("highway", "pedestrian"), ("area", "yes"), ("name", "Market Square"), ("surface", "sett")]),
    );
    for (x, y) in [
        (-36.0, 30.0),
        (-18.0, 31.0),
        (0.0, 31.0),
        (18.0, 30.0),
        (36.0, 29.0),
        (52.0, 28.0),
        (-38.0, -8.0),
        (52.0, -8.0),
    ] {
        file.node(
            [x, y],
            tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("height", "9"), ("diameter_crown", "7")]),
        );
    }
    file.ring(CHURCHYARD, tags([("landuse", "cemetery"), ("name", "St Aldhelm's Churchyard")]));
    let mut wall = CHURCHYARD.to_vec();
    wall.push(CHURCHYARD[0]);
    file.line(&wall, tags([("barrier", "wall"), ("height", "1.2")]));
    // Nave, choir and tower; the outline contains them all.
    let outline = [
        [-30.0, 84.0],
        [-30.0, 81.0],
        [-21.0, 81.0],
        [-21.0, 79.0],
        [14.0, 79.0],
        [14.0, 83.0],
        [25.0, 83.0],
        [25.0, 93.0],
        [14.0, 93.0],
        [14.0, 97.0],
        [-21.0, 97.0],
        [-21.0, 92.0],
        [-30.0, 92.0],
    ];
    file.ring(
        &outline,
        tags([
            ("building", "church"),
            ("name", "St Aldhelm's"),
            ("amenity", "place_of_worship"),
            ("building:material", "stone"),
        ]),
    );
    let part = |file: &mut OsmFile, ring: &[Point], height: &str, roof: &str, roof_height: &str| {
        file.ring(
            ring,
            tags([
                ("building:part", "church"),
                ("height", height),
                ("roof:shape", roof),
                ("roof:height", roof_height),
                ("roof:material", "slate"),
                ("building:material", "stone"),
                ("building:colour", "#c9c0ae"),
                ("roof:colour", "#5d6168"),
            ]),
        );
    };
    part(file, &[[-21.0, 79.0], [14.0, 79.0], [14.0, 97.0], [-21.0, 97.0]], "17", "gabled", "8.5");
    part(file, &[[14.0, 83.0], [25.0, 83.0], [25.0, 93.0], [14.0, 93.0]], "11.5", "hipped", "5");
    part(file, &[[-30.0, 81.0], [-21.0, 81.0], [-21.0, 92.0], [-30.0, 92.0]], "37", "pyramidal", "15");
    for (x, y) in [
        (-48.0, 74.0),
        (-52.0, 100.0),
        (-30.0, 122.0),
        (0.0, 120.0),
        (30.0, 116.0),
        (48.0, 100.0),
        (50.0, 66.0),
        (-10.0, 62.0),
    ] {
        file.node(
            [x, y],
            tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("height", "13"), ("diameter_crown", "9")]),
        );
    }
    file.ring(SCHOOL, tags([("landuse", "grass")]));
    file.ring(
        &[[160.0, 90.0], [212.0, 94.0], [211.0, 110.0], [178.0, 107.5], [176.0, 140.0], [158.0, 138.6]],
        tags([
            ("building", "school"),
            ("name", "Vale School"),
            ("building:levels", "2"),
            ("roof:shape", "hipped"),
            ("roof:colour", "#8f4a36"),
            ("building:colour", "#ddd3bd"),
        ]),
    );
    file.ring(
        &[[186.0, 116.0], [214.0, 118.0], [212.0, 146.0], [184.0, 144.0]],
        tags([("amenity", "parking"), ("surface", "asphalt")]),
    );
    file.ring(&[[196.0, 160.0], [226.0, 164.0], [222.0, 190.0], [192.0, 186.0]], tags([("leisure", "playground")]));
    file.ring(GREEN, tags([("leisure", "park"), ("name", "Pond Green")]));
    file.ring(&[[-505.0, -62.0], [-482.0, -64.0], [-480.0, -84.0], [-503.0, -82.0]], tags([("leisure", "playground")]));
    file.ring(PITCH, tags([("leisure", "pitch"), ("sport", "soccer"), ("surface", "grass")]));
    file.ring(
        &[[752.0, 120.0], [776.0, 122.0], [772.0, 176.0], [748.0, 174.0]],
        tags([("amenity", "parking"), ("surface", "asphalt")]),
    );
    file.ring(
        &[[612.0, 116.0], [628.0, 117.0], [626.5, 139.0], [610.5, 138.0]],
        tags([
            ("building", "civic"),
            ("name", "Vale Football Club"),
            ("building:levels", "1"),
            ("roof:shape", "gabled"),
        ]),
    );
}

/// The pond in the green, fed by the stream.
fn pond() -> Ring {
    (0..28)
        .map(|i| {
            let a = f64::from(i) / 28.0 * std::f64::consts::TAU;
            let wobble = 1.0 + 0.12 * (a * 3.0 + 0.6).sin() + 0.06 * (a * 5.0).cos();
            [-425.0 + 46.0 * wobble * a.cos(), -118.0 + 27.0 * wobble * a.sin()]
        })
        .collect()
}

/// Splits a street where it crosses the stream, so that the crossing is a separate bridge.
fn split_at_stream(line: &[Point]) -> Vec<(Vec<Point>, bool)> {
    let over = |p: &Point| p[1] > stream_y(p[0]);
    let Some(at) = line.windows(2).position(|w| over(&w[0]) != over(&w[1])) else {
        return vec![(line.to_vec(), false)];
    };
    let (from, to) = (at.saturating_sub(1), (at + 2).min(line.len() - 1));
    if from == 0 || to == line.len() - 1 {
        return vec![(line.to_vec(), false)];
    }
    vec![(line[..=from].to_vec(), false), (line[from..=to].to_vec(), true), (line[to..].to_vec(), false)]
}
