//! The planes that represent the scene of a photo.

use aerie_photo::room::{Camera, Distances};
use aerie_photo::{Layers, Photo};
use glam::{DMat3, DVec2, DVec3};

use crate::facade::Facades;
use crate::plate::Frame;
use crate::pose::Pose;

/// How much is known about the depth of the photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Floor, ceiling and walls of a room.
    Room,
    /// Façades, the ground and the sky, of a house seen from outside.
    Facades,
    /// The ground and upright surfaces on it, outdoors, where lines show no façades for certain.
    Exterior,
    /// A single backdrop: nothing is known of depths.
    Flat,
}

/// Distance to a backdrop without known depth; its unit is arbitrary.
const FLAT: f64 = 1.0;
/// Points across and down at which depths are sampled.
const DEPTHS: usize = 20;
/// Default focal length of a photo without metadata, in longer sides.
const USUAL_FOCAL: f64 = 0.8;

/// A point on an object in front of the planes, which bounds the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodySample {
    /// Its pixel in the photo, in pixels of the frame.
    pub pixel: DVec2,
    /// One over its distance along the optical axis.
    pub nearness: f64,
    /// Whether the edge of the photo cuts the object off here.
    pub is_cut: bool,
}

/// Planes that represent part of a scene. A plane `a` contains the points `x` with `a · x = 1`, so the dot product of
/// `a` and a ray is the inverse distance along the ray.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// The plane with the largest inverse distance is visible. At most six.
    pub planes: Vec<DVec3>,
    /// Planes that meet in a corner toward the camera: the smallest inverse distance of them counts as one more plane.
    /// At most three.
    pub corner: Vec<DVec3>,
}

impl Surface {
    /// Inverse distance to the surface along a ray from the origin of the planes; 0 if it meets none.
    #[must_use]
    pub fn nearness(&self, ray: DVec3) -> f64 {
        let corner = self.corner.iter().map(|a| a.dot(ray)).fold(f64::INFINITY, f64::min);
        let corner = if corner.is_finite() { corner } else { 0.0 };
        self.planes.iter().map(|a| a.dot(ray)).fold(corner.max(0.0), f64::max)
    }

    /// The same planes relative to a position.
    #[must_use]
    pub fn from(&self, position: DVec3) -> Self {
        let shift = |planes: &[DVec3]| planes.iter().map(|a| *a / (1.0 - a.dot(position)).max(1e-6)).collect();
        Self { planes: shift(&self.planes), corner: shift(&self.corner) }
    }
}

/// The photo's own camera, and the planes that it was projected onto.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// How much is known.
    pub kind: Kind,
    /// What the photo was projected onto, from the nearest to the farthest. The last is everywhere; those before it are
    /// cut out of the photo.
    pub surfaces: Vec<Surface>,
    /// The photo's camera, in pixels of the frame; it stands at the origin.
    pub camera: Camera,
    /// What the photo shows, in pixels of the frame: left, top, right, bottom. More than the frame where it was cut.
    pub shown: [f64; 4],
    /// Sample points on objects in front of the surfaces.
    pub marks: Vec<BodySample>,
    /// Share of the usual reach that the camera dares, 0 to 1.
    pub reach: f64,
}

impl Proxy {
    /// The room of a staged picture with layers; `photo` is the size of the picture.
    #[must_use]
    pub fn of_layers(layers: &Layers, frame: &Frame, photo: [usize; 2]) -> Self {
        let across = photo[0] as f64 / layers.camera.width as f64;
        let down = photo[1] as f64 / layers.camera.height as f64;
        let Camera { focal, center, rotation, .. } = layers.camera;
        let center = center * DVec2::new(across, down);
        let camera = Camera { width: photo[0], height: photo[1], focal: focal * across, center, rotation };
        Self::of_box(&layers.distances, &camera, frame, 1.0)
    }

    /// A box of floor, ceiling and walls, in the pixels of a frame cut from the camera's photo; `reach` is what the camera dares.
    #[must_use]
    pub fn of_box(d: &Distances, camera: &Camera, frame: &Frame, reach: f64) -> Self {
        let planes = vec![-DVec3::Z, DVec3::Z / d.ceiling, -DVec3::X / d.left, DVec3::X / d.right, DVec3::Y / d.far];
        let surfaces = vec![Surface { planes, corner: Vec::new() }];
        Self { kind: Kind::Room, surfaces, camera: framed(camera, frame), shown: frame.shown, marks: Vec::new(), reach }
    }

    /// A house under the sky: façades and ground, cut out, in front of a distant sky.
    #[must_use]
    pub fn of_facades(facades: &Facades, camera: &Camera, frame: &Frame) -> Self {
        let mut planes = vec![facades.beyond];
        if facades.stands {
            planes.push(-DVec3::Z);
        }
        let surfaces = vec![Surface { planes, corner: facades.walls.clone() }, Surface::default()];
        let camera = framed(camera, frame);
        Self { kind: Kind::Facades, surfaces, camera, shown: frame.shown, marks: Vec::new(), reach: 0.7 }
    }

    /// Surfaces outdoors, the sky last if it is cut out; `reach` is what the camera dares.
    #[must_use]
    pub fn of_exterior((kind, surfaces): (Kind, Vec<Surface>), camera: &Camera, frame: &Frame, reach: f64) -> Self {
        let camera = framed(camera, frame);
        Self { kind, surfaces, camera, shown: frame.shown, marks: Vec::new(), reach }
    }

    /// A backdrop across the view, where nothing is known about depth.
    #[must_use]
    pub fn flat(photo: &Photo, frame: &Frame) -> Self {
        let focal = photo.focal().unwrap_or(USUAL_FOCAL * photo.width.max(photo.height) as f64);
        let camera = Camera::turned(photo.width, photo.height, focal, 0.0, 0.0, 0.0);
        let planes = vec![camera.rotation.transpose() * DVec3::Z / FLAT];
        let surfaces = vec![Surface { planes, corner: Vec::new() }];
        let camera = framed(&camera, frame);
        Self { kind: Kind::Flat, surfaces, camera, shown: frame.shown, marks: Vec::new(), reach: 1.0 }
    }

    /// The plane of the ground, if it is among those of the main surface.
    #[must_use]
    pub fn ground(&self) -> Option<DVec3> {
        self.main().planes.iter().copied().find(|plane| plane.z < -0.5)
    }

    /// Whether a pixel of the frame shows the ground.
    #[must_use]
    pub fn is_ground(&self, pixel: DVec2) -> bool {
        let ray = self.ray_matrix(&self.start()) * pixel.extend(1.0);
        self.ground().is_some_and(|ground| ground.dot(ray) > 0.0 && ground.dot(ray) >= self.main().nearness(ray) - 1e-9)
    }

    /// Where the camera looks from the origin, in the room's axes.
    #[must_use]
    pub fn forward(&self) -> DVec3 {
        self.camera.rotation.transpose() * DVec3::Z
    }

    /// To the right of the picture, in the room's axes.
    #[must_use]
    pub fn right(&self) -> DVec3 {
        self.camera.rotation.transpose() * DVec3::X
    }

    /// Distance along the optical axis to what it meets.
    #[must_use]
    pub fn depth(&self) -> f64 {
        1.0 / self.main().nearness(self.forward()).max(1e-3)
    }

    /// The surface that represents most of the scene: the house under its sky, or the room.
    #[must_use]
    pub fn main(&self) -> &Surface {
        match self.kind {
            Kind::Facades | Kind::Exterior => &self.surfaces[0],
            Kind::Room | Kind::Flat => &self.surfaces[self.surfaces.len() - 1],
        }
    }

    /// Nearness of the main surface over the frame, sorted.
    #[must_use]
    pub fn depths(&self) -> Vec<f64> {
        let start = self.ray_matrix(&self.start());
        let (width, height) = (self.camera.width as f64, self.camera.height as f64);
        let share = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
        let cell = |i: usize| DVec2::new(share(i % DEPTHS, DEPTHS) * width, share(i / DEPTHS, DEPTHS) * height);
        let mut all: Vec<f64> =
            (0..DEPTHS * DEPTHS).map(|i| self.main().nearness(start * cell(i).extend(1.0))).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// The pose of the photo itself.
    #[must_use]
    pub fn start(&self) -> Pose {
        Pose { position: DVec3::ZERO, rotation: self.camera.rotation, focal: self.camera.focal, gain: 1.0 }
    }

    /// From a pixel of a frame seen from `pose`, homogeneous, to a direction in the room's axes.
    #[must_use]
    pub fn ray_matrix(&self, pose: &Pose) -> DMat3 {
        let center = self.camera.center;
        let sight = DMat3::from_cols(
            DVec3::X / pose.focal,
            DVec3::Y / pose.focal,
            DVec3::new(-center.x / pose.focal, -center.y / pose.focal, 1.0),
        );
        pose.rotation.transpose() * sight
    }

    /// Maps a point in the axes of the scene to a pixel of the photo, homogeneous.
    #[must_use]
    pub fn photo_matrix(&self) -> DMat3 {
        let Camera { focal, center, rotation, .. } = self.camera;
        let project = DMat3::from_cols(DVec3::X * focal, DVec3::Y * focal, center.extend(1.0));
        project * rotation
    }

    /// The surfaces relative to a position.
    #[must_use]
    pub fn surfaces_from(&self, position: DVec3) -> Vec<Surface> {
        self.surfaces.iter().map(|surface| surface.from(position)).collect()
    }

    /// Pixel and distance, seen from a pose, of the point that the photo shows at a pixel with a nearness; `None` behind the camera.
    #[must_use]
    pub fn seen_at(&self, pose: &Pose, pixel: DVec2, nearness: f64) -> Option<(DVec2, f64)> {
        let place = self.ray_matrix(&self.start()) * pixel.extend(1.0) / nearness;
        let sight = pose.rotation * (place - pose.position);
        (sight.z > 1e-3).then(|| (sight.truncate() / sight.z * pose.focal + self.camera.center, sight.z))
    }

    /// Pixel of the photo that a pixel seen from `pose` shows of the main surface; `None` behind the camera of the photo.
    #[must_use]
    pub fn photo_pixel(&self, pose: &Pose, pixel: DVec2) -> Option<DVec2> {
        self.photo_pixel_of(self.main(), pose, pixel)
    }

    /// The same of a surface.
    #[must_use]
    pub fn photo_pixel_of(&self, surface: &Surface, pose: &Pose, pixel: DVec2) -> Option<DVec2> {
        let ray = self.ray_matrix(pose) * pixel.extend(1.0);
        let nearness = surface.from(pose.position).nearness(ray);
        let seen = self.photo_matrix() * (ray + pose.position * nearness);
        (seen.z > 1e-9).then(|| seen.truncate() / seen.z)
    }
}

/// A photo's camera in the pixels of a frame.
fn framed(camera: &Camera, frame: &Frame) -> Camera {
    Camera {
        width: frame.width,
        height: frame.height,
        focal: camera.focal * frame.scale,
        center: camera.center * frame.scale - DVec2::from_array(frame.offset),
        rotation: camera.rotation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(width: usize, height: usize) -> Frame {
        Frame { width, height, scale: 1.0, offset: [0.0; 2], shown: [0.0, 0.0, width as f64, height as f64] }
    }

    fn room() -> Proxy {
        let camera = Camera::turned(960, 640, 620.0, -0.05, 0.01, 0.3);
        let planes = vec![-DVec3::Z, DVec3::Z / 0.9, -DVec3::X / 1.4, DVec3::X / 1.8, DVec3::Y / 3.0];
        let surfaces = vec![Surface { planes, corner: Vec::new() }];
        Proxy { kind: Kind::Room, surfaces, camera, shown: frame(960, 640).shown, marks: Vec::new(), reach: 1.0 }
    }

    #[test]
    fn from_where_the_photo_was_taken_each_pixel_shows_itself() {
        let room = room();
        for pixel in [DVec2::new(0.5, 0.5), DVec2::new(480.0, 320.0), DVec2::new(959.5, 10.0), DVec2::new(3.0, 639.0)] {
            let shown = room.photo_pixel(&room.start(), pixel).unwrap();
            assert!((shown - pixel).length() < 1e-9, "{pixel}: {shown}");
        }
    }

    #[test]
    fn a_place_on_a_plane_is_seen_where_it_is_from_anywhere() {
        let room = room();
        let place = DVec3::new(0.2, 2.0, -1.0);
        let pose = Pose { position: DVec3::new(0.1, 0.4, 0.05), ..room.start() };
        let camera = Camera { rotation: pose.rotation, ..room.camera };
        let seen = camera.pixel(place - pose.position).unwrap();
        let expected = room.camera.pixel(place).unwrap();
        assert!((room.photo_pixel(&pose, seen).unwrap() - expected).length() < 1e-6);
    }

    #[test]
    fn a_backdrop_keeps_its_shape_from_wherever_it_is_seen() {
        let photo = Photo::new(30, 20, vec![[0; 3]; 600]);
        let proxy = Proxy::flat(&photo, &frame(30, 20));
        let pose = Pose { position: proxy.forward() * 0.2 + proxy.right() * 0.05, ..proxy.start() };
        let seen = |x: f64, y: f64| proxy.photo_pixel(&pose, DVec2::new(x, y)).unwrap();
        // A square stays one, a fifth smaller in the photo.
        let (corner, right, below) = (seen(5.0, 5.0), seen(15.0, 5.0), seen(5.0, 15.0));
        assert!((right - corner - DVec2::new(8.0, 0.0)).length() < 1e-9, "{corner} {right}");
        assert!((below - corner - DVec2::new(0.0, 8.0)).length() < 1e-9, "{corner} {below}");
    }
}
