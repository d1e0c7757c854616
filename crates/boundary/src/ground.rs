//! Converts pixels of a top-down picture to local meters and WGS 84.

mod signature;

use aerie_geodata::LocalFrame;
use aerie_geodata::place::GeoPoint;
use aerie_register::Homography;
use serde::{Deserialize, Serialize};

pub use signature::Signature;

use crate::Picture;

/// Georeferences an orthographic top-down picture: pixels to meters in the plane tangent to the ellipsoid at an origin,
/// and from there to longitude and latitude.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundTransform {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Origin of local meters.
    pub origin: GeoPoint,
    /// `east = p[0] x + p[1] y + p[2]`, `north = p[3] x + p[4] y + p[5]` in meters, from pixels `x`, `y`. The first
    /// pixel covers 0 to 1.
    pub to_local: [f64; 6],
    /// What the picture looks like. Transforms of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// Why a transform does not apply to a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotItsPicture {
    /// The shapes differ: the picture was cropped, or is another one.
    #[error(
        "the ground transform belongs to another picture: it is for {} x {} pixels, and the clean image has {} x {}; use the one \
         that was written with this picture, and do not crop it", .transform[0], .transform[1], .picture[0], .picture[1]
    )]
    Shape {
        /// Width and height that the transform is for.
        transform: [u32; 2],
        /// Width and height of the picture.
        picture: [u32; 2],
    },
    /// The transform was written for a picture that looks different.
    #[error(
        "the ground transform belongs to another picture, of another place or orientation; use the one that was written with this \
         picture (KEY.ground.json for KEY_enhanced.jpg and KEY_preview.jpg)"
    )]
    Content,
}

impl GroundTransform {
    /// Checks that the transform belongs to a picture, at any size.
    ///
    /// # Errors
    /// [`NotItsPicture`] if its shape or content differs.
    pub fn check(&self, picture: &Picture) -> Result<(), NotItsPicture> {
        let [width, height] = [picture.width, picture.height].map(|side| side as u32);
        let ratio = f64::from(self.width) / f64::from(self.height) / (f64::from(width) / f64::from(height));
        // Sides are rounded to pixels.
        let rounding = 1.0 / f64::from(self.width.min(self.height).min(width).min(height).max(1));
        if !ratio.is_finite() || (ratio - 1.0).abs() > 0.004 + rounding {
            return Err(NotItsPicture::Shape { transform: [self.width, self.height], picture: [width, height] });
        }
        match &self.signature {
            Some(signature) if !signature.matches(&Signature::of(picture)) => Err(NotItsPicture::Content),
            _ => Ok(()),
        }
    }

    /// The transform for the same picture at another size.
    #[must_use]
    pub fn sized(&self, width: u32, height: u32) -> Self {
        let shrink = [f64::from(self.width) / f64::from(width), f64::from(self.height) / f64::from(height)];
        let [east, north, _] = self.map().after(&Homography::scaling(shrink)).0;
        let to_local = [east[0], east[1], east[2], north[0], north[1], north[2]];
        Self { width, height, to_local, ..*self }
    }

    /// Converts pixels to local meters, east and north.
    #[must_use]
    pub fn local(&self, pixel: [f64; 2]) -> [f64; 2] {
        self.map().apply(pixel)
    }

    fn map(&self) -> Homography {
        Homography::affine(self.to_local)
    }

    /// Converts pixels to longitude and latitude in degrees.
    #[must_use]
    pub fn geographic(&self, pixel: [f64; 2]) -> [f64; 2] {
        LocalFrame::new(self.origin).geographic(self.local(pixel))
    }

    /// Converts local meters to pixels. `None` if the transform is singular.
    #[must_use]
    pub fn pixel(&self, local: [f64; 2]) -> Option<[f64; 2]> {
        self.map().inverse().map(|back| back.apply(local))
    }

    /// Meters per pixel.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.map().scale()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_convert_to_the_ground_and_back_at_any_size() {
        let origin = GeoPoint { lat: 47.1, lon: 9.52 };
        let ground = GroundTransform {
            width: 2048,
            height: 1536,
            origin,
            to_local: [0.05, 0.0, -51.2, 0.0, -0.05, 38.4],
            signature: None,
        };
        let [east, north] = ground.local([1024.0, 768.0]);
        assert!(east.abs() < 1e-9 && north.abs() < 1e-9, "{east} {north}");
        let [lon, lat] = ground.geographic([1024.0, 768.0]);
        assert!((lon - 9.52).abs() < 1e-12 && (lat - 47.1).abs() < 1e-12);
        let half = ground.sized(1024, 768);
        let (a, b) = (ground.local([300.0, 500.0]), half.local([150.0, 250.0]));
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9);
        let back = half.pixel(a).expect("an invertible transform");
        assert!((back[0] - 150.0).abs() < 1e-9 && (back[1] - 250.0).abs() < 1e-9);
        // North is up.
        assert!(ground.geographic([1024.0, 700.0])[1] > 47.1);
    }
    /// A picture with a few large shapes.
    fn picture(width: usize, height: usize, turned: bool) -> Picture {
        let pixel = |i: usize| {
            let (x, y) = ((i % width) as f64 / width as f64, (i / width) as f64 / height as f64);
            let (x, y) = if turned { (y, 1.0 - x) } else { (x, y) };
            let house = (0.3..0.55).contains(&x) && (0.35..0.6).contains(&y);
            let street = y > 0.85;
            let tree = (x - 0.8).hypot(y - 0.25) < 0.12;
            let grain = (i * 7919 % 31) as u8;
            let base: [u8; 3] = if house {
                [170, 120, 100]
            } else if street {
                [140, 140, 140]
            } else if tree {
                [40, 80, 40]
            } else {
                [90, 130, 70]
            };
            base.map(|v| v + grain)
        };
        Picture::new(width, height, (0..width * height).map(pixel).collect())
    }

    #[test]
    fn a_transform_applies_to_its_picture_at_any_size_and_to_no_other() {
        let origin = GeoPoint { lat: 47.1, lon: 9.52 };
        let signature = Some(Signature::of(&picture(512, 512, false)));
        let to_local = [0.05, 0.0, 0.0, 0.0, -0.05, 0.0];
        let ground = GroundTransform { width: 512, height: 512, origin, to_local, signature };
        assert_eq!(ground.check(&picture(200, 200, false)), Ok(()));
        assert_eq!(ground.check(&picture(512, 512, true)), Err(NotItsPicture::Content));
        let cropped = NotItsPicture::Shape { transform: [512, 512], picture: [512, 400] };
        assert_eq!(ground.check(&picture(512, 400, false)), Err(cropped));
        // It survives JSON, and a transform of an earlier version has none.
        let json = serde_json::to_value(ground).expect("JSON");
        assert_eq!(serde_json::from_value::<GroundTransform>(json.clone()).expect("a transform"), ground);
        let mut old = json;
        old.as_object_mut().expect("an object").remove("signature");
        let old: GroundTransform = serde_json::from_value(old).expect("a transform");
        assert_eq!(old.check(&picture(512, 512, true)), Ok(()));
    }
}
