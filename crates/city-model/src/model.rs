//! Buildings as the formats have them, before their geometry is cleaned.

use std::collections::BTreeMap;

use crate::building::Address;

/// Corners that one building may have; the largest in real models have some 100,000.
pub(crate) const MAX_CORNERS: usize = 1_000_000;

/// A ring as it is in the file; the first corner may be repeated at its end.
pub(crate) type Ring3 = Vec<[f64; 3]>;

/// What a surface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Roof,
    Wall,
    Ground,
    /// Closures, outer ceilings and whatever else there is.
    Other,
}

impl Kind {
    /// The kind by the name of a boundary surface, `None` where the name is no surface of the shell.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "RoofSurface" => Some(Self::Roof),
            "WallSurface" => Some(Self::Wall),
            "GroundSurface" => Some(Self::Ground),
            "ClosureSurface"
            | "OuterCeilingSurface"
            | "OuterFloorSurface"
            | "FloorSurface"
            | "CeilingSurface"
            | "InteriorWallSurface" => Some(Self::Other),
            _ => None,
        }
    }
}

/// A surface: an outer ring and holes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RawFace {
    pub kind: Option<Kind>,
    pub rings: Vec<Ring3>,
}

/// A building without its parts, or a part.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawObject {
    pub id: String,
    pub faces: Vec<RawFace>,
    /// Level of detail of the faces in tenths (22 for 2.2), `None` where there is none of LoD2.
    pub lod: Option<u8>,
    /// Whether it has geometry of another level of detail.
    pub other_lod: bool,
    /// Why it cannot be used.
    pub broken: Option<String>,
    pub attributes: Attributes,
    pub textured: u64,
}

/// Attributes that are read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes {
    /// Root mean square errors by level of detail in tenths.
    pub rms: BTreeMap<u8, f64>,
    pub year: Option<u16>,
    pub stories: Option<u32>,
    pub address: Option<Address>,
}

impl Attributes {
    /// Takes an attribute by its name where it is one of those that are read, `number` being its value.
    pub(crate) fn take(&mut self, name: &str, number: f64) {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "storeysaboveground" if (1.0..=300.0).contains(&number) => self.stories = Some(number as u32),
            // The year of the points that 3DBAG reconstructed a building from, and explicit years of survey. `creationDate` is the
            // date of the record in many models, not that of the survey.
            "b3_pw_datum" | "yearofsurvey" | "surveyyear" | "survey_year" if (1900.0..=2200.0).contains(&number) => {
                self.year = Some(number as u16);
            }
            name => {
                let lod =
                    name.trim_start_matches("b3_").strip_prefix("rmse_lod").and_then(|lod| lod.parse::<u8>().ok());
                if let Some(lod) = lod.filter(|_| (0.0..1000.0).contains(&number)) {
                    self.rms.insert(lod, number);
                }
            }
        }
    }

    /// Whether an attribute of this name is read.
    pub(crate) fn wants(name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        matches!(lower.as_str(), "storeysaboveground" | "b3_pw_datum" | "yearofsurvey" | "surveyyear" | "survey_year")
            || lower.trim_start_matches("b3_").starts_with("rmse_lod")
    }
}

/// A level of detail in tenths, of "2", "2.0", "2.2"…
pub(crate) fn lod_tenths(text: &str) -> Option<u8> {
    let number: f64 = text.trim().parse().ok()?;
    (0.0..10.0).contains(&number).then(|| (number * 10.0).round() as u8)
}

impl Address {
    /// The address, unless it is empty.
    pub(crate) fn non_empty(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// Sets a field by its name in xAL or in CityJSON, unless it is set.
    pub(crate) fn take(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if value.is_empty() || value.len() > 200 {
            return;
        }
        let field = match name.to_ascii_lowercase().as_str() {
            "thoroughfarename" | "street" | "streetname" => &mut self.street,
            "thoroughfarenumber" | "premisenumber" | "housenumber" | "number" => &mut self.number,
            "localityname" | "locality" | "city" | "town" => &mut self.city,
            "postalcodenumber" | "postalcode" | "postcode" => &mut self.postcode,
            _ => return,
        };
        field.get_or_insert_with(|| value.into());
    }
}
