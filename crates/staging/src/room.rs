//! An empty room's photo in, the same room furnished out, or a refusal that says what to do.

use aerie_photo::lines::{self, Segment};
use aerie_photo::room::{Distances, Doubt, Hints, Layout};
use aerie_photo::{Layers, Photo, Scene as Place};
use glam::Vec3;
use serde::Serialize;

use crate::arrange::{Arrangement, Placed, RoomPlan, arrange};
use crate::catalog::Catalog;
use crate::composite::{Composite, composite};
use crate::effort::Effort;
use crate::layers::layers;
use crate::light::{Fit, Shell, Window};
use crate::monitor::Monitor;
use crate::operator_models::OperatorModels;
use crate::piece::PieceKind;
use crate::prompt::StylePrompt;
use crate::site::Site;
use crate::space::{Scale, Space, height_by_length};
use crate::style::Style;
use crate::trace::Scene;

/// Why a photo was not furnished, in words for whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It shows no room.
    #[error("{0}")]
    NotARoom(String),
    /// There is furniture, or people, in it.
    #[error("{0}")]
    NotEmpty(String),
    /// Its geometry is not sure enough, or furniture has no place in it.
    #[error("{0}")]
    NotUnderstood(String),
    /// Nobody waits for it any more.
    #[error("canceled")]
    Canceled,
}

/// What a person knows of a room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoomHints {
    /// The floor's outline in the picture, pixels.
    pub floor: Option<Vec<[f64; 2]>>,
    /// Two pixels of the floor and the meters between them.
    pub length: Option<([f64; 2], [f64; 2], f64)>,
}

/// A room that is understood and empty.
pub struct Room {
    shell: Shell,
    segments: Vec<Segment>,
    distances: Distances,
    /// How sure its geometry is, 0 to 1.
    pub confidence: f64,
    /// How its light was fitted.
    pub fit: Fit,
}

/// What a room is to be furnished as.
#[derive(Debug, Clone, Copy)]
pub struct Brief<'a> {
    /// The kind of room.
    pub plan: RoomPlan,
    /// Its style.
    pub style: &'a StylePrompt,
    /// The operator's pieces.
    pub models: &'a OperatorModels,
    /// Another one gives another furnishing.
    pub seed: u64,
}

/// A piece in the picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FurnitureItem {
    /// What it is.
    pub piece: PieceKind,
    /// The operator's model that it is, by its file's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The style it is of.
    pub style: Style,
    /// Of its middle: meters to the right of the camera, away from it, and up from the floor.
    pub position: [f64; 3],
    /// Width, depth, height, meters.
    pub size: [f64; 3],
    /// Degrees that it is turned to the left from facing the camera's side of the room.
    pub turn: f64,
    /// Its outline in the picture, pixels; empty where it lies outside.
    pub polygon: Vec<[f64; 2]>,
}

/// A furnished picture.
#[derive(Debug, Clone)]
pub struct Staged {
    /// The picture and its mask.
    pub picture: Composite,
    /// Every piece.
    pub furniture: Vec<FurnitureItem>,
    /// Pieces of the plan that had no place.
    pub left_out: Vec<PieceKind>,
    /// The style.
    pub style: Style,
    /// The picture taken apart; whose file it is is for whoever writes it to say.
    pub layers: Layers,
}

/// Litter on the floor, as a share of what is seen of it, that is taken for furniture: where all else is sure, and
/// where it is not.
const CLUTTER: [f32; 2] = [0.55, 0.14];
/// Contradicting lines of furnished rooms.
const VIOLATIONS: f64 = 0.04;
/// Median error of the walls' light, as a logarithm, above which light is doubtful, and above which a room's light is not
/// understood. Rooms of glass, whose walls say little, lie between and still look right.
const LIGHT_ERROR: [f32; 2] = [0.15, 0.45];

impl Room {
    /// Understands the room in a photo.
    ///
    /// # Errors
    /// [`Refusal`], where it is none, not empty, or not sure enough to build on.
    pub fn analyze(photo: &Photo, hints: &RoomHints) -> Result<Self, Refusal> {
        let segments = lines::segments(photo);
        let no_room = || {
            Refusal::NotARoom(
                "The photo does not show the inside of a room with its floor. Send a photo of an empty room that shows the \
                 floor and at least two walls."
                    .to_owned(),
            )
        };
        let Some(layout) = Layout::of_segments(photo, &segments, &Hints::of(photo)) else { return Err(no_room()) };
        let height = match hints.length {
            None => None,
            Some((from, to, meters)) => Some(height_by_length(&layout.frame.camera, from, to, meters).ok_or_else(|| {
                Refusal::NotUnderstood(
                    "`options.known_length` does not fit the photo: both points have to lie on the floor, and the camera would \
                     have to stand 0.3 to 5 m above it. Name two points of the floor and the meters between them."
                        .to_owned(),
                )
            })?),
        };
        let space = match &hints.floor {
            Some(outline) => Space::outlined(&layout, outline, height).ok_or_else(|| {
                Refusal::NotUnderstood(
                    "`options.floor_polygon` cannot be the floor: its points have to lie on the floor below the horizon, in \
                     pixels of the photo."
                        .to_owned(),
                )
            })?,
            None => Space::of(&layout, height),
        };
        let distances = if hints.floor.is_some() { space.extents() } else { layout.distances };
        let mut shell = Shell::of(space, photo);
        let clutter = shell.clutter();
        if !layout.is_confident() && hints.floor.is_none() {
            let floorless = layout.doubts.contains(&Doubt::LittleFloor) && layout.doubts.contains(&Doubt::EdgesNotSeen);
            if floorless || aerie_photo::scene(photo) == Place::Outdoors {
                return Err(no_room());
            }
            if clutter > CLUTTER[1] || layout.evidence.violations > VIOLATIONS {
                return Err(not_empty());
            }
            let reasons: Vec<&str> = layout.doubts.iter().map(|d| d.reason()).collect();
            return Err(Refusal::NotUnderstood(format!(
                "The room could not be understood well enough to furnish it truthfully: {}. Send a photo taken from a corner at \
                 chest height that shows the floor and where it meets the walls, or outline the floor in \
                 `options.floor_polygon`.",
                reasons.join("; ")
            )));
        }
        if clutter > CLUTTER[0] {
            return Err(not_empty());
        }
        let fit = shell.fit();
        if fit.error > LIGHT_ERROR[1] && hints.floor.is_none() {
            return Err(Refusal::NotUnderstood(
                "The light in the room could not be understood well enough to furnish it truthfully. Send a photo with even \
                 exposure, or outline the floor in `options.floor_polygon`."
                    .to_owned(),
            ));
        }
        let doubt = (fit.error - LIGHT_ERROR[0]).max(0.0);
        let sure = layout.confidence * f64::from(1.0 - doubt).clamp(0.5, 1.0);
        let confidence = if hints.floor.is_some() { sure.max(0.6) } else { sure };
        Ok(Self { shell, segments, distances, confidence, fit })
    }

    /// How its lengths were had.
    #[must_use]
    pub fn scale(&self) -> &Scale {
        &self.shell.space.scale
    }

    /// What is doubtful about it though it was furnished, in words for whoever looks the picture over.
    #[must_use]
    pub fn doubts(&self) -> Vec<&'static str> {
        let mut doubts = Vec::new();
        if self.fit.error > LIGHT_ERROR[0] {
            doubts.push("The room's light was understood roughly: look at the furniture's brightness and shadows.");
        }
        let scale = self.scale();
        if scale.range[1] > 1.25 * scale.range[0] {
            doubts.push("Sizes rest on usual heights of rooms: `options.known_length` would make them sure.");
        }
        doubts
    }

    /// Its windows, as strong as they were fitted.
    #[must_use]
    pub fn windows(&self) -> &[Window] {
        &self.shell.windows
    }

    /// Places of the floor that things of the room stand on or hide, which furniture keeps off.
    #[must_use]
    pub fn obstacles(&self) -> Vec<glam::Vec2> {
        self.shell.obstacles()
    }

    /// The room's shape.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.shell.space
    }

    /// Finds places for furniture.
    ///
    /// # Errors
    /// [`Refusal::NotUnderstood`] where even the pieces that the room type is about have no place.
    pub fn arrange(&self, plan: RoomPlan, catalog: &Catalog, seed: u64) -> Result<Arrangement, Refusal> {
        let site = Site::of(&self.shell, &self.segments);
        arrange(&site, plan, catalog, seed).ok_or_else(|| {
            Refusal::NotUnderstood(
                "The furniture of this room type has no place in what the photo shows of the floor without blocking a door, a \
                 window or a way through. Send a photo that shows more of the floor, or ask for another room type."
                    .to_owned(),
            )
        })
    }

    /// Shows things in the room, in its light; none where the work was to end early.
    #[must_use]
    pub fn render(
        &self,
        photo: &Photo,
        mut scene: Scene,
        effort: &Effort,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Option<Composite> {
        scene.gain = self.fit.gain;
        composite(photo, &mut self.shell.clone(), &mut scene, effort, (seed & 0xFFFF_FFFF) as u32, monitor)
    }

    /// Furnishes the photo. The same photo and brief give the same pixels.
    ///
    /// # Errors
    /// As [`Room::arranged`], and [`Refusal::Canceled`] within a second of being told so.
    pub fn stage(
        &self,
        photo: &Photo,
        brief: &Brief<'_>,
        effort: &Effort,
        monitor: &Monitor<'_>,
    ) -> Result<Staged, Refusal> {
        let Brief { plan, style, models, seed } = *brief;
        let catalog = Catalog::new(style, models, seed);
        let arrangement = self.arrange(plan, &catalog, seed)?;
        let (style, materials) = (catalog.palette.style, catalog.palette.materials);
        let picture = self
            .render(photo, Scene::new(arrangement.mesh(), materials.clone()), effort, seed, monitor)
            .ok_or(Refusal::Canceled)?;
        let furniture = arrangement.placed.iter().map(|p| furniture_item(&self.shell.space, p, style)).collect();
        let layers =
            layers(&self.shell.space, self.distances, &picture, (&arrangement, &materials), &|| monitor.is_canceled());
        let layers = Layers { confidence: self.confidence, ..layers.ok_or(Refusal::Canceled)? };
        Ok(Staged { picture, furniture, left_out: arrangement.left_out, style, layers })
    }
}

fn not_empty() -> Refusal {
    Refusal::NotEmpty(
        "The room seems to be furnished, or someone or something stands on its floor. Virtual staging furnishes empty rooms: \
         send a photo of the empty room, or outline its bare floor in `options.floor_polygon`."
            .to_owned(),
    )
}

fn furniture_item(space: &Space, placed: &Placed, style: Style) -> FurnitureItem {
    let rounded = |v: f32, steps: f64| (f64::from(v) * steps).round() / steps;
    let size = placed.piece.size;
    let corners = placed.footprint().corners();
    let places = corners.iter().flat_map(|c| [c.extend(placed.at.z), c.extend(placed.at.z + size.z)]);
    let (width, height) = (space.camera.width as f32, space.camera.height as f32);
    let pixels: Vec<glam::Vec2> = places
        .filter_map(|p| space.pixel(p))
        .map(|p| p.as_vec2().clamp(glam::Vec2::ZERO, glam::Vec2::new(width, height)))
        .collect();
    let mut polygon: Vec<[f64; 2]> =
        hull(pixels).into_iter().map(|p| [rounded(p.x, 10.0), rounded(p.y, 10.0)]).collect();
    let spread = |axis: usize| {
        let values = || polygon.iter().map(|p| p[axis]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    if polygon.len() < 3 || spread(0) < 1.0 || spread(1) < 1.0 {
        polygon.clear();
    }
    let middle = placed.at + Vec3::Z * size.z / 2.0;
    FurnitureItem {
        piece: placed.piece.kind,
        model: placed.piece.model.as_deref().map(str::to_owned),
        style,
        position: middle.to_array().map(|v| rounded(v, 100.0)),
        size: size.to_array().map(|v| rounded(v, 100.0)),
        turn: rounded(placed.yaw.to_degrees().rem_euclid(360.0), 10.0),
        polygon,
    }
}

/// The convex hull, anticlockwise in the picture's axes (Andrew 1979).
fn hull(mut points: Vec<glam::Vec2>) -> Vec<glam::Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = glam::Vec2>| {
        let mut chain: Vec<glam::Vec2> = Vec::new();
        for p in points {
            while chain.len() >= 2
                && (chain[chain.len() - 1] - chain[chain.len() - 2]).perp_dot(p - chain[chain.len() - 1]) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}
