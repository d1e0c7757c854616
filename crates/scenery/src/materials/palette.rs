//! Colors and coverings: tagged ones where the map has them, else those typical of the kind of building and the region.

use aerie_geodata::place::{Building, BuildingKind, RoofShape};

use crate::region::Region;
use aerie_math::Rng;

type Srgb = [u8; 3];

/// Wall patterns, as the wall shader numbers them.
const PLAIN: u8 = 0;
const COURSES: u8 = 1;
const BOARDS: u8 = 2;
const SHEETS: u8 = 3;

/// Neutral plaster, used for the property where the map has nothing.
const PALE: [Srgb; 8] = [
    [218, 213, 203],
    [211, 205, 191],
    [222, 219, 212],
    [210, 202, 186],
    [205, 205, 201],
    [219, 209, 188],
    [196, 190, 180],
    [216, 219, 216],
];
const PLASTER: [Srgb; 20] = [
    [218, 213, 203],
    [211, 205, 191],
    [222, 219, 212],
    [210, 202, 186],
    [214, 202, 175],
    [205, 205, 201],
    [219, 209, 188],
    [216, 219, 216],
    [196, 190, 180],
    [214, 196, 164],
    [220, 198, 142],
    [212, 178, 138],
    [222, 206, 160],
    [186, 192, 164],
    [206, 176, 160],
    [178, 186, 190],
    [188, 142, 112],
    [203, 184, 158],
    [188, 176, 160],
    [168, 160, 148],
];
const ALPINE: [Srgb; 10] = [
    [220, 216, 206],
    [214, 208, 194],
    [222, 214, 190],
    [218, 200, 158],
    [208, 186, 152],
    [204, 204, 198],
    [186, 180, 168],
    [222, 206, 176],
    [196, 168, 140],
    [180, 184, 176],
];
const SOUTHERN: [Srgb; 8] = [
    [222, 198, 160],
    [214, 180, 136],
    [226, 212, 188],
    [206, 164, 124],
    [228, 220, 204],
    [212, 172, 146],
    [218, 190, 128],
    [198, 178, 150],
];
const TOWN: [Srgb; 12] = [
    [205, 190, 160],
    [196, 178, 146],
    [214, 204, 184],
    [186, 168, 150],
    [200, 186, 168],
    [178, 172, 162],
    [211, 196, 170],
    [190, 160, 134],
    [208, 191, 150],
    [176, 182, 164],
    [198, 158, 134],
    [170, 148, 132],
];
const BRICK: [Srgb; 5] = [[142, 84, 66], [128, 78, 62], [156, 100, 76], [118, 70, 56], [164, 118, 88]];
const WOOD: [Srgb; 4] = [[116, 84, 58], [98, 74, 54], [132, 104, 78], [104, 92, 80]];
/// Painted boards, in northern Europe and North America.
const PAINTED: [Srgb; 7] =
    [[122, 50, 40], [128, 56, 42], [200, 176, 116], [206, 204, 196], [130, 138, 142], [98, 112, 112], [176, 166, 148]];
const SIDING: [Srgb; 8] = [
    [200, 202, 198],
    [178, 186, 188],
    [206, 198, 178],
    [160, 168, 158],
    [150, 132, 112],
    [188, 178, 162],
    [142, 150, 158],
    [212, 210, 202],
];
const METAL: [Srgb; 4] = [[176, 180, 182], [158, 164, 168], [196, 196, 190], [140, 148, 156]];
const CONCRETE: [Srgb; 3] = [[176, 172, 166], [190, 186, 178], [160, 158, 154]];
const GARAGE: [Srgb; 5] = [[188, 182, 170], [168, 163, 154], [196, 190, 178], [150, 124, 98], [176, 176, 172]];
pub(super) const SHUTTER: [Srgb; 6] =
    [[74, 92, 74], [92, 66, 50], [70, 80, 92], [110, 50, 44], [92, 96, 90], [120, 104, 84]];
const TILES: [Srgb; 8] = [
    [142, 88, 70],
    [130, 82, 68],
    [116, 78, 68],
    [150, 98, 78],
    [108, 78, 68],
    [98, 82, 74],
    [126, 92, 78],
    [138, 94, 74],
];
const PALE_TILES: [Srgb; 4] = [[176, 124, 92], [186, 140, 106], [162, 112, 84], [170, 132, 104]];
const BROWN_TILES: [Srgb; 5] = [[104, 78, 66], [92, 76, 68], [120, 84, 68], [84, 74, 70], [128, 92, 74]];
const SLATES: [Srgb; 4] = [[82, 84, 88], [72, 72, 74], [94, 90, 88], [66, 70, 76]];
const SHINGLES: [Srgb; 5] = [[96, 94, 92], [82, 78, 76], [110, 100, 90], [74, 74, 78], [122, 114, 104]];
const PAINTED_SHEETS: [Srgb; 4] = [[62, 62, 64], [98, 48, 42], [84, 88, 88], [52, 54, 58]];
const MEMBRANE: [Srgb; 9] = [
    [124, 122, 117],
    [108, 107, 104],
    [138, 134, 126],
    [92, 92, 91],
    [116, 111, 102],
    [152, 147, 137],
    [82, 82, 84],
    [131, 122, 110],
    [144, 143, 140],
];
const DARK_MEMBRANE: [Srgb; 4] = [[108, 107, 104], [92, 92, 91], [82, 82, 84], [104, 98, 90]];

/// Color and pattern of a building's walls; plain for the property where the map has nothing.
pub(super) fn wall(building: &Building, is_property: bool, region: Region, rng: &mut Rng) -> (Srgb, u8) {
    let by_kind = match building.kind {
        BuildingKind::Industrial => (rng.pick(&METAL), SHEETS),
        BuildingKind::Farm | BuildingKind::Shed => (rng.pick(&WOOD), BOARDS),
        BuildingKind::Church | BuildingKind::Public => {
            (rng.pick(&[[222, 216, 202], [206, 198, 180], [214, 210, 200]]), PLAIN)
        }
        BuildingKind::Garage | BuildingKind::Canopy => (rng.pick(&GARAGE), PLAIN),
        BuildingKind::Greenhouse => ([198, 208, 206], SHEETS),
        _ if is_property => (rng.pick(&PALE), PLAIN),
        BuildingKind::Apartments | BuildingKind::Retail | BuildingKind::Office => match (region, rng.unit_f32()) {
            (Region::Brick, u) if u < 0.5 => (rng.pick(&BRICK), COURSES),
            (Region::American, u) if u < 0.35 => (rng.pick(&BRICK), COURSES),
            (Region::Southern, _) => (rng.pick(&SOUTHERN), PLAIN),
            _ => (rng.pick(&TOWN), PLAIN),
        },
        BuildingKind::House | BuildingKind::Terrace => match (region, rng.unit_f32()) {
            (Region::Brick, u) if u < 0.62 => (rng.pick(&BRICK), COURSES),
            (Region::Alpine, u) if u < 0.16 => (rng.pick(&WOOD), BOARDS),
            (Region::Alpine, _) => (rng.pick(&ALPINE), PLAIN),
            (Region::Northern, u) if u < 0.75 => (rng.pick(&PAINTED), BOARDS),
            (Region::American, u) if u < 0.18 => (rng.pick(&BRICK), COURSES),
            (Region::American, _) => (rng.pick(&SIDING), BOARDS),
            (Region::Southern, _) => (rng.pick(&SOUTHERN), PLAIN),
            _ => (rng.pick(&PLASTER), PLAIN),
        },
    };
    match building.wall_material.as_deref() {
        Some("brick") => (rng.pick(&BRICK), COURSES),
        Some("wood") => (rng.pick(&WOOD), BOARDS),
        Some("metal") => (rng.pick(&METAL), SHEETS),
        Some("concrete") => (rng.pick(&CONCRETE), PLAIN),
        Some("stone") => ([168, 158, 142], PLAIN),
        Some("glass") => ([120, 132, 140], PLAIN),
        _ => by_kind,
    }
}

/// Share of houses with shutters.
pub(super) fn shuttered(region: Region) -> f32 {
    match region {
        Region::Northern | Region::Brick => 0.0,
        Region::American => 0.25,
        Region::Plastered => 0.34,
        Region::Alpine => 0.52,
        Region::Southern => 0.66,
    }
}

/// Color and covering (0 tiles, 1 slates, 2 seams, 3 flat) of a roof.
pub(super) fn roof(building: &Building, area: f64, region: Region, rng: &mut Rng) -> (Srgb, u8) {
    let flat = building.roof == RoofShape::Flat
        || (building.roof == RoofShape::Skillion && building.ridge - building.eaves < 0.8);
    let small = matches!(building.kind, BuildingKind::Garage | BuildingKind::Shed);
    let by_kind = match building.kind {
        _ if flat && small => (rng.pick(&DARK_MEMBRANE), 3),
        _ if flat => (rng.pick(&MEMBRANE), 3),
        BuildingKind::Industrial | BuildingKind::Greenhouse => (rng.pick(&METAL), 2),
        BuildingKind::Church => (rng.pick(&SLATES), 1),
        _ if area > 900.0 => (rng.pick(&SLATES), 2),
        _ => match (region, rng.unit_f32()) {
            (Region::American, _) => (rng.pick(&SHINGLES), 1),
            (Region::Northern, u) if u < 0.45 => (rng.pick(&PAINTED_SHEETS), 2),
            (Region::Northern, _) => (rng.pick(&BROWN_TILES), 0),
            (Region::Southern, _) => (rng.pick(&PALE_TILES), 0),
            (Region::Alpine, u) if u < 0.26 => (rng.pick(&SLATES), 1),
            (Region::Alpine, u) if u < 0.70 => (rng.pick(&BROWN_TILES), 0),
            (Region::Brick, u) if u < 0.34 => (rng.pick(&SLATES), 1),
            (_, u) if u < 0.24 => (rng.pick(&SLATES), 1),
            (_, u) if u < 0.44 => (rng.pick(&BROWN_TILES), 0),
            _ => (rng.pick(&TILES), 0),
        },
    };
    let (srgb, covering) = match building.roof_material.as_deref() {
        Some("roof_tiles" | "tile" | "tiles") => (rng.pick(&TILES), 0),
        Some("slate") => (rng.pick(&SLATES), 1),
        Some("metal" | "zinc" | "tin") => (rng.pick(&METAL), 2),
        Some("copper") => ([104, 142, 122], 2),
        Some("grass") => ([96, 108, 66], 3),
        Some("tar_paper" | "gravel" | "concrete" | "bitumen") => (rng.pick(&MEMBRANE), 3),
        _ => by_kind,
    };
    (building.roof_color.unwrap_or(srgb), covering)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::building;

    fn house(id: usize) -> Building {
        building(&format!("way/{id}"), BuildingKind::House, vec![[0.0, 0.0], [9.0, 0.0], [9.0, 8.0], [0.0, 8.0]])
    }

    #[test]
    fn houses_differ_by_region_and_an_untagged_property_is_plain_everywhere() {
        let count = |region: Region, own: bool, pattern: u8| {
            let walls = (0..200).map(|id| wall(&house(id), own, region, &mut Rng::from_name(&house(id).id)).1);
            walls.filter(|p| *p == pattern).count()
        };
        assert_eq!(count(Region::Plastered, false, COURSES), 0);
        assert!((90..160).contains(&count(Region::Brick, false, COURSES)));
        assert!(count(Region::Northern, false, BOARDS) > 110 && count(Region::Alpine, false, BOARDS) < 60);
        for region in
            [Region::Plastered, Region::Alpine, Region::Brick, Region::Northern, Region::Southern, Region::American]
        {
            assert_eq!(count(region, true, PLAIN), 200);
        }
        let mut tagged = house(1);
        tagged.wall_material = Some("brick".into());
        assert_eq!(wall(&tagged, true, Region::Alpine, &mut Rng::from_name("way/1")).1, COURSES);
    }
}
