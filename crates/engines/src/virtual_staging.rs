//! Virtual staging: reconstruct the empty room, furnish it, and report what was added.

mod views;

use std::path::{Path, PathBuf};

use aerie_engine_api::kinds::virtual_staging::arrangement::PlacedPiece;
use aerie_engine_api::kinds::virtual_staging::{StagingQuality, VARIATIONS, VirtualStagingRequest};
use aerie_engine_api::{EngineContext, EngineError, FURNITURE, FailureCode, Notes, Produced, ProducedFile, layers};
use aerie_furniture::operator_models::Loaded;
pub use aerie_furniture::operator_models::MANIFEST;
use aerie_furniture::palette::Role;
use aerie_furniture::{OperatorModels, PieceKind, Recipe, StylePrompt};
use aerie_photo::report::{COMPOSITE, Disclosure};
use aerie_photo::{OutputOptions, Photo, Picture};
use aerie_staging::{Asked, Brief, Effort, Monitor, Refusal, Room, RoomHints, RoomPlan, Staged, decode_pixels, studio};
use serde_json::{Value, json};

use crate::photos;

/// Side of the picture of a model, pixels.
const THUMBNAIL: usize = 512;

/// Furnishes the empty room in the photo at `image_url`, also with the operator's own pieces in [`FURNITURE`]. Makes
/// `image_url` in the requested format, `thumbnail_url` (JPEG), `mask_url` (PNG: black where the photo is unchanged)
/// and `layers_url` (TIFF: [`aerie_photo::Layers`]), and the fields `width`, `height`, `room_type`, `style`, `seed`, `furniture` (each [`aerie_staging::FurnitureItem`]),
/// `left_out`, `confidence`, `doubts`, `scale` and `disclosure`; with several variations also `variations`, and with `mls` also `mls_url`.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`, `NOT_A_ROOM`, `ROOM_NOT_EMPTY` or `ROOM_NOT_UNDERSTOOD`;
/// [`EngineError::Retry`] when the disk failed, [`EngineError::Canceled`].
pub fn run(request: &VirtualStagingRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let options = request.options.clone().unwrap_or_default();
    context.enter("reading the photo")?;
    let photo = photos::read(context)?;
    if let Some(message) = photos::not_flat(&photo) {
        return Err(EngineError::fail(FailureCode::NotARoom, message));
    }
    context.enter("understanding the room")?;
    let plan = RoomPlan::for_room_type(&request.room_type);
    let length = options.known_length.map(|l| (l.from, l.to, l.meters));
    let hints = RoomHints {
        floor: options.floor_polygon.clone(),
        corners: options.room_corners.clone(),
        length,
        is_empty: options.room_is_empty.unwrap_or(false),
        is_outdoors: plan == RoomPlan::OutdoorPatio,
    };
    let room = Room::analyze(&photo, &hints).map_err(refused)?;
    let style = StylePrompt::parse(options.style_prompt.as_deref());
    let (models, _) = own_pieces(context.pack_dir);
    let seed = options.seed.unwrap_or(1).unsigned_abs();
    let effort = match options.quality.unwrap_or_default() {
        StagingQuality::Draft => Effort::DRAFT,
        StagingQuality::Final => Effort::publication(photo.pixels.len()),
    };
    let asked = options.arrangement.as_deref().map(asked).transpose()?;
    let first_view = views::FirstPhoto::read(&options, &hints, context)?;
    let registered = first_view.as_ref().map(|first| first.register(&room, &photo));
    let view = views::report(&options, registered.as_ref());
    let from = match (&first_view, &registered) {
        (Some(first), Some(Ok(registration))) => first.view(registration),
        _ => None,
    };
    let apart = match &registered {
        Some(Err(why)) => Some(views::furnished_apart(why, asked.is_some())),
        _ => None,
    };
    // An arrangement is that of the first view, and says nothing about places of a photo that is apart from it.
    let asked = asked.filter(|_| apart.is_none());
    let count = options.variations.unwrap_or(1).clamp(1, 4).unsigned_abs() as usize;
    let format = photos::format(options.format.unwrap_or_default());
    let finish = OutputOptions { label: options.label.clone(), format, ..OutputOptions::default() };
    let media_type = format.media_type();
    let (mut files, mut variations) = (Vec::new(), Vec::new());
    let mut first: Option<(Staged, Disclosure)> = None;
    let mut for_mls = None;
    for (i, fields) in VARIATIONS.iter().enumerate().take(count) {
        context.enter("furnishing")?;
        let report = |share: f32| {
            let done = ((i as f32 + share) / count as f32 * 100.0) as u64;
            context.report("furnishing", done, 100);
        };
        let monitor = Monitor { report: &report, is_canceled: &|| context.cancel.is_canceled() };
        let seed = seed.wrapping_add(i as u64 * 7919);
        let mut staged = room
            .stage(
                &photo,
                &Brief { plan, style: &style, models: &models, seed, asked: asked.as_deref(), first: from },
                &effort,
                &monitor,
            )
            .map_err(refused)?;
        context.enter("writing the photo")?;
        let disclosure = disclosure(&staged, &hints);
        let written = write(context.out_dir, i, &photo, &mut staged, &disclosure, &finish)?;
        if i == 0 && options.mls == Some(true) {
            let (picture, metadata) = (picture(&photo, &staged), (&steps(&staged)[..], photo.exif.as_deref()));
            let (file, size) = photos::keep_for_mls(context.out_dir, &picture, &finish, &disclosure, metadata)?;
            files.push(file);
            for_mls = Some(size);
        }
        if count > 1 {
            let copy = |path: &Path, name: String| -> Result<PathBuf, EngineError> {
                let to = context.out_dir.join(name);
                std::fs::copy(path, &to).map_err(|e| EngineError::Retry(format!("cannot write the photo: {e}")))?;
                Ok(to)
            };
            let image = copy(&written[0], format!("variation{i}.{}", format.extension()))?;
            let mask = copy(&written[1], format!("variation{i}.mask.png"))?;
            files.push(ProducedFile::new(fields[0], image, media_type));
            let layers_file = copy(&written[3], format!("variation{i}.{}", layers::ENDING))?;
            files.push(ProducedFile::new(fields[1], mask, "image/png"));
            files.push(ProducedFile::new(fields[2], layers_file, "image/tiff"));
            variations.push(json!({"furniture": staged.furniture, "seed": seed}));
        }
        if first.is_none() {
            let [image, mask, thumbnail, layers_file] = written;
            files.push(ProducedFile::new("image_url", image, media_type));
            files.push(ProducedFile::new("mask_url", mask, "image/png"));
            files.push(ProducedFile::new("thumbnail_url", thumbnail, "image/jpeg"));
            files.push(ProducedFile::new("layers_url", layers_file, "image/tiff"));
            first = Some((staged, disclosure));
        }
    }
    let Some((staged, disclosure)) = first else { return Err(EngineError::Retry("nothing was furnished".to_owned())) };
    let mut doubts: Vec<String> = room.doubts().into_iter().map(str::to_owned).collect();
    doubts.extend(staged.doubts.iter().cloned());
    doubts.extend(apart);
    let mut fields = vec![
        ("width", json!(photo.width)),
        ("height", json!(photo.height)),
        ("room_type", json!(plan.as_str())),
        ("style", json!(style)),
        ("seed", json!(seed)),
        ("furniture", json!(staged.furniture)),
        ("left_out", json!(staged.left_out)),
        ("confidence", json!((room.confidence * 1000.0).round() / 1000.0)),
        ("doubts", json!(doubts)),
        ("scale", scale(&room)),
        ("disclosure", json!(disclosure)),
    ];
    if let Some([width, height]) = for_mls {
        fields.extend([("mls_width", json!(width)), ("mls_height", json!(height))]);
    }
    if request.room_type != plan.as_str() {
        fields.push(("room_type_asked", json!(request.room_type)));
    }
    if let Some(view) = view {
        fields.push(("view", view));
    }
    if count > 1 {
        fields.push(("variations", Value::Array(variations)));
    }
    Ok(Produced {
        files,
        originals: vec![("original_url".into(), "image_url".into())],
        notes: Notes::new(),
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        origin: None,
    })
}

/// The pieces that a client places.
fn asked(arrangement: &[PlacedPiece]) -> Result<Vec<Asked>, EngineError> {
    let one = |(i, placed): (usize, &PlacedPiece)| {
        let wrong = |member: &str, why: &str| {
            EngineError::fail(FailureCode::RoomNotUnderstood, format!("`options.arrangement[{i}].{member}` {why}."))
        };
        let kind: PieceKind = placed.piece.parse().map_err(|_| wrong("piece", "is no kind of furniture"))?;
        let recipe = placed
            .recipe
            .as_deref()
            .map(|recipe| Recipe::parse(kind, recipe).map_err(|error| wrong("recipe", &error.to_string())));
        let color = |(name, code): (&String, &String)| -> Option<(Role, glam::Vec3)> {
            let number = u32::from_str_radix(code.strip_prefix('#')?, 16).ok()?;
            let [_, rgb @ ..] = number.to_be_bytes();
            Some((name.parse().ok()?, aerie_math::color::linear(rgb.map(|v| u16::from(v) * 257)).into()))
        };
        let [x, y, ..] = placed.position[..] else { return Err(wrong("position", "must have two numbers")) };
        Ok(Asked {
            kind,
            model: placed.model.clone(),
            recipe: recipe.transpose()?,
            at: glam::Vec2::new(x as f32, y as f32),
            elevation: placed.elevation.unwrap_or(0.0) as f32,
            turn: (placed.turn.unwrap_or(0.0) as f32).to_radians(),
            colors: placed.colors.iter().flatten().filter_map(color).collect(),
        })
    };
    arrangement.iter().enumerate().map(one).collect()
}

/// The operator's own pieces in a data folder or published pack, and what is wrong with those that are left out.
#[must_use]
pub fn own_pieces(pack_dir: &Path) -> (OperatorModels, Vec<String>) {
    OperatorModels::read(&pack_dir.join(FURNITURE), decode_pixels)
}

/// The pieces in a folder, each of them read, and what is wrong with the others.
#[must_use]
pub fn all_pieces(folder: &Path) -> (OperatorModels, Vec<String>) {
    OperatorModels::check(folder, decode_pixels)
}

/// A picture of a model, PNG.
///
/// # Errors
/// If it cannot be encoded.
pub fn thumbnail(loaded: &Loaded) -> Result<Vec<u8>, EngineError> {
    let picture = studio::picture(&loaded.piece, &loaded.materials, THUMBNAIL, studio::FRONT, &Effort::DRAFT);
    aerie_photo::room::png(&picture).map_err(|e| EngineError::Retry(format!("cannot encode the picture: {e}")))
}

/// Writes picture, mask, thumbnail and layers of a variation.
fn write(
    folder: &Path,
    which: usize,
    photo: &Photo,
    staged: &mut Staged,
    disclosure: &Disclosure,
    finish: &OutputOptions,
) -> Result<[PathBuf; 4], EngineError> {
    let picture = picture(photo, staged);
    let mask = Picture {
        width: photo.width,
        height: photo.height,
        pixels: staged.picture.mask.iter().flat_map(|v| [*v; 3]).collect(),
    };
    let image = aerie_photo::encode(&picture, finish, disclosure, &steps(staged), photo.exif.as_deref());
    let image = image.map_err(photos::unwritable)?;
    let small = aerie_photo::thumbnail(&picture, finish, disclosure).map_err(photos::unwritable)?;
    let mask = aerie_photo::room::png(&mask).map_err(|e| EngineError::Retry(format!("cannot write the mask: {e}")))?;
    staged.layers.picture = photos::identity(&image.bytes);
    let encoded = staged.layers.encoded().map_err(|e| EngineError::Retry(e.to_string()))?;
    Ok([
        photos::keep(folder, &format!("image{which}.{}", finish.format.extension()), &image.bytes)?,
        photos::keep(folder, &format!("mask{which}.png"), &mask)?,
        photos::keep(folder, &format!("thumbnail{which}.jpg"), &small)?,
        photos::keep(folder, &format!("image{which}.{}", layers::ENDING), &encoded)?,
    ])
}

/// The staged photo, 8 bits a channel.
fn picture(photo: &Photo, staged: &Staged) -> Picture {
    let pixels = staged.picture.pixels.iter().flatten().map(|v| ((u32::from(*v) + 128) / 257) as u8).collect();
    Picture { width: photo.width, height: photo.height, pixels }
}

/// What was done, for the metadata.
fn steps(staged: &Staged) -> Vec<String> {
    staged.furniture.iter().map(|f| format!("added {}", f.piece)).collect()
}

fn disclosure(staged: &Staged, hints: &RoomHints) -> Disclosure {
    let mut pieces: Vec<PieceKind> = Vec::new();
    for piece in staged.furniture.iter().map(|f| f.piece) {
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
    }
    let mut credits: Vec<String> = Vec::new();
    for line in staged.furniture.iter().filter_map(|f| f.credit.as_ref()?.line()) {
        if !credits.contains(&line) {
            credits.push(line);
        }
    }
    let credits =
        if credits.is_empty() { String::new() } else { format!(" Models of furniture: {}.", credits.join("; ")) };
    let vouched = if hints.is_empty { " The client declared the room to be empty." } else { "" };
    let text = format!(
        "Virtually staged photo: furniture and decoration ({}) were added by computer with Aerie. The room itself, its floor, \
         walls, windows and view, is as in the original photo.{vouched}{credits}",
        pieces.iter().map(|piece| piece.as_str()).collect::<Vec<_>>().join(", ")
    );
    Disclosure { text, digital_source_type: COMPOSITE, altered: true }
}

fn scale(room: &Room) -> Value {
    let rounded = |v: f64| (v * 1000.0).round() / 1000.0;
    let scale = room.scale();
    json!({
        "camera_height": rounded(scale.meters),
        "range": scale.range.map(rounded),
        "ceiling_height": rounded(f64::from(room.space().height)),
        "ruler": scale.ruler.name(),
        "ground": scale.ruler.basis(),
    })
}

fn refused(refusal: Refusal) -> EngineError {
    let code = match refusal {
        Refusal::NotARoom(_) => FailureCode::NotARoom,
        Refusal::NotEmpty(_) => FailureCode::RoomNotEmpty,
        Refusal::NotUnderstood(_) => FailureCode::RoomNotUnderstood,
        Refusal::Canceled => return EngineError::Canceled,
    };
    EngineError::fail(code, refusal.to_string())
}

#[cfg(test)]
mod tests {
    use aerie_engine_api::kinds::virtual_staging::arrangement::{MATERIALS, PIECES};
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_names_that_requests_may_use_are_those_of_the_engine() {
        let kinds: Vec<&str> = PieceKind::VARIANTS.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(kinds, PIECES);
        let roles: Vec<&str> = Role::VARIANTS.iter().map(|role| (*role).into()).collect();
        assert_eq!(roles, MATERIALS);
    }
}
