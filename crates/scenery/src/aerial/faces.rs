//! Colors of the faces of measured roofs, from imagery.

use aerie_geodata::place::{MeasuredRoof, Place};
use glam::{DVec2, Vec3, vec3};

use super::{Aerial, srgb};
use crate::measured::{Face, FaceColors, faces};
use crate::shape;

/// Minimum area of a face that imagery must show in the light, square meters.
const MIN_SEEN: f64 = 4.0;
/// Distance from the edge of a face within which pixels may show something else, meters.
const MARGIN: f64 = 0.35;
/// Maximum number of samples along each side of a face's bounding box.
const SAMPLES: f64 = 40.0;
/// Luminance relative to the roof's median below which a sample counts as shadow.
const SHADOW: f32 = 0.5;
/// Luminance relative to the face's median above or below which a sample counts as a chimney, a window or the like.
const OUTLIER: f32 = 1.6;

impl Aerial {
    /// Colors of roof faces whose buildings have no color on the map.
    pub(crate) fn face_colors(&self, place: &Place) -> FaceColors {
        if self.orthophotos.is_empty() {
            return FaceColors::new();
        }
        let measured = place.buildings.iter().enumerate().filter(|(index, _)| !self.mapped.contains(index));
        measured.filter_map(|(index, b)| Some((index, self.colors_of(b.measured.as_ref()?)?))).collect()
    }

    fn colors_of(&self, roof: &MeasuredRoof) -> Option<Vec<Option<[u8; 3]>>> {
        let faces = faces(roof, 0.0);
        let seen: Vec<(&Face, Vec<Vec3>, f64)> = faces.iter().map(|face| self.samples(face)).collect();
        let mut all: Vec<f32> = seen.iter().flat_map(|(_, samples, _)| samples).map(luminance).collect();
        let typical = median(&mut all)?;
        let mut colors = vec![None; roof.faces.len()];
        for (face, samples, area) in seen {
            let lit: Vec<Vec3> = samples.into_iter().filter(|c| luminance(c) > SHADOW * typical).collect();
            let Some(middle) = median(&mut lit.iter().map(luminance).collect::<Vec<_>>()) else { continue };
            let is_covering = |c: &&Vec3| (middle / OUTLIER..middle * OUTLIER).contains(&luminance(c));
            let covering: Vec<Vec3> = lit.iter().filter(is_covering).copied().collect();
            if covering.len() as f64 * area < MIN_SEEN {
                continue;
            }
            let channel = |pick: fn(&Vec3) -> f32| median(&mut covering.iter().map(pick).collect::<Vec<_>>());
            if let (Some(r), Some(g), Some(b)) = (channel(|c| c.x), channel(|c| c.y), channel(|c| c.z)) {
                colors[face.index] = Some(srgb(vec3(r, g, b)));
            }
        }
        Some(colors)
    }

    /// What imagery shows inside a face, and the area of a sample.
    fn samples<'f>(&self, face: &'f Face) -> (&'f Face, Vec<Vec3>, f64) {
        let (low, high) = (face.low.truncate(), face.high.truncate());
        let step = ((high - low).max_element() / SAMPLES).max(0.3);
        let [columns, rows] =
            ((high - low) / step).to_array().map(|count| count.ceil().clamp(1.0, SAMPLES + 1.0) as usize);
        let mut seen = Vec::new();
        for k in 0..columns * rows {
            let at = low + (DVec2::new((k % columns) as f64, (k / columns) as f64) + 0.5) * step;
            if face.covers(at) && shape::distance_to_ring(at, face.ring()) > MARGIN {
                seen.extend(self.at(at));
            }
        }
        (face, seen, step * step)
    }
}

fn luminance(c: &Vec3) -> f32 {
    c.dot(vec3(0.2126, 0.7152, 0.0722))
}

fn median(values: &mut [f32]) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use aerie_geodata::place::{BuildingKind, RoofMethod};

    use super::*;
    use crate::aerial::AerialImage;
    use crate::fixtures::{building, empty_place};

    /// A gabled roof whose west half is red with a white chimney and a strip of shadow, and whose east half is gray.
    #[test]
    fn each_face_of_a_roof_gets_its_own_color_without_shadow_and_chimneys() {
        let mut place = empty_place(None);
        let mut house = building("way/1", BuildingKind::House, vec![[0.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]]);
        house.measured = Some(MeasuredRoof {
            faces: vec![
                vec![[0.0, 0.0, 5.0], [5.0, 0.0, 8.0], [5.0, 8.0, 8.0], [0.0, 8.0, 5.0]],
                vec![[5.0, 0.0, 8.0], [10.0, 0.0, 5.0], [10.0, 8.0, 5.0], [5.0, 8.0, 8.0]],
                vec![[0.0, 8.0, 5.0], [1.5, 8.0, 5.0], [1.5, 9.5, 5.0], [0.0, 9.5, 5.0]],
            ],
            ground: 0.0,
            source: String::new(),
            year: None,
            method: RoofMethod::Model,
            rms: None,
            covered: 1.0,
        });
        place.buildings.push(house);
        let side = 512_u32;
        let pixel = |k: u32| {
            let at = [(k % side) as f64 / 4.0 - 64.0, 64.0 - (k / side) as f64 / 4.0];
            match at {
                [x, y] if (3.0..4.2).contains(&x) && (3.0..4.2).contains(&y) => [250, 250, 250, 255],
                [x, y] if (0.0..5.0).contains(&x) && y < 2.0 => [18, 12, 12, 255],
                [x, _] if (0.0..5.0).contains(&x) => [150, 70, 50, 255],
                _ => [110, 110, 110, 255],
            }
        };
        let image = AerialImage { half_extent: 64.0, side, rgba: (0..side * side).flat_map(pixel).collect() };
        let aerial = Aerial::new(&place, vec![image]);
        let colors = &aerial.face_colors(&place)[&0];
        let ratio = |c: [u8; 3]| f32::from(c[0]) / f32::from(c[2]);
        assert!(colors[0].is_some_and(|c| ratio(c) > 1.8), "{colors:?}");
        assert!(colors[1].is_some_and(|c| ratio(c) < 1.3), "{colors:?}");
        // Too small to tell.
        assert!(colors[2].is_none());
        place.buildings[0].roof_color = Some([1, 2, 3]);
        let image = AerialImage { half_extent: 64.0, side, rgba: (0..side * side).flat_map(pixel).collect() };
        assert!(Aerial::new(&place, vec![image]).face_colors(&place).is_empty());
    }
}
