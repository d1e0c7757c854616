//! What a photo shows: a room, a house from outside, or something of unknown depth.

use aerie_photo::room::Layout;
use aerie_photo::sky::{self, Matte};
use aerie_photo::{Layers, Photo, PhotoScene, Setting};

use crate::bodies::Bodies;
use crate::exterior::Exterior;
use crate::interior::Interior;
use crate::plate::{Frame, Plate};
use crate::proxy::{Kind, Proxy};
use crate::trees::{SeparatedTrees, Trees};

/// Longer side of the copy in which the sky is looked for.
const SKY_SIDE: usize = 1024;
/// Minimum share of the picture and minimum confidence of a sky that a house is cut out against. White ceilings, which
/// are bright and smooth too, reach 0.89 at this size; skies over roofs 0.96 and more.
const LEAST_SKY: f32 = 0.03;
const CLEAR_SKY: f32 = 0.93;
/// Minimum confidence of a sky above something that is not a room: window walls under a white ceiling reach 0.70,
/// houses 0.87 and more.
const LIKELY_SKY: f32 = 0.8;

/// Confidence from which a photo of walls and ground is one of a house rather than of a room.
const SURELY_OUTDOORS: f32 = 0.85;

/// A model of what a photo shows.
pub struct SceneModel {
    /// Its planes.
    pub proxy: Proxy,
    /// Meters per camera height and confidence, for a room.
    pub room: Option<(f64, f64)>,
    /// A house seen from outside.
    pub house: Option<House>,
    /// An interior.
    pub interior: Option<Interior>,
    /// Why the depth of the photo remains unknown.
    pub doubt: Option<&'static str>,
}

/// Longer side of a photo from which depths can be taken, pixels, and what is said of smaller ones.
const LEAST_SIDE: usize = 160;
const TOO_SMALL: &str =
    "this photo allows only a zoom and a shift, because it has too few pixels to take depths from; send a larger one";
/// Why a photo is flat.
const NO_PLACE: &str = "this photo allows only a zoom and a shift, because it shows neither the floor nor the ceiling of a room, nor \
     an exterior, from which depths could be taken";

/// What is cut out of a photo taken outdoors.
pub struct House {
    /// Where the sky is; without one, nothing is cut out before it.
    pub sky: Option<Matte>,
    /// Trees in front of it.
    pub trees: Option<Trees>,
    /// Its surfaces.
    pub exterior: Exterior,
}

impl House {
    /// The picture with its trees separated; `None` if there are none or they do not fit into a texture. `photo` is its size.
    #[must_use]
    pub fn apart(&self, proxy: &Proxy, plate: (&Frame, &Plate), photo: [usize; 2]) -> Option<SeparatedTrees> {
        let sky = self.sky.clone().unwrap_or_else(Matte::none);
        self.trees.as_ref()?.apart((proxy, &sky), plate, photo)
    }
}

impl SceneModel {
    /// Analyzes a photo; uncertain scenes are flat.
    #[must_use]
    pub fn of(photo: &Photo, frame: &Frame, plate: &Plate) -> Self {
        if photo.width.max(photo.height) < LEAST_SIDE {
            return Self::plain(Proxy::flat(photo, frame), Some(TOO_SMALL));
        }
        let scene = PhotoScene::of(photo);
        let is_outdoors = scene.is(Setting::Outdoors);
        let is_surely_outdoors = is_outdoors && scene.setting.confidence >= SURELY_OUTDOORS;
        let is_room = scene.layout.as_ref().is_some_and(Layout::is_confident);
        // The front of a house has walls and ground too.
        let look_up = !is_room || is_outdoors;
        let sky = look_up.then(|| sky::matte(&photo.reduced(SKY_SIDE))).flatten();
        let above = |least: f32| sky.as_ref().is_some_and(|sky| sky.share >= LEAST_SKY && sky.confidence >= least);
        let is_room = is_room && !above(LIKELY_SKY) && !is_surely_outdoors;
        if !is_room && (is_outdoors || above(CLEAR_SKY)) {
            let exterior = Exterior::of(photo, &scene, sky.as_ref());
            let (proxy, sky) = (exterior.proxy(frame), sky.filter(|_| exterior.has_sky));
            let before = sky.clone().unwrap_or_else(Matte::none);
            let size = [photo.width, photo.height];
            let trees = Trees::find((&proxy, &before), &scene.segments, (frame, plate), size);
            return Self { house: Some(House { sky, trees, exterior }), ..Self::plain(proxy, None) };
        }
        match Interior::of(photo, &scene, frame) {
            Some((proxy, interior)) => {
                let room = Some((interior.meters, interior.confidence));
                Self { room, interior: Some(interior), ..Self::plain(proxy, None) }
            }
            None => Self::plain(Proxy::flat(photo, frame), Some(NO_PLACE)),
        }
    }

    /// A model of nothing but surfaces.
    fn plain(proxy: Proxy, doubt: Option<&'static str>) -> Self {
        Self { proxy, room: None, house: None, interior: None, doubt }
    }

    /// What stands in an interior, in front of its box; `photo` is the photo's size.
    #[must_use]
    pub fn furniture(&self, plate: (&Frame, &Plate), photo: [usize; 2]) -> Option<Bodies> {
        self.interior.as_ref()?.bodies(&self.proxy, plate, photo)
    }

    /// The model of a staged picture with layers.
    #[must_use]
    pub fn staged(layers: &Layers, frame: &Frame, photo: [usize; 2]) -> Self {
        let room = Some((layers.meters, layers.confidence));
        Self { room, ..Self::plain(Proxy::of_layers(layers, frame, photo), None) }
    }

    /// Number of trees in front of the house.
    #[must_use]
    pub fn trees(&self) -> usize {
        self.house.as_ref().and_then(|house| house.trees.as_ref()).map_or(0, Trees::count)
    }

    /// Kind of the scene.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.proxy.kind
    }
}

#[cfg(test)]
mod tests {
    use aerie_synthetic::{Developing, LitRoom, Style, Surface, imagine};

    use super::*;
    use crate::compose;

    fn kind(photo: &Photo) -> Kind {
        let size = [photo.width, photo.height];
        let frame = Frame::cut(size, size, compose::focus(photo));
        SceneModel::of(photo, &frame, &Plate::of(photo, &frame).expect("a plate")).kind()
    }

    #[test]
    fn walls_and_ground_under_a_sky_are_not_mistaken_for_a_room() {
        assert!(open_to_the_sky(0..3) >= 1, "none would be a room");
    }

    /// Panics where a room whose ceiling is a sky is taken for a room; returns how many are rooms with their ceiling.
    fn open_to_the_sky(seeds: std::ops::Range<u64>) -> usize {
        let style = Style { width: 720, height: 480, casual: 0.0, ..Style::default() };
        let mut rooms = 0;
        for seed in seeds {
            let imagined = imagine(seed, &style);
            let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
            let mut photo = view.developed(&Developing::default());
            rooms += usize::from(kind(&photo) == Kind::Room);
            // The same walls in the sun, open to the sky.
            photo.light_value = Some(14.0);
            for (pixel, surface) in photo.pixels.iter_mut().zip(&view.surfaces) {
                if *surface == Surface::Ceiling {
                    *pixel = [16_000, 30_000, 54_000];
                }
            }
            assert_ne!(kind(&photo), Kind::Room, "{seed}");
        }
        rooms
    }

    #[test]
    fn a_room_is_not_mistaken_for_a_house_under_the_sky() {
        assert_not_facades(0..3);
    }

    fn assert_not_facades(seeds: std::ops::Range<u64>) {
        let style = Style { width: 720, height: 480, casual: 0.5, ..Style::default() };
        for seed in seeds {
            let imagined = imagine(seed, &style);
            let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
            // Overexposed, a white ceiling is as even and bright as a sky.
            for exposure in [0.0, 1.3] {
                let photo = view.developed(&Developing { exposure, ..Developing::default() });
                assert_ne!(kind(&photo), Kind::Facades, "{seed}, {exposure} stops");
            }
        }
    }

    #[test]
    #[ignore = "needs AERIE_TEST_DATA"]
    fn a_real_room_is_not_mistaken_for_a_house_under_the_sky() {
        for name in ["rooms/ar_mixed_materials_05.jpg", "interiors/darwin_hero-interior_pexels.jpg"] {
            let file = aerie_test_data::test_data(std::path::Path::new("photos").join(name));
            assert_ne!(kind(&aerie_photo::decode_file(&file).expect("a photo")), Kind::Facades, "{name}");
        }
    }

    mod measurements {
        #[test]
        fn twelve_rooms_open_to_the_sky_are_not_mistaken_for_rooms() {
            let rooms = super::open_to_the_sky(0..12);
            eprintln!("{rooms} of 12 are rooms with their ceiling (at least 6), 0 without");
            assert!(rooms >= 6);
        }

        #[test]
        fn twenty_four_rooms_at_two_exposures_are_not_mistaken_for_houses() {
            super::assert_not_facades(0..24);
        }
    }
}
