//! What buildings are made of: tagged colours and materials where the map has them, else muted ones of the kind.

use aerie_world::place::{Building, BuildingKind, RoofShape};

use crate::mesh::{Look, colour};
use crate::seed::Seed;

/// Materials and measures of one building's walls and roof.
pub(crate) struct Looks {
    pub(crate) wall: [u8; 3],
    wall_pattern: u8,
    accent: [u8; 3],
    seed: u8,
    pub(crate) storey_height: f64,
    window: (f64, f64),
    bay: f64,
    flags: u8,
    storeys: u8,
    /// Whether high gables have a window.
    pub(crate) attic: bool,
    /// Roof covering as the roof program takes it.
    pub(crate) roof: Look,
    pub(crate) roof_colour: [u8; 3],
}

/// Flags of `solids.wgsl`'s wall program.
mod flag {
    pub(super) const SHUTTERS: u8 = 1;
    pub(super) const MULLION: u8 = 2;
    pub(super) const SHOPFRONT: u8 = 4;
    pub(super) const PLINTH: u8 = 8;
    pub(super) const BANDS: u8 = 16;
    pub(super) const SURROUND: u8 = 32;
    pub(super) const DARK_FRAMES: u8 = 64;
}

const PLASTER: [[u8; 3]; 12] = [
    [218, 213, 203],
    [211, 205, 191],
    [222, 219, 212],
    [210, 202, 186],
    [214, 202, 175],
    [205, 205, 201],
    [214, 196, 164],
    [196, 190, 180],
    [219, 209, 188],
    [203, 184, 158],
    [216, 219, 216],
    [188, 176, 160],
];
const TOWN: [[u8; 3]; 8] = [
    [205, 190, 160],
    [196, 178, 146],
    [214, 204, 184],
    [186, 168, 150],
    [200, 186, 168],
    [178, 172, 162],
    [211, 196, 170],
    [190, 160, 134],
];
const BRICK: [[u8; 3]; 3] = [[142, 84, 66], [128, 78, 62], [156, 100, 76]];
const WOOD: [[u8; 3]; 4] = [[116, 84, 58], [98, 74, 54], [132, 104, 78], [104, 92, 80]];
const METAL: [[u8; 3]; 4] = [[176, 180, 182], [158, 164, 168], [196, 196, 190], [140, 148, 156]];
const CONCRETE: [[u8; 3]; 3] = [[176, 172, 166], [190, 186, 178], [160, 158, 154]];
const SHUTTER: [[u8; 3]; 6] = [[74, 92, 74], [92, 66, 50], [70, 80, 92], [110, 50, 44], [92, 96, 90], [120, 104, 84]];
const TILES: [[u8; 3]; 8] = [
    [142, 88, 70],
    [130, 82, 68],
    [116, 78, 68],
    [150, 98, 78],
    [108, 78, 68],
    [98, 82, 74],
    [126, 92, 78],
    [138, 94, 74],
];
const SLATES: [[u8; 3]; 4] = [[82, 84, 88], [72, 72, 74], [94, 90, 88], [66, 70, 76]];
const MEMBRANE: [[u8; 3]; 9] = [
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

impl Looks {
    /// Looks of a building; what the map does not say of the property itself is kept plain.
    pub(crate) fn of(building: &Building, area: f64, is_property: bool) -> Self {
        let mut seed = Seed::from_name(&building.id);
        let byte = (seed.next() & 255) as u8;
        let (mut wall, mut pattern) = match building.kind {
            BuildingKind::Industrial => (seed.pick(&METAL), 3),
            BuildingKind::Farm | BuildingKind::Shed => (seed.pick(&WOOD), 2),
            BuildingKind::Apartments | BuildingKind::Retail | BuildingKind::Office => (seed.pick(&TOWN), 0),
            BuildingKind::Church | BuildingKind::Public => {
                (seed.pick(&[[222, 216, 202], [206, 198, 180], [214, 210, 200]]), 0)
            }
            BuildingKind::Garage | BuildingKind::Canopy => {
                (seed.pick(&[[206, 202, 192], [190, 186, 178], [214, 212, 206]]), 0)
            }
            BuildingKind::Greenhouse => ([198, 208, 206], 3),
            BuildingKind::House | BuildingKind::Terrace => (seed.pick(&PLASTER), 0),
        };
        match building.wall_material.as_deref() {
            Some("brick") => (wall, pattern) = (seed.pick(&BRICK), 1),
            Some("wood") => (wall, pattern) = (seed.pick(&WOOD), 2),
            Some("metal") => (wall, pattern) = (seed.pick(&METAL), 3),
            Some("concrete") => (wall, pattern) = (seed.pick(&CONCRETE), 0),
            Some("stone") => (wall, pattern) = ([168, 158, 142], 0),
            Some("glass") => (wall, pattern) = ([120, 132, 140], 0),
            _ => {}
        }
        // Paint that has seen some winters.
        wall = building.wall_colour.unwrap_or(wall.map(|v| (f32::from(v) * 0.94) as u8));
        let storeys = building.storeys.clamp(1, 60) as u8;
        let storey_height = ((building.eaves - building.base) / f64::from(storeys)).clamp(2.2, 5.0);
        let accent = seed.pick(&SHUTTER);
        let shuttered = seed.unit() < 0.42 && !is_property;
        let dark = seed.unit() < 0.22;
        let (mut flags, bay, window): (u8, f64, (f64, f64)) = match building.kind {
            BuildingKind::House | BuildingKind::Terrace => (
                flag::MULLION | flag::PLINTH | if shuttered { flag::SHUTTERS } else { 0 },
                f64::from(seed.between(2.7, 3.4)),
                (f64::from(seed.between(1.05, 1.35)), 1.32),
            ),
            BuildingKind::Apartments => (flag::MULLION | flag::PLINTH | flag::SURROUND, 2.8, (1.4, 1.7)),
            BuildingKind::Retail => (flag::SHOPFRONT | flag::MULLION, 3.1, (1.4, 1.6)),
            BuildingKind::Office => (flag::BANDS, 3.0, (2.6, 1.7)),
            BuildingKind::Public => (flag::SURROUND | flag::MULLION | flag::PLINTH, 3.2, (1.35, 1.9)),
            BuildingKind::Church => (flag::SURROUND, 4.6, (1.2, 2.4)),
            BuildingKind::Industrial => (0, 6.0, (2.6, 1.1)),
            BuildingKind::Farm => (0, 4.8, (0.9, 0.8)),
            BuildingKind::Garage | BuildingKind::Shed | BuildingKind::Canopy | BuildingKind::Greenhouse => {
                (0, 0.0, (0.0, 0.0))
            }
        };
        if dark {
            flags |= flag::DARK_FRAMES;
        }
        let (roof_colour, covering) = roof_of(building, area, &mut seed);
        Self {
            wall,
            wall_pattern: pattern,
            accent,
            seed: byte,
            storey_height,
            window: (window.0, window.1.min(storey_height - 1.15)),
            bay,
            flags,
            storeys,
            attic: !is_property && matches!(building.kind, BuildingKind::House | BuildingKind::Terrace),
            roof: [colour(roof_colour, covering), colour([0; 3], byte), 0, 0],
            roof_colour,
        }
    }

    /// Look of a wall `length` metres long, and the factor by which its `u` must be stretched for whole bays.
    pub(crate) fn wall_look(&self, length: f64, door: bool, windows: bool) -> (Look, f32) {
        let fits = windows && self.bay > 0.0 && length > self.window.0 + 1.0;
        let bays = if fits { ((length / self.bay).round().max(1.0) as u32).min(255) } else { 0 };
        let coded_bay = if bays > 0 { (length / f64::from(bays) / 0.05).round().clamp(1.0, 255.0) } else { 0.0 };
        let stretch = if bays > 0 { f64::from(bays) * coded_bay * 0.05 / length } else { 1.0 };
        let door_bay = if door && bays > 0 { bays / 2 } else { 255 };
        let look = [
            colour(self.wall, self.wall_pattern),
            colour(self.accent, self.seed),
            ((self.storey_height / 0.02).round() as u32).min(255)
                | (coded_bay as u32) << 8
                | ((self.window.0 / 0.02).round() as u32).min(255) << 16
                | ((self.window.1.max(0.0) / 0.02).round() as u32).min(255) << 24,
            u32::from(self.storeys) | u32::from(self.flags) << 8 | bays << 16 | door_bay << 24,
        ];
        (look, stretch as f32)
    }
}

impl Looks {
    /// Look of a gable of a width with one window in its middle, in the storey above the eaves.
    pub(crate) fn gable_look(&self, width: f64) -> Look {
        let mut look = self.wall_look(width, false, true).0;
        let coded_bay = ((width / 0.05).round() as u32).min(255);
        look[2] = look[2] & !0xFF00 | coded_bay << 8;
        let flags = self.flags & !(flag::SHOPFRONT | flag::BANDS | flag::PLINTH);
        look[3] = u32::from(self.storeys.saturating_add(1)) | u32::from(flags) << 8 | 1 << 16 | 255 << 24;
        look
    }
}

/// Colour and covering (0 tiles, 1 slates, 2 seams, 3 flat) of a roof.
fn roof_of(building: &Building, area: f64, seed: &mut Seed) -> ([u8; 3], u8) {
    let flat = building.roof == RoofShape::Flat
        || (building.roof == RoofShape::Skillion && building.ridge - building.eaves < 0.8);
    let (mut srgb, mut covering) = if flat {
        (seed.pick(&MEMBRANE), 3)
    } else {
        match building.kind {
            BuildingKind::Industrial | BuildingKind::Greenhouse => (seed.pick(&METAL), 2),
            BuildingKind::Church => (seed.pick(&SLATES), 1),
            _ if area > 900.0 => (seed.pick(&SLATES), 2),
            _ if seed.unit() < 0.24 => (seed.pick(&SLATES), 1),
            _ => (seed.pick(&TILES), 0),
        }
    };
    match building.roof_material.as_deref() {
        Some("roof_tiles" | "tile" | "tiles") => (srgb, covering) = (seed.pick(&TILES), 0),
        Some("slate") => (srgb, covering) = (seed.pick(&SLATES), 1),
        Some("metal" | "zinc" | "tin") => (srgb, covering) = (seed.pick(&METAL), 2),
        Some("copper") => (srgb, covering) = ([104, 142, 122], 2),
        Some("grass") => (srgb, covering) = ([96, 108, 66], 3),
        Some("tar_paper" | "gravel" | "concrete" | "bitumen") => (srgb, covering) = (seed.pick(&MEMBRANE), 3),
        _ => {}
    }
    (building.roof_colour.unwrap_or(srgb), covering)
}
