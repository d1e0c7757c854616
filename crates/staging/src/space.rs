//! The room in meters, from the layout of a photo: floor polygon, walls, camera.
//!
//! X to the right, Y away, Z up; the floor lies at z = 0 and the camera over the origin.

use aerie_photo::room::{Camera, Distances, Layout, Scale};
use glam::{DVec2, Vec2, Vec3};

/// A side of the floor, and the wall on it.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Start; sides run counter-clockwise seen from above.
    pub from: Vec2,
    /// End.
    pub to: Vec2,
    /// Normal, into the room.
    pub inward: Vec2,
    /// Whether the photo shows it; the others close the room behind the camera.
    pub seen: bool,
}

impl Side {
    /// Length, meters.
    #[must_use]
    pub fn length(&self) -> f32 {
        (self.to - self.from).length()
    }

    /// Unit vector along it.
    #[must_use]
    pub fn along(&self) -> Vec2 {
        (self.to - self.from).normalize_or(Vec2::X)
    }

    /// The point `along` meters along the wall and `up` meters high.
    #[must_use]
    pub fn at(&self, along: f32, up: f32) -> Vec3 {
        (self.from + self.along() * along).extend(up)
    }
}

/// A room.
#[derive(Debug, Clone)]
pub struct Space {
    /// The camera, rotated relative to the axes of the room.
    pub camera: Camera,
    /// Position of the camera.
    pub eye: Vec3,
    /// Height of the ceiling.
    pub height: f32,
    /// Sides of the floor, counter-clockwise.
    pub sides: Vec<Side>,
    /// How lengths were estimated.
    pub scale: Scale,
}

/// A surface of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Surface {
    /// The floor.
    Floor,
    /// The ceiling.
    Ceiling,
    /// The wall on a side.
    Wall(usize),
}

/// Assumed distance of the wall behind the camera, meters.
const BEHIND: f32 = 1.2;
/// Greatest distance of a corner of the floor, meters.
const FARTHEST: f64 = 40.0;
/// Least slope downward at which a ray counts as meeting the floor.
const LEAST_SLOPE: f64 = 0.03;

impl Space {
    /// The room of a layout. `camera_height` is in meters, if a length is known.
    #[must_use]
    pub fn of(layout: &Layout, camera_height: Option<f64>) -> Self {
        let scale = camera_height.map_or(layout.scale, Scale::known);
        let unit = scale.meters;
        let corner = |wall: &aerie_photo::room::Wall, end: usize| -> Vec2 {
            let azimuth = wall.azimuths[end];
            let across = if wall.axis == 0 { azimuth.sin() } else { azimuth.cos() };
            let reach = (wall.at / across).clamp(0.05, 40.0) * unit;
            DVec2::new(azimuth.sin() * reach, azimuth.cos() * reach).as_vec2()
        };
        let mut rim: Vec<Vec2> = layout.walls.iter().flat_map(|w| [corner(w, 0), corner(w, 1)]).collect();
        rim.dedup_by(|a, b| (*a - *b).length() < 0.02);
        let d = &layout.distances;
        // The box continues to the left and right of the picture and is closed behind the camera.
        let (first, last) = (rim[0], rim[rim.len() - 1]);
        let left = if layout.walls[0].axis == 0 { first.x } else { first.x.min(-(d.left * unit) as f32) };
        let right =
            if layout.walls[layout.walls.len() - 1].axis == 0 { last.x } else { last.x.max((d.right * unit) as f32) };
        Self::within(layout.frame.camera, &rim, [left, right], d.ceiling, scale)
    }

    /// The room whose floor a person outlined in the picture with three or more pixels; corners at the lower edge of the picture do
    /// not lie at walls. The part above the horizon is cut off. `None` if nothing is left below it.
    #[must_use]
    pub fn outlined(layout: &Layout, outline: &[[f64; 2]], camera_height: Option<f64>) -> Option<Self> {
        let camera = &layout.frame.camera;
        let below: Vec<[f64; 2]> = below_horizon(camera, outline, true);
        let mut corners: Vec<(f64, [f64; 2])> = below
            .into_iter()
            .map(|pixel| {
                let ray = camera.ray(DVec2::from_array(pixel));
                (ray.x.atan2(ray.y), pixel)
            })
            .collect();
        corners.sort_by(|a, b| a.0.total_cmp(&b.0));
        let last = corners.len().checked_sub(1)?;
        let at_edge = |pixel: [f64; 2]| pixel[1] > camera.height as f64 - 3.0;
        let kept = corners.iter().enumerate().filter(|(i, c)| !at_edge(c.1) || *i == 0 || *i == last);
        Self::between(layout, &kept.map(|(_, c)| c.1).collect::<Vec<_>>(), camera_height)
    }

    /// The room of which a person gave the points where walls meet the floor, from left to right, in pixels. Points above the horizon
    /// are left out. `None` if fewer than two are left.
    #[must_use]
    pub fn cornered(layout: &Layout, corners: &[[f64; 2]], camera_height: Option<f64>) -> Option<Self> {
        Self::between(layout, &below_horizon(&layout.frame.camera, corners, false), camera_height)
    }

    fn between(layout: &Layout, foot: &[[f64; 2]], camera_height: Option<f64>) -> Option<Self> {
        let scale = camera_height.map_or(layout.scale, Scale::known);
        let camera = layout.frame.camera;
        let place = |pixel: &[f64; 2]| {
            let ray = camera.ray(DVec2::from_array(*pixel));
            (ray / -ray.z * scale.meters).truncate().clamp_length_max(FARTHEST).as_vec2()
        };
        let mut rim: Vec<Vec2> = foot.iter().map(place).collect();
        rim.dedup_by(|a, b| (*a - *b).length() < 0.02);
        if rim.len() < 2 {
            return None;
        }
        // Given from right to left, they are turned round.
        if rim[0].x.atan2(rim[0].y) > rim[rim.len() - 1].x.atan2(rim[rim.len() - 1].y) {
            rim.reverse();
        }
        let (first, last) = (rim[0], rim[rim.len() - 1]);
        Some(Self::within(camera, &rim, [first.x, last.x], layout.distances.ceiling, scale))
    }

    /// Closes a row of wall corners, from left to right, behind the camera.
    fn within(camera: Camera, rim: &[Vec2], [left, right]: [f32; 2], ceiling: f64, scale: Scale) -> Self {
        let unit = scale.meters;
        let (first, last) = (rim[0], rim[rim.len() - 1]);
        let back = (first.y.min(last.y) - 0.05).min(-BEHIND);
        let seen_from = 2 - usize::from((first.x - left).abs() < 0.02);
        let mut corners = vec![Vec2::new(left, back)];
        if (first.x - left).abs() >= 0.02 {
            corners.push(Vec2::new(left, first.y));
        }
        corners.extend(rim);
        if (last.x - right).abs() >= 0.02 {
            corners.push(Vec2::new(right, last.y));
        }
        corners.push(Vec2::new(right, back));
        let seen = |i: usize| {
            (seen_from..seen_from + rim.len() - 1).contains(&i) || (i + 1 >= seen_from && i < seen_from + rim.len())
        };
        // The corners run clockwise until here.
        let count = corners.len();
        let sides = (0..count)
            .rev()
            .map(|i| {
                let (from, to) = (corners[(i + 1) % count], corners[i]);
                let along = (to - from).normalize_or(Vec2::X);
                Side { from, to, inward: along.perp(), seen: i + 1 < count && seen(i) }
            })
            .filter(|s| s.length() > 1e-3)
            .collect::<Vec<Side>>();
        // Collinear visible sides are one wall.
        let mut joined: Vec<Side> = Vec::new();
        for side in sides {
            match joined.last_mut() {
                Some(last) if last.along().dot(side.along()) > 0.9999 && last.seen && side.seen => last.to = side.to,
                _ => joined.push(side),
            }
        }
        let sides = joined;
        Self { camera, eye: Vec3::new(0.0, 0.0, unit as f32), height: ((1.0 + ceiling) * unit) as f32, sides, scale }
    }

    /// Bounding box of the visible sides, in camera heights.
    #[must_use]
    pub fn extents(&self) -> Distances {
        let unit = f64::from(self.eye.z);
        let ends = || self.sides.iter().filter(|s| s.seen).flat_map(|s| [s.from, s.to]);
        let most = |of: fn(Vec2) -> f32| (f64::from(ends().map(of).fold(0.0, f32::max)) / unit).max(0.05);
        Distances {
            ceiling: f64::from(self.height) / unit - 1.0,
            left: most(|p| -p.x),
            right: most(|p| p.x),
            far: most(|p| p.y),
        }
    }

    /// The pixel of a point; `None` behind the camera.
    #[must_use]
    pub fn pixel(&self, place: Vec3) -> Option<DVec2> {
        self.camera.pixel((place - self.eye).as_dvec3())
    }

    /// Whether a point lies in the picture.
    #[must_use]
    pub fn shows(&self, place: Vec3) -> bool {
        self.pixel(place).is_some_and(|p| {
            p.x >= 0.0 && p.y >= 0.0 && p.x < self.camera.width as f64 && p.y < self.camera.height as f64
        })
    }

    /// Unit direction of a pixel.
    #[must_use]
    pub fn ray(&self, pixel: DVec2) -> Vec3 {
        self.camera.ray(pixel).as_vec3()
    }

    /// The surface that a ray from inside hits, and the distance, meters.
    #[must_use]
    pub fn intersect(&self, from: Vec3, ray: Vec3) -> (f32, Surface) {
        let mut best = if ray.z < 0.0 {
            ((-from.z / ray.z).max(0.0), Surface::Floor)
        } else {
            (((self.height - from.z) / ray.z.max(1e-9)).max(0.0), Surface::Ceiling)
        };
        let flat = ray.truncate();
        for (i, side) in self.sides.iter().enumerate() {
            let facing = side.inward.dot(flat);
            if facing >= -1e-7 {
                continue;
            }
            let t = side.inward.dot(side.from - from.truncate()) / facing;
            if t < best.0 && t > -1e-3 {
                let along = (from.truncate() + flat * t - side.from).dot(side.along());
                if along >= -1e-3 && along <= side.length() + 1e-3 {
                    best = (t.max(0.0), Surface::Wall(i));
                }
            }
        }
        best
    }

    /// Normal of a surface, into the room.
    #[must_use]
    pub fn normal(&self, surface: Surface) -> Vec3 {
        match surface {
            Surface::Floor => Vec3::Z,
            Surface::Ceiling => -Vec3::Z,
            Surface::Wall(i) => self.sides[i].inward.extend(0.0),
        }
    }

    /// Coordinates of a point on a surface, meters.
    #[must_use]
    pub fn on_face(&self, surface: Surface, place: Vec3) -> Vec2 {
        match surface {
            Surface::Floor | Surface::Ceiling => place.truncate(),
            Surface::Wall(i) => {
                let side = &self.sides[i];
                Vec2::new((place.truncate() - side.from).dot(side.along()), place.z)
            }
        }
    }

    /// The point at coordinates of a surface.
    #[must_use]
    pub fn off_face(&self, surface: Surface, at: Vec2) -> Vec3 {
        match surface {
            Surface::Floor => at.extend(0.0),
            Surface::Ceiling => at.extend(self.height),
            Surface::Wall(i) => self.sides[i].at(at.x, at.y),
        }
    }

    /// Bounds of a surface in its coordinates.
    #[must_use]
    pub fn extent(&self, surface: Surface) -> [Vec2; 2] {
        match surface {
            Surface::Floor | Surface::Ceiling => {
                let ends = || self.sides.iter().map(|s| s.from);
                [ends().fold(Vec2::MAX, Vec2::min), ends().fold(Vec2::MIN, Vec2::max)]
            }
            Surface::Wall(i) => [Vec2::ZERO, Vec2::new(self.sides[i].length(), self.height)],
        }
    }

    /// All surfaces.
    #[must_use]
    pub fn surfaces(&self) -> Vec<Surface> {
        [Surface::Floor, Surface::Ceiling].into_iter().chain((0..self.sides.len()).map(Surface::Wall)).collect()
    }

    /// Whether a place lies over the floor.
    #[must_use]
    pub fn holds(&self, place: Vec2) -> bool {
        let mut inside = false;
        for s in &self.sides {
            let (a, b) = (s.from, s.to);
            if (a.y > place.y) != (b.y > place.y) && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y) {
                inside = !inside;
            }
        }
        inside
    }

    /// Distance to the nearest wall.
    #[must_use]
    pub fn clearance(&self, place: Vec2) -> f32 {
        let to = |s: &Side| {
            let along = (place - s.from).dot(s.along()).clamp(0.0, s.length());
            (place - s.from - s.along() * along).length()
        };
        self.sides.iter().map(to).fold(f32::MAX, f32::min)
    }
}

/// The part of an outline, or of a line if it is not closed, that lies clearly below the horizon.
fn below_horizon(camera: &Camera, points: &[[f64; 2]], closed: bool) -> Vec<[f64; 2]> {
    let [a, b, c] = camera.horizon();
    let under = |p: [f64; 2]| a * p[0] + b * p[1] + c - LEAST_SLOPE * camera.focal;
    let mut kept = Vec::with_capacity(points.len() + 2);
    for (i, &p) in points.iter().enumerate() {
        if under(p) >= 0.0 {
            kept.push(p);
        }
        let next = if closed { points[(i + 1) % points.len()] } else { *points.get(i + 1).unwrap_or(&p) };
        let (u, v) = (under(p), under(next));
        if (u < 0.0) != (v < 0.0) {
            let t = u / (u - v);
            kept.push([p[0] + (next[0] - p[0]) * t, p[1] + (next[1] - p[1]) * t]);
        }
    }
    kept
}

/// A box-shaped room, for tests. The camera stands `eye` meters above the origin and looks along Y.
#[must_use]
pub fn boxed(camera: Camera, eye: f32, low: Vec2, high: Vec2, height: f32) -> Space {
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let sides = (0..4)
        .map(|i| {
            let (from, to) = (corners[i], corners[(i + 1) % 4]);
            Side { from, to, inward: (to - from).normalize().perp(), seen: i != 0 }
        })
        .collect();
    let scale = Scale::known(f64::from(eye));
    Space { camera, eye: Vec3::new(0.0, 0.0, eye), height, sides, scale }
}

/// Height of the camera, meters, from the known distance between two pixels of the floor.
#[must_use]
pub fn height_by_length(camera: &Camera, from: [f64; 2], to: [f64; 2], meters: f64) -> Option<f64> {
    let floor = |pixel: [f64; 2]| {
        let ray = camera.ray(DVec2::from_array(pixel));
        (ray.z < -1e-3).then(|| ray / -ray.z)
    };
    let apart = (floor(from)? - floor(to)?).length();
    let height = meters / apart.max(1e-9);
    (0.3..5.0).contains(&height).then_some(height)
}
