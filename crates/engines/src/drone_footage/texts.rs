//! What is said about the pictures of a flight, and the outline that they show.

use aerie_geodata::place::Place;
use aerie_render::marking::Marking;

use crate::engine::Produced;
use crate::warnings;

/// Adds the field `warnings`, where there are any.
pub(super) fn warn(place: &Place, produced: &mut Produced) {
    let warnings = warnings::about(place);
    if !warnings.is_empty() {
        produced.fields.insert("warnings".into(), warnings.into());
    }
}

/// What is said about a picture.
pub(super) struct Texts {
    /// Description in the metadata.
    pub(super) about: String,
    /// Caption.
    pub(super) notice: String,
}

impl Texts {
    /// The outline on the ground, after noting it in the texts.
    pub(super) fn mark(&mut self, place: &Place) -> Marking {
        let (rings, of) = outline(place);
        self.about.push_str(&format!("The outline on the ground is {of}; it is approximate and not a survey. "));
        self.notice.push_str("  ·  Boundaries are approximate");
        Marking { rings, color: OUTLINE, width: 0.3 }
    }
}

/// Color of the outline, sRGB. Yellow stands out on grass, paving and roofs.
const OUTLINE: [f32; 3] = [1.0, 0.83, 0.0];
/// Distance between a building's walls and its outline, meters, so that its eaves do not hide the outline.
const OUTSIDE: f64 = 1.1;

/// The rings that `highlight` draws, and what they represent. Without a parcel the plot is not guessed.
fn outline(place: &Place) -> (Vec<Vec<glam::Vec2>>, &'static str) {
    let ring = |ring: &[aerie_geodata::place::Point]| -> Vec<glam::Vec2> {
        ring.iter().map(|p| glam::Vec2::new(p[0] as f32, p[1] as f32)).collect()
    };
    match &place.property.parcel {
        Some(parcel) => (vec![ring(&parcel.outer)], "that of the imported parcel"),
        None => {
            let around = aerie_scenery::outset(&place.property.footprint.outer, OUTSIDE);
            let of = if place.property.building.is_some() {
                "that of the building, because no parcel is imported"
            } else {
                "a square of 18 m around the address, because neither parcel nor building is mapped"
            };
            (vec![ring(&around)], of)
        }
    }
}
