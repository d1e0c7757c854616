//! Scene description: plain data for the renderer.
//!
//! Meters, `x` east, `y` north, `z` up. Colors are linear sRGB unless noted.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4, Vec4Swizzles as _};

/// A scene.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Sun, sky and air.
    pub light: Light,
    /// Ground as a height field.
    pub terrain: HeightField,
    /// Triangles painted on the ground, three vertices each; later ones lie on top.
    pub paint: Vec<PaintVertex>,
    /// Windows of ground texture, finest first, each inside the next.
    pub ground_levels: Vec<GroundLevel>,
    /// Buildings and other solids.
    pub solids: Solids,
    /// Trees, hedges and other foliage, as small opaque cards.
    pub plants: Plants,
    /// Center of interest, and of the near shadow map.
    pub focus: Vec3,
    /// Lowest and highest corner of the land that the map shows, east and north in meters; the ground beyond dissolves in haze.
    /// `None` where all of it is known.
    pub known: Option<[Vec2; 2]>,
    /// A boundary on the ground, if any.
    pub marking: Option<crate::marking::Marking>,
    /// Orthophotos over the painted ground, for the first ground levels.
    pub orthophotos: Vec<Orthophoto>,
    /// World-to-clip matrices of the views: ground outside all of them is not painted. Empty where any view is possible.
    pub views: Vec<Mat4>,
}

impl Scene {
    /// The finest detail visible on a square of ground (`center`, half its side) in a picture of `rows`: the smallest footprint of
    /// a pixel on it, meters, as in `ground.wgsl`; `None` where it is out of view.
    pub(crate) fn ground_detail(&self, center: Vec2, half: f32, rows: u32) -> Option<f32> {
        if self.views.is_empty() {
            return Some(0.0);
        }
        let (low, high) = self.heights_of(center, half);
        // Margin for bends of the terrain between samples, and for filtering across the border.
        let half = half * 1.06;
        let (min, max) = ((center - half).extend(low - 3.0), (center + half).extend(high + 3.0));
        let seen = self.views.iter().filter(|view| Frustum::new(view).sees(min, max));
        seen.map(|view| least_footprint(view, rows, min, max)).reduce(f32::min)
    }

    /// Minimum and maximum height of the ground in a square (`center`, half its side).
    pub(crate) fn heights_of(&self, center: Vec2, half: f32) -> (f32, f32) {
        let steps = ((2.0 * half / self.terrain.spacing_on(center, half).max(1.0)).ceil() as usize).clamp(1, 64);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for i in 0..=steps {
            for j in 0..=steps {
                let share = Vec2::new(i as f32, j as f32) / steps as f32 * 2.0 - 1.0;
                let height = self.terrain.height(center + share * half);
                (low, high) = (low.min(height), high.max(height));
            }
        }
        (low, high)
    }
}

/// The smallest footprint on the ground of a pixel that shows part of a box, meters; see `ground.wgsl`.
fn least_footprint(view: &Mat4, rows: u32, min: Vec3, max: Vec3) -> f32 {
    // The eye is the point that maps to (0, 0, z, 0); the second row holds the field of view.
    let eye = (view.inverse() * Vec4::Z).xyz() / (view.inverse() * Vec4::Z).w;
    let pixel = 2.0 / (view.row(1).truncate().length() * rows as f32);
    let distance = eye.distance(eye.clamp(min, max));
    let across = distance * pixel;
    let lean = ((eye.z - min.z) / distance.max(1.0)).clamp(0.08, 1.0);
    across.max(0.42 * across / lean)
}

/// The side planes of a view frustum; depth is infinite.
#[derive(Debug, Clone, Copy)]
pub struct Frustum([Vec4; 4]);

impl Frustum {
    /// The frustum of a world-to-clip matrix.
    #[must_use]
    pub fn new(view_proj: &Mat4) -> Self {
        let (x, y, w) = (view_proj.row(0), view_proj.row(1), view_proj.row(3));
        Self([w + x, w - x, w + y, w - y])
    }

    /// Whether a box, given by its lowest and highest corner, may intersect the view.
    #[must_use]
    pub fn sees(&self, min: Vec3, max: Vec3) -> bool {
        self.0.iter().all(|plane| {
            let corner = Vec3::select(plane.truncate().cmpge(Vec3::ZERO), max, min);
            plane.dot(corner.extend(1.0)) >= 0.0
        })
    }
}

/// Sun, sky and air.
#[derive(Debug, Clone, Copy)]
pub struct Light {
    /// Unit vector toward the sun.
    pub sun_direction: Vec3,
    /// Radiance of a white surface facing the sun.
    pub sun_color: Vec3,
    /// Ambient light from above.
    pub sky: Vec3,
    /// Ambient light from below.
    pub bounce: Vec3,
    /// Extinction of red per meter; green has 1.5 times, blue 2.5 times as much.
    pub haze_density: f32,
    /// Radiance of infinitely deep air.
    pub haze: Vec3,
    /// Radiance of the sky at the zenith.
    pub zenith: Vec3,
    /// Radiance of the sky at the horizon.
    pub horizon: Vec3,
    /// Exposure factor.
    pub exposure: f32,
    /// Saturation, 1 = unchanged.
    pub saturation: f32,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            sun_direction: Vec3::new(0.5, -0.6, 0.62).normalize(),
            sun_color: Vec3::new(3.55, 3.10, 2.50),
            sky: Vec3::new(0.63, 0.68, 0.77),
            bounce: Vec3::new(0.27, 0.255, 0.20),
            haze_density: 0.000_057,
            haze: Vec3::new(0.62, 0.73, 0.86),
            zenith: Vec3::new(0.16, 0.31, 0.62),
            horizon: Vec3::new(0.62, 0.74, 0.87),
            exposure: 0.71,
            saturation: 0.97,
        }
    }
}

/// A regular grid of heights, row by row from the south-west.
#[derive(Debug, Clone, Default)]
pub struct HeightField {
    /// Position of the first sample.
    pub min: Vec2,
    /// Meters between samples.
    pub spacing: f32,
    /// Samples in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Heights, meters.
    pub heights: Vec<f32>,
    /// Finer heights of a part; on its rim they equal the coarse ones.
    pub near: Option<Box<HeightField>>,
}

impl HeightField {
    /// Bilinear height at a point, clamped at the border; that of [`Self::near`] where it reaches.
    #[must_use]
    pub fn height(&self, at: Vec2) -> f32 {
        if let Some(near) = self.near.as_ref().filter(|near| near.holds(at)) {
            return near.height(at);
        }
        let g = (at - self.min) / self.spacing;
        let x = g.x.clamp(0.0, (self.columns - 1) as f32);
        let y = g.y.clamp(0.0, (self.rows - 1) as f32);
        let (i, j) = ((x as usize).min(self.columns - 2), (y as usize).min(self.rows - 2));
        let (u, v) = (x - i as f32, y - j as f32);
        let at = |i: usize, j: usize| self.heights[j * self.columns + i];
        let south = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
        let north = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
        south * (1.0 - v) + north * v
    }

    /// Position of the last (north-east) sample.
    pub(crate) fn max(&self) -> Vec2 {
        self.min + Vec2::new((self.columns - 1) as f32, (self.rows - 1) as f32) * self.spacing
    }

    fn holds(&self, at: Vec2) -> bool {
        at.cmpge(self.min).all() && at.cmple(self.max()).all()
    }

    /// Meters between samples on a square (`center`, half its side), at the finest.
    fn spacing_on(&self, center: Vec2, half: f32) -> f32 {
        let meets = |near: &&Self| (near.min - half).cmple(center).all() && (near.max() + half).cmpge(center).all();
        self.near.as_deref().filter(meets).map_or(self.spacing, |near| near.spacing)
    }
}

/// Land cover of a painted triangle; selects its grain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Cover {
    /// Concrete, paving.
    Hard = 0,
    /// Mown grass.
    Lawn = 1,
    /// Meadow.
    Meadow = 2,
    /// Arable field, rows along its own direction.
    Arable = 3,
    /// Vines or orchard rows.
    Rows = 4,
    /// Forest floor, scrub.
    Woodland = 5,
    /// Water.
    Water = 6,
    /// Gravel, earth, sand, rock.
    Loose = 7,
    /// Carriageway; `local` is meters along and half widths across.
    Carriageway = 8,
    /// Sports pitch.
    Pitch = 9,
    /// Road marking.
    Marking = 10,
}

/// A vertex of the ground's painting.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PaintVertex {
    /// East, north.
    pub position: [f32; 2],
    /// Linear albedo; the fourth component is unused.
    pub color: [f32; 4],
    /// Number of the [`Cover`]; the second component is set by the renderer.
    pub grain: [f32; 2],
    /// Position in the shape's own frame, meters.
    pub local: [f32; 2],
}

/// A square window of ground texture.
#[derive(Debug, Clone, Copy)]
pub struct GroundLevel {
    /// Center.
    pub center: Vec2,
    /// Half its side, meters.
    pub half_extent: f32,
    /// Texels per side.
    pub texels: u32,
}

/// An orthophoto of a square of ground, north up.
#[derive(Debug, Clone)]
pub struct Orthophoto {
    /// Center.
    pub center: Vec2,
    /// Half its side, meters.
    pub half_extent: f32,
    /// Pixels per side.
    pub side: u32,
    /// Square root of the linear albedo, and opacity, as bytes; row by row from the north.
    pub rgba: Vec<u8>,
}

/// A vertex of a building.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct SolidVertex {
    /// Position.
    pub position: [f32; 3],
    /// Normal, and the share of open sky, as signed bytes.
    pub normal: [i8; 4],
    /// Meters along and up the face.
    pub uv: [f32; 2],
    /// Colors and patterns; see `solids.wgsl`.
    pub material: [u32; 4],
}

/// Selects the fragment shader of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// A wall with windows.
    Wall,
    /// A roof.
    Roof,
    /// One color.
    Plain,
}

/// A part of the solids that is culled as a whole.
#[derive(Debug, Clone, Default)]
pub struct SolidChunk {
    /// Lowest corner.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
    /// Ranges of [`Solids::indices`]: walls, roofs, plain.
    pub ranges: [std::ops::Range<u32>; 3],
}

/// Buildings and other solids.
#[derive(Debug, Clone, Default)]
pub struct Solids {
    /// Vertices.
    pub vertices: Vec<SolidVertex>,
    /// Indices, three per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Chunks.
    pub chunks: Vec<SolidChunk>,
}

/// A vertex of a plant, before lighting.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PlantVertex {
    /// Position.
    pub position: [f32; 3],
    /// Normal, and the share of open sky, as signed bytes.
    pub normal: [i8; 4],
    /// Square root of the linear albedo, and translucency, as bytes.
    pub color: [u8; 4],
}

/// A part of the plants that is culled as a whole.
#[derive(Debug, Clone, Default)]
pub struct PlantChunk {
    /// Lowest corner.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
    /// Range of [`Plants::indices`].
    pub range: std::ops::Range<u32>,
}

/// Foliage.
#[derive(Debug, Clone, Default)]
pub struct Plants {
    /// Vertices.
    pub vertices: Vec<PlantVertex>,
    /// Indices, three per triangle; both sides are drawn.
    pub indices: Vec<u32>,
    /// Chunks.
    pub chunks: Vec<PlantChunk>,
}

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position.
    pub eye: Vec3,
    /// Point that it looks at.
    pub target: Vec3,
    /// Up direction; not parallel to the view.
    pub up: Vec3,
    /// Vertical field of view, radians.
    pub field: f32,
}

impl Camera {
    /// World-to-clip matrix with reversed depth (near 1, far 0), which keeps precision far away.
    #[must_use]
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        Mat4::perspective_infinite_reverse_rh(self.field, aspect, 2.0)
            * Mat4::look_at_rh(self.eye, self.target, self.up)
    }
}
