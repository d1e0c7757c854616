//! Footage of a flight over a scene: draws, captions and encodes the frames, and keeps one of them as the thumbnail.

use aerie_engine_api::{Direction, EngineContext, EngineError, FilmOptions, Produced, ProducedFile};
use aerie_geodata::place::Place;
use aerie_render::caption::{Caption, Corner};
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::marking::MarkingState;
use aerie_render::scene::Scene;
use aerie_render::{Gpu, Picture, RenderError, SceneRenderer, bloom, still};
use aerie_scenery::{FRAME_RATE, Flight, Path, Side, VideoFormat};

use crate::report;

/// Size and supersampling of the video.
fn picture(gpu: &Gpu, film: FilmOptions) -> Picture {
    // A processor draws two samples a pixel, a GPU four.
    let supersampling = if gpu.is_software() { 1.414 } else { 2.0 };
    let [width, height] = film.size();
    Picture { width, height, supersampling, vignette: 0.16 }
}

/// Duration and aspect ratio of the flight.
pub(crate) fn take(film: FilmOptions) -> VideoFormat {
    let [width, height] = film.size();
    VideoFormat { seconds: film.seconds(), aspect: f64::from(width) / f64::from(height) }
}

/// A flight to film, and the texts of its video.
pub(crate) struct Footage<'a> {
    pub(crate) place: &'a Place,
    pub(crate) flight: &'a Flight,
    pub(crate) scene: Scene,
    pub(crate) film: FilmOptions,
    /// The frame that becomes the thumbnail.
    pub(crate) thumbnail: u32,
    /// Description in the metadata.
    pub(crate) report: String,
    /// Caption of every frame.
    pub(crate) notice: String,
    /// Whether aerial imagery lies on the ground.
    pub(crate) has_imagery: bool,
}

impl Footage<'_> {
    /// Makes `video.mp4` and `thumbnail.jpg`. `drawn` returns how much of the scene's marking a frame shows; `write_on` draws
    /// further text into a frame, before the captions.
    ///
    /// # Errors
    /// [`EngineError::Retry`] when the device or the encoder failed, [`EngineError::Canceled`].
    pub(crate) fn shoot(
        self,
        context: &EngineContext<'_>,
        drawn: impl Fn(u32) -> MarkingState,
        write_on: impl Fn(u32, Picture, &mut [u8]),
    ) -> Result<Produced, EngineError> {
        let gpu = Gpu::open().map_err(retry)?;
        let picture = picture(&gpu, self.film);
        context.stop_if_canceled()?;
        context.report("lighting the scene", 0, 0);
        let renderer = SceneRenderer::new(&gpu, &self.scene, picture).map_err(retry)?;
        // The device holds it now.
        drop(self.scene);

        let video = context.out_dir.join("video.mp4");
        let thumbnail = context.out_dir.join("thumbnail.jpg");
        let captions = Captions::new(picture, self.place, &self.notice).map_err(retry)?;
        let encoding = encoding(&self.place.address, &self.report);
        let mut encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
        let count = self.flight.cameras.len() as u32;
        let shot = renderer.render_marked(
            count,
            |frame| (self.flight.cameras[frame as usize], drawn(frame)),
            |frame, nv12| {
                if context.cancel.is_canceled() {
                    return Err(RenderError::Canceled);
                }
                let mut nv12 = nv12.to_vec();
                bloom(picture, &mut nv12);
                write_on(frame, picture, &mut nv12);
                if frame == self.thumbnail {
                    let mut still = nv12.clone();
                    captions.blend_all(picture, &mut still);
                    still::write_jpeg(&thumbnail, picture, &still, 88, Some(&self.report))?;
                }
                captions.blend(picture, frame, count, &mut nv12);
                encoder.write(nv12)?;
                context.report("drawing", u64::from(frame) + 1, u64::from(count));
                Ok(())
            },
        );
        shot.map_err(retry)?;
        context.report("finishing the film", 0, 0);
        encoder.finish().map_err(retry)?;
        let origin = Some(Box::new(report::drawn(self.place, &self.report, self.has_imagery)));
        Ok(Produced { origin, ..film_of(context, count) })
    }
}

/// The output of a video of `count` frames and its thumbnail, both in the attempt's folder.
pub(crate) fn film_of(context: &EngineContext<'_>, count: u32) -> Produced {
    let mut fields = serde_json::Map::new();
    fields.insert("duration".into(), serde_json::json!(f64::from(count) / f64::from(FRAME_RATE)));
    let file = |field, name, content_type| ProducedFile::new(field, context.out_dir.join(name), content_type);
    Produced {
        files: vec![file("video_url", "video.mp4", "video/mp4"), file("thumbnail_url", "thumbnail.jpg", "image/jpeg")],
        fields,
        ..Produced::default()
    }
}

pub(crate) fn retry(error: RenderError) -> EngineError {
    match error {
        RenderError::Canceled => EngineError::Canceled,
        other => EngineError::Retry(other.to_string()),
    }
}

/// Encoder settings of a video.
pub(crate) fn encoding(title: &str, comment: &str) -> Encoding {
    Encoding { rate: FRAME_RATE, quality: 20, preset: "veryfast", title: title.to_owned(), comment: comment.to_owned() }
}

/// The notice in every frame, and the credits in the last second.
pub(crate) struct Captions {
    notice: Caption,
    credits: Caption,
}

impl Captions {
    pub(crate) fn new(picture: Picture, place: &Place, notice: &str) -> Result<Self, RenderError> {
        let size = picture.height.min(picture.width) as f32 / 48.0;
        let notice = Caption::new(picture, notice, size, Corner::BottomLeft)?;
        let mut credits = Caption::new(picture, &report::credits(place), size, Corner::BottomRight)?;
        // In a narrow picture the credits stand above the notice.
        if notice.width() + credits.width() > picture.width as usize * 9 / 10 {
            credits = credits.raised();
        }
        Ok(Self { notice, credits })
    }

    /// Both at once, for a still.
    pub(crate) fn blend_all(&self, picture: Picture, nv12: &mut [u8]) {
        self.notice.blend(picture, nv12, 0.75);
        self.credits.blend(picture, nv12, 1.0);
    }

    fn blend(&self, picture: Picture, frame: u32, count: u32, nv12: &mut [u8]) {
        self.notice.blend(picture, nv12, 0.75);
        let left = (count - 1 - frame) as f32 / FRAME_RATE as f32;
        let strength = ((1.35 - left) / 0.35).clamp(0.0, 1.0);
        if strength > 0.0 {
            self.credits.blend(picture, nv12, strength);
        }
    }
}

/// The flight path of a direction.
#[must_use]
pub fn path_of(direction: Direction) -> Path {
    match direction {
        Direction::Original => Path::Original,
        Direction::North => Path::From(Side::North),
        Direction::South => Path::From(Side::South),
        Direction::East => Path::From(Side::East),
        Direction::West => Path::From(Side::West),
        Direction::TopdownZoomout => Path::TopdownRising,
        Direction::TopdownZoomin => Path::TopdownSinking,
    }
}

/// The frame for the thumbnail: close, and from the sunlit side.
pub(crate) fn thumbnail_frame(direction: Direction, count: u32) -> u32 {
    match direction {
        Direction::Original => count * 45 / 100,
        Direction::TopdownZoomout => count * 35 / 100,
        Direction::TopdownZoomin => count * 65 / 100,
        Direction::North | Direction::South | Direction::East | Direction::West => count * 80 / 100,
    }
}
