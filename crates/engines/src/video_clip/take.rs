//! A clip ready to be filmed: what the photo shows, what stands before it, and the path of the camera.

use aerie_clip::plate::SizeError;
use aerie_clip::trees::SeparatedTrees;
use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Cutouts, Frame, Grade, ImageMotion, Level, Plate, Pose, Proxy,
    SceneModel, compose,
};
use aerie_engine_api::kinds::video_clip::{ClipGrade, CreativityLevel, FrameMode, VideoClipRequest};
use aerie_photo::{Layers, Photo};
use aerie_render::plate::{Cover, Pixels, PlateRenderer, Shot};
use aerie_render::{Gpu, Picture, RenderError, plate};
use glam::{DMat3, DVec2, DVec3};

/// Frames per second.
pub const RATE: u32 = 30;
/// Share of a frame's duration for which the shutter is open.
const SHUTTER: f64 = 0.5;
/// Motion that is visible, as a share of the width, and the share of a requested move from which the move is as it was requested.
const VISIBLE: f64 = 0.05;
const WHOLE: f64 = 0.6;

/// A clip ready to be filmed.
pub struct Take {
    /// What the photo shows.
    pub model: SceneModel,
    /// The path of the camera.
    pub course: CameraPath,
    /// What was asked for.
    pub wanted: CameraRequest,
    /// Color grade of the whole clip.
    pub grade: Option<Grade>,
    /// Whether the photo was staged, and its furniture has depths.
    pub is_staged: bool,
    /// Whether anything stands before the surfaces.
    pub bodies: Option<Bodies>,
    /// Greatest share of a frame that shows what the photo does not.
    pub synthesized: f64,
    /// How much the picture moves.
    pub motion: ImageMotion,
    /// Size of the photo, pixels.
    pub photo: [usize; 2],
    /// Size of the clip, pixels.
    pub size: [usize; 2],
    frame: Frame,
    plate: Plate,
    cutouts: Option<Cutouts>,
}

impl Take {
    /// Analyzes a photo, with its layers if it is staged, and plans the path.
    ///
    /// # Errors
    /// When the photo cannot be brought to the clip's size.
    pub fn of(request: &VideoClipRequest, photo: Photo, layers: Option<Layers>) -> Result<Self, SizeError> {
        Self::choose(request, photo, layers, |_, photo| vec![wanted(request, photo)])
    }

    /// The same with one of several paths: the first that moves visibly, or else the one that moves the most.
    ///
    /// # Errors
    /// As [`Take::of`].
    pub(super) fn choose(
        request: &VideoClipRequest,
        mut photo: Photo,
        mut layers: Option<Layers>,
        candidates: impl FnOnce(&SceneModel, &Photo) -> Vec<CameraRequest>,
    ) -> Result<Self, SizeError> {
        let whole = [photo.width, photo.height];
        let size = request.size(whole);
        let frame = Frame::cut(whole, size, compose::focus(&photo));
        let mut plate = Plate::of(&photo, &frame)?;
        let mut model = match &layers {
            Some(layers) => SceneModel::staged(layers, &frame, whole),
            None => SceneModel::of(&photo, &frame, &plate),
        };
        let candidates = candidates(&model, &photo);
        let grade = request.options.as_ref().and_then(|options| options.grade).map(graded);
        if let Some(grade) = grade {
            photo = grade.applied(&photo);
            plate = Plate::of(&photo, &frame)?;
            layers = layers.map(|layers| grade.applied_to_layers(layers));
        }
        let apart = model.house.as_ref().and_then(|house| house.apart(&model.proxy, (&frame, &plate), whole));
        if let (None, Some(house)) = (&apart, &mut model.house) {
            house.trees = None;
        }
        let (trees, without) =
            apart.map_or((None, None), |SeparatedTrees { bodies, plate, sky }| (Some(bodies), Some((sky, plate))));
        let bodies = match &layers {
            Some(layers) => Bodies::of(layers, &frame, &plate, whole),
            None => trees.or_else(|| model.furniture((&frame, &plate), whole)),
        };
        let is_staged = layers.is_some() && bodies.is_some();
        model.proxy.marks = bodies.as_ref().map(Bodies::marks).unwrap_or_default();
        let (wanted, course, motion) = first_visible(candidates, &model.proxy, bodies.as_ref());
        let cutouts = model.house.as_ref().and_then(|house| house.sky.as_ref()).map(|sky| {
            let (sky, plate) = without.as_ref().map_or((sky, &plate), |(sky, plate)| (sky, plate));
            Cutouts::under_sky(sky, &frame, plate, whole)
        });
        let synthesized = aerie_clip::synthesized_share(&model.proxy, &course, bodies.as_ref(), cutouts.as_ref());
        Ok(Self {
            model,
            course,
            wanted,
            grade,
            is_staged,
            bodies,
            synthesized,
            motion,
            photo: whole,
            size,
            frame,
            plate,
            cutouts,
        })
    }

    /// The clip's picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        Picture { width: self.size[0] as u32, height: self.size[1] as u32, supersampling: 1.0, vignette: 0.0 }
    }

    /// A renderer of its frames.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the photo is too large for the device or its memory.
    pub fn renderer<'g>(&self, gpu: &'g Gpu) -> Result<PlateRenderer<'g>, RenderError> {
        let scene = (self.cutouts.as_ref(), self.bodies.as_ref());
        renderer(gpu, &self.plate, scene, &self.model.proxy, &self.frame, self.picture())
    }

    /// The shot at a moment, 0 to 1, of a clip of `count` frames.
    #[must_use]
    pub fn shot(&self, moment: f64, count: u32) -> Shot {
        let (proxy, course) = (&self.model.proxy, &self.course);
        let half = SHUTTER / 2.0 / f64::from(count - 1);
        let pose = |moment: f64| of_plate(proxy, &course.at(proxy, moment));
        let before = |bodies: &Bodies| {
            let seen = bodies.before(proxy, &course.at(proxy, moment));
            seen.into_iter().map(|(number, rect)| (number, rect.map(|v| v as f32))).collect()
        };
        Shot {
            opened: pose(moment - half),
            closed: pose(moment + half),
            gain: course.at(proxy, moment).gain as f32,
            is_photo: course.is_photo(moment),
            bodies: self.bodies.as_ref().map_or_else(Vec::new, before),
        }
    }
}

/// The first path that moves visibly, or else the one that moves the most.
fn first_visible(
    candidates: Vec<CameraRequest>,
    proxy: &Proxy,
    bodies: Option<&Bodies>,
) -> (CameraRequest, CameraPath, ImageMotion) {
    let mut best: Option<(CameraRequest, CameraPath, ImageMotion)> = None;
    for wanted in candidates {
        let course = CameraPath::plan(proxy, bodies, &wanted);
        let motion = course.motion(proxy, bodies);
        let is_visible = motion.displacement >= VISIBLE && course.share >= WHOLE;
        if best.as_ref().is_none_or(|(_, _, least)| is_visible || motion.displacement > least.displacement) {
            best = Some((wanted, course, motion));
        }
        if is_visible {
            break;
        }
    }
    best.expect("a candidate")
}

fn graded(grade: ClipGrade) -> Grade {
    match grade {
        ClipGrade::Warm => Grade::Warm,
        ClipGrade::Cool => Grade::Cool,
        ClipGrade::Vivid => Grade::Vivid,
        ClipGrade::Soft => Grade::Soft,
    }
}

/// The path that a request asks for.
pub(super) fn wanted(request: &VideoClipRequest, photo: &Photo) -> CameraRequest {
    let options = request.options.clone().unwrap_or_default();
    let level = match options.creativity_level.unwrap_or_default() {
        CreativityLevel::Low => Level::Low,
        CreativityLevel::Medium => Level::Medium,
        CreativityLevel::High => Level::High,
    };
    CameraRequest {
        prompt: CameraPrompt::parse(options.prompt.as_deref()),
        level,
        ends_in_photo: options.frame_mode.unwrap_or_default() == FrameMode::Last,
        seconds: request.duration() as f64,
        something_ahead: compose::something_ahead(photo),
    }
}

fn renderer<'g>(
    gpu: &'g Gpu,
    plate: &Plate,
    (cutouts, bodies): (Option<&Cutouts>, Option<&Bodies>),
    proxy: &Proxy,
    frame: &Frame,
    picture: Picture,
) -> Result<PlateRenderer<'g>, RenderError> {
    let [left, top, right, bottom] = frame.shown;
    let across = DVec2::new(right - left, bottom - top);
    let each: Vec<plate::Body> = bodies.map_or_else(Vec::new, |bodies| {
        let shares = |rect: [f64; 4], corner: [f64; 2], size: DVec2| {
            [
                (rect[0] - corner[0]) / size.x,
                (rect[1] - corner[1]) / size.y,
                (rect[2] - corner[0]) / size.x,
                (rect[3] - corner[1]) / size.y,
            ]
            .map(|share| share as f32)
        };
        let sheet = DVec2::new(bodies.size[0] as f64, bodies.size[1] as f64);
        let body = |held: &aerie_clip::bodies::PackedBody| plate::Body {
            photo: shares(held.rect, [left, top], across),
            texels: shares(held.at.map(|side| side as f64), [0.0; 2], sheet),
            near: [held.range[0] as f32, held.range[1] as f32, held.mean as f32],
        };
        bodies.each.iter().map(body).collect()
    });
    let at_hand = DMat3::from_scale(1.0 / across) * DMat3::from_translation(-DVec2::new(left, top));
    let covers: Vec<Cover<'_>> = cutouts.map_or_else(Vec::new, |cutouts| {
        let cut = cutouts.masks.iter().map(|mask| Cover { is_behind: false, mask: Some(mask) });
        cut.chain([Cover { is_behind: true, mask: None }]).collect()
    });
    let pixels = Pixels {
        fitted: &plate.fitted,
        double: bodies.map_or(&plate.double, |bodies| &bodies.behind),
        double_size: plate.double_size.map(|side| side as u32),
        behind: cutouts.map(|cutouts| cutouts.behind.as_slice()),
        covers: &covers,
        most: (
            proxy.surfaces.iter().map(|surface| surface.planes.len()).max().unwrap_or(0),
            proxy.surfaces.iter().any(|surface| !surface.corner.is_empty()),
        ),
        bodies: bodies.map(|bodies| plate::Bodies {
            colors: &bodies.colors,
            nearness: &bodies.nearness,
            size: bodies.size.map(|side| side as u32),
            each: &each,
        }),
    };
    PlateRenderer::new(gpu, pixels, (at_hand * proxy.photo_matrix()).as_mat3(), picture)
}

fn of_plate(proxy: &Proxy, pose: &Pose) -> plate::Pose {
    plate::Pose {
        ray: proxy.ray_matrix(pose).as_mat3(),
        position: pose.position.as_vec3(),
        surfaces: proxy.surfaces_from(pose.position).iter().map(surface).collect(),
    }
}

fn surface(surface: &aerie_clip::Surface) -> plate::Surface {
    let single = |planes: &[DVec3]| planes.iter().map(|a| a.as_vec3()).collect();
    plate::Surface { planes: single(&surface.planes), corner: single(&surface.corner) }
}
