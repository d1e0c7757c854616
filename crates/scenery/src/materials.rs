//! Materials of buildings: tagged colors and materials where the map has them, else muted ones typical of the kind.

mod palette;

use aerie_geodata::place::{Building, BuildingKind};

use crate::mesh::{Material, color};
use crate::region::Region;
use aerie_math::Rng;

/// Materials and measures of one building's walls and roof.
pub(crate) struct Materials {
    pub(crate) wall: [u8; 3],
    wall_pattern: u8,
    accent: [u8; 3],
    seed: u8,
    pub(crate) story_height: f64,
    window: (f64, f64),
    bay: f64,
    flags: u8,
    stories: u8,
    /// Whether high gables have a window.
    pub(crate) attic: bool,
    /// Material of the roof, for the roof shader.
    pub(crate) roof: Material,
    pub(crate) roof_color: [u8; 3],
}

/// Flags of the wall shader in `solids.wgsl`.
mod flag {
    pub(super) const SHUTTERS: u8 = 1;
    pub(super) const MULLION: u8 = 2;
    pub(super) const SHOPFRONT: u8 = 4;
    pub(super) const PLINTH: u8 = 8;
    pub(super) const BANDS: u8 = 16;
    pub(super) const SURROUND: u8 = 32;
    pub(super) const DARK_FRAMES: u8 = 64;
}

impl Materials {
    /// Materials of a building. Where the map has none for the property itself, they are plain.
    pub(crate) fn of(building: &Building, area: f64, is_property: bool, region: Region) -> Self {
        let mut rng = Rng::from_name(&building.id);
        let byte = (rng.next_u64() & 255) as u8;
        let (mut wall, pattern) = palette::wall(building, is_property, region, &mut rng);
        // Weathered paint.
        wall = building.wall_color.unwrap_or(wall.map(|v| (f32::from(v) * 0.94) as u8));
        let stories = building.stories.clamp(1, 60) as u8;
        let story_height = ((building.eaves - building.base) / f64::from(stories)).clamp(2.2, 5.0);
        let accent = rng.pick(&palette::SHUTTER);
        let shuttered = rng.unit_f32() < palette::shuttered(region) && !is_property;
        let dark = rng.unit_f32() < 0.22;
        let (mut flags, bay, window): (u8, f64, (f64, f64)) = match building.kind {
            BuildingKind::House | BuildingKind::Terrace => (
                flag::MULLION | flag::PLINTH | if shuttered { flag::SHUTTERS } else { 0 },
                f64::from(rng.range_f32(2.7, 3.4)),
                (f64::from(rng.range_f32(1.05, 1.35)), 1.32),
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
        // Plain does not mean bare: its openings have surrounds.
        if is_property && bay > 0.0 {
            flags |= flag::SURROUND | flag::PLINTH;
        }
        if dark {
            flags |= flag::DARK_FRAMES;
        }
        let (roof_color, covering) = palette::roof(building, area, region, &mut rng);
        Self {
            wall,
            wall_pattern: pattern,
            accent,
            seed: byte,
            story_height,
            window: (window.0, window.1.min(story_height - 1.15)),
            bay,
            flags,
            stories,
            attic: !is_property && matches!(building.kind, BuildingKind::House | BuildingKind::Terrace),
            roof: [color(roof_color, covering), color([0; 3], byte), 0, 0],
            roof_color,
        }
    }

    /// Material of a wall `length` meters long, and the factor that stretches its `u` to whole bays.
    pub(crate) fn wall_material(&self, length: f64, door: bool, windows: bool) -> (Material, f32) {
        let fits = windows && self.bay > 0.0 && length > self.window.0 + 1.0;
        let bays = if fits { ((length / self.bay).round().max(1.0) as u32).min(255) } else { 0 };
        let coded_bay = if bays > 0 { (length / f64::from(bays) / 0.05).round().clamp(1.0, 255.0) } else { 0.0 };
        let stretch = if bays > 0 { f64::from(bays) * coded_bay * 0.05 / length } else { 1.0 };
        let door_bay = if door && bays > 0 { bays / 2 } else { 255 };
        let material = [
            color(self.wall, self.wall_pattern),
            color(self.accent, self.seed),
            ((self.story_height / 0.02).round() as u32).min(255)
                | (coded_bay as u32) << 8
                | ((self.window.0 / 0.02).round() as u32).min(255) << 16
                | ((self.window.1.max(0.0) / 0.02).round() as u32).min(255) << 24,
            u32::from(self.stories) | u32::from(self.flags) << 8 | bays << 16 | door_bay << 24,
        ];
        (material, stretch as f32)
    }

    /// Material of a roof in another color.
    pub(crate) fn roof_in(&self, srgb: Option<[u8; 3]>) -> Material {
        let [covering, ..] = self.roof;
        let recolored = srgb.map_or(covering, |srgb| color(srgb, (covering >> 24) as u8));
        [recolored, self.roof[1], self.roof[2], self.roof[3]]
    }

    /// Material of a gable with one window in its middle, in the story above the eaves.
    pub(crate) fn gable_material(&self, width: f64) -> Material {
        let mut material = self.wall_material(width, false, true).0;
        let coded_bay = ((width / 0.05).round() as u32).min(255);
        material[2] = material[2] & !0xFF00 | coded_bay << 8;
        let flags = self.flags & !(flag::SHOPFRONT | flag::BANDS | flag::PLINTH);
        material[3] = u32::from(self.stories.saturating_add(1)) | u32::from(flags) << 8 | 1 << 16 | 255 << 24;
        material
    }
}

/// Number of bays of a wall.
pub(crate) fn bays(wall: Material) -> u32 {
    wall[3] >> 16 & 255
}

/// Bay of a wall that has a door.
pub(crate) fn door_bay(wall: Material) -> Option<u32> {
    let bay = wall[3] >> 24;
    (bay < bays(wall)).then_some(bay)
}

/// A wall with another number of stories.
pub(crate) fn with_stories(wall: Material, stories: u32) -> Material {
    [wall[0], wall[1], wall[2], wall[3] & !255 | stories.min(255)]
}

/// A wall that begins some stories higher, or lower where negative.
pub(crate) fn raised(wall: Material, by: i32) -> Material {
    let stories = (wall[3] & 255) as i32 - by;
    with_stories(wall, stories.clamp(0, 255) as u32)
}

/// A wall whose door stands some meters above the ground floor, or below where negative; within 4 m.
pub(crate) fn with_door(wall: Material, above: f64) -> Material {
    let eighths = (above * 8.0).round().clamp(-32.0, 31.0) as i32;
    [wall[0] & !(63 << 26) | ((eighths & 63) as u32) << 26, wall[1], wall[2], wall[3]]
}

/// Whether a wall has a plinth.
pub(crate) fn has_plinth(wall: Material) -> bool {
    wall[3] >> 8 & u32::from(flag::PLINTH) != 0
}

/// A wall without its plinth.
pub(crate) fn without_plinth(wall: Material) -> Material {
    [wall[0], wall[1], wall[2], wall[3] & !(u32::from(flag::PLINTH) << 8)]
}
