//! Video clip: reconstruct what the photo shows, plan a camera path, film it.

mod motion;

use std::path::Path;

use aerie_clip::plate::SizeError;
use aerie_clip::trees::SeparatedTrees;
use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Cutouts, Frame, Grade, Level, Plate, Pose, Proxy, SceneModel,
    compose,
};
use aerie_domain::kinds::video_clip::{ClipGrade, CreativityLevel, FrameMode, VideoClipRequest};
use aerie_domain::{FailureCode, layers};
use aerie_photo::{Layers, Photo};
use aerie_render::Picture;
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::plate::{Cover, Pixels, PlateRenderer, Shot};
use aerie_render::{Gpu, RenderError, plate, still};
use glam::{DMat3, DVec2, DVec3};
use serde_json::json;

use crate::engine::{EngineContext, EngineError, Produced, ProducedFile};
use crate::footage::retry;
use crate::photos;

/// Frames per second.
const RATE: u32 = 30;
/// Share of a frame's duration for which the shutter is open.
const SHUTTER: f64 = 0.5;

/// Films the photo at `image_url`. Makes `video_url` and `thumbnail_url`, and the fields `duration` (seconds), `motion`
/// (what the camera does, which parts of the prompt were recognized, what limited the motion) and `disclosure`.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`, [`EngineError::Retry`] when the device or the encoder failed,
/// [`EngineError::Canceled`].
pub fn run(request: &VideoClipRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let unreadable = |message: String| EngineError::Fail { code: FailureCode::ImageUnreadable, message };
    context.enter("reading the photo")?;
    let mut photo = aerie_photo::decode_file(context.input("image_url")?).map_err(|e| unreadable(e.to_string()))?;
    let mut layers = read_layers(context)?;
    context.enter("understanding the photo")?;
    let whole = [photo.width, photo.height];
    let size = request.size(whole);
    let frame = Frame::cut(whole, size, compose::focus(&photo));
    let too_odd = |e: SizeError| unreadable(e.to_string());
    let mut plate = Plate::of(&photo, &frame).map_err(too_odd)?;
    let mut understood = match &layers {
        Some(layers) => SceneModel::staged(layers, &frame, whole),
        None => SceneModel::of(&photo, &frame, &plate),
    };
    let wanted = wanted(request, &photo);
    context.enter("preparing the picture")?;
    let grade = request.options.as_ref().and_then(|options| options.grade).map(graded);
    if let Some(grade) = grade {
        photo = grade.applied(&photo);
        plate = Plate::of(&photo, &frame).map_err(too_odd)?;
        layers = layers.map(|layers| grade.applied_to_layers(layers));
    }
    let apart = understood.house.as_ref().and_then(|house| house.apart(&understood.proxy, (&frame, &plate), whole));
    if let (None, Some(house)) = (&apart, &mut understood.house) {
        house.trees = None;
    }
    let (trees, without) =
        apart.map_or((None, None), |SeparatedTrees { bodies, plate, sky }| (Some(bodies), Some((sky, plate))));
    let bodies = match &layers {
        Some(layers) => Bodies::of(layers, &frame, &plate, whole),
        None => trees,
    };
    let is_staged = layers.is_some() && bodies.is_some();
    understood.proxy.marks = bodies.as_ref().map(Bodies::marks).unwrap_or_default();
    let course = CameraPath::plan(&understood.proxy, &wanted);
    let cutouts = understood.house.as_ref().and_then(|house| house.sky.as_ref()).map(|sky| {
        let (sky, plate) = without.as_ref().map_or((sky, &plate), |(sky, plate)| (sky, plate));
        Cutouts::under_sky(sky, &frame, plate, whole)
    });
    let synthesized = aerie_clip::synthesized_share(&understood.proxy, &course, bodies.as_ref(), cutouts.as_ref());

    let picture = Picture { width: size[0] as u32, height: size[1] as u32, supersampling: 1.0, vignette: 0.0 };
    let report = motion::report((&understood, is_staged), &course, &wanted, whole, size, grade, synthesized);
    let video = context.out_dir.join("video.mp4");
    let thumbnail = context.out_dir.join("thumbnail.jpg");
    let count = RATE * u32::try_from(request.duration()).unwrap_or(5);
    let encoding = Encoding {
        rate: RATE,
        quality: 16,
        preset: "veryfast",
        title: "A clip from one photo".into(),
        comment: report.disclosure.clone(),
    };
    let gpu = Gpu::open().map_err(retry)?;
    let renderer = renderer(&gpu, &plate, (cutouts.as_ref(), bodies.as_ref()), &understood.proxy, &frame, picture);
    let renderer = renderer.map_err(retry)?;
    let mut encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
    let photo_frame = if course.is_photo(0.0) { 0 } else { count - 1 };
    let drawn = renderer.render(
        count,
        |number| shot(&understood.proxy, bodies.as_ref(), &course, number, count),
        |number, nv12| {
            if number == photo_frame {
                still::write_jpeg(&thumbnail, picture, nv12, 88, Some(&encoding.comment))?;
            }
            encoder.write(nv12.to_vec())?;
            context.report("drawing", u64::from(number) + 1, u64::from(count));
            context.stop_if_canceled().map_err(|_| RenderError::Canceled)
        },
    );
    drawn.map_err(retry)?;
    context.enter("finishing the clip")?;
    encoder.finish().map_err(retry)?;
    let fields = [
        ("duration", json!(request.duration())),
        ("motion", report.motion),
        (
            "disclosure",
            json!({
                "text": report.disclosure,
                "digital_source_type": motion::source_type(is_staged),
                "synthesised_percent": motion::percent(synthesized),
            }),
        ),
    ];
    Ok(Produced {
        files: vec![
            ProducedFile::new("video_url", video, "video/mp4"),
            ProducedFile::new("thumbnail_url", thumbnail, "image/jpeg"),
        ],
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..Produced::default()
    })
}

fn graded(grade: ClipGrade) -> Grade {
    match grade {
        ClipGrade::Warm => Grade::Warm,
        ClipGrade::Cool => Grade::Cool,
        ClipGrade::Vivid => Grade::Vivid,
        ClipGrade::Soft => Grade::Soft,
    }
}

/// The layers of a staged picture, if they came with it. Layers of another picture are ignored.
fn read_layers(context: &EngineContext<'_>) -> Result<Option<Layers>, EngineError> {
    let Some(path) = context.inputs.get(layers::INPUT) else { return Ok(None) };
    let read = |path: &Path| std::fs::read(path).map_err(|e| EngineError::Retry(format!("cannot read the photo: {e}")));
    let picture = photos::identity(&read(context.input("image_url")?)?);
    // Untrusted: unreadable layers are ignored.
    Ok(Layers::read(&read(path)?).ok().filter(|layers| layers.picture == picture))
}

fn wanted(request: &VideoClipRequest, photo: &Photo) -> CameraRequest {
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

fn shot(proxy: &Proxy, bodies: Option<&Bodies>, course: &CameraPath, number: u32, count: u32) -> Shot {
    let last = f64::from(count - 1);
    let moment = f64::from(number) / last;
    let half = SHUTTER / 2.0 / last;
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
        bodies: bodies.map_or_else(Vec::new, before),
    }
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
