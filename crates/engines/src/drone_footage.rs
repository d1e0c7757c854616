//! Aerial drone footage of an address: geocode, gather the place, build the scene, fly, encode.

use std::path::Path;

use aerie_domain::{Direction, DroneFootageRequest, FailureCode, FilmOptions};
use aerie_render::caption::{Caption, Corner};
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::film::{Picture, Studio};
use aerie_render::{Gpu, RenderError, still};
use aerie_scenery::{Flight, RATE, Side, Take};
use aerie_world::place::Place;
use aerie_world::{GeocodeError, Pack, WorldError};

use crate::engine::{EngineContext, EngineError, Produced, ProducedFile, Progress};
use crate::told;

/// How far round the property buildings, roads and trees are shown, metres.
const RADIUS: f64 = 1200.0;

/// Size and look of the film.
fn picture(gpu: &Gpu, film: FilmOptions) -> Picture {
    // A processor draws two samples a pixel, a GPU four.
    let supersampling = if gpu.is_software() { 1.414 } else { 2.0 };
    let [width, height] = film.size();
    Picture { width, height, supersampling, vignette: 0.16 }
}

fn take(film: FilmOptions) -> Take {
    let [width, height] = film.size();
    Take { seconds: film.seconds(), aspect: f64::from(width) / f64::from(height) }
}

/// Makes the film and its thumbnail.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, [`EngineError::Retry`] when the device or the
/// encoder failed, [`EngineError::Cancelled`].
pub fn run(request: &DroneFootageRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let (direction, film) = (request.direction(), request.film());
    let told = |stage, done, total| (context.progress)(Progress { stage, done, total });
    told("finding the address", 0, 0);
    let place = find(context.data_dir, &request.address, RADIUS)?;
    stop_if_cancelled(context)?;
    told("building the scene", 0, 0);
    let flight = Flight::plan(&place, path_of(direction), take(film));
    let gpu = Gpu::open().map_err(retry)?;
    let picture = picture(&gpu, film);
    let scene = aerie_scenery::scene(&place, &flight);
    stop_if_cancelled(context)?;
    told("lighting the scene", 0, 0);
    let studio = Studio::new(&gpu, &scene, picture).map_err(retry)?;

    let video = context.out_dir.join("video.mp4");
    let thumbnail = context.out_dir.join("thumbnail.jpg");
    let captions = Captions::new(picture, &place).map_err(retry)?;
    let encoding = encoding(&place, direction);
    let account = encoding.comment.clone();
    let mut encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
    let count = flight.cameras.len() as u32;
    let best = thumbnail_frame(direction, count);
    let drawn = studio.film(
        count,
        |frame| flight.cameras[frame as usize],
        |frame, nv12| {
            if context.cancel.is_cancelled() {
                return Err(RenderError::Cancelled);
            }
            if frame == best {
                let mut still = nv12.to_vec();
                captions.blend_all(picture, &mut still);
                still::write_jpeg(&thumbnail, picture, &still, 88, Some(&account))?;
            }
            let mut nv12 = nv12.to_vec();
            captions.blend(picture, frame, count, &mut nv12);
            encoder.write(nv12)?;
            told("drawing", u64::from(frame) + 1, u64::from(count));
            Ok(())
        },
    );
    drawn.map_err(retry)?;
    told("finishing the film", 0, 0);
    encoder.finish().map_err(retry)?;
    let mut fields = serde_json::Map::new();
    fields.insert("duration".into(), serde_json::json!(f64::from(count) / f64::from(RATE)));
    Ok(Produced {
        files: vec![
            ProducedFile { field: "video_url", path: video, content_type: "video/mp4" },
            ProducedFile { field: "thumbnail_url", path: thumbnail, content_type: "image/jpeg" },
        ],
        fields,
        ..Produced::default()
    })
}

pub(crate) fn stop_if_cancelled(context: &EngineContext<'_>) -> Result<(), EngineError> {
    if context.cancel.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
}

fn retry(error: RenderError) -> EngineError {
    match error {
        RenderError::Cancelled => EngineError::Cancelled,
        other => EngineError::Retry(other.to_string()),
    }
}

/// The place at an address, with what stands within `radius` metres.
pub(crate) fn find(data_dir: &Path, address: &str, radius: f64) -> Result<Place, EngineError> {
    let world = |e: WorldError| EngineError::Retry(e.to_string());
    let pack = Pack::open(data_dir).map_err(world)?;
    let found = pack.geocode(address).map_err(|error| match error {
        GeocodeError::World(error) => world(error),
        GeocodeError::Ambiguous { .. } => {
            EngineError::Fail { code: FailureCode::AddressAmbiguous, message: error.to_string() }
        }
        _ => EngineError::Fail { code: FailureCode::AddressNotFound, message: format!("{error}. {}", map_data(&pack)) },
    })?;
    pack.place(&found, radius).map_err(world)
}

/// What map data there is, how to add more, and an address that works.
fn map_data(pack: &Pack) -> String {
    let summary = pack.summary();
    let loaded = if summary.is_sample {
        "No map data is imported, only the sample town is there".to_owned()
    } else {
        format!("Map data: {} ({} house numbers)", summary.files.join(", "), summary.addresses)
    };
    format!("{loaded}; the operator adds more with `aerie import`. An address that works: {}", summary.example_address)
}

/// The flight of a direction.
#[must_use]
pub fn path_of(direction: Direction) -> aerie_scenery::Path {
    use aerie_scenery::Path;
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

/// The frame that shows most: close, and from the side that is lit.
fn thumbnail_frame(direction: Direction, count: u32) -> u32 {
    match direction {
        Direction::Original => count * 45 / 100,
        Direction::TopdownZoomout => count * 35 / 100,
        Direction::TopdownZoomin => count * 65 / 100,
        _ => count * 80 / 100,
    }
}

fn encoding(place: &Place, direction: Direction) -> Encoding {
    Encoding {
        rate: RATE,
        quality: 20,
        preset: "veryfast",
        title: place.address.clone(),
        comment: told::account(place, direction.as_str()),
    }
}

/// The notice that stands in the picture throughout, and the credits in its last second.
struct Captions {
    notice: Caption,
    credits: Caption,
}

impl Captions {
    fn new(picture: Picture, place: &Place) -> Result<Self, RenderError> {
        let size = picture.height.min(picture.width) as f32 / 48.0;
        let notice = Caption::new(picture, "Map-based aerial visual", size, Corner::BottomLeft)?;
        let mut credits = Caption::new(picture, &told::credits(place), size, Corner::BottomRight)?;
        // In a narrow picture one stands above the other.
        if notice.width() + credits.width() > picture.width as usize * 9 / 10 {
            credits = credits.raised();
        }
        Ok(Self { notice, credits })
    }

    /// Both at once, for a still.
    fn blend_all(&self, picture: Picture, nv12: &mut [u8]) {
        self.notice.blend(picture, nv12, 0.75);
        self.credits.blend(picture, nv12, 1.0);
    }

    fn blend(&self, picture: Picture, frame: u32, count: u32, nv12: &mut [u8]) {
        self.notice.blend(picture, nv12, 0.75);
        let left = (count - 1 - frame) as f32 / RATE as f32;
        let strength = ((1.35 - left) / 0.35).clamp(0.0, 1.0);
        if strength > 0.0 {
            self.credits.blend(picture, nv12, strength);
        }
    }
}
