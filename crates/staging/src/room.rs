//! Furnishes the photo of an empty room, or refuses it and says what to send instead.

use std::collections::BTreeMap;

use aerie_math::color::encoded;
use aerie_math::geometry;
use aerie_math::rng::mix;
use aerie_photo::lines::{self, Segment};
use aerie_photo::room::{Distances, Doubt, Hints, Layout, Scale};
use aerie_photo::segmentation::{Class, Segmentation};
use aerie_photo::{Layers, Photo};
use glam::Vec3;
use serde::Serialize;

use crate::arrange::{Arrangement, Placed, RoomPlan, arrange};
use crate::asked::{self, Asked};
use crate::composite::{Composite, composite};
use crate::effort::Effort;
use crate::layers::layers;
use crate::light::{Fit, Shell, Window};
use crate::monitor::Monitor;
use crate::site::Site;
use crate::space::{Space, Surface, height_by_length};
use crate::trace::Scene;
use crate::views::{self, PlanTransform, RoomView};
use aerie_furniture::catalog::Catalog;
use aerie_furniture::operator_models::{Credit, OperatorModels};
use aerie_furniture::piece::PieceKind;
use aerie_furniture::prompt::StylePrompt;
use aerie_furniture::style::Style;

/// Why a photo was not furnished, worded for the person who sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It does not show a room.
    #[error("{0}")]
    NotARoom(String),
    /// Furniture or people are in the room.
    #[error("{0}")]
    NotEmpty(String),
    /// Its geometry is not certain enough, or there is no space for furniture.
    #[error("{0}")]
    NotUnderstood(String),
    /// The work was canceled.
    #[error("canceled")]
    Canceled,
}

/// What a user knows about a room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoomHints {
    /// The floor's outline in the picture, pixels.
    pub floor: Option<Vec<[f64; 2]>>,
    /// The points where walls meet the floor, from left to right, pixels; in place of the outline.
    pub corners: Option<Vec<[f64; 2]>>,
    /// Two pixels of the floor and the distance between them, meters.
    pub length: Option<([f64; 2], [f64; 2], f64)>,
    /// Whether a person declares the room to be empty.
    pub is_empty: bool,
    /// Whether it is a terrace or another place outdoors.
    pub is_outdoors: bool,
}

/// An analyzed, empty room.
pub struct Room {
    shell: Shell,
    segments: Vec<Segment>,
    segmentation: Segmentation,
    distances: Distances,
    /// Confidence in its geometry, 0 to 1.
    pub confidence: f64,
    /// How its light was fitted.
    pub fit: Fit,
}

/// How a room is to be furnished.
#[derive(Debug, Clone, Copy)]
pub struct Brief<'a> {
    /// The kind of room.
    pub plan: RoomPlan,
    /// Its style.
    pub style: &'a StylePrompt,
    /// The operator's models.
    pub models: &'a OperatorModels,
    /// Another seed gives another arrangement.
    pub seed: u64,
    /// The pieces at their places, in place of an arrangement of our own.
    pub asked: Option<&'a [Asked]>,
    /// Another view of the room, in which it is furnished: the same furniture is shown at the same places.
    pub first: Option<FirstView<'a>>,
}

/// The view of a room in which it was furnished first, for another view of it.
#[derive(Debug, Clone, Copy)]
pub struct FirstView<'a> {
    /// The room by the first photo.
    pub room: &'a Room,
    /// From the floor of the other view to that of the first one.
    pub plan: PlanTransform,
}

/// A piece in the picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FurnitureItem {
    /// What it is.
    pub piece: PieceKind,
    /// File stem of the operator's model, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// License, attribution and source of the operator's model.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub credit: Option<Credit>,
    /// Its style.
    pub style: Style,
    /// Its center: meters to the right of the camera, away from it, and above the floor.
    pub position: [f64; 3],
    /// Width, depth, height, meters.
    pub size: [f64; 3],
    /// Rotation to the left, degrees; 0 faces the camera's side of the room.
    pub turn: f64,
    /// Height of its lower edge above the floor, meters.
    pub elevation: f64,
    /// How it was generated, for `options.arrangement`; also says what stands on an operator's model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// Colors of its materials by role, `#rrggbb`; none of an operator's model.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub colors: BTreeMap<&'static str, String>,
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
    /// Pieces of the plan for which there was no space.
    pub left_out: Vec<PieceKind>,
    /// The style.
    pub style: Style,
    /// What is doubtful about places that a person gave.
    pub doubts: Vec<String>,
    /// The layers of the picture, without the identity of its file, which the writer adds.
    pub layers: Layers,
}

/// Share of the photo that shows furniture from which a room counts as furnished, and the same for a room that a person declares to
/// be empty.
const FURNISHED: [f64; 2] = [0.125, 0.25];
/// The same for a room whose geometry is accepted with less than this confidence: what stands there may hide it; and for one that is
/// not understood, where furniture is the better reason.
const FEW_THINGS: f64 = 0.05;
const SOME_THINGS: f64 = 0.08;
const SURE: f64 = 0.8;
/// Mean probability of furniture on an outlined floor from which it counts as covered.
const COVERED: f32 = 0.4;
/// Distance to a piece from another view within which the camera stands in it, meters.
const AT_CAMERA: f32 = 0.35;
/// Median logarithmic error of the light on walls above which the light is doubtful.
const LIGHT_ERROR: f32 = 0.15;

/// What a person should know about a hanging lamp.
const PENDANT: &str =
    "The pendant lamp is part of the furniture: the photo does not show whether the ceiling has an outlet there.";

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("confidence", &self.confidence).finish_non_exhaustive()
    }
}

impl Room {
    /// Reconstructs the room in a photo and its light.
    ///
    /// # Errors
    /// [`Refusal`] if the photo does not show a room, the room is not empty, or its geometry or light is not certain enough.
    pub fn analyze(photo: &Photo, hints: &RoomHints) -> Result<Self, Refusal> {
        let segments = lines::segments(photo);
        let no_room = || {
            Refusal::NotARoom(
                "The photo does not show the inside of a room with its floor. Send a photo of an empty room that shows the \
                 floor and at least two walls, or set `room_type` to \"outdoor_patio\" for a terrace."
                    .to_owned(),
            )
        };
        let Some(layout) = Layout::of_segments(photo, &segments, &Hints::of(photo)) else { return Err(no_room()) };
        let height = match hints.length {
            None => None,
            Some((from, to, meters)) => Some(height_by_length(&layout.frame.camera, from, to, meters).ok_or_else(|| {
                Refusal::NotUnderstood(
                    "`options.known_length` does not fit the photo: it puts the camera less than 0.3 m or more than 5 m above the \
                     floor. Give two points on the floor and the distance between them in meters."
                        .to_owned(),
                )
            })?),
        };
        let not_floor = |field: &str| {
            Refusal::NotUnderstood(format!(
                "`options.{field}` cannot describe the floor: no two of its points lie below the horizon of the photo. Give points \
                 where walls meet the floor, in pixels of the upright photo."
            ))
        };
        let given = match (&hints.corners, &hints.floor) {
            (Some(corners), _) => {
                Some(Space::cornered(&layout, corners, height).ok_or_else(|| not_floor("room_corners"))?)
            }
            (None, Some(outline)) => {
                Some(Space::outlined(&layout, outline, height).ok_or_else(|| not_floor("floor_polygon"))?)
            }
            (None, None) => None,
        };
        if !hints.is_outdoors && layout.doubts.contains(&Doubt::Outdoors) {
            return Err(no_room());
        }
        let is_given = given.is_some();
        let space = given.unwrap_or_else(|| Space::of(&layout, height));
        let distances = if is_given { space.extents() } else { layout.distances };
        let mut shell = Shell::of(space, photo, Some(&layout.segmentation));
        let furniture = f64::from(layout.segmentation.share(Class::Furniture));
        // An outline rescues a room that is not understood, not one whose outlined floor is covered.
        if is_given && furniture_on_floor(&shell.space, hints.floor.as_deref(), &layout.segmentation) > COVERED {
            return Err(not_empty(hints));
        }
        if !is_given {
            let least = match (hints.is_empty, layout.is_confident() && layout.confidence < SURE) {
                (true, _) => FURNISHED[1],
                (false, false) if layout.is_confident() => FURNISHED[0],
                (false, false) => SOME_THINGS,
                (false, true) => FEW_THINGS,
            };
            if furniture > least {
                return Err(not_empty(hints));
            }
            let doubts: Vec<Doubt> = layout.doubts.iter().copied().filter(|d| *d != Doubt::Outdoors).collect();
            if !doubts.is_empty() {
                if doubts.contains(&Doubt::LittleFloor) {
                    return Err(no_room());
                }
                let reasons: Vec<&str> = doubts.iter().map(|d| d.reason()).collect();
                return Err(Refusal::NotUnderstood(format!(
                    "The room could not be reconstructed reliably enough to furnish it: {}. Send a photo taken from a corner at \
                     chest height that shows the floor and where it meets the walls, or mark where the walls meet the floor in \
                     `options.room_corners` (or the floor in `options.floor_polygon`).",
                    reasons.join("; ")
                )));
            }
        }
        let fit = shell.fit();
        let doubt = (fit.error - LIGHT_ERROR).max(0.0);
        let sure = layout.confidence * f64::from(1.0 - doubt).clamp(0.5, 1.0);
        let confidence = if is_given { sure.max(0.6) } else { sure };
        Ok(Self { shell, segments, segmentation: layout.segmentation, distances, confidence, fit })
    }

    /// How lengths were estimated.
    #[must_use]
    pub fn scale(&self) -> &Scale {
        &self.shell.space.scale
    }

    /// Reasons to review the picture, worded for a person.
    #[must_use]
    pub fn doubts(&self) -> Vec<&'static str> {
        let mut doubts = Vec::new();
        if self.fit.error > LIGHT_ERROR {
            doubts.push("The light in the room was reconstructed only roughly: check the brightness and the shadows of the furniture.");
        }
        let scale = self.scale();
        if scale.range[1] > 1.25 * scale.range[0] {
            doubts.push("Sizes are based on usual room heights: `options.known_length` makes them exact.");
        }
        doubts
    }

    /// Its windows, with fitted strength.
    #[must_use]
    pub fn windows(&self) -> &[Window] {
        &self.shell.windows
    }

    /// Points of the floor covered or hidden by obstacles, which furniture avoids.
    #[must_use]
    pub fn obstacles(&self) -> Vec<glam::Vec2> {
        self.shell.obstacles()
    }

    /// The room's shape.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.shell.space
    }

    fn site(&self) -> Site<'_> {
        Site::of(&self.shell, &self.segments, Some(&self.segmentation))
    }

    /// Arranges furniture.
    ///
    /// # Errors
    /// [`Refusal::NotUnderstood`] if there is no space for the main pieces of the room type.
    pub fn arrange(&self, plan: RoomPlan, catalog: &Catalog, seed: u64) -> Result<Arrangement, Refusal> {
        arrange(&self.site(), plan, catalog, seed).ok_or_else(|| {
            Refusal::NotUnderstood(
                "There is no space for the furniture of this room type on the visible floor without blocking a door, a window or \
                 a walkway. Send a photo that shows more of the floor, or ask for another room type."
                    .to_owned(),
            )
        })
    }

    /// What the photo shows, to register it with another photo of the room.
    #[must_use]
    pub fn view<'a>(&'a self, photo: &'a Photo) -> RoomView<'a> {
        RoomView { photo, space: self.space(), segmentation: &self.segmentation }
    }

    /// Leaves out pieces of another view that stand where this photo was taken from, and names them.
    fn step_aside(&self, arrangement: &mut Arrangement) -> Option<String> {
        let camera = self.space().eye.truncate();
        let is_around = |placed: &Placed| {
            let print = placed.footprint();
            let off = glam::Vec2::from_angle(-print.yaw).rotate(camera - print.center).abs();
            placed.is_solid() && off.x < print.half.x + AT_CAMERA && off.y < print.half.y + AT_CAMERA
        };
        let (around, kept): (Vec<Placed>, Vec<Placed>) =
            std::mem::take(&mut arrangement.placed).into_iter().partition(is_around);
        arrangement.placed = kept;
        let names: Vec<&str> = around.iter().map(|placed| placed.piece.kind.as_str()).collect();
        let said = || {
            format!("Left out of this view, because the photo was taken from where it stands: {}.", names.join(", "))
        };
        (!names.is_empty()).then(said)
    }

    /// A seed for designs and shades, so that not all rooms with one seed have the same rug.
    fn own_seed(&self, seed: u64) -> u64 {
        let share = |class: Class| u64::from(self.segmentation.share(class).to_bits());
        [Class::Floor, Class::Wall, Class::Window].into_iter().fold(seed, |all, class| mix(all ^ share(class)))
    }

    /// Renders a scene into the photo, in the light of the room; `None` if canceled.
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
    /// As [`Room::arrange`], and [`Refusal::Canceled`] within a second of cancellation.
    pub fn stage(
        &self,
        photo: &Photo,
        brief: &Brief<'_>,
        effort: &Effort,
        monitor: &Monitor<'_>,
    ) -> Result<Staged, Refusal> {
        let Brief { plan, style, models, seed, asked, first } = *brief;
        let furnished = first.map_or(self, |first| first.room);
        let catalog = Catalog::new(style, models, furnished.own_seed(seed));
        let (mut arrangement, mut doubts) = match asked {
            None => (furnished.arrange(plan, &catalog, seed)?, Vec::new()),
            Some(asked) => asked::arranged(&furnished.site(), asked, &catalog).map_err(Refusal::NotUnderstood)?,
        };
        if let Some(first) = first {
            arrangement = views::carried(&arrangement, &first.plan, self.space());
            doubts.extend(self.step_aside(&mut arrangement));
        }
        let is_pendant = |placed: &Placed| placed.piece.kind == PieceKind::PendantLamp;
        if asked.is_none() && arrangement.placed.iter().any(is_pendant) {
            doubts.push(PENDANT.to_owned());
        }
        let style = catalog.palette.style;
        let item = |placed: &Placed| furniture_item(&self.shell.space, placed, style, models, &catalog);
        let furniture = arrangement.placed.iter().map(item).collect();
        let materials = catalog.into_materials();
        let picture = self
            .render(photo, Scene::new(arrangement.mesh(), materials.clone()), effort, seed, monitor)
            .ok_or(Refusal::Canceled)?;
        let layers =
            layers(&self.shell.space, self.distances, &picture, (&arrangement, &materials), &|| monitor.is_canceled());
        let layers = Layers { confidence: self.confidence, ..layers.ok_or(Refusal::Canceled)? };
        Ok(Staged { picture, furniture, left_out: arrangement.left_out, style, layers, doubts })
    }
}

/// A linear color as `#rrggbb`.
fn hex(color: Vec3) -> String {
    let [r, g, b] = encoded(color.to_array()).map(|v| (u32::from(v) + 128) / 257);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Mean probability that the visible floor, or the outline that a person gave of it, is covered by furniture.
fn furniture_on_floor(space: &Space, outline: Option<&[[f64; 2]]>, segmentation: &Segmentation) -> f32 {
    const STEPS: u32 = 60;
    let cells = (0..STEPS * STEPS).map(|i| [i % STEPS, i / STEPS].map(|k| (f64::from(k) + 0.5) / f64::from(STEPS)));
    let on_floor = cells.filter(|[x, y]| {
        let pixel = glam::DVec2::new(x * space.camera.width as f64, y * space.camera.height as f64);
        outline.map_or_else(
            || space.intersect(space.eye, space.ray(pixel)).1 == Surface::Floor,
            |outline| geometry::ring_contains(outline, pixel.to_array()),
        )
    });
    let (sum, count) =
        on_floor.fold((0.0, 0.0_f32), |(sum, count), at| (sum + segmentation.class(Class::Furniture, at), count + 1.0));
    sum / count.max(1.0)
}

fn not_empty(hints: &RoomHints) -> Refusal {
    let remedy = if hints.is_empty {
        "send a photo of the empty room, or outline its bare floor in `options.floor_polygon`."
    } else {
        "send a photo of the empty room. If it is empty, say so with `options.room_is_empty`, or outline its bare floor in \
         `options.floor_polygon`."
    };
    Refusal::NotEmpty(format!(
        "The room seems to be furnished, or someone or something stands on the floor. Virtual staging needs an empty room: {remedy}"
    ))
}

fn furniture_item(
    space: &Space,
    placed: &Placed,
    style: Style,
    models: &OperatorModels,
    catalog: &Catalog,
) -> FurnitureItem {
    let rounded = |v: f32, steps: f64| (f64::from(v) * steps).round() / steps;
    let size = placed.piece.size;
    let corners = placed.footprint().corners();
    let places = corners.iter().flat_map(|c| [c.extend(placed.at.z), c.extend(placed.at.z + size.z)]);
    let (width, height) = (space.camera.width as f32, space.camera.height as f32);
    let pixels = places
        .filter_map(|p| space.pixel(p))
        .map(|p| p.as_vec2().clamp(glam::Vec2::ZERO, glam::Vec2::new(width, height)).as_dvec2().to_array())
        .collect();
    let mut polygon: Vec<[f64; 2]> =
        geometry::convex_hull(pixels).into_iter().map(|p| p.map(|v| (v * 10.0).round() / 10.0)).collect();
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
        credit: placed.piece.model.as_deref().and_then(|name| models.named(name)).map(|model| model.credit.clone()),
        style,
        position: middle.to_array().map(|v| rounded(v, 1000.0)),
        size: size.to_array().map(|v| rounded(v, 100.0)),
        turn: rounded(placed.yaw.to_degrees().rem_euclid(360.0), 100.0),
        elevation: rounded(placed.at.z, 1000.0),
        recipe: placed.piece.recipe.map(|recipe| recipe.to_string()),
        colors: if placed.piece.model.is_some() {
            BTreeMap::new()
        } else {
            catalog.colors(&placed.piece).into_iter().map(|(role, color)| (role.into(), hex(color))).collect()
        },
        polygon,
    }
}
