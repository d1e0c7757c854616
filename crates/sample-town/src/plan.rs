//! The plan of the town: streets, squares and edges in local meters.

use aerie_geodata::place::{GeoPoint, Point};
use aerie_math::geometry;

/// The market square.
pub(crate) const ORIGIN: GeoPoint = GeoPoint { lat: 46.55, lon: -30.45 };

pub(crate) const TOWN: &str = "Featherstone Vale";
pub(crate) const POSTCODE: &str = "10001";

/// A planned street: points that its curve passes through, and the style of its buildings.
pub(crate) struct Street {
    pub(crate) name: &'static str,
    pub(crate) highway: &'static str,
    pub(crate) width: &'static str,
    pub(crate) style: Style,
    pub(crate) through: &'static [Point],
}

const fn street(name: &'static str, style: Style, through: &'static [Point]) -> Street {
    Street { name, highway: "residential", width: "5.5", style, through }
}

pub(crate) const STREETS: &[Street] = &[
    Street {
        name: "High Street",
        highway: "tertiary",
        width: "7",
        style: Style::Core,
        through: &[
            [-560.0, 14.0],
            [-300.0, -10.0],
            [-150.0, -22.0],
            [10.0, -30.0],
            [85.0, -26.0],
            [300.0, 26.0],
            [560.0, 24.0],
        ],
    },
    Street {
        name: "Bridge Street",
        highway: "tertiary",
        width: "6.5",
        style: Style::Houses,
        through: &[[10.0, -30.0], [22.0, -110.0], [8.0, -190.0], [-30.0, -320.0], [-20.0, -480.0], [10.0, -620.0]],
    },
    Street {
        name: "Church Hill",
        highway: "tertiary",
        width: "6",
        style: Style::Houses,
        through: &[[85.0, -26.0], [92.0, 60.0], [62.0, 170.0], [0.0, 280.0], [50.0, 420.0], [60.0, 560.0]],
    },
    street(
        "Larkspur Lane",
        Style::Houses,
        &[[300.0, 26.0], [332.0, 140.0], [290.0, 250.0], [180.0, 322.0], [80.0, 316.0], [0.0, 280.0]],
    ),
    street(
        "Foxglove Crescent",
        Style::Houses,
        &[[332.0, 140.0], [450.0, 158.0], [528.0, 250.0], [478.0, 360.0], [350.0, 362.0], [290.0, 250.0]],
    ),
    street("Meadowsweet Close", Style::Houses, &[[528.0, 250.0], [610.0, 262.0], [690.0, 318.0], [705.0, 380.0]]),
    street(
        "Hawthorn Road",
        Style::Houses,
        &[[-300.0, -10.0], [-322.0, 110.0], [-270.0, 225.0], [-140.0, 292.0], [0.0, 280.0]],
    ),
    street(
        "Bramble Way",
        Style::Houses,
        &[
            [-322.0, 110.0],
            [-440.0, 122.0],
            [-548.0, 205.0],
            [-530.0, 330.0],
            [-400.0, 385.0],
            [-285.0, 345.0],
            [-270.0, 225.0],
        ],
    ),
    street("Elder Close", Style::Houses, &[[-548.0, 205.0], [-640.0, 196.0], [-722.0, 140.0], [-738.0, 80.0]]),
    street("Yarrow Lane", Style::Houses, &[[50.0, 420.0], [-70.0, 452.0], [-190.0, 420.0], [-285.0, 345.0]]),
    street(
        "Millrace Lane",
        Style::Houses,
        &[
            [-30.0, -320.0],
            [110.0, -298.0],
            [260.0, -296.0],
            [410.0, -322.0],
            [512.0, -408.0],
            [470.0, -522.0],
            [330.0, -566.0],
            [160.0, -536.0],
            [-20.0, -480.0],
        ],
    ),
    street("Wren Court", Style::Houses, &[[512.0, -408.0], [610.0, -418.0], [688.0, -372.0]]),
    street(
        "Orchard Row",
        Style::Houses,
        &[
            [-20.0, -480.0],
            [-150.0, -506.0],
            [-290.0, -470.0],
            [-352.0, -376.0],
            [-268.0, -298.0],
            [-140.0, -296.0],
            [-30.0, -320.0],
        ],
    ),
    street(
        "Tansy Lane",
        Style::Houses,
        &[[-290.0, -470.0], [-392.0, -538.0], [-520.0, -520.0], [-588.0, -440.0], [-570.0, -350.0]],
    ),
    street(
        "Poplar Avenue",
        Style::Apartments,
        &[[560.0, 24.0], [600.0, -52.0], [700.0, -92.0], [812.0, -60.0], [872.0, 40.0], [880.0, 96.0]],
    ),
];

/// Roads out of town, without houses.
pub(crate) const ROADS: &[(&str, &str, &[Point])] = &[
    (
        "tertiary",
        "High Street",
        &[
            [560.0, 24.0],
            [720.0, 60.0],
            [880.0, 96.0],
            [1_240.0, 70.0],
            [1_700.0, 190.0],
            [2_400.0, 160.0],
            [3_600.0, 420.0],
        ],
    ),
    (
        "tertiary",
        "High Street",
        &[[-560.0, 14.0], [-820.0, -20.0], [-1_200.0, 60.0], [-1_700.0, 20.0], [-2_500.0, 240.0], [-3_600.0, 180.0]],
    ),
    (
        "tertiary",
        "Bridge Street",
        &[[10.0, -620.0], [60.0, -860.0], [-40.0, -1_200.0], [60.0, -1_700.0], [-120.0, -2_500.0], [40.0, -3_600.0]],
    ),
    (
        "tertiary",
        "Church Hill",
        &[[60.0, 560.0], [20.0, 800.0], [140.0, 1_150.0], [60.0, 1_700.0], [240.0, 2_500.0], [120.0, 3_600.0]],
    ),
    ("track", "", &[[705.0, 380.0], [760.0, 520.0], [720.0, 760.0], [900.0, 1_000.0]]),
    ("track", "", &[[-738.0, 80.0], [-900.0, 180.0], [-1_080.0, 420.0], [-1_000.0, 700.0]]),
    ("track", "", &[[-570.0, -350.0], [-640.0, -280.0], [-860.0, -330.0], [-1_150.0, -520.0]]),
    ("track", "", &[[688.0, -372.0], [800.0, -380.0], [980.0, -520.0], [1_250.0, -560.0]]),
];

pub(crate) const FOOTPATHS: &[&[Point]] = &[
    &[[22.0, -110.0], [-90.0, -128.0], [-220.0, -150.0], [-330.0, -118.0], [-300.0, -10.0]],
    &[[22.0, -110.0], [140.0, -132.0], [300.0, -128.0], [450.0, -120.0], [600.0, -52.0]],
    &[[8.0, -210.0], [-120.0, -226.0], [-268.0, -298.0]],
    &[[8.0, -210.0], [150.0, -226.0], [260.0, -296.0]],
    &[[-140.0, 292.0], [-150.0, 360.0], [-190.0, 420.0]],
    &[[180.0, 322.0], [200.0, 430.0], [120.0, 520.0], [60.0, 560.0]],
];

/// Ground that is kept free of houses.
pub(crate) const SQUARE: &[Point] = &[[-48.0, -17.0], [66.0, -17.0], [64.0, 38.0], [-46.0, 42.0]];
pub(crate) const CHURCHYARD: &[Point] = &[[-62.0, 52.0], [66.0, 48.0], [58.0, 128.0], [-20.0, 142.0], [-66.0, 120.0]];
pub(crate) const GREEN: &[Point] =
    &[[-520.0, -40.0], [-340.0, -52.0], [-325.0, -150.0], [-420.0, -172.0], [-540.0, -156.0]];
pub(crate) const SCHOOL: &[Point] = &[[140.0, 60.0], [270.0, 66.0], [282.0, 190.0], [210.0, 240.0], [130.0, 210.0]];
pub(crate) const PITCH: &[Point] = &[[640.0, 110.0], [742.0, 118.0], [737.0, 184.0], [635.0, 176.0]];

/// Where the town ends and fields begin.
pub(crate) const EDGE: &[Point] = &[
    [-640.0, -70.0],
    [-590.0, -150.0],
    [-330.0, -155.0],
    [-100.0, -140.0],
    [150.0, -140.0],
    [420.0, -128.0],
    [640.0, -150.0],
    [860.0, -130.0],
    [930.0, 60.0],
    [900.0, 140.0],
    [770.0, 200.0],
    [770.0, 420.0],
    [640.0, 420.0],
    [540.0, 430.0],
    [400.0, 430.0],
    [250.0, 410.0],
    [140.0, 450.0],
    [120.0, 570.0],
    [-10.0, 570.0],
    [-60.0, 515.0],
    [-210.0, 490.0],
    [-330.0, 450.0],
    [-440.0, 455.0],
    [-600.0, 400.0],
    [-620.0, 270.0],
    [-790.0, 200.0],
    [-800.0, 40.0],
    [-680.0, 90.0],
];

/// The part of the town beyond the stream.
pub(crate) const SOUTH_EDGE: &[Point] = &[
    [-60.0, -230.0],
    [120.0, -230.0],
    [420.0, -250.0],
    [560.0, -340.0],
    [750.0, -320.0],
    [740.0, -440.0],
    [570.0, -480.0],
    [540.0, -580.0],
    [340.0, -640.0],
    [140.0, -610.0],
    [70.0, -640.0],
    [-60.0, -630.0],
    [-90.0, -565.0],
    [-270.0, -545.0],
    [-390.0, -605.0],
    [-560.0, -590.0],
    [-660.0, -450.0],
    [-640.0, -330.0],
    [-510.0, -330.0],
    [-430.0, -330.0],
    [-300.0, -228.0],
];

/// Style of the buildings along a street.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Detached houses in gardens.
    Houses,
    /// Shops and terraces at the sidewalk near the square, houses farther out.
    Core,
    /// Apartment buildings between trees.
    Apartments,
}

/// A smooth line through points (Catmull-Rom), sampled about every `step` meters.
pub(crate) fn curve(through: &[Point], step: f64) -> Vec<Point> {
    let last = through.len() - 1;
    let mut out = vec![through[0]];
    for i in 0..last {
        let (p0, p1, p2, p3) = (through[i.saturating_sub(1)], through[i], through[i + 1], through[(i + 2).min(last)]);
        let pieces = ((p2[0] - p1[0]).hypot(p2[1] - p1[1]) / step).ceil().max(1.0) as u32;
        for k in 1..=pieces {
            let t = f64::from(k) / f64::from(pieces);
            let (t2, t3) = (t * t, t * t * t);
            let axis = |n: usize| {
                0.5 * (2.0 * p1[n]
                    + (p2[n] - p0[n]) * t
                    + (2.0 * p0[n] - 5.0 * p1[n] + 4.0 * p2[n] - p3[n]) * t2
                    + (3.0 * p1[n] - p0[n] - 3.0 * p2[n] + p3[n]) * t3)
            };
            out.push([axis(0), axis(1)]);
        }
    }
    out
}

/// Whether a point lies within the town's edges.
pub(crate) fn in_town(p: Point) -> bool {
    geometry::ring_contains(EDGE, p) || geometry::ring_contains(SOUTH_EDGE, p)
}
